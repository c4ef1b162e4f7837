/** How often a consent may read one kind of data in 24 hours while the account holder is away. */
import type { Completion } from '../lib/turn.js';
import type { ClientId } from '../model/ids.js';
import { fieldFault } from '../problem/field.js';
import { fieldProblem } from '../problem/problem.js';
import type { Reads } from '../store/db.js';

/** RTS Art. 36(5)(b): every third party has as many. */
export const UNATTENDED_BY_LAW = 4;
/** Once a minute: more would be no limit. */
export const MOST_UNATTENDED = 1440;

/** Whether an operator may allow it to a third party. */
export const isUnattended = (text: string): boolean =>
  /^\d{1,4}$/.test(text) && Number(text) >= UNATTENDED_BY_LAW && Number(text) <= MOST_UNATTENDED;

export interface UnattendedWish {
  readonly recurring?: boolean;
  readonly frequencyPerDay?: number | undefined;
}

/** As the consent says; a consent without the member has the default. */
export const unattendedReads = ({ recurring, frequencyPerDay }: UnattendedWish): number =>
  frequencyPerDay ?? (recurring === true ? UNATTENDED_BY_LAW : 1);

const OWN = `
  select t.unattended_per_day as most from applications a join tpps t on t.id = a.tpp_id where a.client_id = ?`;

/** What the bank allows this application: what it allows everybody, or the more that its third party has been given. */
const mostFor = async (db: Reads, clientId: ClientId, ofBank: number): Promise<number> =>
  Math.max(ofBank, (await db.one<{ most: number | null }>(OWN, [clientId]))?.most ?? 0);

export interface UnattendedParts {
  readonly db: Reads;
  /** For third parties that have not been given more. */
  readonly unattendedPerDay: number;
}

/** Throws if more is asked for than the bank allows. */
export const checkUnattended = (
  { db, unattendedPerDay }: UnattendedParts,
  clientId: ClientId,
  wish: UnattendedWish,
): Completion => {
  const wanted = unattendedReads(wish);
  if (wanted <= unattendedPerDay) return;
  return mostFor(db, clientId, unattendedPerDay).then((max) => {
    if (wanted > max)
      throw fieldProblem('frequencyPerDay', fieldFault('too-large', `must be at most ${max}`, { max }));
  });
};
