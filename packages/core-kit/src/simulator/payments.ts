/**
 * Payments of the simulated core. The id is the idempotency key: the row that takes it, the booking and the answer are one
 * transaction, so the same id is carried out once, for ever, also by two requests at the same moment.
 */

import type {
  Bank,
  BankAccount,
  BooksInTransaction,
  Payment,
  PaymentInstruction,
  PaymentProgress,
} from 'trapeza/bank';
import {
  type AccountId,
  type Db,
  jsonColumn,
  members,
  type PsuId,
  type Queries,
  sha256,
  text,
} from 'trapeza/base';
import { type Answer, type Asked, Refusal } from './contract.js';
import { minorIn, quoteFromWire, stateOf } from './wire.js';

type State = Answer<'readPayment'>;

interface Row {
  readonly hash: string;
  readonly progress: string;
}

const CLAIM_PAYMENT = `
  insert into simulator_payments (id, request_hash, progress, received_at) values (?, ?, '', ?) on conflict (id) do nothing`;
const progressColumn = jsonColumn<PaymentProgress>('the progress of a payment', members({ status: text }));
const STORE_PROGRESS = 'update simulator_payments set progress = ? where id = ?';
const FIND = 'select request_hash as hash, progress from simulator_payments where id = ?';
const HOLDER = 'select psu_id as "psuId" from demo_holders where account_id = ? order by psu_id limit 1';

/** The books themselves tell how often a payment is in them, pending or booked. */
const LIST = `
  select p.id, p.progress,
         (select count(*) from demo_transfers t where t.payment_id = p.id and t.code <> 'PMNT-ICDT-CHRG')
         + (select count(*) from demo_holds h where h.payment_id = p.id and h.code <> 'PMNT-ICDT-CHRG') as executions
  from simulator_payments p order by p.received_at, p.id limit 100000`;

/** Members in a fixed order, so that two spellings of one payment are one. */
const canonical = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return members.map(([name, member]) => [name, canonical(member)]);
};

const rejected = (code: string, text: string): PaymentProgress => ({
  status: 'RJCT',
  reason: { code, text },
});

const instructionOf = (payment: Payment, payer: BankAccount, at: number): PaymentInstruction => {
  const { paymentId, product, bearer, amount, creditAccount, creditorName, charge, quote } = payment;
  return {
    id: paymentId.toLowerCase(),
    payer,
    product,
    bearer,
    creditAccount,
    creditorAgent: payment.creditorAgent,
    creditorName,
    currency: amount.currency,
    amountMinor: Number(minorIn(amount, 1n)),
    charge: { currency: charge.currency, amountMinor: Number(minorIn(charge, 0n)) },
    quote: quote && quoteFromWire(quote, amount),
    endToEndId: payment.endToEndId,
    remittance: payment.remittanceInformation,
    at,
  };
};

const isExact = ({ amountMinor, charge, quote }: PaymentInstruction): boolean =>
  [amountMinor, charge.amountMinor, quote?.payMinor ?? 0].every(Number.isSafeInteger);

/** Why the books cannot take it, whatever the account has. */
const misfit = async (bank: Bank, instruction: PaymentInstruction): Promise<PaymentProgress | undefined> => {
  const { payer, currency, charge, quote } = instruction;
  if (!isExact(instruction)) return rejected('AM02', 'The amount is larger than any account of this bank.');
  const terms = await bank.termsFor(instruction);
  if (Object.keys(terms.faults).length > 0)
    return rejected('NARR', 'The bank does not carry out such transfers.');
  const prices = [terms, ...(terms.otherPrices ?? [])];
  if (!prices.some((price) => price.charge.currency === charge.currency))
    return rejected('AM03', 'The charge is not in the currency of the bank.');
  const isPayable = payer.currency === currency || payer.currency === quote?.payCurrency;
  const isChargeable = charge.amountMinor === 0 || payer.currency === charge.currency || quote !== null;
  return isPayable && isChargeable
    ? undefined
    : rejected('AM03', 'The account of the payer does not have this currency.');
};

const payerOf = async (db: Queries, bank: Bank, accountId: AccountId): Promise<BankAccount | undefined> => {
  const holder = await db.one<{ psuId: PsuId }>(HOLDER, [accountId]);
  const held = holder ? await bank.accountsOf(holder.psuId) : [];
  return held.find(({ id }) => id === accountId);
};

const booksOf = ({ payments }: Bank): BooksInTransaction => {
  if (payments?.kind !== 'in-transaction') throw new Error('the demo bank books in our own transaction');
  return payments;
};

const stateNow = async (tx: Queries, bank: Bank, id: string, row: Row, at: number): Promise<State> => {
  const first = progressColumn.read(row.progress);
  const key = id.toLowerCase();
  return stateOf(id, 'lookAgainAt' in first ? await booksOf(bank).progress(tx, key, at) : first);
};

const carryOut = async (
  tx: Queries,
  bank: Bank,
  payment: Payment,
  payer: BankAccount | undefined,
  at: number,
): Promise<PaymentProgress> => {
  if (!payer) return rejected('AC02', 'The payer has no such account.');
  const instruction = instructionOf(payment, payer, at);
  return (await misfit(bank, instruction)) ?? booksOf(bank).book(tx, instruction);
};

export const executePayment = async (
  db: Db,
  bank: Bank,
  { params, body, at }: Asked<'executePayment'>,
): Promise<State> => {
  const { paymentId } = params;
  if (body.paymentId !== paymentId) throw new Refusal(400, 'paymentId must be the one of the path');
  const key = paymentId.toLowerCase();
  const hash = sha256(JSON.stringify(canonical({ ...body, paymentId: key })));
  // Before the transaction: inside, a question that needs a connection of its own could wait for ever for those who wait for us.
  const payer = await payerOf(db, bank, body.payerAccountId);
  return db.transaction(async (tx) => {
    // Of two at the same moment the second waits here for the first.
    if ((await tx.run(CLAIM_PAYMENT, [key, hash, at])) === 1) {
      const progress = await carryOut(tx, bank, body, payer, at);
      await tx.run(STORE_PROGRESS, [progressColumn.write(progress), key]);
      return stateOf(paymentId, progress);
    }
    const row = await tx.one<Row>(FIND, [key]);
    if (!row) throw new Refusal(503, 'the payment is being taken back');
    if (row.hash !== hash) throw new Refusal(409, 'another payment was sent with this id');
    return stateNow(tx, bank, paymentId, row, at);
  });
};

export const readPayment = async (
  db: Db,
  bank: Bank,
  { params: { paymentId }, at }: Asked<'readPayment'>,
): Promise<State> => {
  const row = await db.one<Row>(FIND, [paymentId.toLowerCase()]);
  if (!row) throw new Refusal(404, 'this payment never arrived');
  return db.transaction((tx) => stateNow(tx, bank, paymentId, row, at));
};

export const cancelPayment = async (
  db: Db,
  bank: Bank,
  { params: { paymentId }, at }: Asked<'cancelPayment'>,
): Promise<State> => {
  const key = paymentId.toLowerCase();
  const row = await db.one<Row>(FIND, [key]);
  if (!row) throw new Refusal(404, 'this payment never arrived');
  return db.transaction(async (tx) => {
    if ('lookAgainAt' in progressColumn.read(row.progress)) await booksOf(bank).cancel?.(tx, key, at);
    return stateNow(tx, bank, paymentId, row, at);
  });
};

export interface ListedPayment {
  readonly paymentId: string;
  /** As it was answered at first. */
  readonly status: string;
  readonly executions: number;
}

export const listPayments = async (db: Db): Promise<readonly ListedPayment[]> => {
  const rows = await db.all<{ id: string; progress: string; executions: number }>(LIST);
  return rows.map(({ id, progress, executions }) => ({
    paymentId: id,
    status: progressColumn.read(progress).status,
    executions: Number(executions),
  }));
};
