/** Calendar days in a time zone: a date lasts until the end of that day in the bank's zone. */
import { DAY, MINUTE } from './clock.js';
import { isDate } from './instant.js';

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** The last minute that was asked about. An offset changes between two of them: asking for it takes as long as a query of SQLite. */
  minute: number;
  offsetMs: number;
}

/** Making one is a hundred times dearer than using it. */
const zones = new Map<string, Zone>();

const zoneOf = (timeZone: string): Zone => {
  const known = zones.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const made = { format, minute: Number.NaN, offsetMs: 0 };
  zones.set(timeZone, made);
  return made;
};

const readOffset = (ms: number, format: Intl.DateTimeFormat): number => {
  const parts = format.formatToParts(ms);
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value ?? 0);
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return local - Math.floor(ms / 1000) * 1000;
};

/** How far the zone is ahead of UTC at a moment. */
const offsetAt = (ms: number, timeZone: string): number => {
  const zone = zoneOf(timeZone);
  const minute = Math.floor(ms / MINUTE);
  if (zone.minute !== minute) {
    zone.offsetMs = readOffset(ms, zone.format);
    zone.minute = minute;
  }
  return zone.offsetMs;
};

/** The date of a moment in the zone. */
export const dateAt = (ms: number, timeZone: string): string =>
  new Date(ms + offsetAt(ms, timeZone)).toISOString().slice(0, 10);

export const dayBefore = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) - DAY).toISOString().slice(0, 10);

const LOCAL = /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The moment of a time of day such as 2026-12-06T02:00 in the zone; undefined if there is none. Of two the later one. */
export const localMoment = (text: string, timeZone: string): number | undefined => {
  const [, date = '', time = ''] = LOCAL.exec(text) ?? [];
  const local = Date.parse(`${date}T${time}:00Z`);
  if (!isDate(date) || Number.isNaN(local)) return undefined;
  const at = local - offsetAt(local - offsetAt(local, timeZone), timeZone);
  return at + offsetAt(at, timeZone) === local ? at : undefined;
};

/** The first moment of the day after `date` (YYYY-MM-DD) in the zone. */
export const endOfDay = (date: string, timeZone: string): number => {
  const midnight = Date.parse(`${date}T00:00:00Z`) + DAY;
  // Twice: the offset at the first guess may be that of the other side of a clock change.
  const guess = midnight - offsetAt(midnight, timeZone);
  const end = midnight - offsetAt(guess, timeZone);
  // Clocks that go forward at midnight leave it out: the day ends with the change.
  return dateAt(end, timeZone) === date ? guess : end;
};

export const startOfDay = (date: string, timeZone: string): number => endOfDay(dayBefore(date), timeZone);
