/** What the lives of accounts are made of: a home, everyday shopping, gifts to other customers, exchange of currency. */
import { internalId } from '../ledger/internal-accounts.js';
import { accountParty, type Party } from '../ledger/transfer.js';
import { type DemoAccount, demoAccount, holderOf } from '../people.js';
import * as others from './counterparties.js';
import { bill, card, rateOf, standingOrder } from './habits.js';
import { booksTogether, dayOf, type Habit, minor } from './scene.js';

export interface Life {
  readonly account: DemoAccount;
  readonly habits: readonly Habit[];
  /** In minor units: never below the floor, hardly ever above the ceiling. */
  readonly floor: number;
  readonly ceiling: number;
}

export const partyOf = (account: DemoAccount): Party => accountParty(account, holderOf(account));

export const life = (
  number: number,
  band: readonly [floor: number, ceiling: number],
  habits: readonly Habit[],
  currency = 'EUR',
): Life => {
  const account = demoAccount(number, currency);
  return { account, habits, floor: minor(band[0], currency), ceiling: minor(band[1], currency) };
};

/** To another customer of this bank. */
export const gives = (number: number, amount: number, day: number, remittance: string): Habit => {
  const payee = demoAccount(number);
  return standingOrder(partyOf(payee), amount, day, remittance, payee.id);
};

export const home = (size: number): readonly Habit[] => [
  bill(others.power, { day: 12, range: [28 * size, 70 * size], remittance: 'Ρεύμα' }),
  bill(others.water, { day: 18, range: [14 * size, 30 * size], remittance: 'Ύδρευση', every: 3 }),
  bill(others.telephone, { day: 6, range: [12 * size, 22 * size], remittance: 'Κινητή τηλεφωνία' }),
  bill(others.internet, { day: 9, range: [26.9, 26.9], remittance: 'Σύνδεση διαδικτύου' }),
];

/** A month of small payments; size 1 is one person. */
export const everyday = (size: number): readonly Habit[] => [
  card(others.groceries, Math.round(6 * size), [8, 58]),
  card(others.bakeries, Math.round(4 * size), [2, 8], true),
  card(others.cafes, Math.round(5 * size), [2, 9], true),
  card(others.restaurants, Math.round(2 * size), [14, 52], true),
  card(others.stores, Math.round(size), [9, 95]),
  card(others.pharmacies, 1, [4, 26]),
];

/** From one sub-account to another of the same holder, through the bank's positions in both currencies. */
export const exchanges =
  (
    from: DemoAccount,
    to: DemoAccount,
    rated: 'USD' | 'GBP',
    range: readonly [number, number],
    every: number,
  ): Habit =>
  (scene) => {
    if (scene.month.month % every !== 0) return [];
    const foreign = minor(scene.random.whole(...range) * 10, rated);
    const rate = rateOf(scene, rated);
    const euros = Math.round(foreign * rate);
    const [paid, received] = from.currency === 'EUR' ? [euros, foreign] : [foreign, euros];
    const self = partyOf(from);
    const shared = {
      code: 'FORX-SPOT-OTHR',
      payer: self,
      payee: self,
      remittance: 'Μετατροπή συναλλάγματος',
    };
    const seenFrom = (account: DemoAccount, currency: string, amountMinor: number) => ({
      currency,
      amountMinor,
      rate: account.currency === 'EUR' ? rate : Math.round(1_000_000 / rate) / 1_000_000,
    });
    return booksTogether(scene, dayOf(scene, 14), [
      {
        ...shared,
        debit: from.id,
        credit: internalId('exchange', from.currency),
        amountMinor: paid,
        exchange: seenFrom(from, to.currency, received),
      },
      {
        ...shared,
        debit: internalId('exchange', to.currency),
        credit: to.id,
        amountMinor: received,
        exchange: seenFrom(to, from.currency, paid),
      },
    ]);
  };
