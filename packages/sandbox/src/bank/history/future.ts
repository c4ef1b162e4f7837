/**
 * What is going to happen on the demo bank's accounts: for each day what people plan. It depends on the day of seeding and the day
 * alone, so that the same seed has the same future however the clock is moved. What comes of a plan the balances decide.
 */
import type { Leg } from '../ledger/transfer.js';
import { demoAccount } from '../people.js';
import { bankDaysAfter, Calendar, shifted } from './calendar.js';
import { stores } from './counterparties.js';
import { habitual, SEED } from './demo-history.js';
import { Random } from './random.js';
import type { Happening } from './scene.js';

/** A card was used; the booking comes some bank days later, at times with another amount, and for a cancelled order never. */
export interface Purchase {
  readonly kind: 'purchase';
  readonly at: number;
  readonly leg: Leg;
  readonly heldMinor: number;
  readonly settles: { readonly on: string; readonly amountMinor: number };
}

export interface Transfers {
  readonly kind: 'transfers';
  readonly at: number;
  readonly legs: readonly Leg[];
}

export type Plan = Purchase | Transfers;

/** Who has one cent has it for ever: an account whose funds are never enough. */
const still: ReadonlySet<string> = new Set([demoAccount(401).id, demoAccount(402).id]);

const FUEL = '5541';
const RESTAURANT = '5812';
const cancellable: ReadonlySet<string | undefined> = new Set(
  stores.map(({ merchantCategoryCode }) => merchantCategoryCode),
);

/** What a pump sets aside before it gives fuel. */
const FUEL_STEP = 5000;

const purchaseOf = (at: number, leg: Leg, date: string, random: Random): Purchase => {
  const { amountMinor, exchange, payee } = leg;
  const on = bankDaysAfter(date, random.whole(1, 3));
  const outcome = (heldMinor: number, settledMinor: number): Purchase => ({
    kind: 'purchase',
    at,
    leg,
    heldMinor,
    settles: { on, amountMinor: settledMinor },
  });
  if (exchange) return outcome(amountMinor, Math.round(amountMinor * (0.985 + random.next() * 0.03)));
  const category = payee.merchantCategoryCode;
  if (category === FUEL) return outcome(Math.ceil(amountMinor / FUEL_STEP) * FUEL_STEP, amountMinor);
  if (category === RESTAURANT && random.next() < 0.5)
    return outcome(amountMinor, Math.round((amountMinor * random.whole(105, 110)) / 100));
  const isCancelled = cancellable.has(category) && random.next() < 0.15;
  return outcome(amountMinor, isCancelled ? 0 : amountMinor);
};

const firstOfMonth = (date: string, months: number): string => {
  const [year = 0, month = 1] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
};

/** No row of holidays is as long. */
const BOOKED_WITHIN = 14;

export class Future {
  readonly #since: string;
  readonly #timeZone: string;
  #month = '';
  #happenings: readonly Happening[] = [];

  /** The day of seeding: cards that were used before it are booked in the way of the past. */
  constructor(since: string, timeZone: string) {
    this.#since = since;
    this.#timeZone = timeZone;
  }

  /** In the order of the day. */
  on(date: string): readonly Plan[] {
    return this.#around(date)
      .flatMap(({ date: booked, at, legs }): readonly Plan[] => {
        const [leg] = legs;
        const day = leg?.valueDate ?? booked;
        if (leg?.code !== 'PMNT-CCRD-POSD' || day < this.#since)
          return booked === date ? [{ kind: 'transfers', at, legs }] : [];
        const random = new Random([SEED, this.#since, leg.debit, leg.payee.name, at].join());
        return day === date ? [purchaseOf(this.#momentOn(date, at, booked), leg, date, random)] : [];
      })
      .toSorted((a, b) => a.at - b.at);
  }

  /** The time of day at which it would be booked, on the day on which the card is used. */
  #momentOn(date: string, at: number, booked: string): number {
    return at - Date.parse(booked) + Date.parse(date);
  }

  /** Of this month and the last one, whose last entries may be booked in this one. */
  #around(date: string): readonly Happening[] {
    const month = date.slice(0, 7);
    if (this.#month !== month) {
      const end = shifted(firstOfMonth(date, 1), BOOKED_WITHIN);
      const calendar = new Calendar(firstOfMonth(date, -1), end, this.#timeZone);
      this.#happenings = habitual(calendar, calendar.months.slice(0, 2)).filter(({ legs }) =>
        legs.every(({ debit, credit }) => !still.has(debit) && !still.has(credit)),
      );
      this.#month = month;
    }
    return this.#happenings;
  }
}
