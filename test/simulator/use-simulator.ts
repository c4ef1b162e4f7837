/** Core simulators for the tests of one block, on one store that is made once: their faults and defects may differ. */
import { afterAll, beforeAll } from 'vitest';
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator/simulator.js';
import type { Db } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase, type Engine, TestClock, type TestDatabase } from '../support/service.js';

export type Wanted = Partial<Omit<SimulatorOptions, 'db' | 'clock' | 'timeZone' | 'months'>>;

export interface Running {
  readonly url: string;
  readonly simulator: Simulator;
}

export interface Simulators {
  readonly db: Db;
  readonly clock: TestClock;
  /** What went wrong inside of them. */
  readonly told: string[];
  start(wanted?: Wanted): Promise<Running>;
}

export const useSimulators = (engine: Engine): (() => Simulators) => {
  let database: TestDatabase | undefined;
  let simulators: Simulators | undefined;
  const running: Simulator[] = [];
  beforeAll(async () => {
    database = await createDatabase(engine);
    const db = await openDb(database.url, 8);
    const clock = new TestClock();
    const told: string[] = [];
    await migrate(db, clock.now());
    const start: Simulators['start'] = async (wanted = {}) => {
      const own = {
        db,
        clock,
        timeZone: 'Europe/Athens',
        months: 3,
        tell: (line: string) => told.push(line),
      };
      const simulator = createSimulator({ ...own, ...wanted });
      running.push(simulator);
      return { simulator, url: await simulator.listen(0, '127.0.0.1') };
    };
    simulators = { db, clock, told, start };
  });
  afterAll(async () => {
    await Promise.all(running.map((each) => each.close()));
    await simulators?.db.close();
    await database?.drop();
  });
  return () => {
    if (!simulators) throw new Error('the simulators have not started');
    return simulators;
  };
};
