/** A look at the store through a new connection, while the pulse of the node is committed through another one. */
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/lib/clock.js';
import { Continuity } from '../../src/store/continuity/continuity.js';
import type { Loss } from '../../src/store/continuity/pulse.js';
import type { Reads } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase } from '../support/database.js';
import { engines } from '../support/engines.js';

it.each(engines)(
  'on %s, a pulse that is committed after the look is nothing that was forgotten',
  async (engine) => {
    const database = await createDatabase(engine);
    const db = await openDb(database.url, 3);
    await migrate(db, systemClock.now());
    const losses: Loss[] = [];
    const continuity = new Continuity({
      clock: systemClock,
      marker: undefined,
      onLoss: (loss) => losses.push(loss),
      onAccepted: () => undefined,
      onMarkerFault: () => undefined,
    });
    onTestFinished(async () => {
      await continuity.close();
      await db.close();
      await database.drop();
    });
    await continuity.begin(db);
    const beaten = async (): Promise<number> =>
      (await db.one<{ number: number }>('select max(number) as number from store_pulses'))?.number ?? 0;
    /** Its answer takes as long as two pulses of the node. */
    const slow: Reads = {
      all: (sql, params) => db.all(sql, params),
      async one(sql, params) {
        const row = await db.one(sql, params);
        const before = await beaten();
        await expect.poll(beaten).toBeGreaterThan(before + 1);
        return row as never;
      },
    };
    await continuity.checkConnection(slow);
    expect([continuity.hasForgotten, losses]).toEqual([false, []]);
  },
);
