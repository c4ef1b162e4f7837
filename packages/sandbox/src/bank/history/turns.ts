/** What happened once: an account that was closed, one that was emptied, one that was blocked. */
import type { Leg } from '../ledger/transfer.js';
import { demoAccount } from '../people.js';
import { type Calendar, shifted } from './calendar.js';
import { partyOf } from './life.js';
import type { Random } from './random.js';
import type { Happening } from './scene.js';

const blocked = demoAccount(1001);
const BLOCKED_DAYS = 20;

/** Nothing is paid from a blocked account any more; it still receives. */
export const isPossibleUntil = (today: string): ((happening: Happening) => boolean) => {
  const since = shifted(today, -BLOCKED_DAYS);
  return ({ date, legs }) => date < since || legs.every(({ debit }) => debit !== blocked.id);
};

const between = (from: number, to: number, amountMinor: number, remittance: string): Leg => {
  const [payer, payee] = [demoAccount(from), demoAccount(to)];
  return {
    debit: payer.id,
    credit: payee.id,
    amountMinor,
    code: 'PMNT-ICDT-BOOK',
    payer: partyOf(payer),
    payee: partyOf(payee),
    remittance,
  };
};

interface Turn {
  readonly daysAgo: number;
  readonly leg: Leg;
}

const turns = (random: Random): readonly Turn[] => [
  // The account that is closed now: some months of life, then its end.
  ...[230, 205, 181, 160].map((daysAgo) => ({
    daysAgo,
    leg: between(601, 602, random.whole(5, 12) * 1000, 'Για τις διακοπές'),
  })),
  { daysAgo: 150, leg: between(602, 601, 41_237, 'Κλείσιμο λογαριασμού, μεταφορά υπολοίπου') },
  // The savings that were used up.
  ...[560, 530, 500, 470, 440].map((daysAgo) => ({
    daysAgo,
    leg: between(401, 402, 2500, 'Αποταμίευση'),
  })),
  { daysAgo: 400, leg: between(402, 401, 18_000, 'Για τον νέο υπολογιστή') },
];

export const turnsOf = (calendar: Calendar, today: string, random: Random): readonly Happening[] =>
  turns(random).flatMap(({ daysAgo, leg }) => {
    const day = calendar.bookingDay(shifted(today, -daysAgo));
    return day ? [{ date: day.date, at: day.start + random.whole(36_000, 60_000) * 1000, legs: [leg] }] : [];
  });
