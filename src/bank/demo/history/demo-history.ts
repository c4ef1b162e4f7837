/**
 * What happened on the demo bank's accounts before the day on which it was seeded. The same seed and day give the same
 * history; it ends with the balances that the demo bank's customers are described with.
 */
import { endOfDay } from '../../../lib/day.js';
import { derivedId } from '../../../lib/id.js';
import type { Hold } from '../ledger/holds.js';
import { internalId } from '../ledger/internal-accounts.js';
import { dayBefore } from '../ledger/statements.js';
import type { Entry, Leg } from '../ledger/transfer.js';
import { type DemoAccount, demoPsus } from '../people.js';

export interface HistoryOptions {
  /** The bank's day on which the history ends; its last entries are of the day before. */
  readonly today: string;
  readonly timeZone: string;
}

export interface PastBooking extends Entry {
  readonly legs: readonly Leg[];
}

const customers = new Map(demoPsus.flatMap(({ accounts }) => accounts).map((each) => [each.id, each]));

const broughtForward = (account: DemoAccount, date: string, at: number): PastBooking => {
  const outside = internalId('nostro', account.currency);
  const isDebit = account.bookedMinor < 0;
  const nobody = { name: null, iban: null };
  const leg: Leg = {
    id: derivedId(`opening:${account.id}`),
    debit: isDebit ? account.id : outside,
    credit: isDebit ? outside : account.id,
    amountMinor: Math.abs(account.bookedMinor),
    code: 'PMNT-ICDT-BOOK',
    payer: nobody,
    payee: nobody,
    remittance: 'Υπόλοιπο εκ μεταφοράς',
  };
  return { bookingId: leg.id ?? '', date, at, legs: [leg] };
};

export const demoHistory = ({
  today,
  timeZone,
}: HistoryOptions): { readonly bookings: readonly PastBooking[]; readonly holds: readonly Hold[] } => {
  const date = dayBefore(today);
  const at = endOfDay(date, timeZone) - 1;
  const accounts = [...customers.values()];
  const bookings = accounts
    .filter(({ bookedMinor }) => bookedMinor !== 0)
    .map((account) => broughtForward(account, date, at));
  const holds = accounts
    .filter(({ pendingMinor }) => pendingMinor > 0)
    .map((account) => ({
      id: derivedId(`hold:${account.id}`),
      accountId: account.id,
      amountMinor: account.pendingMinor,
      date,
      at,
      code: 'PMNT-CCRD-POSD',
      payee: { name: 'Καφέ Αίθριο', iban: null },
    }));
  return { bookings, holds };
};
