/**
 * Payments of the demo bank: one booking of several legs under the locks of all its accounts. Money inside the bank arrives
 * at once; what leaves it is set aside at once and booked when it is settled, so that the way of an order can be seen.
 */

import type { BooksInTransaction, PaymentInstruction, PaymentProgress } from 'trapeza/bank';
import { DAY, dateAt, MINUTE, type Queries, SECOND } from 'trapeza/base';
import { hasFunds, lockAccounts, post } from '../ledger/post.js';
import { payingRules } from '../people.js';
import { legsOf } from './legs.js';
import { findPayee, type Payee } from './payee.js';
import { type OpenStatus, type OrderWish, type Reason, reject } from './reject.js';
import { cancelOpen, legsColumn, openProgress, progressOf, setAside } from './settlement.js';
import { DAILY_LIMIT, limitUse } from './tariff.js';
import { usedOn } from './terms.js';

/** In the sandbox the others sign by themselves. */
const SIGNED_AFTER = MINUTE;
const SETTLED_AFTER = { domestic: 10 * SECOND, international: DAY } as const;

/** A status that a test asked for can be looked at for so long; then the order is settled as any other. */
const WISH_STAYS = DAY;

const RECORD = `
  insert into demo_payments (id, account_id, booked_on, limit_minor, settles_at, legs, reject_reason, open_status)
  values (?, ?, ?, ?, ?, ?, ?, ?)`;

/** The limit is counted under the lock of the account, so that two payments at once cannot both use the same rest. */
const isOverLimit = async (tx: Queries, instruction: PaymentInstruction, day: string): Promise<boolean> =>
  (await usedOn(tx, instruction.payer.id, day)) + limitUse(instruction) > DAILY_LIMIT;

/** One of an order that is booked. */
type BookedWish = Extract<OrderWish, { readonly status: OpenStatus | 'ACSC' }>;

/** For how long the order is open, as what, and why it comes back then. Undefined: it is booked at once. */
const openWay = (
  { payer, product }: PaymentInstruction,
  payee: Payee,
  wish: BookedWish | undefined,
): { openMs: number; openStatus: OpenStatus | null; fault: Reason | null } | undefined => {
  if (wish?.status === 'ACSC') return undefined;
  if (wish) return { openMs: WISH_STAYS, openStatus: wish.status, fault: null };
  const needsSignature = (payingRules(payer.id).signaturesNeeded ?? 1) > 1;
  if (payee.isInside && !needsSignature) return undefined;
  const openMs = (needsSignature ? SIGNED_AFTER : 0) + SETTLED_AFTER[product];
  return { openMs, openStatus: null, fault: payee.fault };
};

const bookTo = async (
  tx: Queries,
  instruction: PaymentInstruction,
  {
    payee,
    day,
    wish,
  }: { readonly payee: Payee; readonly day: string; readonly wish: BookedWish | undefined },
): Promise<PaymentProgress> => {
  const { id, payer, at } = instruction;
  const legs = legsOf(instruction, payee.accountId);
  const accounts = await lockAccounts(
    tx,
    legs.flatMap(({ debit, credit }) => [debit, credit]),
  );
  const status = accounts.get(payer.id)?.status;
  if (status === 'closed') return reject('payer-closed');
  if (status === 'blocked') return reject('payer-blocked');
  if (await isOverLimit(tx, instruction, day)) return reject('daily-limit');
  const limit = [id, payer.id, day, limitUse(instruction)];
  const open = openWay(instruction, payee, wish);
  if (open) {
    if (!hasFunds(accounts, legs)) return reject('no-funds');
    const { openMs, openStatus, fault } = open;
    const settlesAt = at + openMs;
    const waiting = await setAside(tx, legs, { date: day, at });
    await tx.run(RECORD, [...limit, settlesAt, legsColumn.write(waiting), fault, openStatus]);
    return openProgress({ accountId: payer.id, settlesAt, openStatus });
  }
  const outcome = await post(tx, { id, date: day, at, legs, isChecked: true });
  if (outcome.kind === 'refused') return reject(outcome.reason === 'no-funds' ? 'no-funds' : 'payee-closed');
  await tx.run(RECORD, [...limit, at, null, null, null]);
  return { status: 'ACSC' };
};

/** `wished` is asked for each order that is booked. */
export const createDemoPayments = (
  timeZone: string,
  wished: () => OrderWish | undefined,
): BooksInTransaction => ({
  kind: 'in-transaction',
  async book(tx, instruction) {
    const wish = wished();
    if (wish?.status === 'RJCT' || wish?.status === 'CANC') return wish;
    const payee = await findPayee(tx, instruction);
    if ('status' in payee) return payee;
    return bookTo(tx, instruction, { payee, wish, day: dateAt(instruction.at, timeZone) });
  },
  progress: (tx, paymentId, at) => progressOf(tx, paymentId, at, timeZone),
  cancel: (tx, paymentId, at) => cancelOpen(tx, paymentId, at, timeZone),
});
