/** What an uploaded list holds, and what its publication would change. Takes a second for a large one: only threads and commands call it. */
import { type Difference, differenceOf } from './difference.js';
import type { Draft } from './drafts.js';
import { readFeed } from './import/format.js';
import { importAtms } from './import/import-atms.js';
import { countsOf, type ImportCounts, ImportError, type RefusedRecord } from './import/result.js';
import { decodeFeed } from './import/source.js';
import { atmsOf } from './publication.js';
import { type PublishableList, publishableList } from './publishable.js';

/** The text of a list that can be read, or why it cannot. */
export type ReadList = { readonly feed: string } | { readonly fault: string };

export const readList = (bytes: Uint8Array): ReadList => {
  try {
    const feed = decodeFeed(bytes);
    readFeed(feed);
    return { feed };
  } catch (error) {
    if (error instanceof ImportError) return { fault: error.message };
    throw error;
  }
};

/** Refused records that are shown. */
const SHOWN = 20;

export interface Review extends ImportCounts {
  /** The first that were refused. */
  readonly refusals: readonly RefusedRecord[];
  readonly difference: Difference;
  /** The records that were accepted. */
  readonly list: PublishableList;
}

export const reviewDraft = ({ feed, country, published }: Omit<Draft, 'isFresh'>): Review => {
  const result = importAtms(Buffer.from(feed), { country: country ?? undefined });
  const { accepted, refused } = result;
  return {
    ...countsOf(result),
    refusals: refused.slice(0, SHOWN),
    difference: differenceOf(published === undefined ? [] : atmsOf({ body: published }), accepted),
    list: publishableList(accepted),
  };
};
