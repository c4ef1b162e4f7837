/** The days of a history: weekends and Greek bank holidays are not booked on, the next bank day is. */
import { DAY, endOfDay } from 'trapeza/base';

export interface Day {
  readonly date: string;
  /** Its first moment in the bank's zone. */
  readonly start: number;
  readonly dayOfMonth: number;
  readonly isBankDay: boolean;
}

export interface Month {
  readonly year: number;
  /** 1 is January. */
  readonly month: number;
  /** The days of it that lie within the history. */
  readonly days: readonly Day[];
  readonly isWhole: boolean;
}

const fixedHolidays: ReadonlySet<string> = new Set([
  '01-01',
  '01-06',
  '03-25',
  '05-01',
  '08-15',
  '10-28',
  '12-25',
  '12-26',
]);

/** Orthodox Easter Sunday (Meeus, Julian) as a Gregorian day; good for 1900 to 2099. */
export const easterOf = (year: number): number => {
  const d = (19 * (year % 19) + 15) % 30;
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7;
  const julian = d + e + 114;
  return Date.UTC(year, Math.floor(julian / 31) - 1, (julian % 31) + 1) + 13 * DAY;
};

/** Clean Monday, Good Friday, Easter Monday and Whit Monday, in days from Easter Sunday. */
const movable = [-48, -2, 1, 50];

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const isHoliday = (ms: number, date: string): boolean =>
  fixedHolidays.has(date.slice(5)) || movable.includes((ms - easterOf(Number(date.slice(0, 4)))) / DAY);

export const shifted = (date: string, days: number): string => dateOf(Date.parse(date) + days * DAY);

const isBankDay = (date: string): boolean => {
  const ms = Date.parse(date);
  const weekday = new Date(ms).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !isHoliday(ms, date);
};

/** So many bank days later. */
export const bankDaysAfter = (date: string, count: number): string => {
  let day = date;
  for (let left = count; left > 0; ) {
    day = shifted(day, 1);
    if (isBankDay(day)) left -= 1;
  }
  return day;
};

export class Calendar {
  readonly days: readonly Day[];
  readonly months: readonly Month[];
  readonly #places: ReadonlyMap<string, number>;

  /** From the first to the last day, both included. */
  constructor(first: string, last: string, timeZone: string) {
    const days: Day[] = [];
    for (let ms = Date.parse(first); ms <= Date.parse(last); ms += DAY) {
      const date = dateOf(ms);
      const start = endOfDay(dateOf(ms - DAY), timeZone);
      days.push({ date, start, dayOfMonth: Number(date.slice(8)), isBankDay: isBankDay(date) });
    }
    this.days = days;
    this.#places = new Map(days.map(({ date }, place) => [date, place]));
    this.months = [...new Set(days.map(({ date }) => date.slice(0, 7)))].map((key) => monthOf(key, days));
  }

  /** The first bank day from this one on, if it has come yet. */
  bookingDay(date: string): Day | undefined {
    let place = this.#places.get(date) ?? this.days.length;
    while (this.days[place]?.isBankDay === false) place += 1;
    return this.days[place];
  }
}

const monthOf = (key: string, all: readonly Day[]): Month => {
  const [year = 0, month = 1] = key.split('-').map(Number);
  const days = all.filter(({ date }) => date.startsWith(key));
  return {
    year,
    month,
    days,
    isWhole: days.at(-1)?.dayOfMonth === new Date(Date.UTC(year, month, 0)).getUTCDate(),
  };
};
