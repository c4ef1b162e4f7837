/** How the cases about payments pay: terms first, one consent for each payment, and what left the account. */
import { decimalText, instantText, newId, type PsuId } from 'trapeza/base';
import { availableOf, minor, type Trial } from '../case.js';
import type { Answer } from '../client.js';
import { Blocked, demand, Skip } from '../verdict.js';
import { membersOf, wishOf } from './terms.js';

export type Payer = Trial<'payment'>;

export interface Prepared {
  readonly id: string;
  /** Each payment has a consent of its own. */
  readonly consentId: string;
  readonly psuId: PsuId | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** What the payer pays, charge included. */
  readonly cost: bigint;
}

export const payerIdOf = ({ subject: { payment } }: Payer): string => {
  if (payment.payerAccountId === undefined) throw new Skip('the subject has no payment.payerAccountId');
  return payment.payerAccountId;
};

type Terms = Answer<'quoteTransfer'>;

/** The subject's own payment must be possible; about any other amount the bank may think otherwise. */
const demandPossible = ({ faults }: Terms, isOwn: boolean): void => {
  if (faults.length === 0) return;
  if (isOwn) throw new Blocked(`the payment of the subject would not be carried out: ${membersOf(faults)}`);
  throw new Skip(
    `the payer account has more than one transfer may be (${membersOf(faults)}): choose a poorer payerAccountId`,
  );
};

export const prepare = async (trial: Payer, amount = trial.subject.payment.amount): Promise<Prepared> => {
  const { core, now } = trial;
  const { creditAccount, creditorName = 'Trapeza', product } = trial.subject.payment;
  const { psuId } = trial.subject;
  const person = psuId === undefined ? {} : { creditorName, psuId, payerAccountId: payerIdOf(trial) };
  const wish = { ...wishOf(trial.subject.payment), amount, ...person };
  // As the page asks on which the person approves it.
  const terms = await core.answer('quoteTransfer', { body: wish, ...(psuId === undefined ? {} : { psuId }) });
  demandPossible(terms, amount === trial.subject.payment.amount);
  const { charge, quote } = terms;
  if (charge.currency !== amount.currency)
    throw new Skip('the charge is in another currency than the payment');
  const id = newId();
  const body = {
    paymentId: id,
    payerAccountId: payerIdOf(trial),
    product,
    bearer: 'sha',
    amount,
    creditAccount,
    creditorName,
    ...(terms.payeeCheck ? { payeeCheck: terms.payeeCheck.result } : {}),
    charge,
    quote,
    endToEndId: `CHECK${id.slice(0, 8)}`,
    remittanceInformation: 'core-check',
    approvedAt: instantText(now()),
  };
  const cost =
    minor(amount.amount, amount.currency, 'quoteTransfer') +
    minor(charge.amount, charge.currency, 'quoteTransfer');
  return { id, consentId: newId(), psuId, body, cost };
};

export const wantedOf = ({ id, consentId, psuId, body }: Prepared) => ({
  params: { paymentId: id },
  consentId,
  ...(psuId === undefined ? {} : { psuId }),
  body,
});

export const execute = ({ core }: Payer, payment: Prepared): Promise<Answer<'executePayment'>> =>
  core.answer('executePayment', wantedOf(payment));

export const read = ({ core }: Payer, { id }: Prepared): Promise<Answer<'readPayment'>> =>
  core.answer('readPayment', { params: { paymentId: id } });

/** What left the account while the work was done. */
export const paidDuring = async (trial: Payer, work: () => Promise<unknown>): Promise<bigint> => {
  const before = await availableOf(trial, payerIdOf(trial));
  if (before.currency !== trial.subject.payment.amount.currency)
    throw new Skip('the payer account has another currency than the payment');
  await work();
  const after = await availableOf(trial, payerIdOf(trial));
  return before.minor - after.minor;
};

/** A payment that waits for a check or for its turn may not have left the account yet. */
export const demandDebited = async (trial: Payer, payment: Prepared, paid: bigint): Promise<void> => {
  const status = paid === 0n ? (await read(trial, payment)).status : undefined;
  if (status !== undefined && isWaiting(status))
    throw new Skip(`the payment is ${String(status)}, not yet booked`);
  demandPaid(trial, paid, payment.cost);
};

export const finals = ['ACSC', 'ACCC', 'RJCT', 'CANC'];

export const isWaiting = (status: string): boolean => !['ACSP', 'ACWP', ...finals].includes(status);

export const demandPaid = (trial: Payer, paid: bigint, cost: bigint): void => {
  const { currency } = trial.subject.payment.amount;
  const text = (value: bigint): string => `${decimalText(value, currency)} ${currency}`;
  demand(paid === cost, `${text(cost)} less available to the payer`, text(paid));
};

export const tooMuch = async (trial: Payer): Promise<Prepared> => {
  const available = await availableOf(trial, payerIdOf(trial));
  const { currency } = available;
  return prepare(trial, { currency, amount: decimalText(available.minor + 1n, currency) });
};
