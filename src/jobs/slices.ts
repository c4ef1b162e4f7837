/** Work on consents in small transactions, each with those of one application: others wait for one that writes its events. */
import { attemptEach } from '../lib/attempt-each.js';
import type { ClientId } from '../model/ids.js';
import type { Db, Queries } from '../store/db.js';

const SLICE = 25;

interface Owned {
  readonly clientId: ClientId;
}

const slices = <T extends Owned>(due: readonly T[]): T[][] => {
  const made: T[][] = [];
  for (const each of due.toSorted((a, b) => (a.clientId < b.clientId ? -1 : 1))) {
    const last = made.at(-1);
    if (last && last.length < SLICE && last[0]?.clientId === each.clientId) last.push(each);
    else made.push([each]);
  }
  return made;
};

/** The sum of what `work` did. The turn of a job fails only if nothing was done, because what failed is due again in the next turn. */
export const sumOfEach = async <T>(
  due: readonly T[],
  work: (each: T) => Promise<number>,
): Promise<number> => {
  let done = 0;
  const faults = await attemptEach(due, async (each) => {
    done += await work(each);
  });
  if (done === 0 && faults.length > 0) throw faults[0];
  return done;
};

/** How many of them `work` did something for. */
export const inSlices = <T extends Owned>(
  db: Db,
  due: readonly T[],
  work: (tx: Queries, each: T) => Promise<boolean>,
): Promise<number> =>
  sumOfEach(slices(due), (some) =>
    db.transaction(async (tx) => {
      let count = 0;
      for (const each of some) if (await work(tx, each)) count += 1;
      return count;
    }),
  );
