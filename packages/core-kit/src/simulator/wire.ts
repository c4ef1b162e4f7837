/** Between the demo bank's own values, which are minor units and milliseconds, and what the contract says: text. */

import { fromMicros, toMicros } from '@trapeza/sandbox/demo-bank';
import type {
  Balance,
  BankAccount,
  BankTransaction,
  PaymentProgress,
  Statement,
  TransferTerms,
} from 'trapeza/bank';
import { decimalText, instantText, minorOf, type Price, type Quote } from 'trapeza/base';
import { type Answer, Refusal } from './contract.js';

export interface Money {
  readonly currency: string;
  readonly amount: string;
}

/** What a request has: an amount that fits its currency. */
export const minorIn = ({ currency, amount }: Money, least: bigint): bigint => {
  const minor = minorOf(amount, currency);
  if (minor === undefined) throw new Refusal(400, `the amount has more decimals than ${currency} has`);
  if (minor < least) throw new Refusal(400, 'the amount is too small');
  return minor;
};

export const moneyOf = (minor: number, currency: string): Money => ({
  currency,
  amount: decimalText(minor, currency),
});

export const accountOf = ({ balanceMinor, mayPay, signaturesNeeded, ...account }: BankAccount) => ({
  ...account,
  ...(mayPay == null ? {} : { mayPay }),
  ...(signaturesNeeded == null ? {} : { signaturesNeeded }),
  balance: balanceMinor === null ? null : decimalText(balanceMinor, account.currency),
});

export const balanceOf = ({ amountMinor, at, type, ...balance }: Balance) => ({
  ...balance,
  type: type as Answer<'readBalances'>['balances'][number]['type'],
  amount: decimalText(amountMinor, balance.currency),
  at: instantText(at),
});

export const transactionOf = (transaction: BankTransaction) => {
  const { amountMinor, balanceMinor, at, bookedAt, details, ...plain } = transaction;
  const { exchange, ...known } = details;
  return {
    ...plain,
    ...known,
    at: instantText(at),
    bookedAt: bookedAt == null ? null : instantText(bookedAt),
    amount: decimalText(amountMinor, plain.currency),
    balance: balanceMinor === null ? null : decimalText(balanceMinor, plain.currency),
    exchange: exchange && { ...moneyOf(exchange.amountMinor, exchange.currency), rate: exchange.rate },
  };
};

/** The demo bank counts what was paid as a positive sum; on the wire money that leaves is negative. */
export const statementOf = (statement: Statement) => {
  const { openingMinor, closingMinor, creditsMinor, debitsMinor, createdAt, ...plain } = statement;
  const text = (minor: number): string => decimalText(minor, plain.currency);
  return {
    ...plain,
    opening: text(openingMinor),
    closing: text(closingMinor),
    credits: text(creditsMinor),
    debits: text(-Math.abs(debitsMinor)),
    createdAt: instantText(createdAt),
  };
};

type Terms = Answer<'quoteTransfer'>;
type Member = Terms['faults'][number]['member'];

/** What the demo bank leaves out is left out. */
const notesToWire = ({ payeeCheck, executionDate, cutOff, instant }: TransferTerms) => ({
  ...(payeeCheck
    ? {
        payeeCheck: {
          result: payeeCheck.result,
          ...(payeeCheck.name ? { name: payeeCheck.name } : {}),
        },
      }
    : {}),
  ...(executionDate == null ? {} : { executionDate }),
  ...(cutOff == null ? {} : { cutOff: instantText(cutOff) }),
  ...(instant == null ? {} : { instant }),
});

export const termsToWire = (terms: TransferTerms, currency: string): Terms => {
  const { faults, charge, quote, otherPrices, limitMinor } = terms;
  return {
    faults: Object.entries(faults).flatMap(([member, messages]) =>
      messages.map((message) => ({ member: member as Member, message })),
    ),
    charge: moneyOf(charge.amountMinor, charge.currency),
    quote: quote && quoteToWire(quote),
    ...(otherPrices?.length ? { quotes: otherPrices.flatMap(priceToWire) } : {}),
    ...(limitMinor == null ? {} : { limit: moneyOf(limitMinor, currency) }),
    ...notesToWire(terms),
  };
};

const priceToWire = ({ charge, quote }: Price) =>
  quote ? [{ ...quoteToWire(quote), payCharge: moneyOf(charge.amountMinor, charge.currency) }] : [];

const quoteToWire = (quote: Quote) => ({
  pay: moneyOf(quote.payMinor, quote.payCurrency),
  rate: String(fromMicros(quote.rateMicros)),
  charge: moneyOf(quote.chargeMinor, quote.currency),
});

type WireQuote = NonNullable<Answer<'quoteTransfer'>['quote']>;

export const quoteFromWire = ({ pay, rate, charge }: WireQuote, amount: Money): Quote => ({
  currency: amount.currency,
  amountMinor: Number(minorIn(amount, 1n)),
  payCurrency: pay.currency,
  payMinor: Number(minorIn(pay, 1n)),
  rateMicros: toMicros(Number(rate)),
  chargeMinor: Number(minorIn(charge, 0n)),
});

export const stateOf = (paymentId: string, progress: PaymentProgress): Answer<'readPayment'> => ({
  paymentId,
  status: progress.status,
  reason: ('reason' in progress && progress.reason) || null,
  lookAgainAt: 'lookAgainAt' in progress ? instantText(progress.lookAgainAt) : null,
});
