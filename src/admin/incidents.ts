/** What operators say about incidents. */
import { appendAudit } from '../audit/audit-log.js';
import { DAY } from '../lib/clock.js';
import { closeIncident, openIncident, type Texts, updateIncident } from '../statistics/incidents.js';
import { demandTexts, type StatisticsParts, StatisticsRefusal } from './statistics.js';

type Parts = Pick<StatisticsParts, 'db' | 'clock' | 'by'>;

/** `from`: when it began, if that was before now. */
export const reportIncident = async (
  { db, clock, by }: Parts,
  texts: Texts,
  from: number = clock.now(),
): Promise<string> => {
  const now = clock.now();
  demandTexts(texts);
  if (from > now || from < now - 7 * DAY)
    throw new StatisticsRefusal('an incident began at most seven days ago, and not in the future');
  return db.transaction(async (tx) => {
    const id = await openIncident(tx, from, texts, now);
    await appendAudit(tx, { ...by, act: 'incident.open', subject: `incident:${id}` }, now);
    return id;
  });
};

const change = async (
  { db, clock, by }: Parts,
  id: string,
  texts: Texts,
  [act, work]: readonly ['incident.update' | 'incident.close', typeof updateIncident],
): Promise<void> => {
  demandTexts(texts);
  const now = clock.now();
  await db.transaction(async (tx) => {
    if (!(await work(tx, id, texts, now)))
      throw new StatisticsRefusal(`there is no incident ${id} that lasts`);
    await appendAudit(tx, { ...by, act, subject: `incident:${id}` }, now);
  });
};

export const noteIncident = (parts: Parts, id: string, texts: Texts): Promise<void> =>
  change(parts, id, texts, ['incident.update', updateIncident]);

export const endIncident = (parts: Parts, id: string, texts: Texts): Promise<void> =>
  change(parts, id, texts, ['incident.close', closeIncident]);
