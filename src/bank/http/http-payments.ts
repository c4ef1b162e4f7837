/**
 * Payments of a core over HTTP. Sent once: whatever goes wrong on the way leaves the outcome unknown, and it is asked for before
 * the payment is sent again.
 */
import { instantText } from '../../lib/instant.js';
import {
  type AccountReference,
  normalBban,
  normalIban,
  normalMsisdn,
} from '../../model/account-reference.js';
import { normalBic } from '../../model/creditor-agent.js';
import type { Price } from '../../model/payment-terms.js';
import { answerChecks, checkEcho, readEach, WrongAnswer, within } from '../guard/answers.js';
import type {
  Charge,
  PaymentInstruction,
  PaymentProgress,
  RemoteBooks,
  Transfer,
  TransferQuestion,
  TransferTerms,
} from '../payments.js';
import type { AnswerOf, CoreCalls } from './calls.js';
import { type Payment, type PaymentState, statusesSeen } from './contract/shapes.js';
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

type TermsAnswer = AnswerOf<'quoteTransfer'>;

const otherPricesOf = ({ quotes }: TermsAnswer, asked: Charge): readonly Price[] | undefined =>
  quotes &&
  readEach('quotes', quotes, ({ payCharge, ...quote }) => {
    if (!payCharge) throw new WrongAnswer('garbage', '/payCharge', 'missing');
    return { charge: within('/payCharge', () => chargeOf(payCharge)), quote: quoteFrom(quote, asked) };
  });

const limitOf = ({ limit }: TermsAnswer, { currency }: Charge): number | undefined => {
  if (limit && limit.currency !== currency)
    throw new WrongAnswer('wrong-currency', '/limit/currency', 'not that of the amount');
  return limit && within('/limit', () => chargeOf(limit)).amountMinor;
};

const termsFrom = (answer: TermsAnswer, asked: Charge): TransferTerms => {
  const { quote, cutOff, payeeCheck, executionDate, instant } = answer;
  return {
    faults: faultsOf(answer.faults),
    charge: within('/charge', () => chargeOf(answer.charge)),
    quote: quote && within('/quote', () => quoteFrom(quote, asked)),
    otherPrices: otherPricesOf(answer, asked),
    limitMinor: limitOf(answer, asked),
    payeeCheck,
    executionDate,
    cutOff: cutOff === undefined ? undefined : within('/cutOff', () => momentOf(cutOff)),
    instant,
  };
};

export const askTerms = (calls: CoreCalls, question: TransferQuestion): Promise<TransferTerms> => {
  const { product, bearer, creditAccount, currency, amountMinor, psuId, language, requester } = question;
  const { creditorName, payerAccountId } = question;
  const asked = { currency, amountMinor };
  const payee = { creditAccount: referenceOf(creditAccount), ...agentOf(question), creditorName };
  const body = { product, bearer, ...payee, amount: moneyOf(asked), psuId, payerAccountId };
  return calls.ask('quoteTransfer', { body, psuId, language, requester }, (answer) => {
    const terms = termsFrom(answer, asked);
    answerChecks.termsFor(terms, question);
    return terms;
  });
};

const progressOf = (state: PaymentState): PaymentProgress => {
  const { reason, lookAgainAt } = state;
  const status = statusesSeen[state.status];
  const why = reason ? { reason } : {};
  switch (status) {
    case 'RJCT':
      if (!reason) throw new WrongAnswer('garbage', '/reason', 'missing');
      return { status, reason };
    case 'ACSC':
      if (reason) throw new WrongAnswer('garbage', '/reason', 'does not belong to a settled payment');
      return { status };
    case 'CANC':
      return { status, ...why };
    default:
      return { status, ...why, lookAgainAt: lookAgainAt === null ? 0 : momentOf(lookAgainAt) };
  }
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
    ...(instruction.payeeCheck ? { payeeCheck: instruction.payeeCheck } : {}),
    ...(instruction.instant ? { instant: true } : {}),
    charge: moneyOf(instruction.charge),
    quote: quote && quoteText(quote),
    endToEndId: instruction.endToEndId,
    remittanceInformation: instruction.remittance,
    approvedAt: instantText(instruction.at),
  };
};

export const createHttpPayments = (calls: CoreCalls): RemoteBooks => {
  const read = (paymentId: string) => (state: PaymentState) => {
    checkEcho({ paymentId: state.paymentId.toLowerCase() }, { paymentId: paymentId.toLowerCase() });
    return progressOf(state);
  };
  return {
    kind: 'remote',
    execute(instruction, by) {
      const { id: paymentId, consent, psuId, requester } = instruction;
      const question = { params: { paymentId }, body: paymentOf(instruction), psuId, consent, requester, by };
      return calls.ask('executePayment', question, read(paymentId));
    },
    find: (paymentId) => calls.find('readPayment', { params: { paymentId } }, read(paymentId)),
    cancel: (paymentId) => calls.findIfOffered('cancelPayment', { params: { paymentId } }, read(paymentId)),
  };
};
