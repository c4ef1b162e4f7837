/**
 * The cursor of a following page. It is sealed and cannot be forged: its holder received the page before, by this consent, for
 * this account and these days. It works for a while (`lib/page-link.ts`).
 */

import type { TransactionPage, TransactionsQuery } from '../../../bank/history.js';
import { PAGE_LINK_MS } from '../../../lib/page-link.js';
import type { Vault } from '../../../lib/vault.js';
import type { ConsentId } from '../../../model/ids.js';
import { fieldFault } from '../../../problem/field.js';
import { Problem } from '../../../problem/problem.js';
import type { ReadPeriod } from './read-period.js';

export interface Cursor extends ReadPeriod {
  readonly consentId: ConsentId;
  readonly resourceId: string;
  /** Null if everything booked was given. */
  readonly after: TransactionPage['next'];
  /** Left out if everything pending was given. */
  readonly pendingAfter?: string | undefined;
  /** Where the page before ended: what follows must be older. */
  readonly last?: TransactionsQuery['last'];
  readonly limit: number;
  readonly bookingStatus: string;
  /** Which page it leads to. */
  readonly page: number;
  readonly madeAt: number;
}

type Read = Pick<Cursor, 'consentId' | 'resourceId'>;

const placeOf = ({ consentId, resourceId }: Read): string => `cursor:${consentId}:${resourceId}`;

export const sealCursor = (vault: Vault, cursor: Cursor): string =>
  vault.seal(JSON.stringify(cursor), placeOf(cursor));

const opened = (vault: Vault, text: string, read: Read): Cursor | undefined => {
  try {
    return JSON.parse(vault.open(text, placeOf(read))) as Cursor;
  } catch {
    return undefined;
  }
};

/** One answer for a cursor that is forged or of another read. */
const foreignCursor = (): Problem =>
  new Problem('invalid-query', {
    errors: { 'query.page': [fieldFault('not-found', 'must come from _links.next of a page of this list')] },
  });

/** A cursor of ours that is too old, or that the bank does not know any more: no mistake of the program. */
export const expiredCursor = (): Problem => new Problem('page-expired');

/** The cursor, if it belongs to this read; other parameters may be repeated beside it, but not changed. */
export const openCursor = (
  vault: Vault,
  text: string,
  read: Read & { readonly at: number },
  sent: Readonly<Record<string, string | undefined>>,
): Cursor => {
  const cursor = opened(vault, text, read);
  const isOwn = cursor?.consentId === read.consentId && cursor.resourceId === read.resourceId;
  if (!isOwn || cursor.after === undefined) throw foreignCursor();
  if (read.at >= cursor.madeAt + PAGE_LINK_MS) throw expiredCursor();
  const { from: dateFrom, to: dateTo, bookingStatus, limit } = cursor;
  const meant: Readonly<Record<string, string>> = { dateFrom, dateTo, bookingStatus, limit: String(limit) };
  const changed = Object.keys(meant).filter((name) => sent[name] && sent[name] !== meant[name]);
  if (changed.length > 0) {
    const message = 'must be left out or stay the same on the following pages';
    const fault = fieldFault('conflict', message, { with: 'query.page' });
    throw new Problem('invalid-query', {
      errors: Object.fromEntries(changed.map((name) => [`query.${name}`, [fault]])),
    });
  }
  return cursor;
};
