/** Work on consents in small transactions, each with those of one application: others wait for one that writes its events. */
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

/** How many of them `work` did something for. Those that fail do not keep the others waiting. */
export const inSlices = async <T extends Owned>(
  db: Db,
  due: readonly T[],
  work: (tx: Queries, each: T) => Promise<boolean>,
): Promise<number> => {
  const faults: unknown[] = [];
  let done = 0;
  for (const some of slices(due))
    done += await db
      .transaction(async (tx) => {
        let count = 0;
        for (const each of some) if (await work(tx, each)) count += 1;
        return count;
      })
      .catch((error: unknown) => {
        faults.push(error);
        return 0;
      });
  if (done === 0 && faults.length > 0) throw faults[0];
  return done;
};
