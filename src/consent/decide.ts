/**
 * What an account holder decides about a consent: approve, refuse, renew, withdraw. Every change is compare-and-set on the
 * status that was seen, with one history row in the same transaction; of two at once, one wins.
 */

import { lockEventPosition } from '../events/outbox.js';
import { type BankTime, DAY } from '../lib/clock.js';
import { endOfDay } from '../lib/day.js';
import type { Vault } from '../lib/vault.js';
import type { ConsentId, PsuId } from '../model/ids.js';
import type { ShownTerms } from '../model/payment-terms.js';
import type { Regime } from '../model/regime.js';
import type { Db, Queries } from '../store/db.js';
import { type AskedConsent, findAsked, pricedIn, shownHash, withTerms } from './asked.js';
import { lockBlocks } from './blocks.js';
import { detailsColumn, notesColumn, quoteColumn } from './columns.js';
import { insertAccounts } from './consents.js';
import { scaValidUntil, statusAt, UNDECIDED_MS } from './lifecycle.js';
import { addStep, moveConsent, settle } from './move.js';
import { tellRenewal } from './notices.js';
import { type ConsentAccount, type ConsentStatus, pickedDetails, type StatusReason } from './record.js';
import { withResourceIds } from './resource-ids.js';
import { supersede } from './supersede.js';

/** A renewal expires after a day, like a request. */
const isRenewalOpen = ({ renewalAt }: Pick<AskedConsent, 'renewalAt'>, bankNow: BankTime): boolean =>
  renewalAt !== null && bankNow < renewalAt + UNDECIDED_MS;

/** `blocked`: its third party is, and the person can only refuse, or lift the block. */
export type Pending = 'request' | 'renewal' | 'blocked';

/** What there is to decide about a consent now, if anything. */
export const pendingDecision = (asked: AskedConsent, bankNow: BankTime): Pending | undefined => {
  const status = statusAt(asked, bankNow);
  if (status === 'Received') return asked.block === null ? 'request' : 'blocked';
  return status === 'Valid' && isRenewalOpen(asked, bankNow) ? 'renewal' : undefined;
};

/** The account holder decides how long a funds consent lasts; the term of the others is the third party's. */
export const choosesTerm = ({ kind }: Pick<AskedConsent, 'kind'>): boolean => kind === 'ConfirmationOfFunds';

/** The last day, or null for no end. */
export interface ChosenTerm {
  readonly lastDay: string | null;
  /** The zone of that day. */
  readonly timeZone: string;
}

export interface Approval {
  readonly id: ConsentId;
  readonly psuId: PsuId;
  /** Of what was shown on the page. */
  readonly shownHash: string;
  /** The accounts that were picked or confirmed, one entry for each sub-account. */
  readonly accounts: readonly ConsentAccount[];
  /** Of a payment: the bank's terms for the account holder. */
  readonly terms?: ShownTerms | undefined;
  /** Only if the account holder chooses it. Absent leaves it as it is. */
  readonly term?: ChosenTerm | undefined;
  readonly at: BankTime;
  readonly regime: Regime;
  /** Names the accounts for the third party. */
  readonly vault: Vault;
}

/** `changed`: not what was shown; `decided`: no longer open; `submitted`: the payment is in the bank's hands. */
export type DecisionOutcome = 'done' | 'changed' | 'decided' | 'submitted' | 'unknown';

/** A payment must be submitted within a day of its approval. */
const SUBMIT_WITHIN_MS = DAY;

interface ApprovedTerm {
  readonly expiresAt: BankTime | null;
  /** As the details say it. */
  readonly expirationDate?: string | undefined;
}

const approvedTerm = (asked: AskedConsent, { term, at }: Approval): ApprovedTerm => {
  if (asked.kind === 'PaymentInitiation') return { expiresAt: at + SUBMIT_WITHIN_MS };
  if (!term) return { expiresAt: asked.expiresAt };
  if (!choosesTerm(asked)) throw new Error('the term of this consent is not chosen by its account holder');
  const { lastDay, timeZone } = term;
  return lastDay === null
    ? { expiresAt: null, expirationDate: undefined }
    : { expiresAt: endOfDay(lastDay, timeZone), expirationDate: lastDay };
};

/** With what its approval ends: no other decision about the same application comes between reading and ending. */
const findAskedAlone = async (
  tx: Queries,
  id: ConsentId,
  psuId: PsuId,
): Promise<AskedConsent | undefined> => {
  const asked = await findAsked(tx, id, psuId);
  if (asked?.kind !== 'AccountAccess') return asked;
  await lockEventPosition(tx, asked.clientId);
  return findAsked(tx, id, psuId);
};

const STORE_APPROVED = `
  update consents set approved_at = ?, sca_at = ?, expires_at = ?, details = ?, quote = ?, payment_notes = ?
  where id = ? and psu_id = ?`;

export const approveConsent = (db: Db, approval: Approval): Promise<DecisionOutcome> =>
  db.transaction(async (tx) => {
    const { id, psuId, at, regime } = approval;
    await lockBlocks(db.engine, tx, psuId);
    const found = await findAskedAlone(tx, id, psuId);
    if (!found) return 'unknown';
    if ((await settle(tx, found, at)) !== 'Received') return 'decided';
    const asked = approval.terms ? withTerms(found, approval.terms) : found;
    if (shownHash(asked) !== approval.shownHash || asked.isActive === 0 || asked.block !== null)
      return 'changed';
    const isMoved = await moveConsent(tx, {
      id,
      psuId,
      from: 'Received',
      to: 'Valid',
      by: 'psu',
      reason: 'approved',
      at,
      ...(asked.kind === 'AccountAccess'
        ? { scaValidUntil: scaValidUntil({ scaAt: at, expiresAt: asked.expiresAt }, regime) }
        : {}),
    });
    if (!isMoved) return 'decided';
    const { expiresAt, ...term } = approvedTerm(asked, approval);
    const priced = pricedIn(asked, approval.accounts[0]?.currency);
    const details = { ...priced.details, ...pickedDetails(asked, approval.accounts), ...term };
    const { quote, notes } = priced;
    await tx.run(STORE_APPROVED, [
      ...[at, at, expiresAt, detailsColumn.write(details)],
      ...[quote && quoteColumn.write(quote), notes && notesColumn.write(notes), id, psuId],
    ]);
    await tx.run('delete from consent_accounts where consent_id = ?', [id]);
    await insertAccounts(tx, asked, await withResourceIds(tx, approval.vault, asked, approval.accounts));
    await supersede(tx, asked, approval.accounts, at);
    return 'done';
  });

const RENEW = `
  update consents set sca_at = ?, renewal_at = null
  where id = ? and psu_id = ? and status = 'Valid' and renewal_at = ?`;

/** Renews the strong authentication of an account access. The permissions stay as they are. */
export const renewConsent = (
  db: Db,
  { id, psuId, shownHash: shown, at, regime }: Pick<Approval, 'id' | 'psuId' | 'shownHash' | 'at' | 'regime'>,
): Promise<DecisionOutcome> =>
  db.transaction(async (tx) => {
    const asked = await findAsked(tx, id, psuId);
    if (!asked) return 'unknown';
    if ((await settle(tx, asked, at)) !== 'Valid' || !isRenewalOpen(asked, at)) return 'decided';
    if (shownHash(asked) !== shown || asked.isActive === 0) return 'changed';
    await lockEventPosition(tx, asked.clientId);
    if ((await tx.run(RENEW, [at, id, psuId, asked.renewalAt])) === 0) return 'decided';
    await addStep(tx, { id, psuId, from: 'Valid', to: 'Valid', by: 'psu', reason: 'renewed', at });
    await tellRenewal(tx, asked, at, regime);
    return 'done';
  });

/** Refuses a Received consent, or withdraws a Valid one. */
const endByPsu = (
  db: Db,
  id: ConsentId,
  psuId: PsuId,
  from: ConsentStatus,
  to: ConsentStatus,
  reason: StatusReason,
  at: BankTime,
): Promise<DecisionOutcome> =>
  db.transaction(async (tx) => {
    const asked = await findAsked(tx, id, psuId);
    if (!asked) return 'unknown';
    if (asked.submittedAt !== null) return 'submitted';
    if ((await settle(tx, asked, at)) !== from) return 'decided';
    if (await moveConsent(tx, { id, psuId, from, to, by: 'psu', reason, at })) return 'done';
    return (await findAsked(tx, id, psuId))?.submittedAt === null ? 'decided' : 'submitted';
  });

const REFUSE_RENEWAL = 'update consents set renewal_at = null where id = ? and psu_id = ? and renewal_at = ?';

/** Refuses what is pending. A refused renewal leaves the consent as it is. */
export const refuseConsent = async (db: Db, asked: AskedConsent, at: BankTime): Promise<DecisionOutcome> => {
  const { id, psuId, renewalAt } = asked;
  if (pendingDecision(asked, at) !== 'renewal')
    return endByPsu(db, id, psuId, 'Received', 'Rejected', 'rejected', at);
  return (await db.run(REFUSE_RENEWAL, [id, psuId, renewalAt])) === 1 ? 'done' : 'decided';
};

/** By the status it has now. A payment that was submitted is in the bank's hands. */
export const canWithdraw = (
  { submittedAt }: Pick<AskedConsent, 'submittedAt'>,
  status: ConsentStatus,
): boolean => status === 'Valid' && submittedAt === null;

export const withdrawConsent = (
  db: Db,
  id: ConsentId,
  psuId: PsuId,
  at: BankTime,
): Promise<DecisionOutcome> => endByPsu(db, id, psuId, 'Valid', 'RevokedByPsu', 'withdrawn', at);
