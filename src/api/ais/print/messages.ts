/** The texts of a printed statement. */
import type { BankTransaction } from '../../../bank/history.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import type { Language } from '../../../web/language.js';

export interface StatementMessages {
  readonly locale: string;
  readonly title: string;
  readonly owner: string;
  readonly account: string;
  readonly number: string;
  readonly period: string;
  readonly madeOn: string;
  readonly opening: string;
  readonly credits: (count: number) => string;
  readonly debits: (count: number) => string;
  readonly closing: string;
  readonly columns: readonly [string, string, string, string, string];
  readonly none: string;
  readonly cut: (shown: number, all: number) => string;
  readonly page: (number: number, of: number) => string;
  readonly rate: string;
  /** What an entry is called if the bank has no code for it. */
  readonly credit: string;
  readonly debit: string;
  /** By the first letters of the ISO 20022 code; the longest that fits wins. */
  readonly kinds: Readonly<Record<string, string>>;
}

const el: StatementMessages = {
  locale: 'el-GR',
  title: 'Αντίγραφο κινήσεων λογαριασμού',
  owner: 'Κάτοχος',
  account: 'Λογαριασμός',
  number: 'Αρ. αντιγράφου',
  period: 'Περίοδος',
  madeOn: 'Εκδόθηκε',
  opening: 'Αρχικό υπόλοιπο',
  credits: (count) => `Πιστώσεις (${count})`,
  debits: (count) => `Χρεώσεις (${count})`,
  closing: 'Τελικό υπόλοιπο',
  columns: ['Ημερομηνία', 'Αξία', 'Περιγραφή', 'Ποσό', 'Υπόλοιπο'],
  none: 'Δεν υπάρχουν κινήσεις σε αυτή την περίοδο.',
  cut: (shown, all) =>
    `Εκτυπώνονται οι ${shown} νεότερες από τις ${all} κινήσεις της περιόδου. Τα υπόλοιπα και τα σύνολα αφορούν όλες.`,
  page: (number, of) => `Σελίδα ${number} από ${of}`,
  rate: 'ισοτιμία',
  credit: 'Πίστωση',
  debit: 'Χρέωση',
  kinds: {
    'PMNT-CCRD-CWDL': 'Ανάληψη μετρητών',
    'PMNT-CCRD': 'Πληρωμή με κάρτα',
    'PMNT-RCDT-SALA': 'Μισθοδοσία',
    'PMNT-ICDT-SALA': 'Μισθοδοσία',
    'PMNT-MCRD': 'Εισπράξεις από κάρτες',
    FORX: 'Μετατροπή νομίσματος',
    'PMNT-RCDT': 'Εισερχόμενο έμβασμα',
    'PMNT-ICDT-STDO': 'Πάγια εντολή',
    'PMNT-ICDT': 'Εξερχόμενο έμβασμα',
    'PMNT-IDDT': 'Άμεση χρέωση',
    'PMNT-RDDT': 'Άμεση χρέωση',
    'PMNT-CNTR': 'Μετρητά στο ταμείο',
    'ACMT-MDOP-INTR': 'Τόκοι',
    'ACMT-MCOP-INTR': 'Τόκοι',
    'ACMT-MDOP': 'Έξοδα τράπεζας',
    ACMT: 'Κίνηση τράπεζας',
  },
};

const en: StatementMessages = {
  locale: 'en-GB',
  title: 'Account statement',
  owner: 'Account holder',
  account: 'Account',
  number: 'Statement no.',
  period: 'Period',
  madeOn: 'Issued',
  opening: 'Opening balance',
  credits: (count) => `Money in (${count})`,
  debits: (count) => `Money out (${count})`,
  closing: 'Closing balance',
  columns: ['Date', 'Value', 'Description', 'Amount', 'Balance'],
  none: 'There are no transactions in this period.',
  cut: (shown, all) =>
    `The newest ${shown} of the ${all} transactions of the period are printed. Balances and totals are of all of them.`,
  page: (number, of) => `Page ${number} of ${of}`,
  rate: 'rate',
  credit: 'Money in',
  debit: 'Money out',
  kinds: {
    'PMNT-CCRD-CWDL': 'Cash withdrawal',
    'PMNT-CCRD': 'Card payment',
    'PMNT-RCDT-SALA': 'Salary',
    'PMNT-ICDT-SALA': 'Salary',
    'PMNT-MCRD': 'Card takings',
    FORX: 'Currency exchange',
    'PMNT-RCDT': 'Transfer received',
    'PMNT-ICDT-STDO': 'Standing order',
    'PMNT-ICDT': 'Transfer sent',
    'PMNT-IDDT': 'Direct debit',
    'PMNT-RDDT': 'Direct debit',
    'PMNT-CNTR': 'Cash at the counter',
    'ACMT-MDOP-INTR': 'Interest',
    'ACMT-MCOP-INTR': 'Interest',
    'ACMT-MDOP': 'Bank charges',
    ACMT: 'Bank entry',
  },
};

export const statementMessages: Readonly<Record<Language, StatementMessages>> = { el, en };

/** The kind of an entry, without names of people. */
export const kindWord = (
  { code, proprietaryCode, amountMinor }: Pick<BankTransaction, 'code' | 'proprietaryCode' | 'amountMinor'>,
  { kinds, credit, debit }: StatementMessages,
): string => {
  const fitting = Object.keys(kinds).filter((prefix) => code?.startsWith(prefix));
  const [longest = ''] = fitting.toSorted((a, b) => b.length - a.length);
  const own = proprietaryCode && undisguised(proprietaryCode);
  return kinds[longest] || own || code || (amountMinor < 0 ? debit : credit);
};
