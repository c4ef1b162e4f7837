/**
 * People of the bank look at account holders. Opening one is an act with a reason; what is read after that is noted once in a while, so
 * that the audit log says who saw whom, when and why, and does not fill with every click.
 */
import type { Context } from '../acts/act.js';
import { SYSTEM } from '../acts/role.js';
import { runAct } from '../acts/run-act.js';
import { storedText } from '../audit/audit-log.js';
import { latestOpening } from '../audit/openings.js';
import { MINUTE, type RealTime } from '../lib/clock.js';
import type { PsuId } from '../model/ids.js';
import { openPerson } from './acts.js';

/** For so long a reason counts, within one session. */
const OPEN_MS = 30 * MINUTE;

export type ReadAct = 'consent.open' | 'consent.list' | 'payment.list' | 'search.found';

/** A row in the audit log is all that is done; who may open a person may do so. */
const note = (context: Context, name: ReadAct | 'psu.export', subject: string): Promise<void> => {
  const { about, roles, texts, input } = openPerson;
  const noted = { name, about, roles, texts, input, subject: () => subject, run: async () => undefined };
  return runAct(context, noted, '', {});
};

/** Why this actor has opened the person in this session; undefined if that is too long ago. */
export const reasonFor = async (
  { db, clock, by = SYSTEM }: Context,
  psuId: PsuId,
  session: RealTime,
): Promise<string | undefined> => {
  const opening = { actor: by.actor, act: openPerson.name, subject: `person:${psuId}` };
  const found = await latestOpening(db, opening, Math.max(session, clock.now() - OPEN_MS));
  return found?.reason ?? undefined;
};

/** A row, unless there is one of the last half hour with this reason. */
export const noteRead = async (context: Context, act: ReadAct, subject: string): Promise<void> => {
  const { db, clock, by = SYSTEM } = context;
  const latest = await latestOpening(db, { actor: by.actor, act, subject }, clock.now() - OPEN_MS);
  if (latest && latest.reason === (storedText(by.reason ?? '') || null)) return;
  await note(context, act, subject);
};

/** Everything about a person leaves the store. */
export const noteExport = (context: Context, psuId: PsuId): Promise<void> =>
  note(context, 'psu.export', `person:${psuId}`);
