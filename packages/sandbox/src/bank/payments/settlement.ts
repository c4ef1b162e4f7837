/**
 * Payments to other banks between submission and settlement: what the payer pays is pending, under the ids that its entries will have.
 * The first of these settles it: a reader of the order, the job that follows open orders, the end of the bank's day.
 */
import type { PaymentProgress } from 'trapeza/bank';
import { dateAt, jsonColumn, listOf, members, newId, type Queries, text, wholeNumber } from 'trapeza/base';
import { dropHold, placeHold } from '../ledger/holds.js';
import { lockAccounts, type PostedLeg, post } from '../ledger/post.js';
import { payingRules } from '../people.js';
import { isReason, type OpenStatus, reject } from './reject.js';

export const legsColumn = jsonColumn<readonly PostedLeg[]>(
  'the legs of a payment',
  listOf(members({ debit: text, credit: text, amountMinor: wholeNumber })),
);

/** The legs, with the pending debits that they settle. */
export const setAside = async (
  tx: Queries,
  legs: readonly PostedLeg[],
  entered: { readonly date: string; readonly at: number },
): Promise<readonly PostedLeg[]> => {
  const waiting: PostedLeg[] = [];
  for (const leg of legs) {
    // Only the payer's own entries name the order.
    if (!leg.paymentId) waiting.push({ ...leg, id: newId() });
    else waiting.push({ ...leg, holdId: await placeHold(tx, { ...leg, ...entered, accountId: leg.debit }) });
  }
  return waiting;
};

interface Row {
  readonly id: string;
  readonly accountId: string;
  readonly settlesAt: number;
  readonly legs: string | null;
  readonly rejectReason: string | null;
  /** What it is until it is settled, if a test asked for that. */
  readonly openStatus: OpenStatus | null;
}

const COLUMNS =
  'id, account_id as "accountId", settles_at as "settlesAt", legs, reject_reason as "rejectReason", open_status as "openStatus"';
const FIND = `select ${COLUMNS} from demo_payments where id = ?`;
const DUE = `
  select ${COLUMNS} from demo_payments where legs is not null and settles_at < ? order by settles_at, id`;
const CLAIM = 'update demo_payments set legs = null where id = ? and legs is not null';

/** The day's limit is free again. */
const CANCEL = `
  update demo_payments set legs = null, reject_reason = 'cancelled', limit_minor = 0 where id = ? and legs is not null`;

const accountsOf = (legs: readonly PostedLeg[]): readonly string[] =>
  legs.flatMap(({ debit, credit }) => [debit, credit]);

/** Once, however many ask: the accounts are locked before the payment is claimed, by everybody in this order. */
const settle = async (tx: Queries, { id, settlesAt, legs, rejectReason }: Row, timeZone: string) => {
  if (legs === null) return;
  const waiting = legsColumn.read(legs);
  await lockAccounts(tx, accountsOf(waiting));
  if ((await tx.run(CLAIM, [id])) === 0) return;
  if (rejectReason === null) {
    const date = dateAt(settlesAt, timeZone);
    await post(tx, { id, date, at: settlesAt, legs: waiting, isChecked: false });
    return;
  }
  await setFree(tx, waiting, settlesAt);
};

const setFree = async (tx: Queries, waiting: readonly PostedLeg[], at: number): Promise<void> => {
  for (const { holdId, debit } of waiting) if (holdId) await dropHold(tx, holdId, debit, at);
};

const MISSING_SIGNATURE = { code: 'DS0A', text: 'Another signature is needed.' } as const;

/** Of a payment on its way to another bank, or one that others must sign. */
export const openProgress = ({
  accountId,
  settlesAt: lookAgainAt,
  openStatus,
}: Pick<Row, 'accountId' | 'settlesAt' | 'openStatus'>): PaymentProgress => {
  const needsSignature = (payingRules(accountId).signaturesNeeded ?? 1) > 1;
  const status = openStatus ?? (needsSignature ? 'PDNG' : 'ACSP');
  return { status, lookAgainAt, ...(status === 'PDNG' ? { reason: MISSING_SIGNATURE } : {}) };
};

const rowOf = async (tx: Queries, paymentId: string): Promise<Row> => {
  const row = await tx.one<Row>(FIND, [paymentId]);
  if (!row) throw new Error('an open order that the demo bank has not booked');
  return row;
};

const progressAt = (row: Row, at: number): PaymentProgress => {
  const { rejectReason, settlesAt } = row;
  if (rejectReason === 'cancelled') return { status: 'CANC' };
  if (settlesAt > at) return openProgress(row);
  return rejectReason !== null && isReason(rejectReason) ? reject(rejectReason) : { status: 'ACSC' };
};

export const progressOf = async (
  tx: Queries,
  paymentId: string,
  at: number,
  timeZone: string,
): Promise<PaymentProgress> => {
  const row = await rowOf(tx, paymentId);
  if (row.legs === null || row.settlesAt > at) return progressAt(row, at);
  await settle(tx, row, timeZone);
  // Read again: a cancellation may have come first.
  return progressAt(await rowOf(tx, paymentId), at);
};

/** What is set aside is free again, unless it is booked. */
export const cancelOpen = async (
  tx: Queries,
  paymentId: string,
  at: number,
  timeZone: string,
): Promise<PaymentProgress> => {
  const { legs, settlesAt } = await rowOf(tx, paymentId);
  if (legs !== null && settlesAt > at) {
    const waiting = legsColumn.read(legs);
    await lockAccounts(tx, accountsOf(waiting));
    if ((await tx.run(CANCEL, [paymentId])) === 1) await setFree(tx, waiting, at);
  }
  return progressOf(tx, paymentId, at, timeZone);
};

/** Payments that are settled before this moment and not booked yet. */
export interface DuePayments {
  readonly accounts: readonly string[];
  settle(tx: Queries): Promise<void>;
}

export const duePayments = async (tx: Queries, before: number, timeZone: string): Promise<DuePayments> => {
  const rows = await tx.all<Row>(DUE, [before]);
  return {
    accounts: rows.flatMap(({ legs }) => (legs === null ? [] : accountsOf(legsColumn.read(legs)))),
    async settle(inner) {
      for (const row of rows) await settle(inner, row, timeZone);
    },
  };
};
