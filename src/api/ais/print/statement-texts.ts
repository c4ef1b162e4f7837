/** What a printed statement tells, as text in the language of the account holder. */
import type { BankTransaction, Statement } from '../../../bank/history.js';
import { dateFormat, numberFormat } from '../../../lib/format/intl.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import { decimalsOf, fromMinor } from '../../../model/amount.js';
import type { Brand } from '../../../web/brand/brand.js';
import { kindWord, type StatementMessages } from './messages.js';

export interface PrintedStatement {
  readonly brand: Pick<Brand, 'name' | 'postalAddress' | 'colours' | 'logo'>;
  readonly language: string;
  readonly messages: StatementMessages;
  /** Null if the consent does not open the owner's name. */
  readonly ownerName: string | null;
  readonly accountName: string;
  readonly accountNumber: string;
  readonly statement: Statement;
  /** The day on which the statement was made, in the bank's zone. */
  readonly issuedOn: string;
  /** Newest first, as the bank gives them; those without details tell only what kind of entry they are. */
  readonly transactions: readonly PrintedTransaction[];
}

export type PrintedTransaction = Pick<
  BankTransaction,
  'bookingDate' | 'valueDate' | 'amountMinor' | 'currency' | 'code' | 'proprietaryCode' | 'balanceMinor'
> & { readonly details: BankTransaction['details'] | null };

export const amountText = (minor: number, currency: string, locale: string): string => {
  const digits = decimalsOf(currency) ?? 2;
  return numberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(fromMinor(minor, currency));
};

export const dayText = (day: string | null, locale: string): string =>
  day === null
    ? ''
    : dateFormat(locale, {
        day: '2-digit',
        month: '2-digit',
        year: 'numeric',
        timeZone: 'UTC',
      }).format(Date.parse(`${day}T00:00:00Z`));

export const periodText = ({ statement, messages: { locale } }: PrintedStatement): string =>
  `${dayText(statement.from, locale)} – ${dayText(statement.to, locale)}`;

/** As the bank wrote it, with the decimal sign of the language. */
const rateText = (rate: string | number, locale: string): string => {
  const sign = numberFormat(locale)
    .formatToParts(0.5)
    .find(({ type }) => type === 'decimal');
  return String(rate).replace('.', sign?.value ?? '.');
};

/** The kind of the entry, and below it the details that the consent opens. */
export const describe = (
  transaction: PrintedTransaction,
  messages: StatementMessages,
): readonly [string, string] => {
  const { details } = transaction;
  const kind = kindWord(transaction, messages);
  if (!details) return [kind, ''];
  const { exchange } = details;
  const [counterpartyName, remittanceInformation] = [
    details.counterpartyName,
    details.remittanceInformation,
  ].map((text) => text && undisguised(text));
  const foreign = exchange
    ? `${amountText(Math.abs(exchange.amountMinor), exchange.currency, messages.locale)} ${exchange.currency}, ${messages.rate} ${rateText(exchange.rate, messages.locale)}`
    : null;
  const more = [foreign, remittanceInformation].filter((part) => part !== null && part !== '');
  return [counterpartyName ?? kind, [...(counterpartyName ? [kind] : []), ...more].join(' · ')];
};
