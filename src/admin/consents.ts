/**
 * What the bank's people do with consents, for the hotline, a court or a death (PSD2 Art. 68(5)): find those of a person or of an
 * account, and end them. Each end is one step of the lifecycle with its event, and keeps who ended it and why.
 */

import { findAsked } from '../consent/asked.js';
import { isFinal, statusAt } from '../consent/lifecycle.js';
import { moveConsent, settle } from '../consent/move.js';
import type { Consent } from '../consent/record.js';
import type { BankTime } from '../lib/clock.js';
import { isUuid } from '../lib/id.js';
import type { ConsentId, PsuId } from '../model/ids.js';
import type { Queries } from '../store/db.js';

/** All consents of a person, or all that open an account, named by its IBAN, its BBAN or the bank's own id. */
export type ConsentsOf = { readonly psuId: PsuId } | { readonly account: string };

export interface ConsentLine
  extends Pick<Consent, 'id' | 'kind' | 'status' | 'psuId' | 'createdAt' | 'expiresAt' | 'submittedAt'> {
  readonly applicationName: string;
  readonly tppName: string;
}

const LINES = `
  select c.id, c.kind, c.status, c.psu_id as "psuId", c.created_at as "createdAt", c.expires_at as "expiresAt",
         c.submitted_at as "submittedAt", a.name as "applicationName", t.name as "tppName"
  from consents c join applications a on a.client_id = c.client_id join tpps t on t.id = a.tpp_id`;
const OF_PERSON = `${LINES} where c.psu_id = ? order by c.created_at desc, c.id`;
const OF_ACCOUNT = `${LINES}
  where c.id in (select consent_id from consent_accounts where iban = ? or bban = ? or account_id = ?)
  order by c.created_at desc, c.id`;

/** Newest first, with what time has made of them. */
export const listConsents = async (
  db: Queries,
  wanted: ConsentsOf,
  bankNow: BankTime,
): Promise<readonly ConsentLine[]> => {
  const rows =
    'psuId' in wanted
      ? await db.all<ConsentLine>(OF_PERSON, [wanted.psuId])
      : await db.all<ConsentLine>(OF_ACCOUNT, [wanted.account, wanted.account, wanted.account]);
  return rows.map((row) => ({ ...row, status: statusAt(row, bankNow) }));
};

export const isOpen = ({ status }: Pick<ConsentLine, 'status'>): boolean => !isFinal(status);

const OWNER = 'select psu_id as "psuId" from consents where id = ?';

/** Whose consent it is. */
export const ownerOf = async (db: Queries, id: ConsentId): Promise<PsuId | undefined> =>
  isUuid(id) ? (await db.one<{ psuId: PsuId }>(OWNER, [id]))?.psuId : undefined;

export interface EndByBank {
  readonly by: string;
  readonly why: string;
}

/** `submitted`: the payment is under way, and its order ends the consent. */
export type BankOutcome = 'ended' | 'over' | 'submitted' | 'unknown';

export const endByBank = async (
  tx: Queries,
  id: ConsentId,
  { by, why }: EndByBank,
  at: BankTime,
): Promise<BankOutcome> => {
  const psuId = await ownerOf(tx, id);
  const consent = psuId === undefined ? undefined : await findAsked(tx, id, psuId);
  if (!consent) return 'unknown';
  const from = await settle(tx, consent, at);
  if (isFinal(from)) return 'over';
  if (consent.submittedAt !== null) return 'submitted';
  const step = { id, psuId: consent.psuId, reason: 'ended-by-bank', note: `${by}: ${why}`, at } as const;
  const to = from === 'Received' ? 'Rejected' : 'Expired';
  if (await moveConsent(tx, { ...step, from, to, by: 'bank' })) return 'ended';
  return (await findAsked(tx, id, step.psuId))?.submittedAt === null ? 'over' : 'submitted';
};

const NOTES = `
  select changed_at as "at", note from consent_history where consent_id = ? and note is not null order by position`;

/** What was written down at its ends by hand. */
export const notesOf = (db: Queries, id: ConsentId): Promise<readonly { at: BankTime; note: string }[]> =>
  db.all(NOTES, [id]);
