/**
 * A core with a known past: one booking on every day for more than a year on each account of the first account holder, one
 * pending debit, and a statement for every month. The days are counted back from the moment the tests begin.
 */
import type { Bank, BankAccount } from '../../../src/bank/bank.js';
import type { BankTransaction, Statement } from '../../../src/bank/history.js';
import { DAY, HOUR } from '../../../src/lib/clock.js';
import { dateAt } from '../../../src/lib/day.js';
import { bankWith } from '../../bank/banks.js';
import { account, psuId } from '../../support/operations.js';
import type { Service } from '../../support/service.js';

export const ZONE = 'Europe/Athens';
export const DAYS = 400;
/** The day must not end while the tests run and move the clock by an hour: in its last two hours they begin two hours later. */
const isLate = dateAt(Date.now(), ZONE) !== dateAt(Date.now() + 2 * HOUR, ZONE);
const SHIFT_MS = isLate ? 2 * HOUR : 0;
const START = Date.now() + SHIFT_MS;

export const toSameDay = async ({ clock }: Service): Promise<void> => clock.advance(SHIFT_MS);

const TODAY = dateAt(START, ZONE);
export const today = (): string => TODAY;
export const daysAgo = (days: number): string =>
  new Date(Date.parse(`${today()}T00:00:00Z`) - days * DAY).toISOString().slice(0, 10);

const held = [account('eleni', 101), account('eleni', 102)].map(
  (each): BankAccount => ({
    ...each,
    ownerName: 'Ελένη Παπαδοπούλου',
    balanceMinor: each.bookedMinor - each.pendingMinor,
  }),
);

const numberOf = ({ id }: BankAccount): number => held.findIndex((each) => each.id === id) + 1;

const details = {
  counterpartyName: 'Βιβλιοπωλείο Αθηνά',
  counterpartyIban: 'DE89370400440532013000',
  remittanceInformation: 'Τιμολόγιο 2041',
  endToEndId: 'INV-2041',
  paymentId: '9f6a6f4e-6c0f-4f57-9a53-0d2d8c4b7e11',
  mandateId: 'MANDATE-7',
  creditorId: 'GR00ZZZ12345',
  merchantCategoryCode: '5942',
  counterpartyCurrency: 'EUR',
  counterpartyAgent: { bic: 'COBADEFFXXX', name: null, country: 'DE' },
  purposeCode: 'GDDS',
  creditorReference: 'RF18539007547034',
  ultimateDebtor: 'Βασίλης Αλεξίου',
  ultimateCreditor: 'Verlag Athena',
  exchange: { currency: 'USD', amountMinor: 1100, rate: 0.91 },
} as const;

/** Every third one is received. */
const bookingOf = (of: BankAccount, days: number): BankTransaction => ({
  id: `t${numberOf(of)}-${days}`,
  status: 'booked',
  bookingDate: daysAgo(days),
  valueDate: daysAgo(days),
  at: START - days * DAY,
  bookedAt: START - days * DAY,
  currency: of.currency,
  amountMinor: days % 3 === 0 ? 5000 + days : -(1000 + days),
  code: 'PMNT-CCRD-POSD',
  proprietaryCode: 'POS',
  balanceMinor: 100_000 - days,
  details,
});

const pendingOf = (of: BankAccount, number: number): BankTransaction => ({
  ...bookingOf(of, 1),
  id: number === 0 ? `p${numberOf(of)}` : `p${numberOf(of)}-${number}`,
  status: 'pending',
  bookingDate: null,
  bookedAt: null,
  balanceMinor: null,
});

const transactionsOf = (accountId: string, pending = 1): readonly BankTransaction[] =>
  held
    .filter(({ id }) => id === accountId)
    .flatMap((each) => [
      ...Array.from({ length: pending }, (_, number) => pendingOf(each, number)),
      ...Array.from({ length: DAYS }, (_, days) => bookingOf(each, days)),
    ]);

const dayOf = ({ bookingDate, valueDate }: BankTransaction): string => bookingDate ?? valueDate;

const monthsBack = (count: number): string =>
  new Date(Date.UTC(Number(today().slice(0, 4)), Number(today().slice(5, 7)) - 1 - count, 1))
    .toISOString()
    .slice(0, 10);

const statementsOf = (accountId: string): readonly Statement[] =>
  held
    .filter(({ id }) => id === accountId)
    .flatMap((each) =>
      Array.from({ length: 13 }, (_, index): Statement => {
        const from = monthsBack(index + 1);
        const end = Date.parse(`${monthsBack(index)}T00:00:00Z`) - DAY;
        return {
          id: `s${numberOf(each)}-${index + 1}`,
          number: `${index + 1}`,
          currency: each.currency,
          from,
          to: new Date(end).toISOString().slice(0, 10),
          openingMinor: 1000,
          closingMinor: 2000,
          creditsMinor: 3000,
          debitsMinor: 2000,
          creditCount: 2,
          debitCount: 1,
          createdAt: end,
        };
      }),
    );

/** `pending`: so many debits of each account are. */
export const historyBank = (pending = 1): Bank =>
  bankWith({
    accountsOf: async (psu) => (psu === psuId('eleni') ? held : []),
    balances: async () => [
      {
        type: 'interimAvailable',
        currency: 'EUR',
        amountMinor: 233_025,
        includesCreditLine: false,
        at: START,
      },
    ],
    transactions: async ({ accountId, from, to, status, after, limit }) => {
      const all = transactionsOf(accountId, pending).filter(
        (each) => each.status === status && dayOf(each) >= from && dayOf(each) <= to,
      );
      const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
      const items = all.slice(start, start + limit);
      return { items, next: start + limit < all.length ? (items.at(-1)?.id ?? null) : null };
    },
    transaction: async (accountId, id) => transactionsOf(accountId).find((each) => each.id === id),
    statements: async (accountId, from, to) =>
      statementsOf(accountId).filter((each) => each.from >= from && each.to <= to),
    statement: async (accountId, id) => statementsOf(accountId).find((each) => each.id === id),
  });
