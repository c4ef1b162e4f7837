/** What operators do about the figures that the bank publishes. */
import { endOfDay } from '../lib/day.js';
import { putChannelDays } from '../statistics/channels.js';
import { datesOf, publishedText, publishQuarter, quarterOf, readQuarter } from '../statistics/quarters.js';
import type { ReadChannels } from '../statistics/read-channels.js';
import type { ActParts } from './acts.js';
import { AtmActs } from './atm-acts.js';

type RefusalCode =
  | ('texts' | 'text-length' | 'order' | 'length' | 'past' | 'future' | 'incident-start')
  | ('not-over' | 'published' | 'unknown' | 'channels' | 'gone');

/** Not done; the message says why and what to do. */
export class StatisticsRefusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

export class StatisticsActs extends AtmActs {
  readonly #parts: ActParts;

  constructor(parts: ActParts) {
    super(parts);
    this.#parts = parts;
  }

  /** The figures of a quarter, in the time zone of the bank. Undefined if it is no quarter. */
  quarter(quarter: string, timeZone: string) {
    return readQuarter(this.db, quarter, this.#parts.clock.now(), timeZone);
  }

  /** Freezes a quarter that is over. Its hash. */
  async publishStatistics(quarter: string, timeZone: string): Promise<string> {
    const last = datesOf(quarter)?.at(-1);
    if (last === undefined)
      throw new StatisticsRefusal('gone', `"${quarter}" is not a quarter such as 2026Q4`);
    if (endOfDay(last, timeZone) > this.#parts.clock.now())
      throw new StatisticsRefusal('not-over', `${quarter} is not over: it can be published after ${last}`);
    const figures = await this.quarter(quarter, timeZone);
    const isPublished = new StatisticsRefusal('published', `${quarter} is published already`);
    if (!figures || figures.published) throw isPublished;
    if (figures.days.every(({ uptimePercent }) => uptimePercent === null))
      throw new StatisticsRefusal('unknown', `nothing is known of ${quarter}`);
    await this.demandSecond('statistics.publish', `quarter:${quarter}`, { quarter, timeZone });
    return this.db.transaction(async (tx) => {
      const now = this.#parts.clock.now();
      if (!(await publishQuarter(tx, figures, now))) throw isPublished;
      const { sha256 = '' } = (await publishedText(tx, quarter)) ?? {};
      await this.record(tx, ['statistics.publish', { sha256 }], `quarter:${quarter}`, now);
      return sha256;
    });
  }

  /** All lines of a CSV file, or none. How many. */
  async importChannels(read: ReadChannels): Promise<number> {
    if ('faults' in read) throw new StatisticsRefusal('channels', read.faults.join('\n'));
    for (const quarter of new Set(read.days.map(({ day }) => quarterOf(day))))
      if (await publishedText(this.db, quarter))
        throw new StatisticsRefusal('published', `${quarter} is published: its days do not change any more`);
    const days = read.days.length;
    await this.change(['statistics.import', { days }], 'channels', (tx) => putChannelDays(tx, read.days));
    return days;
  }
}
