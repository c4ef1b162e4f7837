/** What there is to say about the interface at a moment. */
import { DAY } from '../../lib/clock.js';
import { dateAt } from '../../lib/day.js';
import { type DayFigures, figuresOf } from '../../statistics/figures.js';
import { type Incident, incidentsAfter } from '../../statistics/incidents.js';
import { type PlannedDowntime, plannedAfter } from '../../statistics/planned.js';
import type { Queries } from '../../store/db.js';

export const DAYS = 90;

export interface State {
  readonly now: number;
  readonly state: 'works' | 'planned' | 'trouble';
  readonly planned: readonly PlannedDowntime[];
  readonly incidents: readonly Incident[];
}

export const stateAt = async (db: Queries, now: number): Promise<State> => {
  const planned = await plannedAfter(db, now);
  const incidents = await incidentsAfter(db, now - DAYS * DAY);
  const isPlanned = planned.some(({ from, cancelledAt }) => from <= now && cancelledAt === null);
  const isTrouble = incidents.some(({ endedAt }) => endedAt === null);
  return { now, planned, incidents, state: isTrouble ? 'trouble' : isPlanned ? 'planned' : 'works' };
};

/** The last whole days. */
export const lastDays = (db: Queries, now: number, timeZone: string): Promise<readonly DayFigures[]> => {
  const dates = Array.from({ length: DAYS }, (_, index) => dateAt(now - (DAYS - index) * DAY, timeZone));
  return figuresOf(db, [...new Set(dates)], now, timeZone);
};
