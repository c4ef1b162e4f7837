/** Changes to the shape of tables while nodes serve: they give way to calls, and never make one fail. */
import { setTimeout } from 'node:timers/promises';
import { type Db, type Queries, StoreBusy } from './db.js';

/** Shorter than the second after which PostgreSQL looks for a deadlock. */
const LOCK_WAIT = `set local lock_timeout = '250ms'`;
const TRIES = 200;
const PAUSE_MS = 100;

/** As `db.exclusive`, tried again for as long as calls hold the locks it needs. */
export const exclusiveGivingWay = async <T>(
  db: Db,
  work: (tx: Queries & { script(sql: string): Promise<void> }) => Promise<T>,
): Promise<T> => {
  for (let tries = 1; ; tries += 1)
    try {
      return await db.exclusive(async (tx) => {
        if (db.engine === 'postgres') await tx.script(LOCK_WAIT);
        return work(tx);
      });
    } catch (error) {
      if (!(error instanceof StoreBusy) || tries >= TRIES) throw error;
      await setTimeout(PAUSE_MS);
    }
};
