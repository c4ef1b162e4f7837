/**
 * Payments of a core over HTTP. Sent once: whatever goes wrong on the way leaves the outcome unknown, and it is asked for before
 * the payment is sent again.
 */
import { type BankTime, DAY, MINUTE } from '../../lib/clock.js';
import { instantText } from '../../lib/instant.js';
import {
  type AccountReference,
  normalBban,
  normalIban,
  normalMsisdn,
} from '../../model/account-reference.js';
import { normalBic } from '../../model/creditor-agent.js';
import { answerChecks, checkEcho, WrongAnswer, within } from '../guard/answers.js';
import type {
  PaymentInstruction,
  PaymentProgress,
  RemoteBooks,
  Transfer,
  TransferTerms,
} from '../payments.js';
import type { AnswerOf, CoreCalls } from './calls.js';
import type { Payment, PaymentState } from './contract/shapes.js';
import { chargeOf, momentOf, moneyOf, quoteFrom, quoteText } from './conversions.js';

/** As the bank keeps its accounts, however the third party wrote it. */
const referenceOf = ({ iban, bban, msisdn, currency }: AccountReference) => ({
  iban: iban ? normalIban(iban) : null,
  bban: bban ? normalBban(bban) : null,
  msisdn: msisdn ? normalMsisdn(msisdn) : null,
  currency: currency ?? null,
});

const agentOf = ({ creditorAgent }: Transfer) => {
  if (!creditorAgent) return {};
  const { bic, name, country } = creditorAgent;
  return {
    creditorAgent: { ...(bic ? { bic: normalBic(bic) } : {}), ...(name ? { name } : {}), country },
  };
};

const faultsOf = (faults: AnswerOf<'quoteTransfer'>['faults']): TransferTerms['faults'] => {
  const found = new Map<string, string[]>();
  for (const { member, message } of faults) found.set(member, [...(found.get(member) ?? []), message]);
  return Object.fromEntries(found);
};

export const askTerms = (calls: CoreCalls, transfer: Transfer): Promise<TransferTerms> => {
  const { product, bearer, creditAccount, currency, amountMinor } = transfer;
  const asked = { currency, amountMinor };
  const payee = { creditAccount: referenceOf(creditAccount), ...agentOf(transfer) };
  const body = { product, bearer, ...payee, amount: moneyOf(asked) };
  return calls.ask('quoteTransfer', { body }, (answer) => {
    const charge = within('/charge', () => chargeOf(answer.charge));
    const { quote: named } = answer;
    const quote = named && within('/quote', () => quoteFrom(named, asked));
    const terms = { faults: faultsOf(answer.faults), charge, quote };
    answerChecks.termsFor(terms, transfer);
    return terms;
  });
};

/** Used if the core names no time, a past one, or one that is too far away. */
const LOOK_AGAIN_MS = MINUTE;
const LOOK_AGAIN_AT_MOST_MS = DAY;

const progressOf = (state: PaymentState, bankNow: BankTime): PaymentProgress => {
  const { status, reason, lookAgainAt } = state;
  if ((status === 'RJCT') !== (reason !== null))
    throw new WrongAnswer('garbage', '/reason', 'belongs to a rejection');
  if (status === 'RJCT' && reason) return { status, reason };
  if (status === 'ACSC' || status === 'CANC') return { status };
  if (status === 'RJCT') throw new WrongAnswer('garbage', '/reason', 'missing');
  const named = lookAgainAt === null ? 0 : momentOf(lookAgainAt);
  const soon = named > bankNow ? named : bankNow + LOOK_AGAIN_MS;
  return { status, lookAgainAt: Math.min(soon, bankNow + LOOK_AGAIN_AT_MOST_MS) };
};

const paymentOf = (instruction: PaymentInstruction): Payment => {
  const { id, payer, product, bearer, currency, amountMinor, quote } = instruction;
  return {
    paymentId: id,
    payerAccountId: payer.id,
    product,
    bearer,
    amount: moneyOf({ currency, amountMinor }),
    creditAccount: referenceOf(instruction.creditAccount),
    ...agentOf(instruction),
    creditorName: instruction.creditorName,
    charge: moneyOf(instruction.charge),
    quote: quote && quoteText(quote),
    endToEndId: instruction.endToEndId,
    remittanceInformation: instruction.remittance,
    approvedAt: instantText(instruction.at),
  };
};

export const createHttpPayments = (calls: CoreCalls, bankTime: () => Promise<BankTime>): RemoteBooks => {
  const read = async (paymentId: string, bankNow: BankTime) => (state: PaymentState) => {
    checkEcho({ paymentId: state.paymentId.toLowerCase() }, { paymentId: paymentId.toLowerCase() });
    return progressOf(state, bankNow);
  };
  return {
    kind: 'remote',
    async execute(instruction) {
      const { id: paymentId, consent } = instruction;
      const question = { params: { paymentId }, body: paymentOf(instruction), consent };
      return calls.ask('executePayment', question, await read(paymentId, await bankTime()));
    },
    async find(paymentId) {
      return calls.find('readPayment', { params: { paymentId } }, await read(paymentId, await bankTime()));
    },
  };
};
