/**
 * What happened on the demo bank's accounts before the day on which it was seeded. The same seed and day give the same
 * history; it ends with the balances that the demo bank's customers are described with.
 */
import { DAY, HOUR } from 'trapeza/base';
import type { Hold } from '../ledger/holds.js';
import type { Entry, Leg } from '../ledger/transfer.js';
import type { DemoAccount } from '../people.js';
import { walkBackwards } from './backwards.js';
import { bankDaysAfter, Calendar, type Day } from './calendar.js';
import { abroad, stores } from './counterparties.js';
import { partyOf } from './life.js';
import { lives } from './lives.js';
import { idMaker, Random } from './random.js';
import type { Happening } from './scene.js';
import { isPossibleUntil, turnsOf } from './turns.js';

export interface HistoryOptions {
  /** The bank's day on which the history ends; its last entries are of the day before. */
  readonly today: string;
  /** How many whole months it reaches back. */
  readonly months: number;
  readonly timeZone: string;
}

export interface PastBooking extends Entry {
  readonly legs: readonly Leg[];
}

export interface History {
  /** What each account was opened with, on which day. */
  readonly openings: ReadonlyMap<string, number>;
  readonly openedOn: string;
  /** In the order in which they happened. */
  readonly bookings: readonly PastBooking[];
  readonly holds: readonly Hold[];
}

export const SEED = 'trapeza';

export const calendarOf = ({ today, months, timeZone }: HistoryOptions): Calendar => {
  const yesterday = new Date(Date.parse(today) - DAY).toISOString().slice(0, 10);
  const [year = 0, month = 1] = today.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10);
  return new Calendar(months === 0 ? yesterday : first, yesterday, timeZone);
};

/** Every account in every month has its own chance: a longer history has the same months as a shorter one. */
export const habitual = (calendar: Calendar, months = calendar.months): readonly Happening[] =>
  lives.flatMap(({ account, habits }) => {
    const self = partyOf(account);
    return habits.flatMap((habit, index) =>
      months.flatMap((month) => {
        const random = new Random([SEED, account.id, index, month.year, month.month].join());
        return habit({ account, self, month, calendar, random });
      }),
    );
  });

/** Transfers and direct debits carry a reference of the one who ordered them; what the bank or a card does has none. */
const REFERENCED = /^PMNT-(ICDT|RDDT)-(?!CHRG)/;

export const referenced = (leg: Leg & { readonly id: string }): Leg & { readonly id: string } =>
  leg.endToEndId === undefined && REFERENCED.test(leg.code)
    ? { ...leg, endToEndId: `REF${leg.id.replaceAll('-', '').slice(0, 20).toUpperCase()}` }
    : leg;

/** One or two card payments that are not booked yet. Of two the first will never be, and the second is in pounds, at another rate. */
const holdsOf = (account: DemoAccount, { date, start }: Day, idOf: (number: number) => string): Hold[] => {
  const { id: accountId, pendingMinor } = account;
  if (pendingMinor === 0) return [];
  const at = start + 18 * HOUR;
  const hold = { accountId, date, code: 'PMNT-CCRD-POSD', remittance: 'Δέσμευση ποσού κάρτας' };
  const rate = 1.17;
  const pounds = pendingMinor > 10_000 ? 2990 : 0;
  const euros = Math.round(pounds * rate);
  const amountMinor = pendingMinor - euros;
  const first: Hold = { ...hold, id: idOf(0), at, amountMinor, payee: stores[0] };
  if (euros === 0) return [{ ...first, settles: { on: bankDaysAfter(date, 1), amountMinor } }];
  const exchange = { currency: 'GBP', amountMinor: pounds, rate };
  return [
    { ...first, settles: { on: bankDaysAfter(date, 3), amountMinor: 0 } },
    {
      ...hold,
      id: idOf(1),
      at: at + HOUR,
      amountMinor: euros,
      payee: abroad.GBP[0],
      exchange,
      settles: { on: bankDaysAfter(date, 2), amountMinor: Math.round(pounds * 1.1788) },
    },
  ];
};

export const demoHistory = (options: HistoryOptions): History => {
  const { today, months } = options;
  const calendar = calendarOf(options);
  const [first] = calendar.days;
  const last = calendar.days.at(-1);
  if (!first || !last) throw new Error('a history has at least one day');
  const random = new Random(`${SEED}:${today}`);
  const happenings = (months === 0 ? [] : [...habitual(calendar), ...turnsOf(calendar, today, random)])
    .filter(isPossibleUntil(today))
    .toSorted((a, b) => a.at - b.at);
  const balances = new Map(lives.map(({ account }) => [account.id, account.bookedMinor]));
  const byId = new Map(lives.map((life) => [life.account.id, life]));
  const walked = walkBackwards(happenings, { lives: byId, balances, random });
  const idOf = idMaker(`${SEED}:${today}`);
  const named = (legs: readonly Leg[], booking: number): Leg[] =>
    legs.map((leg, place) => referenced({ ...leg, id: idOf(booking * 8 + place + 1) }));
  return {
    // The walk has left the balances of the first day.
    openings: new Map(lives.map(({ account: { id } }) => [id, balances.get(id) ?? 0])),
    openedOn: first.date,
    bookings: walked.map((happening, index) => ({
      ...happening,
      bookingId: idOf(index * 8),
      legs: named(happening.legs, index),
    })),
    holds: lives.flatMap(({ account }) => holdsOf(account, last, idMaker(`${SEED}:${today}:${account.id}`))),
  };
};
