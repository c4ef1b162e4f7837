/** The rows of a list of permissions or payments, and those that wait for a decision. */
import type { BankTime } from '../lib/clock.js';
import type { ConsentId, PsuId } from '../model/ids.js';
import type { Db, Queries } from '../store/db.js';
import { detailsColumn } from './columns.js';
import { UNDECIDED_MS } from './lifecycle.js';
import type { Consent } from './record.js';
import type { Application } from './watch.js';

/** A permission or payment as a list shows it. */
export interface Listed
  extends Pick<
      Consent,
      'id' | 'kind' | 'status' | 'createdAt' | 'expiresAt' | 'approvedAt' | 'submittedAt' | 'endReason'
    >,
    Application {
  readonly purpose: string | null;
  readonly renewalAt: BankTime | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** The first account, and how many others there are. */
  readonly account: string | null;
  readonly otherAccounts: number;
  readonly order: ListedOrder | undefined;
}

export interface ListedOrder {
  readonly status: string;
  readonly reasonCode: string | null;
  readonly changedAt: BankTime;
  readonly cancelledBy: string | null;
}

const LISTED = `
  select c.id, c.kind, c.status, c.created_at as "createdAt", c.expires_at as "expiresAt", c.approved_at as "approvedAt",
    c.submitted_at as "submittedAt", c.end_reason as "endReason", c.renewal_at as "renewalAt", c.purpose, c.details,
    c.client_id as "clientId", a.name as "applicationName", t.name as "tppName",
    (select coalesce(n.iban, n.bban, n.msisdn) from consent_accounts n where n.consent_id = c.id order by n.position limit 1) as account,
    (select count(distinct coalesce(n.iban, n.bban, n.msisdn)) from consent_accounts n where n.consent_id = c.id) as accounts,
    o.status as "orderStatus", o.reason_code as "reasonCode", o.changed_at as "changedAt",
    (select h.changed_by from payment_order_history h where h.order_id = o.id and h.to_status = 'CANC') as "cancelledBy"
  from consents c join applications a on a.client_id = c.client_id join tpps t on t.id = a.tpp_id
    left join payment_orders o on o.consent_id = c.id
  where c.id = ? and c.psu_id = ?`;

interface ListedRow
  extends Omit<Listed, 'details' | 'order' | 'otherAccounts'>,
    Omit<ListedOrder, 'status' | 'changedAt'> {
  readonly details: string;
  readonly accounts: number;
  readonly orderStatus: string | null;
  readonly changedAt: BankTime | null;
}

const listedOf = ({
  orderStatus,
  reasonCode,
  changedAt,
  cancelledBy,
  accounts,
  ...row
}: ListedRow): Listed => ({
  ...row,
  details: detailsColumn.read(row.details),
  otherAccounts: Math.max(0, accounts - 1),
  order:
    orderStatus === null || changedAt === null
      ? undefined
      : { status: orderStatus, reasonCode, changedAt, cancelledBy },
});

/** All in one statement, in this order. */
export const listedOnes = async (
  db: Pick<Db, 'batchedReads'>,
  psuId: PsuId,
  ids: readonly ConsentId[],
): Promise<readonly Listed[]> => {
  const rows = await Promise.all(ids.map((id) => db.batchedReads.one<ListedRow>(LISTED, [id, psuId])));
  return rows.flatMap((row) => (row ? [listedOf(row)] : []));
};

const WAITING = `
  select id from consents where psu_id = ? and status = 'Received' and created_at > ? and (expires_at is null or expires_at > ?)
  order by created_at desc, id desc limit ?`;
const RENEWALS = `
  select id from consents where psu_id = ? and renewal_at is not null and renewal_at > ? and status = 'Valid'
    and (expires_at is null or expires_at > ?)
  order by renewal_at desc, id desc limit ?`;

/** What waits for a decision of the person, requests before renewals. */
export const waitingOnes = async (
  db: Queries,
  psuId: PsuId,
  bankNow: BankTime,
  limit: number,
): Promise<readonly ConsentId[]> => {
  const params = [psuId, bankNow - UNDECIDED_MS, bankNow, limit];
  const rows = await Promise.all([WAITING, RENEWALS].map((sql) => db.all<{ id: ConsentId }>(sql, params)));
  return rows.flat().map(({ id }) => id);
};
