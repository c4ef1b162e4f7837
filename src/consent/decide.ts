/**
 * What an account holder does with a consent: look at it, approve, refuse, withdraw. Every change is compare-and-set on the
 * status that was seen, with one history row in the same transaction; of two at once, one wins.
 */
import { takeTurn, writeEvent } from '../events/outbox.js';
import { DAY } from '../lib/clock.js';
import { undisguised } from '../lib/format/undisguised.js';
import { sha256 } from '../lib/hash.js';
import { isUuid } from '../lib/id.js';
import type { Quote } from '../model/quote.js';
import type { Db, Queries } from '../store/db.js';
import { insertAccounts } from './consents.js';
import { type Actor, isFinal, mayMove, statusAt } from './lifecycle.js';
import { pickedDetails } from './picked.js';
import type { Consent, ConsentAccount, ConsentKind, ConsentStatus } from './record.js';

/** A consent as its account holder sees it, with who asks. */
export interface AskedConsent extends Consent {
  readonly approvedAt: number | null;
  readonly recurring: number;
  /** When its third party asked for the authentication to be renewed; null where nothing is open. */
  readonly renewalAt: number | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** What a payment costs in another currency, as it is shown and held. */
  readonly quote: Quote | null;
  readonly cardLastFour: string | null;
  readonly redirectUri: string | null;
  readonly nokRedirectUri: string | null;
  readonly tppState: string | null;
  /** The hash of the interaction within which it began: its way back is that one. */
  readonly interactionHash: string | null;
  /** What the bank wants to be reminded of. */
  readonly bankData: string | null;
  readonly applicationName: string;
  readonly tppName: string;
  readonly tppRegistration: string;
  /** Of a suspended application or third party nothing is shown, decided, or sent back. */
  readonly isActive: number;
  readonly accounts: readonly ConsentAccount[];
}

const LOAD = `
  select c.id, c.kind, c.client_id as "clientId", c.psu_id as "psuId", c.status, c.created_at as "createdAt",
         c.expires_at as "expiresAt", c.submitted_at as "submittedAt", c.quote, c.approved_at as "approvedAt", c.recurring,
         c.renewal_at as "renewalAt", c.details,
         c.card_last_four as "cardLastFour", c.redirect_uri as "redirectUri", c.nok_redirect_uri as "nokRedirectUri",
         c.tpp_state as "tppState", c.interaction_uid as "interactionHash", c.bank_data as "bankData",
         a.name as "applicationName", t.name as "tppName", t.registration as "tppRegistration",
         case when a.status = 'active' and t.status = 'active' then 1 else 0 end as "isActive"
  from consents c join applications a on a.client_id = c.client_id join tpps t on t.id = a.tpp_id
  where c.id = ? and c.psu_id = ?`;
const ACCOUNTS = `
  select account_id as "accountId", iban, bban, msisdn, currency from consent_accounts where consent_id = ? order by position`;

interface StoredJson {
  readonly details: string;
  readonly quote: string | null;
}

/** Only for its own account holder; everybody else sees nothing. */
export const findAsked = async (
  db: Queries,
  id: string,
  psuId: string,
): Promise<AskedConsent | undefined> => {
  if (!isUuid(id)) return undefined;
  const row = await db.one<Omit<AskedConsent, 'accounts' | 'details' | 'quote'> & StoredJson>(LOAD, [
    id,
    psuId,
  ]);
  if (!row) return undefined;
  const accounts = await db.all<ConsentAccount>(ACCOUNTS, [id]);
  return {
    ...row,
    applicationName: undisguised(row.applicationName),
    tppName: undisguised(row.tppName),
    details: JSON.parse(row.details) as AskedConsent['details'],
    quote: row.quote === null ? null : (JSON.parse(row.quote) as Quote),
    accounts,
  };
};

const LAST_STEP =
  'select changed_by from consent_history where consent_id = ? order by position desc limit 1';

/** Whether the last step of a consent was made by nobody but time. */
export const isEndedByTime = async (db: Queries, id: string): Promise<boolean> =>
  (await db.one<{ changed_by: Actor }>(LAST_STEP, [id]))?.changed_by === 'time';

/** Everything that is shown and decided about. What was shown is what is approved: a changed consent has another hash. */
export const shownHash = (asked: AskedConsent): string =>
  sha256(
    JSON.stringify([
      asked.id,
      asked.kind,
      asked.clientId,
      asked.psuId,
      asked.expiresAt,
      asked.recurring,
      asked.details,
      asked.quote,
      asked.cardLastFour,
      asked.accounts,
      asked.renewalAt,
    ]),
  );

export interface Move {
  readonly id: string;
  readonly psuId: string;
  readonly from: ConsentStatus;
  readonly to: ConsentStatus;
  readonly by: Actor;
  readonly reason: string;
  readonly at: number;
  readonly requestId?: string;
}

/** A payment that was submitted is ended by the bank alone. */
const MOVE = `
  update consents set status = ?
  where id = ? and psu_id = ? and status = ? and (submitted_at is null or cast(? as text) = 'bank')`;

const OWNER =
  'select client_id as "clientId", kind as "consentKind" from consents where id = ? and psu_id = ?';

/** One step of the lifecycle, and the event that tells its third party; false where somebody else was faster. */
export const moveConsent = async (tx: Queries, move: Move): Promise<boolean> => {
  const { id, psuId, from, to, by } = move;
  if (!mayMove(from, to, by)) throw new Error(`a consent never goes from ${from} to ${to} by ${by}`);
  const owner = await tx.one<{ clientId: string; consentKind: ConsentKind }>(OWNER, [id, psuId]);
  if (!owner) return false;
  await takeTurn(tx, owner.clientId);
  if ((await tx.run(MOVE, [to, id, psuId, from, by])) === 0) return false;
  await addStep(tx, move);
  await writeEvent(tx, { ...owner, kind: 'consent', consentId: id, status: to, at: move.at });
  return true;
};

/** One row of the history, behind the last one. */
export const addStep = async (tx: Queries, step: Move): Promise<void> => {
  const { id, from, to, by, reason, at, requestId = null } = step;
  await tx.run(
    `insert into consent_history (consent_id, position, from_status, to_status, changed_by, reason, request_id, changed_at)
     select cast(? as text), coalesce(max(position), -1) + 1, cast(? as text), cast(? as text), cast(? as text), cast(? as text),
       cast(? as text), cast(? as bigint)
     from consent_history where consent_id = ?`,
    [id, from, to, by, reason, requestId, at, id],
  );
};

/** Writes down what time alone has done, so that no later step starts from a status that is over. Returns the status that counts. */
export const settle = async (
  tx: Queries,
  consent: Pick<AskedConsent, 'id' | 'psuId' | 'status' | 'createdAt' | 'expiresAt'>,
  at: number,
): Promise<ConsentStatus> => {
  const status = statusAt(consent, at);
  if (status === consent.status) return status;
  const reason = status === 'Rejected' ? 'nobody decided within a day' : 'its time is over';
  await moveConsent(tx, {
    id: consent.id,
    psuId: consent.psuId,
    from: consent.status,
    to: status,
    by: 'time',
    reason,
    at,
  });
  return status;
};

export interface Approval {
  readonly id: string;
  readonly psuId: string;
  /** Of what was shown on the page. */
  readonly shownHash: string;
  /** The accounts that were picked or confirmed, one entry for each sub-account. */
  readonly accounts: readonly ConsentAccount[];
  /** For a funds consent: the last moment chosen by the account holder; null is open-ended. Absent leaves it as it is. */
  readonly expiresAt?: number | null;
  /** Members of `details` that the decision sets, such as `expirationDate`. Those that name accounts follow from `accounts`. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** `changed`: not what was shown; `decided`: no longer open; `submitted`: the payment is in the bank's hands. */
export type DecisionOutcome = 'done' | 'changed' | 'decided' | 'submitted' | 'unknown';

/** A payment must be submitted within a day of its approval. */
const SUBMIT_WITHIN_MS = DAY;

const OLDER_RECURRING = `
  select id, psu_id as "psuId", status, created_at as "createdAt", expires_at as "expiresAt" from consents
  where client_id = ? and psu_id = ? and kind = 'AccountAccess' and recurring = 1 and status = 'Valid' and id <> ?`;

/** A newly approved recurring account access takes the place of the one before. */
const supersede = async (tx: Queries, asked: AskedConsent, at: number): Promise<void> => {
  if (asked.kind !== 'AccountAccess' || asked.recurring !== 1) return;
  const older = await tx.all<Pick<AskedConsent, 'id' | 'psuId' | 'status' | 'createdAt' | 'expiresAt'>>(
    OLDER_RECURRING,
    [asked.clientId, asked.psuId, asked.id],
  );
  for (const each of older) {
    if (isFinal(await settle(tx, each, at))) continue;
    await moveConsent(tx, {
      id: each.id,
      psuId: each.psuId,
      from: 'Valid',
      to: 'TerminatedByTpp',
      by: 'tpp',
      reason: `superseded by ${asked.id}`,
      at,
    });
  }
};

export const approveConsent = (db: Db, approval: Approval): Promise<DecisionOutcome> =>
  db.transaction(async (tx) => {
    const { id, psuId, at } = approval;
    const asked = await findAsked(tx, id, psuId);
    if (!asked) return 'unknown';
    if ((await settle(tx, asked, at)) !== 'Received') return 'decided';
    if (shownHash(asked) !== approval.shownHash || asked.isActive === 0) return 'changed';
    const isMoved = await moveConsent(tx, {
      id,
      psuId,
      from: 'Received',
      to: 'Valid',
      by: 'psu',
      reason: 'approved',
      at,
    });
    if (!isMoved) return 'decided';
    const chosen = approval.expiresAt === undefined ? asked.expiresAt : approval.expiresAt;
    const expiresAt = asked.kind === 'PaymentInitiation' ? at + SUBMIT_WITHIN_MS : chosen;
    const picked = pickedDetails(asked, approval.accounts);
    const details = JSON.stringify({ ...asked.details, ...picked, ...approval.details });
    await tx.run(
      'update consents set approved_at = ?, sca_at = ?, expires_at = ?, details = ? where id = ? and psu_id = ?',
      [at, at, expiresAt, details, id, psuId],
    );
    await tx.run('delete from consent_accounts where consent_id = ?', [id]);
    await insertAccounts(tx, asked, approval.accounts);
    await supersede(tx, asked, at);
    return 'done';
  });

/** Refuses a Received consent, or withdraws a Valid one. */
const endByPsu = (
  db: Db,
  id: string,
  psuId: string,
  from: ConsentStatus,
  to: ConsentStatus,
  reason: string,
  at: number,
): Promise<DecisionOutcome> =>
  db.transaction(async (tx) => {
    const asked = await findAsked(tx, id, psuId);
    if (!asked) return 'unknown';
    if (asked.submittedAt !== null) return 'submitted';
    if ((await settle(tx, asked, at)) !== from) return 'decided';
    if (await moveConsent(tx, { id, psuId, from, to, by: 'psu', reason, at })) return 'done';
    return (await findAsked(tx, id, psuId))?.submittedAt === null ? 'decided' : 'submitted';
  });

export const refuseConsent = (db: Db, id: string, psuId: string, at: number): Promise<DecisionOutcome> =>
  endByPsu(db, id, psuId, 'Received', 'Rejected', 'refused', at);

export const withdrawConsent = (db: Db, id: string, psuId: string, at: number): Promise<DecisionOutcome> =>
  endByPsu(db, id, psuId, 'Valid', 'RevokedByPsu', 'withdrawn', at);
