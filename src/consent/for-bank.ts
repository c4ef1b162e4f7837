/** The state of a consent as it is reported to the bank. */
import type { BankTime } from '../lib/clock.js';
import type { AccountId, ClientId, ConsentId, PsuId } from '../model/ids.js';
import type { Queries } from '../store/db.js';
import type { ConsentKind, ConsentStatus, StatusReason } from './record.js';

interface Row {
  readonly consentId: ConsentId;
  readonly kind: ConsentKind;
  readonly status: ConsentStatus;
  readonly reason: StatusReason | null;
  readonly psuId: PsuId;
  readonly clientId: ClientId;
  readonly validUntil: BankTime | null;
  readonly name: string;
  readonly registration: string;
  readonly revision: number;
  readonly at: BankTime;
}

/** State and revision are of one moment: an event commits with the change that it is about. */
const STATE = `
  select c.id as "consentId", c.kind, c.status, c.end_reason as reason, c.psu_id as "psuId", c.client_id as "clientId",
         c.expires_at as "validUntil", t.name, t.registration, e.position as revision, e.occurred_at as "at"
  from consents c join applications a on a.client_id = c.client_id join tpps t on t.id = a.tpp_id
    join events e on e.consent_id = c.id and e.kind = 'consent'
  where c.id = ? and c.client_id = ? order by e.position desc limit 1`;
const ACCOUNTS = `
  select account_id as id from consent_accounts where consent_id = ? and account_id is not null order by position`;

/** Undefined if the consent is no longer kept. */
export const stateForBank = async (db: Queries, id: ConsentId, clientId: ClientId) => {
  const row = await db.one<Row>(STATE, [id, clientId]);
  if (!row) return undefined;
  const { name, registration, ...state } = row;
  const accounts = await db.all<{ id: AccountId }>(ACCOUNTS, [id]);
  return { ...state, thirdParty: { name, registration }, accountIds: accounts.map((account) => account.id) };
};
