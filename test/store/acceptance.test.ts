/** Acceptances of a store that has forgotten something: by several operators at once, by a machine with a wrong clock, and late news of it. */
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { HOUR, SECOND, systemClock } from '../../src/lib/clock.js';
import { Continuity } from '../../src/store/continuity/continuity.js';
import { acceptStore, type Loss, readPulse, recordLoss } from '../../src/store/continuity/pulse.js';
import type { Db } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { clockOfStore } from '../../src/store/server-time.js';
import { cleanUp } from '../cli/program.js';
import { createDatabase } from '../support/database.js';
import { engines } from '../support/engines.js';

afterAll(cleanUp);

const LOSS: Loss = { evidence: 'pulse', noticedAt: '2026-11-19T12:00:00Z', detail: 'of a test' };

describe.each(engines)('a store on %s', (engine) => {
  const makeStore = async (): Promise<Db> => {
    const database = await createDatabase(engine);
    const made = await openDb(database.url, 3);
    onTestFinished(async () => {
      await made.close();
      await database.drop();
    });
    await migrate(made, systemClock.now());
    return made;
  };
  let db: Db;
  beforeEach(async () => {
    db = await makeStore();
  });

  it('is accepted by two operators at once: the later acceptance is never the smaller one', async () => {
    const now = systemClock.now();
    const seen: number[] = [];
    // The second one began first: its time is the earlier one.
    const accept = (at: number) =>
      db.transaction(async (tx) => {
        await acceptStore(tx, at);
        seen.push((await readPulse(tx, 'none')).accepted);
      });
    await Promise.all([accept(now), accept(now - SECOND), accept(now - HOUR)]);
    expect(seen).toHaveLength(3);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect((await readPulse(db, 'none')).accepted).toBe(Math.max(...seen));
  });

  it('is not accused of what an operator has accepted meanwhile', async () => {
    await recordLoss(db, LOSS, 0);
    expect(await readPulse(db, 'none')).toMatchObject({ loss: LOSS });
    await db.transaction((tx) => acceptStore(tx, systemClock.now()));
    const { accepted } = await readPulse(db, 'none');
    // Of a node that stood still since before that.
    await recordLoss(db, LOSS, 0);
    expect(await readPulse(db, 'none')).toMatchObject({ loss: null });
    // A node that knows of the acceptance has seen another loss.
    await recordLoss(db, LOSS, accepted);
    expect(await readPulse(db, 'none')).toMatchObject({ loss: LOSS });
  });

  it('is accepted in its own time, whatever the clock of the operator says', async () => {
    const ahead = { ...systemClock, now: () => systemClock.now() + 2 * HOUR };
    const clock = await clockOfStore(db, ahead);
    const offset = Math.abs(clock.now() - systemClock.now());
    // The embedded store has no other clock than that of the machine.
    expect(Math.round(offset / HOUR)).toBe(engine === 'sqlite' ? 2 : 0);
  });

  it('is not accused by a node that an older store was shown to, and that is back', async () => {
    const older = await makeStore();
    let shown = db;
    let reads = 0;
    const led: Db = {
      ...db,
      one: (sql, params) => {
        reads += 1;
        return shown.one(sql, params);
      },
      run: (sql, params) => shown.run(sql, params),
    };
    const continuity = new Continuity({
      clock: systemClock,
      marker: undefined,
      onLoss: () => undefined,
      onAccepted: () => undefined,
      onMarkerFault: () => undefined,
    });
    onTestFinished(() => continuity.close());
    await continuity.begin(led);
    // It has counted once or more there.
    await expect.poll(() => reads).toBeGreaterThan(2);
    shown = older;
    await expect.poll(async () => (await readPulse(older, 'none')).loss).toMatchObject({ evidence: 'pulse' });
    shown = db;
    const before = reads;
    await expect.poll(() => reads).toBeGreaterThan(before + 1);
    expect((await readPulse(db, 'none')).loss).toBeNull();
    // Its connections may still lead to the older one.
    expect(continuity.hasForgotten).toBe(true);
  });
});
