/** The demo bank in the simulator's own store, made once, and made anew on demand. */
import { clearDemoBank, type HistoryOptions, makeBooks, seedDemoBank } from '@trapeza/sandbox/demo-bank';
import type { Db } from 'trapeza/base';

const IS_SIMULATOR = `select value from settings where name = 'core-simulator'`;
const MARK = `insert into settings (name, value) values ('core-simulator', 'yes') on conflict (name) do nothing`;
const IS_TAKEN = `
  select id from tpps union all select id from demo_accounts union all select value from settings where name = 'extension' limit 1`;

/** Of several processes that start at once, one seeds. A store of a service is left alone: a core has its own. */
export const seedSimulator = async (db: Db, options: HistoryOptions): Promise<void> => {
  if (await db.one(IS_SIMULATOR)) return;
  // Before the store is locked, because it takes long.
  const books = makeBooks(options);
  await db.exclusive(async (tx) => {
    if (await tx.one(IS_SIMULATOR)) return;
    if (await tx.one(IS_TAKEN))
      throw new Error('this store belongs to a service: the core simulator needs a store of its own');
    await tx.run(MARK);
    await seedDemoBank(tx, books);
  });
};

export const resetSimulator = async (db: Db, options: HistoryOptions): Promise<void> => {
  const books = makeBooks(options);
  await db.exclusive(async (tx) => {
    await tx.run('delete from simulator_payments');
    await tx.run('delete from demo_challenges');
    await clearDemoBank(tx);
    await seedDemoBank(tx, books);
  });
};
