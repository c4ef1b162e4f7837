/** Core simulators for the tests of one block, on one store that is made once: their faults and defects may differ. And calls to them. */

import { afterAll, beforeAll } from 'vitest';
import { holderOf } from '../../../packages/core-kit/src/simulator/defects/defect.js';
import { simulatorMigrations } from '../../../packages/core-kit/src/simulator/migrations.js';
import {
  createSimulator,
  type Simulator,
  type SimulatorOptions,
} from '../../../packages/core-kit/src/simulator/simulator.js';
import { demoAccount } from '../../../packages/sandbox/src/bank/people.js';
import { newId } from '../../../src/lib/id.js';
import type { Db } from '../../../src/store/db.js';
import { migrate } from '../../../src/store/migrate.js';
import { openDb } from '../../../src/store/open.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import type { Engine } from '../../support/engines.js';
import { TestClock } from '../../support/service.js';

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
    await migrate(db, clock.now(), simulatorMigrations);
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

export const payer = demoAccount(101);
export const payee = demoAccount(801);

export const paymentOf = (more: object = {}) => ({
  paymentId: newId(),
  payerAccountId: payer.id,
  product: 'domestic',
  bearer: 'sha',
  amount: { currency: 'EUR', amount: '1.00' },
  creditAccount: { iban: payee.iban },
  creditorName: 'Κώστας Ιωάννου',
  charge: { currency: 'EUR', amount: '0.30' },
  quote: null,
  endToEndId: null,
  remittanceInformation: 'Ενοίκιο',
  approvedAt: '2026-05-15T09:00:00Z',
  ...more,
});

export interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
}

export const send = async (
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Sent> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'PSU-ID': holderOf(payer.id),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return {
    status: response.status,
    headers: response.headers,
    json: (await response.json()) as Record<string, unknown>,
  };
};

export const pay = (
  url: string,
  payment: { paymentId: string },
  headers?: Record<string, string>,
): Promise<Sent> => send(url, 'PUT', `/payments/${payment.paymentId}`, payment, headers);

export const executionsOf = async (url: string, id: string): Promise<number | undefined> => {
  const { json } = await send(url, 'GET', '/simulator/payments');
  const listed = json.payments as { paymentId: string; executions: number }[];
  return listed.find(({ paymentId }) => paymentId === id)?.executions;
};
