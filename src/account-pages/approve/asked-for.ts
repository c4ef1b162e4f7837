/** Reads what a consent asks for out of its stored details, which arrived over the API and were checked there. */
import type { ScaContext } from '../../bank/account-holders.js';
import { type AskedConsent, shownHash } from '../../consent/asked.js';
import { type Permission, permissions } from '../../consent/record.js';
import { unattendedReads } from '../../consent/unattended-reads.js';
import { undisguised } from '../../lib/format/undisguised.js';
import { normalIban } from '../../model/account-reference.js';
import { decimalsOf, fromMinor } from '../../model/amount.js';
import type { CreditorAgent } from '../../model/creditor-agent.js';
import type { PaymentNotes } from '../../model/payment-terms.js';
import { type PaymentTerms, termsOf } from '../../payment/payable.js';

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

const shownText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? undisguised(value) : undefined;
const oneOf = <T extends string>(value: unknown, known: readonly T[]): T | undefined =>
  known.find((each) => each === value);

export interface Money {
  readonly amount: number;
  readonly currency: string;
}

const moneyOf = (value: unknown): Money | undefined => {
  const { amount, currency } = fieldsOf(value);
  return typeof amount === 'number' && typeof currency === 'string' ? { amount, currency } : undefined;
};

const agentOf = (value: unknown): CreditorAgent | undefined => {
  const { bic, name, country } = fieldsOf(value);
  if (typeof country !== 'string') return undefined;
  return { bic: shownText(bic) ?? null, name: shownText(name) ?? null, country };
};

/** What the amount costs in the other currency, and the rate that is held for it. */
export interface Conversion {
  readonly pay: Money;
  readonly rate: number;
}

const conversionsOf = ({ quote, otherPrices = [] }: PaymentTerms): readonly Conversion[] =>
  [{ quote }, ...otherPrices].flatMap((each) =>
    each.quote
      ? {
          pay: {
            amount: fromMinor(each.quote.payMinor, each.quote.payCurrency),
            currency: each.quote.payCurrency,
          },
          rate: Number(`${each.quote.rateMicros}e-6`),
        }
      : [],
  );

export interface PaymentAsked {
  readonly amount: Money;
  readonly payee: string;
  readonly payeeAccount: string;
  /** Named if the account has no IBAN. */
  readonly payeeBank: CreditorAgent | undefined;
  readonly product: 'domestic' | 'international' | undefined;
  readonly bearer: 'sha' | 'our' | 'ben' | undefined;
  readonly charges: Money | undefined;
  /** One for each other currency in which it can be paid. */
  readonly conversions: readonly Conversion[];
  readonly terms: PaymentTerms;
  readonly notes: PaymentNotes;
  readonly message: string | undefined;
  readonly reference: string | undefined;
}

export const amountOf = (details: Fields): Money =>
  moneyOf(details.instructedAmount) ?? { amount: Number.NaN, currency: '' };

/** Undefined for the other kinds. */
export const paymentOf = ({
  kind,
  details,
  quote = null,
  otherPrices = [],
  notes = null,
}: Pick<AskedConsent, 'kind' | 'details'> & Partial<Pick<AskedConsent, 'quote' | 'otherPrices' | 'notes'>>):
  | PaymentAsked
  | undefined => {
  if (kind !== 'PaymentInitiation') return undefined;
  const account = fieldsOf(details.creditAccount);
  const terms = termsOf(details, quote, otherPrices);
  return {
    amount: amountOf(details),
    payee: shownText(details.creditorName) ?? '',
    payeeAccount: normalIban(
      shownText(account.iban) ?? shownText(account.bban) ?? shownText(account.msisdn) ?? '',
    ),
    payeeBank: agentOf(details.creditorAgent),
    product: oneOf(details.paymentProduct, ['domestic', 'international']),
    bearer: oneOf(details.chargeBearer, ['sha', 'our', 'ben']),
    charges: moneyOf(details.expenses),
    conversions: conversionsOf(terms),
    terms,
    notes: notes ?? {},
    message: shownText(details.remittanceInformation),
    reference: shownText(details.endToEndId),
  };
};

export interface AccessAsked {
  /** A wider permission stands for the narrower one of its kind. */
  readonly permissions: readonly Permission[];
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Undefined: one time only. */
  readonly timesPerDay: number | undefined;
}

export const accountAccessOf = ({
  details,
  recurring,
}: Pick<AskedConsent, 'details' | 'recurring'>): AccessAsked => {
  const asked = Array.isArray(details.permissions) ? (details.permissions as readonly unknown[]) : [];
  const isCovered = (word: Permission): boolean =>
    word.endsWith('Basic') && asked.includes(word.replace('Basic', 'Detail'));
  const isRecurring = recurring === 1 || details.recurring === true;
  const frequencyPerDay = typeof details.frequencyPerDay === 'number' ? details.frequencyPerDay : undefined;
  return {
    permissions: permissions.filter((word) => asked.includes(word) && !isCovered(word)),
    from: shownText(details.transactionFrom),
    to: shownText(details.transactionTo),
    timesPerDay: isRecurring ? unattendedReads({ recurring: true, frequencyPerDay }) : undefined,
  };
};

export interface FundsAsked {
  readonly cardNote: string | undefined;
  readonly registrationNote: string | undefined;
}

export const fundsOf = ({ details }: Pick<AskedConsent, 'details'>): FundsAsked => ({
  cardNote: shownText(details.cardInformation),
  registrationNote: shownText(details.registrationInformation),
});

const plainAmount = ({ amount, currency }: Money): string =>
  `${amount.toFixed(decimalsOf(currency) ?? 2)} ${currency}`;

/** With the rate, if there is one alone and an account in the currency of the amount is not what pays. */
const approvedAmount = ({ amount, conversions }: PaymentAsked, { accounts }: AskedConsent): string => {
  const [conversion, ...more] = conversions;
  const isSame = accounts.length > 0 && accounts.every(({ currency }) => currency === amount.currency);
  return conversion && more.length === 0 && !isSame
    ? `${plainAmount(amount)} (1 ${amount.currency} = ${conversion.rate} ${conversion.pay.currency})`
    : plainAmount(amount);
};

/** What the one-time code stands for; a payment's carries amount and payee (RTS Art. 5). */
export const scaContextOf = (asked: AskedConsent): ScaContext => {
  // A block that is lifted is no payment.
  const payment = asked.block === null ? paymentOf(asked) : undefined;
  return {
    shownHash: shownHash(asked),
    ...(payment
      ? {
          payment: {
            amount: approvedAmount(payment, asked),
            payee: payment.payee,
            account: payment.payeeAccount,
          },
        }
      : {}),
  };
};
