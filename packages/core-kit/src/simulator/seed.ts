/** The demo bank in the simulator's own store, made once, and made anew on demand. */
import {
  clearDemoBank,
  type HistoryOptions,
  makeBooks,
  nameEntries,
  seedDemoBank,
} from '@trapeza/sandbox/demo-bank';
import { type Db, extensionOf, putSetting, readSetting } from 'trapeza/base';

const SIMULATOR = 'core-simulator';
const IS_TAKEN = 'select id from tpps union all select id from demo_accounts limit 1';

/** Of several processes that start at once, one seeds. A store of a service is left alone: a core has its own. */
export const seedSimulator = async (db: Db, options: HistoryOptions): Promise<void> => {
  if (await readSetting(db, SIMULATOR)) return nameEntries(db);
  // Before the store is locked, because it takes long.
  const books = makeBooks(options);
  await db.exclusive(async (tx) => {
    if (await readSetting(tx, SIMULATOR)) return;
    if ((await extensionOf(tx)) || (await tx.one<{ id: string }>(IS_TAKEN)))
      throw new Error('this store belongs to a service: the core simulator needs a store of its own');
    await putSetting(tx, SIMULATOR, 'yes');
    await seedDemoBank(tx, books);
  });
};

export const resetSimulator = async (db: Db, options: HistoryOptions): Promise<void> => {
  const books = makeBooks(options);
  await db.exclusive(async (tx) => {
    await tx.run('delete from simulator_payments');
    await tx.run('delete from simulator_delays');
    await tx.run('delete from simulator_consents');
    await clearDemoBank(tx);
    await seedDemoBank(tx, books);
  });
};
