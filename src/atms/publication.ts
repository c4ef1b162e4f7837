/**
 * The published ATM list (interface: "Get ATMs"). One version is current. Its date is made here, once, so that every node answers the
 * same and an identical list never looks like a change.
 */
import { type RealTime, SECOND } from '../lib/clock.js';
import type { Db, Queries } from '../store/db.js';
import type { Atm } from './atm.js';
import { type PublishableList, publishableList } from './publishable.js';

export interface Publication extends PublishableList {
  readonly version: number;
  /** Whole seconds, because HTTP dates have no fractions. */
  readonly lastModifiedMs: number;
}

export interface PublishOutcome {
  /** False when the list is the one already published. */
  readonly changed: boolean;
  readonly etag: string;
  readonly lastModifiedMs: number;
  readonly count: number;
}

/** The current list and the two before it, so that changes can be compared. */
const KEPT_VERSIONS = 3;

interface Head {
  readonly version: number;
  readonly etag: string;
  readonly modified_at: number;
  readonly atm_count: number;
}

const LATEST =
  'select version, etag, modified_at, atm_count from atm_publications order by version desc limit 1';
const CURRENT =
  'select version, etag, modified_at, atm_count, body from atm_publications order by version desc limit 1';
const INSERT_PUBLICATION = `insert into atm_publications (version, etag, modified_at, atm_count, body)
  values (?, ?, ?, ?, ?)`;
const PRUNE = 'delete from atm_publications where version <= ?';

/** Behind whatever is published now, in an exclusive transaction of the caller. */
export const publishListIn = async (
  tx: Queries,
  { etag, count, body }: PublishableList,
  nowMs: RealTime,
): Promise<PublishOutcome> => {
  const latest = await tx.one<Head>(LATEST);
  if (latest?.etag === etag) return { changed: false, etag, lastModifiedMs: latest.modified_at, count };
  // A clock that was set back must not make a client with a newer date miss this change.
  const lastModifiedMs = Math.max(
    Math.floor(nowMs / SECOND) * SECOND,
    latest ? latest.modified_at + SECOND : Number.NEGATIVE_INFINITY,
  );
  const version = (latest?.version ?? 0) + 1;
  await tx.run(INSERT_PUBLICATION, [version, etag, lastModifiedMs, count, body]);
  await tx.run(PRUNE, [version - KEPT_VERSIONS]);
  return { changed: true, etag, lastModifiedMs, count };
};

/**
 * Makes the list the published one. Several nodes may publish at once: they line up. A free version number would not be
 * enough to go by: one that was taken and pruned in between is free again.
 */
export const publishAtms = (db: Db, atms: readonly Atm[], nowMs: RealTime): Promise<PublishOutcome> =>
  db.exclusive((tx) => publishAtmsIn(tx, atms, nowMs));

/** The same within an exclusive transaction of the caller. */
export const publishAtmsIn = (tx: Queries, atms: readonly Atm[], nowMs: RealTime): Promise<PublishOutcome> =>
  publishListIn(tx, publishableList(atms), nowMs);

export const currentAtms = async (db: Queries): Promise<Publication | undefined> => {
  const row = await db.one<Head & { readonly body: string }>(CURRENT);
  if (!row) return undefined;
  return {
    version: row.version,
    etag: row.etag,
    lastModifiedMs: row.modified_at,
    count: row.atm_count,
    body: row.body,
  };
};

/** The number of the current version, 0 while nothing is published: cheap enough to ask every few seconds. */
export const currentVersion = async (db: Db): Promise<number> => {
  const row = await db.one<{ version: number | null }>(
    'select max(version) as version from atm_publications',
  );
  return row?.version ?? 0;
};

/** The list behind a publication, for exports and pages. */
export const atmsOf = (publication: Pick<Publication, 'body'>): Atm[] =>
  JSON.parse(publication.body) as Atm[];
