/** Of several nodes one does a job; one that dies or fails leaves it to the others. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Job, type Jobs, startJobs } from '../../src/jobs/jobs.js';
import { LEASE_MS, Leases } from '../../src/jobs/leases.js';
import { HOUR, MINUTE } from '../../src/lib/clock.js';
import { createLog } from '../../src/observe/log.js';
import type { Db } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { ManualClock } from '../lib/manual-clock.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { racingEngines } from '../support/engines.js';

const JOB = { name: 'count', everyMs: HOUR };

const engines = racingEngines(
  'two nodes take one lease at once: PostgreSQL lets the second wait for the row, SQLite for its one writer',
);

describe.each(engines)('jobs on %s', (engine) => {
  let database: TestDatabase;
  let db: Db;
  let clock: ManualClock;
  const started: Jobs[] = [];

  beforeEach(async () => {
    database = await createDatabase(engine);
    db = await openDb(database.url, 4);
    clock = new ManualClock();
    await migrate(db, clock.now());
  });
  afterEach(async () => {
    for (const jobs of started.splice(0)) await jobs.close();
    await db.close();
    await database.drop();
  });

  const node = (step: Job['step']): Jobs => {
    const metrics = { ended: () => undefined, did: () => undefined, watch: () => undefined };
    const jobs = startJobs([{ ...JOB, step }], {
      db,
      clock,
      log: createLog('silent'),
      metrics,
    });
    started.push(jobs);
    return jobs;
  };
  const both = (nodes: readonly Jobs[]): Promise<unknown> => Promise.all(nodes.map((each) => each.runDue()));

  it('are done by one node each time they are due', async () => {
    let runs = 0;
    const nodes = [1, 2, 3].map(() =>
      node(async () => {
        runs += 1;
        return 0;
      }),
    );
    await both(nodes);
    expect(runs).toBe(0);
    for (let hour = 1; hour <= 3; hour += 1) {
      clock.advance(HOUR);
      await both(nodes);
      await both(nodes);
      expect(runs).toBe(hour);
    }
  });

  it('go on in small steps until nothing is left', async () => {
    let work = 5;
    const one = node(async () => {
      const done = Math.min(2, work);
      work -= done;
      return done;
    });
    await one.runDue();
    clock.advance(HOUR);
    await one.runDue();
    expect(work).toBe(0);
  });

  it('of a node that dies are done by another when its lease has run out', async () => {
    let runs = 0;
    const survivor = node(async () => {
      runs += 1;
      return 0;
    });
    await survivor.runDue();
    clock.advance(HOUR);
    const dead = new Leases(db, clock);
    expect(await dead.take(JOB)).toBe(true);
    await survivor.runDue();
    clock.advance(LEASE_MS - 1);
    await survivor.runDue();
    expect(runs).toBe(0);
    clock.advance(1);
    await survivor.runDue();
    expect(runs).toBe(1);
    expect(await dead.renew(JOB)).toBe(false);
  });

  it('that fail are tried again soon, by any node, and go on where they were', async () => {
    let work = 3;
    const failing = node(async () => {
      if (work === 2) throw new Error('once');
      work -= 1;
      return 1;
    });
    const other = node(async () => {
      if (work === 0) return 0;
      work -= 1;
      return 1;
    });
    await failing.runDue();
    clock.advance(HOUR);
    await failing.runDue();
    await other.runDue();
    expect(work).toBe(2);
    clock.advance(MINUTE);
    await other.runDue();
    expect(work).toBe(0);
  });

  it('are due although the clock was set back', async () => {
    let runs = 0;
    const one = node(async () => {
      runs += 1;
      return 0;
    });
    await one.runDue();
    clock.advance(HOUR);
    await one.runDue();
    clock.advance(-2 * HOUR);
    await one.runDue();
    expect(runs).toBe(2);
  });
});
