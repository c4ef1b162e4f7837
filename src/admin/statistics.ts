/** What operators do about the figures that the bank publishes. */
import { type Actor, appendAudit } from '../audit/audit-log.js';
import { type Clock, DAY } from '../lib/clock.js';
import { endOfDay } from '../lib/day.js';
import { instantText } from '../lib/instant.js';
import { parseChannels, putChannelDays } from '../statistics/channels.js';
import type { Texts } from '../statistics/incidents.js';
import { announceDowntime, cancelDowntime, type PlannedDowntime } from '../statistics/planned.js';
import { datesOf, publishedText, publishQuarter, quarterOf, readQuarter } from '../statistics/quarters.js';
import type { Db } from '../store/db.js';

export interface StatisticsParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly by: Actor;
}

/** Not done; the message says why and what to do. */
export class StatisticsRefusal extends Error {}

/** Freezes a quarter that is over. Its hash. */
export const publishStatistics = async (
  { db, clock, timeZone, by }: StatisticsParts,
  quarter: string,
): Promise<string> => {
  const last = datesOf(quarter)?.at(-1);
  if (last === undefined) throw new StatisticsRefusal(`"${quarter}" is not a quarter such as 2026Q4`);
  const now = clock.now();
  if (endOfDay(last, timeZone) > now)
    throw new StatisticsRefusal(`${quarter} is not over: it can be published after ${last}`);
  const figures = await readQuarter(db, quarter, now, timeZone);
  if (!figures || figures.published) throw new StatisticsRefusal(`${quarter} is published already`);
  if (figures.days.every(({ uptimePercent }) => uptimePercent === null))
    throw new StatisticsRefusal(`nothing is known of ${quarter}`);
  return db.transaction(async (tx) => {
    if (!(await publishQuarter(tx, figures, now)))
      throw new StatisticsRefusal(`${quarter} is published already`);
    const { sha256 = '' } = (await publishedText(tx, quarter)) ?? {};
    await appendAudit(
      tx,
      { ...by, act: 'statistics.publish', subject: `quarter:${quarter}`, details: { sha256 } },
      now,
    );
    return sha256;
  });
};

/** All lines of a file, or none. How many. */
export const importChannels = async ({ db, clock, by }: StatisticsParts, text: string): Promise<number> => {
  const read = parseChannels(text);
  if ('faults' in read) throw new StatisticsRefusal(read.faults.join('\n'));
  for (const quarter of new Set(read.days.map(({ day }) => quarterOf(day))))
    if (await publishedText(db, quarter))
      throw new StatisticsRefusal(`${quarter} is published: its days do not change any more`);
  const details = { days: read.days.length };
  await db.transaction(async (tx) => {
    await putChannelDays(tx, read.days);
    await appendAudit(tx, { ...by, act: 'statistics.import', subject: 'channels', details }, clock.now());
  });
  return read.days.length;
};

const LONGEST_TEXT = 500;
const LONGEST = 30 * DAY;
const LATEST = 2 * 365 * DAY;

const textFault = ({ textEl, textEn }: Texts): string | undefined => {
  if (textEl.trim() === '' || textEn.trim() === '') return 'it needs a text in Greek and one in English';
  return textEl.length > LONGEST_TEXT || textEn.length > LONGEST_TEXT
    ? `a text may have ${LONGEST_TEXT} characters`
    : undefined;
};

export const demandTexts = (texts: Texts): void => {
  const fault = textFault(texts);
  if (fault !== undefined) throw new StatisticsRefusal(fault);
};

const faultOf = (
  { from, to, textEl, textEn }: Pick<PlannedDowntime, 'from' | 'to' | 'textEl' | 'textEn'>,
  now: number,
): string | undefined => {
  if (from >= to) return 'it ends before it begins';
  if (to - from > LONGEST) return 'it takes longer than 30 days';
  if (from <= now) return 'it begins in the past: only what is announced before it begins is planned';
  if (from - now > LATEST) return 'it begins more than two years from now';
  return textFault({ textEl, textEn });
};

export const announce = async (
  { db, clock, by }: StatisticsParts,
  downtime: Pick<PlannedDowntime, 'from' | 'to' | 'textEl' | 'textEn'>,
): Promise<string> => {
  const now = clock.now();
  const fault = faultOf(downtime, now);
  if (fault !== undefined) throw new StatisticsRefusal(fault);
  const details = { from: instantText(downtime.from), to: instantText(downtime.to) };
  return db.transaction(async (tx) => {
    const id = await announceDowntime(tx, downtime, now);
    await appendAudit(tx, { ...by, act: 'downtime.announce', subject: `downtime:${id}`, details }, now);
    return id;
  });
};

export const cancel = async ({ db, clock, by }: StatisticsParts, id: string): Promise<void> => {
  const now = clock.now();
  await db.transaction(async (tx) => {
    if (!(await cancelDowntime(tx, id, now)))
      throw new StatisticsRefusal(`there is no planned downtime ${id} that is to come`);
    await appendAudit(tx, { ...by, act: 'downtime.cancel', subject: `downtime:${id}` }, now);
  });
};
