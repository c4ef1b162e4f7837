/** What the demo bank says about a transfer: to a third party the prices, to the person who approves it everything. */
import type { TransferQuestion, TransferTerms } from 'trapeza/bank';
import {
  type BankTime,
  DAY,
  dateAt,
  endOfDay,
  exchanged,
  type Price,
  type Queries,
  quoteOf,
} from 'trapeza/base';
import { payingRules } from '../people.js';
import { checkPayee } from './payee-check.js';
import { chargeOf, DAILY_LIMIT, faultsOf, HOME, rateOf } from './tariff.js';

const USED = `
  select cast(coalesce(sum(limit_minor), 0) as bigint) as used from demo_payments where account_id = ? and booked_on = ?`;

/** Of the account on that day, in cents of a euro. */
export const usedOn = async (db: Queries, accountId: string, day: string): Promise<number> =>
  (await db.one<{ used: number }>(USED, [accountId, day]))?.used ?? 0;

const MILLION = 1_000_000;
/** In which currency an account can pay a transfer too, beside euro and its own. */
const furtherCurrency: Readonly<Record<string, string>> = { USD: 'GBP' };

const otherPricesOf = (question: TransferQuestion): readonly Price[] => {
  const pay = furtherCurrency[question.currency];
  const [from, to] = [rateOf(question.currency), pay && rateOf(pay)];
  if (!pay || !from || !to) return [];
  const inEuro = chargeOf(question);
  const backRate = Math.round((MILLION * MILLION) / to);
  const charge = {
    currency: pay,
    amountMinor: inEuro.amountMinor === 0 ? 0 : exchanged(inEuro.amountMinor, HOME, pay, backRate),
  };
  return [{ charge, quote: quoteOf(question, charge, Math.round((from * MILLION) / to)) }];
};

const priceOf = (question: TransferQuestion): Price => {
  const charge = chargeOf(question);
  const rate = rateOf(question.currency);
  return { charge, quote: rate === undefined ? null : quoteOf(question, charge, rate) };
};

export interface TermsTime {
  readonly bankTime: () => Promise<BankTime>;
  readonly timeZone: string;
}

/** A transfer abroad that is sent today is there tomorrow; one that others must sign waits for them. */
const executionOf = ({ product, payerAccountId = '' }: TransferQuestion, now: BankTime, timeZone: string) =>
  product === 'domestic'
    ? {
        executionDate: dateAt(now, timeZone),
        instant: (payingRules(payerAccountId).signaturesNeeded ?? 1) === 1,
      }
    : {
        executionDate: dateAt(now + DAY, timeZone),
        cutOff: endOfDay(dateAt(now, timeZone), timeZone),
        instant: false,
      };

const limitOf = async (db: Queries, { payerAccountId, currency }: TransferQuestion, day: string) =>
  payerAccountId === undefined || currency !== HOME
    ? {}
    : { limitMinor: Math.max(0, DAILY_LIMIT - (await usedOn(db, payerAccountId, day))) };

export const demoTerms = async (
  db: Queries,
  { bankTime, timeZone }: TermsTime,
  question: TransferQuestion,
): Promise<TransferTerms> => {
  const terms = {
    ...priceOf(question),
    otherPrices: otherPricesOf(question),
    faults: faultsOf(question),
  };
  if (question.psuId === undefined) return terms;
  const now = await bankTime();
  const { creditorName } = question;
  return {
    ...terms,
    ...executionOf(question, now, timeZone),
    ...(await limitOf(db, question, dateAt(now, timeZone))),
    ...(creditorName ? { payeeCheck: await checkPayee(db, question, creditorName) } : {}),
  };
};
