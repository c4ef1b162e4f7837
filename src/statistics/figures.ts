/** The figures of whole days, as banks publish them. */
import { DAY } from '../lib/clock.js';
import { endOfDay, startOfDay } from '../lib/day.js';
import type { Queries } from '../store/db.js';
import { type Availability, availabilityIn, downtimesIn } from './availability.js';
import { type ChannelDay, readChannelDays } from './channels.js';
import { type Count, type CountedArea, longestIn, UNTIMED } from './counts.js';
import { readCounts, readNeighbours, readNoted } from './notes.js';
import { readPlanned } from './planned.js';
import type { Span } from './spans.js';

/** Null stands for a day without requests. */
export interface AreaFigures {
  readonly requests: number;
  readonly meanMs: number | null;
  readonly medianMs: number | null;
  readonly p99Ms: number | null;
}

/** Percentages are null for a day of which nothing is known. */
export interface DayFigures {
  readonly date: string;
  readonly uptimePercent: number | null;
  readonly downtimePercent: number | null;
  readonly plannedDowntimePercent: number | null;
  readonly downtimeSeconds: number | null;
  readonly plannedDowntimeSeconds: number | null;
  /** Part of both: no node gave a sign of life. */
  readonly silentSeconds: number | null;
  readonly paymentInitiation: AreaFigures;
  readonly accountInformation: AreaFigures;
  readonly fundsConfirmation: AreaFigures;
  readonly errorPercent: number | null;
  readonly channels: Readonly<
    Record<string, { readonly uptimePercent: number; readonly downtimePercent: number }>
  >;
}

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : rounded((100 * part) / whole, 2);

/** The longest duration of the bucket in which the given share of the answers is reached, in milliseconds. */
const quantile = (timed: readonly Count[], answers: number, share: number): number | null => {
  let seen = 0;
  for (const { bucket, calls } of timed.toSorted((a, b) => a.bucket - b.bucket)) {
    seen += calls;
    if (seen >= answers * share) return rounded(longestIn(bucket) / 1000, 1);
  }
  return null;
};

const sum = <T>(all: readonly T[], of: (each: T) => number): number =>
  all.reduce((total, each) => total + of(each), 0);

const areaFigures = (counts: readonly Count[], wanted: CountedArea): AreaFigures => {
  const own = counts.filter(({ area }) => area === wanted);
  const timed = own.filter(({ bucket }) => bucket !== UNTIMED);
  const answers = sum(timed, ({ calls }) => calls);
  const micros = sum(timed, (each) => each.micros);
  return {
    requests: sum(own, ({ calls }) => calls),
    meanMs: answers === 0 ? null : rounded(micros / answers / 1000, 1),
    medianMs: quantile(timed, answers, 0.5),
    p99Ms: quantile(timed, answers, 0.99),
  };
};

const seconds = (ms: number): number => Math.round(ms / 1000);

const availabilityFigures = ({ known, down, planned, gap }: Availability) => {
  const isKnown = known > 0;
  const downtimePercent = percent(down, known);
  const plannedDowntimePercent = percent(planned, known);
  return {
    uptimePercent: percent(known - down - planned, known),
    downtimePercent,
    plannedDowntimePercent,
    downtimeSeconds: isKnown ? seconds(down) : null,
    plannedDowntimeSeconds: isKnown ? seconds(planned) : null,
    silentSeconds: isKnown ? seconds(gap) : null,
  };
};

const dayFigures = (
  date: string,
  availability: Availability,
  counts: readonly Count[],
  channels: readonly ChannelDay[],
): DayFigures => ({
  date,
  ...availabilityFigures(availability),
  paymentInitiation: areaFigures(counts, 'pis'),
  accountInformation: areaFigures(counts, 'ais'),
  fundsConfirmation: areaFigures(counts, 'piis'),
  errorPercent: percent(
    sum(counts, ({ faults }) => faults),
    sum(counts, ({ calls }) => calls),
  ),
  channels: Object.fromEntries(
    channels.map(({ channel, upPercent }) => [
      channel,
      { uptimePercent: upPercent, downtimePercent: rounded(100 - upPercent, 2) },
    ]),
  ),
});

/** A downtime may have begun so long before the days that are wanted. */
const MARGIN = 7 * DAY;

/** All time that is needed to know the days: until the next sign of life on both sides. */
const wholeTime = async (db: Queries, days: Span): Promise<Span & { readonly first: number | null }> => {
  const { before, after, first } = await readNeighbours(db, days);
  return {
    first,
    from: Math.min(days.from - MARGIN, before ?? days.from),
    to: Math.max(days.to + MARGIN, after ?? days.to),
  };
};

/** Whole days, from the first to the last (both included) that has ended. */
export const figuresOf = async (
  db: Queries,
  dates: readonly string[],
  now: number,
  timeZone: string,
): Promise<readonly DayFigures[]> => {
  const ended = dates.filter((date) => endOfDay(date, timeZone) <= now);
  const [first, last] = [ended[0], ended.at(-1)];
  if (first === undefined || last === undefined) return [];
  const days = { from: startOfDay(first, timeZone), to: endOfDay(last, timeZone) };
  const whole = await wholeTime(db, days);
  const downtimes = downtimesIn(await readNoted(db, whole), Math.min(now, whole.to));
  const planned = await readPlanned(db, days);
  const counts = await readCounts(db, first, last);
  const channels = await readChannelDays(db, first, last);
  return ended.map((date) => {
    const [from, to] = [startOfDay(date, timeZone), endOfDay(date, timeZone)];
    const known = { from: Math.min(to, Math.max(from, whole.first ?? to)), to };
    const availability = availabilityIn(downtimes, planned, known);
    const ofDay = <T extends { readonly day: string }>(all: readonly T[]) =>
      all.filter(({ day }) => day === date);
    return dayFigures(date, availability, ofDay(counts), ofDay(channels));
  });
};
