/** Consents in the store. Every read is for a caller: application and account holder are part of each `where`. */
import { isUuid, newId } from '../lib/id.js';
import type { Caller } from '../model/caller.js';
import type { Quote } from '../model/quote.js';
import type { Queries, Reads } from '../store/db.js';
import type { FundsCandidate, FundsReferences } from './covers.js';
import type { Consent, ConsentAccount, ConsentKind, ConsentStatus } from './record.js';

interface ConsentRow {
  readonly id: string;
  readonly kind: ConsentKind;
  readonly client_id: string;
  readonly psu_id: string;
  readonly status: ConsentStatus;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly submitted_at: number | null;
  readonly details: string;
}

const FIND = `
  select id, kind, client_id, psu_id, status, created_at, expires_at, submitted_at, details
  from consents where id = ? and client_id = ? and psu_id = ? and kind = ?`;

const consentOf = (row: ConsentRow): Consent => ({
  id: row.id,
  kind: row.kind,
  clientId: row.client_id,
  psuId: row.psu_id,
  status: row.status,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  submittedAt: row.submitted_at,
  details: JSON.parse(row.details) as object,
});

/** The caller's own consent of this kind; foreign, unknown and other kinds are all simply absent. */
export const findConsent = async (
  db: Reads,
  id: string,
  caller: Caller,
  kind: ConsentKind,
): Promise<Consent | undefined> => {
  if (!isUuid(id)) return undefined;
  const row = await db.one<ConsentRow>(FIND, [id, caller.clientId, caller.psuId, kind]);
  return row && consentOf(row);
};

const FIND_STATUS = `
  select status, created_at as "createdAt", expires_at as "expiresAt"
  from consents where id = ? and client_id = ? and psu_id = ? and kind = ?`;

/** As `findConsent`, of its status alone. */
export const findStatus = async (
  db: Reads,
  id: string,
  caller: Caller,
  kind: ConsentKind,
): Promise<Pick<Consent, 'status' | 'createdAt' | 'expiresAt'> | undefined> =>
  isUuid(id) ? db.one(FIND_STATUS, [id, caller.clientId, caller.psuId, kind]) : undefined;

/** The newest first, as their index has them; more than these few thousand do not exist for one account of one caller. */
const FUNDS_CANDIDATES = `
  select c.id as "consentId", c.status, c.created_at as "createdAt", c.expires_at as "expiresAt", c.bank_data as "bankData",
         a.account_id as "accountId", a.currency, a.iban, a.bban, a.msisdn, c.card_hash as "cardHash",
         (select h.available from holders_here h
          where h.account_id = a.account_id and h.psu_id = c.psu_id and h.currency = a.currency) as found
  from consents c join consent_accounts a on a.consent_id = c.id
  where c.client_id = ? and c.psu_id = ? and c.kind = 'ConfirmationOfFunds'
    and (a.iban = ? or a.bban = ? or a.msisdn = ? or c.card_hash = ? or c.card_hash = ?)
  order by c.created_at desc
  limit 5000`;
/** The same for an IBAN alone, as nearly always, with what is then needed. */
const FUNDS_CANDIDATES_BY_IBAN = `
  select c.id as "consentId", c.status, c.created_at as "createdAt", c.expires_at as "expiresAt", c.bank_data as "bankData",
         a.account_id as "accountId", a.currency, a.iban,
         (select h.available from holders_here h
          where h.account_id = a.account_id and h.psu_id = c.psu_id and h.currency = a.currency) as found
  from consents c join consent_accounts a on a.consent_id = c.id
  where c.client_id = ? and c.psu_id = ? and c.kind = 'ConfirmationOfFunds' and a.iban = ?
  order by c.created_at desc
  limit 5000`;

export const findFundsCandidates = (
  db: Reads,
  { clientId, psuId }: Caller,
  { iban, bban, msisdn, cardHashes }: FundsReferences,
): Promise<FundsCandidate[]> => {
  const hasMore = bban !== null || msisdn !== null || cardHashes[0] !== null;
  return hasMore
    ? db.all(FUNDS_CANDIDATES, [clientId, psuId, iban, bban, msisdn, ...cardHashes])
    : db.all(FUNDS_CANDIDATES_BY_IBAN, [clientId, psuId, iban]);
};

export interface NewConsent extends Omit<Consent, 'details' | 'submittedAt'> {
  readonly details: object;
  readonly cardHash?: string;
  readonly cardLastFour?: string;
  readonly accounts: readonly ConsentAccount[];
  readonly redirectUri?: string | null;
  readonly nokRedirectUri?: string | null;
  readonly tppState?: string | null;
  readonly notificationUri?: string | null;
  readonly isRecurring?: boolean;
  /** When the account holder approved it with strong authentication. */
  readonly approvedAt?: number | null;
  /** What a payment costs in another currency. */
  readonly quote?: Quote | null;
  /** How it came to its status, oldest first. */
  readonly history: readonly {
    readonly from: ConsentStatus | null;
    readonly to: ConsentStatus;
    readonly by: string;
    readonly reason?: string;
    readonly at: number;
    readonly requestId?: string;
  }[];
}

const INSERT = `
  insert into consents (id, kind, client_id, psu_id, status, created_at, expires_at, card_hash, card_last_four, details,
    redirect_uri, nok_redirect_uri, tpp_state, recurring, approved_at, sca_at, quote, notification_uri)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export const insertConsent = async (tx: Queries, consent: NewConsent): Promise<void> => {
  const { id, kind, clientId, psuId, status, createdAt, expiresAt } = consent;
  await tx.run(INSERT, [
    id,
    kind,
    clientId,
    psuId,
    status,
    createdAt,
    expiresAt,
    consent.cardHash ?? null,
    consent.cardLastFour ?? null,
    JSON.stringify(consent.details),
    consent.redirectUri ?? null,
    consent.nokRedirectUri ?? null,
    consent.tppState ?? null,
    consent.isRecurring ? 1 : 0,
    consent.approvedAt ?? null,
    consent.approvedAt ?? null,
    consent.quote ? JSON.stringify(consent.quote) : null,
    consent.notificationUri ?? null,
  ]);
  await insertAccounts(tx, id, consent.accounts);
  for (const [position, step] of consent.history.entries()) {
    await tx.run(
      `insert into consent_history (consent_id, position, from_status, to_status, changed_by, reason, request_id, changed_at)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
      [id, position, step.from, step.to, step.by, step.reason ?? null, step.requestId ?? null, step.at],
    );
  }
};

export const insertAccounts = async (
  tx: Queries,
  id: string,
  accounts: readonly ConsentAccount[],
): Promise<void> => {
  for (const [position, account] of accounts.entries()) {
    const { accountId, iban, bban, msisdn, currency, resourceId = newId() } = account;
    await tx.run(
      `insert into consent_accounts (consent_id, position, account_id, iban, bban, msisdn, currency, resource_id)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
      [id, position, accountId, iban, bban, msisdn, currency, resourceId],
    );
  }
};
