/** Consents in the store. Every read is for a caller: application and account holder are part of each `where`. */

import { type BankTime, SECOND } from '../lib/clock.js';
import { isUuid } from '../lib/id.js';
import { exhaustedFields } from '../lib/rate-limit.js';
import type { Caller } from '../model/caller.js';
import type { ClientId, ConsentId, PsuId } from '../model/ids.js';
import type { Quote } from '../model/quote.js';
import { Problem } from '../problem/problem.js';
import type { Db, Queries, Reads } from '../store/db.js';
import { detailsColumn, quoteColumn } from './columns.js';
import { UNDECIDED_MS } from './lifecycle.js';
import type { Consent, ConsentAccount, ConsentKind, ConsentStatus, StatusReason } from './record.js';

interface ConsentRow {
  readonly id: ConsentId;
  readonly kind: ConsentKind;
  readonly client_id: ClientId;
  readonly psu_id: PsuId;
  readonly status: ConsentStatus;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly submitted_at: number | null;
  readonly approved_at: number | null;
  readonly sca_at: number | null;
  readonly end_reason: StatusReason | null;
  readonly superseded_by: ConsentId | null;
  readonly details: string;
}

const FIND = `
  select id, kind, client_id, psu_id, status, created_at, expires_at, submitted_at, approved_at, sca_at, end_reason,
    superseded_by, details
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
  approvedAt: row.approved_at,
  scaAt: row.sca_at,
  endReason: row.end_reason,
  supersededBy: row.superseded_by,
  details: detailsColumn.read(row.details),
});

/** The caller's own consent of this kind; foreign, unknown and other kinds are all simply absent. */
export const findConsent = async (
  db: Reads,
  id: ConsentId,
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
  id: ConsentId,
  caller: Caller,
  kind: ConsentKind,
): Promise<Pick<Consent, 'status' | 'createdAt' | 'expiresAt'> | undefined> =>
  isUuid(id) ? db.one(FIND_STATUS, [id, caller.clientId, caller.psuId, kind]) : undefined;

export interface NewConsent
  extends Pick<Consent, 'id' | 'kind' | 'clientId' | 'psuId' | 'status' | 'createdAt' | 'expiresAt'>,
    Partial<Pick<Consent, 'approvedAt' | 'endReason'>> {
  readonly details: object;
  /** Why it is asked for, in the third party's words. */
  readonly purpose?: string | null;
  readonly cardHash?: string;
  readonly cardLastFour?: string;
  readonly accounts: readonly ConsentAccount[];
  readonly redirectUri?: string | null;
  readonly nokRedirectUri?: string | null;
  readonly tppState?: string | null;
  readonly notificationUri?: string | null;
  readonly isRecurring?: boolean;
  /** What a payment costs in another currency. */
  readonly quote?: Quote | null;
  /** How it came to its status, oldest first. */
  readonly history: readonly {
    readonly from: ConsentStatus | null;
    readonly to: ConsentStatus;
    readonly by: string;
    readonly reason?: string;
    readonly at: BankTime;
    readonly requestId?: string;
  }[];
}

const INSERT_CONSENT = `
  insert into consents (id, kind, client_id, psu_id, status, created_at, expires_at, card_hash, card_last_four, details,
    redirect_uri, nok_redirect_uri, tpp_state, recurring, approved_at, sca_at, quote, notification_uri, end_reason, purpose)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export const insertConsent = async (tx: Queries, consent: NewConsent): Promise<void> => {
  const { id, kind, clientId, psuId, status, createdAt, expiresAt } = consent;
  await tx.run(INSERT_CONSENT, [
    id,
    kind,
    clientId,
    psuId,
    status,
    createdAt,
    expiresAt,
    consent.cardHash ?? null,
    consent.cardLastFour ?? null,
    detailsColumn.write({ ...consent.details }),
    consent.redirectUri ?? null,
    consent.nokRedirectUri ?? null,
    consent.tppState ?? null,
    consent.isRecurring ? 1 : 0,
    consent.approvedAt ?? null,
    consent.approvedAt ?? null,
    consent.quote ? quoteColumn.write(consent.quote) : null,
    consent.notificationUri ?? null,
    consent.endReason ?? null,
    consent.purpose ?? null,
  ]);
  await insertAccounts(tx, consent, consent.accounts);
  for (const [position, step] of consent.history.entries()) {
    await tx.run(
      `insert into consent_history (consent_id, position, from_status, to_status, changed_by, reason, request_id, changed_at)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
      [id, position, step.from, step.to, step.by, step.reason ?? null, step.requestId ?? null, step.at],
    );
  }
};

/** How many consents of one kind may wait for the decision of one person at one application. */
export const MAX_OPEN = 20;

/** One creation at a time for a person, an application and a kind, on all nodes; on SQLite a transaction is alone as it is. */
const HOLD_OPEN = 'select pg_advisory_xact_lock(hashtextextended(cast(? as text), 0))';
/** What time has ended is not open, even before that is written down. */
const OPEN = `
  select created_at as "createdAt", expires_at as "expiresAt" from consents
  where psu_id = ? and client_id = ? and kind = ? and status = 'Received'
    and created_at > ? and (expires_at is null or expires_at > ?)
  order by created_at limit ?`;

/** Stores a new request for consent. Throws if too many of its kind wait for this person. */
export const receiveConsent = async (
  engine: Db['engine'],
  tx: Queries,
  consent: NewConsent & { readonly status: 'Received' },
): Promise<void> => {
  const { kind, clientId, psuId, createdAt: now } = consent;
  if (engine === 'postgres') await tx.one(HOLD_OPEN, [`open ${clientId} ${psuId} ${kind}`]);
  const open = await tx.all<Pick<Consent, 'createdAt' | 'expiresAt'>>(OPEN, [
    psuId,
    clientId,
    kind,
    now - UNDECIDED_MS,
    now,
    MAX_OPEN,
  ]);
  if (open.length >= MAX_OPEN) {
    const ends = open.map(({ createdAt, expiresAt }) =>
      Math.min(createdAt + UNDECIDED_MS, expiresAt ?? Number.POSITIVE_INFINITY),
    );
    throw new Problem('too-many-open-consents', {
      extensions: { openConsents: { kind, limit: MAX_OPEN } },
      headers: exhaustedFields({
        name: 'open-consents',
        quota: MAX_OPEN,
        windowSeconds: UNDECIDED_MS / SECOND,
        resetMs: Math.min(...ends) - now,
      }),
    });
  }
  await insertConsent(tx, consent);
};

/** An account of a funds consent also says whose consent it is and of when: funds questions look for the newest by that. */
const INSERT_ACCOUNT = `
  insert into consent_accounts
    (consent_id, position, account_id, iban, bban, msisdn, currency, resource_id, funds_client, funds_psu, funds_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export const insertAccounts = async (
  tx: Queries,
  { id, kind, clientId, psuId, createdAt }: Pick<Consent, 'id' | 'kind' | 'clientId' | 'psuId' | 'createdAt'>,
  accounts: readonly ConsentAccount[],
): Promise<void> => {
  const owner = kind === 'ConfirmationOfFunds' ? [clientId, psuId, createdAt] : [null, null, null];
  for (const [position, account] of accounts.entries()) {
    const { accountId, iban, bban, msisdn, currency, resourceId = null } = account;
    const named = [id, position, accountId, iban, bban, msisdn, currency, resourceId];
    await tx.run(INSERT_ACCOUNT, [...named, ...owner]);
  }
};

/** From here on time no longer ends the consent. */
const CLAIM_FOR_SUBMISSION = `
  update consents set submitted_at = ?, expires_at = null
  where id = ? and client_id = ? and psu_id = ? and kind = 'PaymentInitiation' and status = 'Valid' and submitted_at is null
    and (expires_at is null or expires_at > ?)`;

/** Uses up a payment consent. Of several submissions at once, one gets true. */
export const claimForSubmission = async (
  tx: Queries,
  id: ConsentId,
  { clientId, psuId }: Caller,
  at: BankTime,
): Promise<boolean> => (await tx.run(CLAIM_FOR_SUBMISSION, [at, id, clientId, psuId, at])) === 1;

export interface RenewalStart {
  readonly id: ConsentId;
  readonly caller: Caller;
  readonly redirectUri: string | null;
  readonly nokRedirectUri: string | null;
  readonly tppState: string | null;
  readonly at: BankTime;
}

/** A new renewal takes the place of one that is open. */
const START_RENEWAL = `
  update consents set renewal_at = ?, redirect_uri = ?, nok_redirect_uri = ?, tpp_state = ?
  where id = ? and client_id = ? and psu_id = ? and status = 'Valid'`;

/** Its third party asks for a new strong authentication. False if the consent is no longer Valid. */
export const startRenewal = async (tx: Queries, start: RenewalStart): Promise<boolean> => {
  const { id, caller, redirectUri, nokRedirectUri, tppState, at } = start;
  const { clientId, psuId } = caller;
  return (
    (await tx.run(START_RENEWAL, [at, redirectUri, nokRedirectUri, tppState, id, clientId, psuId])) === 1
  );
};
