/**
 * Payments of the demo bank: one booking of several legs under the locks of all its accounts. Money inside the bank arrives
 * at once; what leaves it is debited at once and counts as settled some time later, so that the way of an order can be seen.
 */

import type {
  BooksInTransaction,
  PaymentInstruction,
  PaymentProgress,
  Transfer,
  TransferTerms,
} from 'trapeza/bank';
import { DAY, dateAt, type Queries, quoteOf, SECOND } from 'trapeza/base';
import { lockAccounts, post } from '../ledger/post.js';
import { legsOf } from './legs.js';
import { findPayee, type Payee } from './payee.js';
import { reject } from './reject.js';
import { chargeOf, DAILY_LIMIT, faultsOf, HOME, limitUse, rateOf } from './tariff.js';

const SETTLED_AFTER = { domestic: 10 * SECOND, international: DAY } as const;

const USED = `
  select coalesce(sum(limit_minor), 0) as used from demo_payments where account_id = ? and booked_on = ?`;
const RECORD =
  'insert into demo_payments (id, account_id, booked_on, limit_minor, settles_at) values (?, ?, ?, ?, ?)';
const SETTLES = 'select settles_at as "settlesAt" from demo_payments where id = ?';

const progressAt = (settlesAt: number, at: number): PaymentProgress =>
  settlesAt <= at ? { status: 'ACSC' } : { status: 'ACSP', lookAgainAt: settlesAt };

/** The limit is counted under the lock of the account, so that two payments at once cannot both use the same rest. */
const isOverLimit = async (tx: Queries, instruction: PaymentInstruction, day: string): Promise<boolean> => {
  const row = await tx.one<{ used: number }>(USED, [instruction.payer.id, day]);
  return Number(row?.used ?? 0) + limitUse(instruction) > DAILY_LIMIT;
};

const bookTo = async (
  tx: Queries,
  instruction: PaymentInstruction,
  payee: Payee,
  day: string,
): Promise<PaymentProgress> => {
  const { id, payer, product, at } = instruction;
  const legs = legsOf(instruction, payee.accountId);
  const accounts = await lockAccounts(
    tx,
    legs.flatMap(({ debit, credit }) => [debit, credit]),
  );
  const status = accounts.get(payer.id)?.status;
  if (status === 'closed') return reject('payer-closed');
  if (status === 'blocked') return reject('payer-blocked');
  if (await isOverLimit(tx, instruction, day)) return reject('daily-limit');
  const outcome = await post(tx, { id, date: day, at, legs, isChecked: true });
  if (outcome.kind === 'refused') return reject(outcome.reason === 'no-funds' ? 'no-funds' : 'payee-closed');
  const settlesAt = payee.isInside ? at : at + SETTLED_AFTER[product];
  await tx.run(RECORD, [id, payer.id, day, limitUse(instruction), settlesAt]);
  return progressAt(settlesAt, at);
};

export const demoTerms = (transfer: Transfer): TransferTerms => {
  const charge = chargeOf(transfer);
  const rate = rateOf(transfer.currency);
  const quote = rate === undefined || charge.currency !== HOME ? null : quoteOf(transfer, charge, rate);
  return { faults: faultsOf(transfer), charge, quote };
};

export const createDemoPayments = (timeZone: string): BooksInTransaction => ({
  kind: 'in-transaction',
  async book(tx, instruction) {
    const payee = await findPayee(tx, instruction);
    if ('status' in payee) return payee;
    return bookTo(tx, instruction, payee, dateAt(instruction.at, timeZone));
  },
  async progress(tx, paymentId, at) {
    const row = await tx.one<{ settlesAt: number }>(SETTLES, [paymentId]);
    if (!row) throw new Error('an open order that the demo bank has not booked');
    return progressAt(row.settlesAt, at);
  },
});
