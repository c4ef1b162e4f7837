/** A list that waits for its publication: kept as it came, and judged again whenever it is looked at. */
import { DAY, type RealTime } from '../lib/clock.js';
import { newId } from '../lib/id.js';
import type { Queries } from '../store/db.js';
import { type Difference, differenceOf } from './difference.js';
import { importAtms } from './import/import-atms.js';
import type { ImportResult } from './import/result.js';
import { decodeFeed } from './import/source.js';
import { atmsOf, currentAtms } from './publication.js';

const KEPT_MS = DAY;

interface Draft {
  readonly feed: string;
  readonly country: string | null;
  /** The ETag of the list that was published then; empty if there was none. */
  readonly basis: string;
}

const INSERT_DRAFT =
  'insert into atm_drafts (id, feed, country, basis, made_by, made_at) values (?, ?, ?, ?, ?, ?)';
const SWEEP_DRAFTS = 'delete from atm_drafts where made_at <= ?';
const FIND_DRAFT = 'select feed, country, basis from atm_drafts where id = ? and made_at > ?';

const judge = (feed: string, country: string | null): ImportResult =>
  importAtms(Buffer.from(feed), { country: country ?? undefined });

/** Throws an ImportError if it cannot be read at all. Returns its id. */
export const saveDraft = async (
  db: Queries,
  draft: { readonly feed: Uint8Array; readonly country: string | undefined; readonly by: string },
  now: RealTime,
): Promise<string> => {
  const { country = null, by } = draft;
  const feed = decodeFeed(draft.feed);
  judge(feed, country);
  const id = newId();
  const basis = (await currentAtms(db))?.etag ?? '';
  await db.run(SWEEP_DRAFTS, [now - KEPT_MS]);
  await db.run(INSERT_DRAFT, [id, feed, country, basis, by, now]);
  return id;
};

export interface JudgedDraft {
  readonly result: ImportResult;
  readonly difference: Difference;
  /** False if another list was published since. */
  readonly isFresh: boolean;
  readonly basis: string;
}

export const findDraft = async (db: Queries, id: string, now: RealTime): Promise<JudgedDraft | undefined> => {
  const draft = await db.one<Draft>(FIND_DRAFT, [id, now - KEPT_MS]);
  if (!draft) return undefined;
  const { feed, country, basis } = draft;
  const published = await currentAtms(db);
  const result = judge(feed, country);
  return {
    result,
    difference: differenceOf(published ? atmsOf(published) : [], result.accepted),
    isFresh: basis === (published?.etag ?? ''),
    basis,
  };
};
