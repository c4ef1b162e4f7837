/** Payments as operators see them: those that are not final, and all of a period to hold against the books of the core. */
import { detailsColumn } from '../consent/columns.js';
import type { BankTime, RealTime } from '../lib/clock.js';
import type { ClientId, ConsentId } from '../model/ids.js';
import { type StagedDetails, termsOf } from '../payment/payable.js';
import { type OrderStatus, orderStatuses } from '../payment/record.js';
import { instructionColumn } from '../payment/remote/instruction.js';
import type { Queries } from '../store/db.js';

interface OrderRow {
  readonly id: string;
  readonly consentId: ConsentId;
  readonly clientId: ClientId;
  readonly status: OrderStatus;
  readonly submittedAt: BankTime;
  readonly unresolvedAt: BankTime | null;
}

/** What was approved. */
interface Approved {
  readonly currency: string;
  readonly amountMinor: number;
}

interface OpenRow extends OrderRow {
  /** A remote core may have received it then; null: it certainly has not. */
  readonly sentAt: BankTime | null;
  readonly askedAt: BankTime | null;
  /** Why the last question has no answer. */
  readonly fault: string | null;
  readonly attempts: number;
  readonly lookAgainAt: BankTime;
  /** Since when an operator has it tried again; it is unresolved all the same. */
  readonly retriedAt: RealTime | null;
}

export interface OpenOrder extends OpenRow, Approved {
  /** Null if it was not kept, because the books are in our own store. */
  readonly instant: boolean | null;
}

const approvedOf = (details: string): Approved => {
  const { currency, amountMinor } = termsOf(detailsColumn.read(details) as StagedDetails, null);
  return { currency, amountMinor };
};

const COLUMNS = `
  o.id, o.consent_id as "consentId", o.client_id as "clientId", o.status, o.created_at as "submittedAt",
  o.unresolved_at as "unresolvedAt", c.details`;
/** Of one application, or of all. */
const OPEN = `
  select ${COLUMNS}, o.sent_at as "sentAt", o.asked_at as "askedAt", o.fault, o.attempts, o.look_again_at as "lookAgainAt",
         o.retried_at as "retriedAt", o.instruction
  from payment_orders o join consents c on c.id = o.consent_id
  where o.look_again_at is not null and o.client_id = coalesce(cast(? as text), o.client_id)
  order by o.created_at, o.id`;

export const listOpenOrders = async (db: Queries, clientId?: ClientId): Promise<OpenOrder[]> => {
  const rows = await db.all<OpenRow & { readonly instruction: string | null; readonly details: string }>(
    OPEN,
    [clientId ?? null],
  );
  return rows.map(({ instruction, details, ...row }) => ({
    ...row,
    ...approvedOf(details),
    instant: instruction === null ? null : instructionColumn.read(instruction).instant === true,
  }));
};

interface PeriodRow extends OrderRow {
  /** The code of a rejection or cancellation, or of what it waits for. */
  readonly reasonCode: string | null;
  /** When it got this status. */
  readonly changedAt: BankTime;
}

export interface PaymentOfPeriod extends PeriodRow, Approved {}

/** Of a period of submissions, settled ones too. */
export interface PaymentsWanted {
  readonly from: BankTime;
  /** No longer in it. */
  readonly to: BankTime;
  readonly statuses?: readonly OrderStatus[] | undefined;
  readonly clientId?: ClientId | undefined;
}

const PAGE = 500;
const PAGE_OF_PERIOD = `
  select ${COLUMNS}, o.reason_code as "reasonCode", o.changed_at as "changedAt"
  from payment_orders o join consents c on c.id = o.consent_id
  where (o.created_at, o.id) > (?, ?) and o.created_at < ? and cast(? as text) like '% ' || o.status || ' %'
    and o.client_id = coalesce(cast(? as text), o.client_id)
  order by o.created_at, o.id limit ?`;

/** Oldest first, page by page: a period may have millions. */
export async function* paymentsOfPeriod(
  db: Queries,
  { from, to, statuses = orderStatuses, clientId }: PaymentsWanted,
  pageSize = PAGE,
): AsyncGenerator<readonly PaymentOfPeriod[], void, undefined> {
  // No id is empty, so the first moment is in it.
  let [afterAt, afterId] = [from, ''];
  for (;;) {
    const rows = await db.all<PeriodRow & { readonly details: string }>(PAGE_OF_PERIOD, [
      ...[afterAt, afterId, to, ` ${statuses.join(' ')} `],
      ...[clientId ?? null, pageSize],
    ]);
    const end = rows.at(-1);
    if (!end) return;
    [afterAt, afterId] = [end.submittedAt, end.id];
    yield rows.map(({ details, ...row }) => ({ ...row, ...approvedOf(details) }));
    if (rows.length < pageSize) return;
  }
}
