/** A list that waits for its publication: kept as it came, and reviewed whenever it is looked at. */
import { DAY, type RealTime } from '../lib/clock.js';
import { newId } from '../lib/id.js';
import type { Queries } from '../store/db.js';
import { currentAtms } from './publication.js';

const KEPT_MS = DAY;

interface Kept {
  readonly feed: string;
  /** ISO 3166 code for addresses without a country. */
  readonly country: string | null;
  /** The ETag of the list that was published then; empty if there was none. */
  readonly basis: string;
}

export interface Draft extends Kept {
  /** The list that is published now. */
  readonly published: string | undefined;
  /** False if another list was published since. */
  readonly isFresh: boolean;
}

const INSERT_DRAFT =
  'insert into atm_drafts (id, feed, country, basis, made_by, made_at) values (?, ?, ?, ?, ?, ?)';
const SWEEP_DRAFTS = 'delete from atm_drafts where made_at <= ?';
const FIND_DRAFT = 'select feed, country, basis from atm_drafts where id = ? and made_at > ?';

/** Returns its id. */
export const saveDraft = async (
  db: Queries,
  draft: { readonly feed: string; readonly country: string | undefined; readonly by: string },
  now: RealTime,
): Promise<string> => {
  const { feed, country = null, by } = draft;
  const id = newId();
  const basis = (await currentAtms(db))?.etag ?? '';
  await db.run(SWEEP_DRAFTS, [now - KEPT_MS]);
  await db.run(INSERT_DRAFT, [id, feed, country, basis, by, now]);
  return id;
};

export const findDraft = async (db: Queries, id: string, now: RealTime): Promise<Draft | undefined> => {
  const draft = await db.one<Kept>(FIND_DRAFT, [id, now - KEPT_MS]);
  if (!draft) return undefined;
  const published = await currentAtms(db);
  return { ...draft, published: published?.body, isFresh: draft.basis === (published?.etag ?? '') };
};
