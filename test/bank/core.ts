/** The demo bank in the core simulator, reached as a bank reaches its own core: over HTTP, through the adapter. */

import { afterAll, beforeAll } from 'vitest';
import { simulatorMigrations } from '../../packages/core-kit/src/simulator/migrations.js';
import { createSimulator } from '../../packages/core-kit/src/simulator/simulator.js';
import { openCore } from '../../src/bank/http/open-core.js';
import { SECOND } from '../../src/lib/clock.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { ManualClock } from '../lib/manual-clock.js';
import { createDatabase } from '../support/database.js';
import { type Books, timeZone, today } from './books.js';

export const useCore = ({ months }: { readonly months: number }): (() => Books) => {
  let books: Books | undefined;
  let close: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const database = await createDatabase('sqlite');
    const db = await openDb(database.url, 1);
    const clock = new ManualClock(Date.parse(`${today}T09:00:00Z`));
    await migrate(db, clock.now(), simulatorMigrations);
    const simulator = createSimulator({ db, clock, timeZone, months });
    const core = openCore({
      url: await simulator.listen(0, '127.0.0.1'),
      timeoutMs: 5 * SECOND,
      totalMs: 10 * SECOND,
      connections: 4,
      maxCalls: 64,
      responseLimit: 4_000_000,
      bankTime: async () => clock.now(),
      isTest: true,
      keep: async () => undefined,
      onCall: () => undefined,
    });
    books = { db, clock, bank: core.bank };
    close = async () => {
      await core.close();
      await simulator.close();
      await db.close();
      await database.drop();
    };
  });
  afterAll(() => close?.());
  return () => {
    if (!books) throw new Error('the core has not started');
    return books;
  };
};
