/** A node whose clock differs from that of the store does nothing that cannot be undone. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreClock } from '../../src/app/store-clock.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/clock.js';
import type { Db } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { bothEngines, type Engine, hasPostgres } from '../support/engines.js';
import { TestClock } from '../support/service.js';

const YEAR = 365 * DAY;
const farSteps = [
  26 * HOUR,
  -26 * HOUR,
  400 * DAY,
  -400 * DAY,
  12 * YEAR,
  -12 * YEAR,
  6 * SECOND,
  -6 * SECOND,
];

/** A store for each test, and clocks on it. */
const useStore = (engine: Engine) => {
  let database: TestDatabase;
  let db: Db;
  const open: StoreClock[] = [];
  beforeEach(async () => {
    database = await createDatabase(engine);
    db = await openDb(database.url, 2);
    await migrate(db, Date.now());
  });
  afterEach(async () => {
    for (const each of open.splice(0)) each.close();
    await db.close();
    await database.drop();
  });
  const clockOn = async (clock: TestClock, doubtsGaps = true): Promise<StoreClock & { logs: object[] }> => {
    const logs: object[] = [];
    const note = (facts: object) => void logs.push(facts);
    const made = await StoreClock.open({ db, clock, log: { info: note, error: note } as never, doubtsGaps });
    open.push(made);
    return Object.assign(made, { logs });
  };
  return Object.assign(clockOn, { run: (sql: string, params?: number[]) => db.run(sql, params) });
};

describe.each(bothEngines('the embedded store has no clock of its own, PostgreSQL has one for all nodes'))(
  'the time of the store, on %s',
  (engine) => {
    const clockOn = useStore(engine);

    it('is not that of a machine whose clock is set: until it is set back, nothing may be done', async () => {
      const machine = new TestClock();
      const clock = await clockOn(machine);
      for (const step of farSteps) {
        const before = clock.now();
        machine.step(step);
        expect([clock.isRight(), clock.mayEnd()], String(step)).toEqual([false, false]);
        await clock.measure();
        expect([clock.isRight(), clock.mayEnd()], String(step)).toEqual([false, false]);
        expect(Math.abs(clock.now() - before)).toBeLessThan(HOUR);
        machine.step(-step);
        await clock.measure();
        expect([clock.isRight(), clock.mayEnd()], String(step)).toEqual([true, true]);
      }
      expect(clock.logs.length).toBe(2 * farSteps.length);
    });

    it('is near enough to a machine that is two seconds off', async () => {
      const machine = new TestClock();
      const clock = await clockOn(machine);
      for (const step of [2 * SECOND, -4 * SECOND, 2 * SECOND]) {
        machine.step(step);
        await clock.measure();
        expect([clock.isRight(), clock.mayEnd()]).toEqual([true, true]);
      }
      expect(clock.logs).toEqual([]);
      expect(clock.earlier.now()).toBeLessThanOrEqual(clock.now());
    });

    it('goes on while nobody can be asked, and with the time that passes for all', async () => {
      const machine = new TestClock();
      const clock = await clockOn(machine);
      machine.advance(400 * DAY);
      expect([clock.isRight(), clock.mayEnd()]).toEqual([true, true]);
      await clock.measure();
      expect([clock.isRight(), clock.mayEnd()]).toEqual([true, true]);
      expect(clock.now()).toBeGreaterThan(Date.now() + 399 * DAY);
    });

    it('ends and deletes nothing for a while when the newest time in the store is long ago', async () => {
      (await clockOn(new TestClock())).close();
      const later = new TestClock();
      later.advance(48 * HOUR);
      const clock = await clockOn(later);
      expect([clock.isRight(), clock.mayEnd()]).toEqual([true, false]);
      expect(clock.logs).toHaveLength(1);
      await clock.measure();
      later.advance(HOUR);
      // A start does not shorten it: while it waits, the newest time stays what it was.
      expect((await clockOn(later)).mayEnd()).toBe(false);
      later.advance(2 * HOUR);
      expect(clock.mayEnd()).toBe(true);
      await clock.measure();
      expect((await clockOn(later)).mayEnd()).toBe(true);
    });

    it('doubts every gap of more than an hour, also in a store in which jobs alone have left a time', async () => {
      const machine = new TestClock();
      const start = async (): Promise<boolean> => {
        const clock = await clockOn(machine);
        clock.close();
        return clock.mayEnd();
      };
      expect(await start()).toBe(true);
      machine.advance(50 * MINUTE);
      expect(await start()).toBe(true);
      const lastRun = machine.now();
      machine.advance(2 * HOUR);
      expect(await start()).toBe(false);
      await clockOn.run("delete from settings where name = 'newest-time'");
      expect(await start()).toBe(true);
      await clockOn.run("delete from settings where name = 'newest-time'");
      await clockOn.run("insert into jobs (name, due_at, leased_until, succeeded_at) values ('x', 0, 0, ?)", [
        lastRun,
      ]);
      expect(await start()).toBe(false);
    });

    it('makes what must be deleted wait for half a day at most, and a bank whose time people move not at all', async () => {
      (await clockOn(new TestClock())).close();
      const later = new TestClock();
      later.advance(12 * YEAR);
      const clock = await clockOn(later);
      expect([clock.mayEnd(), (await clockOn(later, false)).mayEnd()]).toEqual([false, true]);
      later.advance(12 * HOUR);
      expect(clock.mayEnd()).toBe(true);
    });
  },
);

describe.runIf(hasPostgres)('a node on PostgreSQL that starts', () => {
  const clockOn = useStore('postgres');

  it('with a wrong clock does nothing from its first moment on', async () => {
    for (const step of farSteps) {
      const machine = new TestClock();
      machine.step(step);
      const clock = await clockOn(machine);
      expect([clock.isRight(), clock.mayEnd()], String(step)).toEqual([false, false]);
      expect(Math.abs(clock.now() - Date.now())).toBeLessThan(HOUR);
      expect(clock.logs).toHaveLength(1);
    }
  });
});

describe.runIf(bothEngines('only the embedded store has nobody to ask').includes('sqlite'))(
  'a node on the embedded store',
  () => {
    const clockOn = useStore('sqlite');

    it('believes a machine whose clock was set, or that slept, once it has run evenly for a minute', async () => {
      const machine = new TestClock();
      const clock = await clockOn(machine);
      machine.step(HOUR / 2);
      await clock.measure();
      machine.advance(59 * SECOND);
      await clock.measure();
      expect(clock.isRight()).toBe(false);
      machine.advance(SECOND);
      await clock.measure();
      expect([clock.isRight(), clock.mayEnd()]).toEqual([true, true]);
    });

    it('ends and deletes nothing for a while after its machine jumped far ahead', async () => {
      const machine = new TestClock();
      const clock = await clockOn(machine);
      machine.step(400 * DAY);
      await clock.measure();
      machine.advance(MINUTE);
      await clock.measure();
      expect([clock.isRight(), clock.mayEnd()]).toEqual([true, false]);
      machine.advance(12 * HOUR);
      expect(clock.mayEnd()).toBe(true);
    });

    it('does not start before the newest time in its store without a word', async () => {
      const ahead = new TestClock();
      ahead.step(HOUR);
      (await clockOn(ahead)).close();
      const machine = new TestClock();
      const clock = await clockOn(machine);
      expect([clock.isRight(), clock.logs.length]).toEqual([false, 1]);
      await clock.measure();
      machine.advance(MINUTE);
      await clock.measure();
      expect(clock.isRight()).toBe(true);
    });
  },
);
