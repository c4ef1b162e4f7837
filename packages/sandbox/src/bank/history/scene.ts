/** One account in one month, and the ways in which money moves on it. A habit turns a scene into happenings. */
import { decimalsOf, MINUTE } from 'trapeza/base';
import { internalId } from '../ledger/internal-accounts.js';
import type { Leg, Party } from '../ledger/transfer.js';
import type { DemoAccount } from '../people.js';
import type { Calendar, Day, Month } from './calendar.js';
import type { Random } from './random.js';

export interface Scene {
  readonly account: DemoAccount;
  /** As counterparties see the holder. */
  readonly self: Party;
  readonly month: Month;
  readonly calendar: Calendar;
  readonly random: Random;
}

export interface Happening {
  readonly date: string;
  readonly at: number;
  readonly legs: readonly Leg[];
}

export type Habit = (scene: Scene) => readonly Happening[];

export interface Movement {
  readonly amountMinor: number;
  readonly code: string;
  readonly other: Party;
  readonly remittance?: string;
  readonly exchange?: NonNullable<Leg['exchange']>;
  readonly mandateId?: string;
  readonly purposeCode?: string;
  readonly creditorReference?: string;
  /** The account on the other side, unless it is outside the bank. */
  readonly otherAccount?: string;
}

/** In whole units of the currency, two decimals for those that have more. */
export const minor = (amount: number, currency: string): number =>
  Math.round(Math.round(amount * 100) * 10 ** ((decimalsOf(currency) ?? 2) - 2));

/** Nothing if its booking day has not come yet. */
const bookedAs = (
  { calendar, random }: Pick<Scene, 'calendar' | 'random'>,
  day: Day,
  legs: readonly Leg[],
): readonly Happening[] => {
  const booking = calendar.bookingDay(day.date);
  if (!booking || legs.some(({ amountMinor }) => amountMinor <= 0)) return [];
  return [{ date: booking.date, at: booking.start + random.whole(7 * 60, 19 * 60) * MINUTE, legs }];
};

const outsideOf = ({ account }: Scene, movement: Movement): string =>
  movement.otherAccount ?? internalId('nostro', account.currency);

/** Written out, member by member: thousands of them are made at the start of a sandbox. */
const legOf = (
  movement: Movement,
  day: Day,
  debit: string,
  credit: string,
  payer: Party,
  payee: Party,
): Leg => ({
  debit,
  credit,
  amountMinor: movement.amountMinor,
  code: movement.code,
  payer,
  payee,
  valueDate: day.date,
  remittance: movement.remittance ?? null,
  exchange: movement.exchange ?? null,
  mandateId: movement.mandateId ?? null,
  purposeCode: movement.purposeCode ?? null,
  creditorReference: movement.creditorReference ?? null,
});

export const pays = (scene: Scene, day: Day | undefined, movement: Movement): readonly Happening[] => {
  if (!day) return [];
  const { account, self } = scene;
  const leg = legOf(movement, day, account.id, outsideOf(scene, movement), self, movement.other);
  return bookedAs(scene, day, [leg]);
};

export const receives = (scene: Scene, day: Day | undefined, movement: Movement): readonly Happening[] => {
  if (!day) return [];
  const { account, self } = scene;
  const leg = legOf(movement, day, outsideOf(scene, movement), account.id, movement.other, self);
  return bookedAs(scene, day, [leg]);
};

/** Several transfers that are booked together. */
export const booksTogether = (
  scene: Scene,
  day: Day | undefined,
  legs: readonly Leg[],
): readonly Happening[] =>
  day
    ? bookedAs(
        scene,
        day,
        legs.map((leg) => ({ ...leg, valueDate: day.date })),
      )
    : [];

/** The day of the month with this number, or its last one; undefined if it has not come yet. */
export const dayOf = ({ month }: Scene, number: number): Day | undefined =>
  month.days.find(({ dayOfMonth }) => dayOfMonth === number) ??
  (month.isWhole ? month.days.at(-1) : undefined);

/** The last bank day of the month up to this number. */
export const bankDayUpTo = ({ month }: Scene, number: number): Day | undefined =>
  month.isWhole || month.days.some(({ dayOfMonth }) => dayOfMonth >= number)
    ? month.days.findLast(({ dayOfMonth, isBankDay }) => isBankDay && dayOfMonth <= number)
    : undefined;

/** So many days of a whole month by chance; as many fewer as the month is shorter. */
export const someDays = ({ month, random }: Scene, count: number): readonly Day[] =>
  Array.from({ length: count }, () => random.whole(1, 30)).flatMap(
    (number) => month.days.find(({ dayOfMonth }) => dayOfMonth === number) ?? [],
  );
