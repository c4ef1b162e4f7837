/** A whole sandbox for one test file: real listener, real store, own clock, own data. */

import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { simulatorMigrations } from '../../packages/core-kit/src/simulator/migrations.js';
import { createSimulator } from '../../packages/core-kit/src/simulator/simulator.js';
import { type App, startApp } from '../../src/app/app.js';
import type { ExtensionBase, OpenExtension } from '../../src/app/extension.js';
import type { Bank } from '../../src/bank/bank.js';
import { readConfig } from '../../src/config/config.js';
import type { Clock } from '../../src/lib/clock.js';
import { createLog } from '../../src/observe/log.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { type Answer, done, sandboxToken, send, type Wanted } from './client.js';
import { createDatabase } from './database.js';
import { type Engine, engines } from './engines.js';
import { seededDatabase, testSandbox } from './seeded.js';

export const testSecret = 'q3VtZ0J8yKfLw2Xn5HrPb7DcUa9GeMsT4iOx1RkYhN0=';

/** Real time plus what the test adds. */
export class TestClock implements Clock {
  #offset = 0;
  #stepped = 0;
  now(): number {
    return Date.now() + this.#offset + this.#stepped;
  }
  elapsed(): number {
    return performance.now() + this.#offset;
  }
  moved(): number {
    return this.#offset;
  }
  /** Somebody sets the time of day; no time passes. */
  step(ms: number): void {
    this.#stepped += ms;
  }
  advance(ms: number): void {
    this.#offset += ms;
  }
}

export interface Credentials {
  readonly baseUrl: string;
  readonly applications: readonly {
    name: string;
    clientId: string;
    clientSecret: string;
    redirectUri: string;
    subscriptionKey: string;
    roles: string[];
  }[];
  readonly psus: readonly {
    username: string;
    password: string;
    name: string;
    accounts: {
      iban: string | null;
      bban: string | null;
      msisdn: string | null;
      currency: string;
      cardNumber: string | null;
      status: string;
    }[];
  }[];
  readonly consents: readonly {
    type: string;
    id: string;
    status: string;
    application: string;
    psu: string;
    account: string | null;
  }[];
}

export interface Service {
  readonly app: App;
  readonly url: string;
  /** Of the core simulator, if the demo bank is there. */
  readonly coreUrl: string | undefined;
  readonly clock: TestClock;
  readonly databaseUrl: string;
  readonly credentials: Credentials;
  readonly logs: string[];
  /** A call with good credentials and a fresh request id, unless the headers say otherwise. */
  call(
    wanted: Wanted & { readonly as?: { psu?: string; application?: string; scope?: string } },
  ): Promise<Answer>;
  token(as?: { psu?: string; application?: string; scope?: string }): Promise<string>;
  keyOf(application?: string): string;
  /** After a reset, which lets the demo bank go on with the clock. */
  standStill(): Promise<void>;
  consent(
    type: string,
    status?: string,
    more?: { application?: string; psu?: string },
  ): Credentials['consents'][number];
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly engine?: Engine;
  readonly env?: Readonly<Record<string, string>>;
  readonly databaseUrl?: string;
  readonly bank?: Bank;
  /** Where the demo bank is: in the service, or behind HTTP in the core simulator. TEST_CORE=simulator moves it there for every test. */
  readonly core?: CorePlace;
  /** Whether the demo bank goes on with the clock. */
  readonly isAlive?: boolean;
  /** How much time has passed already, for a second service on the store of another one. */
  readonly passedMs?: number;
  /** What else the extension gives to the service. */
  readonly extend?: (base: ExtensionBase) => OpenExtension;
}

export type CorePlace = 'embedded' | 'simulator';

/** Whole journeys are gone with the demo bank in the service, and once more with a core over HTTP. */
export const journeyPlaces = (among = engines): readonly (readonly [Engine, CorePlace])[] => [
  ...among.map((engine) => [engine, 'embedded'] as const),
  [among[0] ?? 'sqlite', 'simulator'],
];

let counter = 0;

/** A core of its own for one service. */
const startCore = async (clock: Clock, months: number) => {
  const database = await createDatabase('sqlite');
  const db = await openDb(database.url, 1);
  await migrate(db, clock.now(), simulatorMigrations);
  const simulator = createSimulator({ db, clock, timeZone: 'Europe/Athens', months });
  return {
    url: await simulator.listen(0, '127.0.0.1'),
    close: async (): Promise<void> => {
      await simulator.close();
      await db.close();
      await database.drop();
    },
  };
};

/** High quotas and a late deadline, so that only the tests that mean it meet them. */
const roomy = {
  TRAPEZA_DEADLINE_MS: '60000',
  TRAPEZA_QUOTA_PER_MINUTE: '100000000',
  TRAPEZA_QUOTA_PER_DAY: '100000000',
  TRAPEZA_FAILED_AUTH_PER_MINUTE: '100000000',
  TRAPEZA_LOGINS_PER_ADDRESS: '100000000',
  TRAPEZA_AUTHORIZATIONS_PER_ADDRESS: '100000000',
  TRAPEZA_REGISTRATIONS_PER_MINUTE: '100000000',
  TRAPEZA_CODES_PER_PERSON: '100000',
  TRAPEZA_CONNECTIONS_PER_SOURCE: '100000',
};

export const startService = async (options: ServiceOptions = {}): Promise<Service> => {
  const clock = new TestClock();
  clock.advance(options.passedMs ?? 0);
  const months = Number(options.env?.TRAPEZA_DEMO_MONTHS ?? 2);
  const place = options.core ?? (options.bank ? 'embedded' : process.env.TEST_CORE);
  const core = place === 'simulator' ? await startCore(clock, months) : undefined;
  const wanted = readConfig({
    PORT: '0',
    TRAPEZA_MANAGEMENT_PORT: '0',
    DATABASE_URL: options.databaseUrl ?? 'sqlite:made-below',
    TRAPEZA_SECRET: testSecret,
    TRAPEZA_DATABASE_POOL: '5',
    TRAPEZA_DEMO_MONTHS: '2',
    ...roomy,
    ...(core ? { TRAPEZA_CORE_URL: core.url } : {}),
    ...options.env,
  });
  const { engine = 'sqlite', isAlive } = options;
  const database = options.databaseUrl
    ? undefined
    : ((await seededDatabase({ engine, config: wanted, clock, isAlive })) ?? (await createDatabase(engine)));
  const config = { ...wanted, databaseUrl: database?.url ?? wanted.databaseUrl };
  const { databaseUrl } = config;
  const logs: string[] = [];
  counter += 1;
  const outputFile = join(inject('outputFolder'), `${process.pid}-${counter}-${randomUUID()}.log`);
  const log = createLog('debug', { stream: { write: (line: string) => void logs.push(line) } });
  const { extension, standStill } = testSandbox(options);
  const app = await startApp({
    config,
    extensions: [extension],
    clock,
    log,
    ...(options.bank ? { bank: options.bank } : {}),
  });

  const known = done(await send(app.listenUrl, { path: '/sandbox/credentials' }));
  const credentials = known.json as Credentials;
  const tokens = new Map<string, Promise<string>>();
  // Hundreds at once ask for one.
  const token: Service['token'] = (as = {}) => {
    const name = JSON.stringify(as);
    const made = tokens.get(name) ?? sandboxToken(app.listenUrl, as);
    tokens.set(name, made);
    made.catch(() => tokens.delete(name));
    return made;
  };
  const keyOf: Service['keyOf'] = (application = credentials.applications[0]?.clientId) => {
    const found = credentials.applications.find(({ clientId }) => clientId === application);
    if (!found) throw new Error(`no application ${application}`);
    return found.subscriptionKey;
  };
  return {
    app,
    url: app.url,
    coreUrl: core?.url,
    clock,
    databaseUrl,
    credentials,
    logs,
    token,
    keyOf,
    standStill,
    call: async ({ as = {}, headers, ...wanted }) =>
      send(app.listenUrl, {
        ...wanted,
        headers: {
          'Ocp-Apim-Subscription-Key': keyOf(as.application),
          Authorization: `Bearer ${await token(as)}`,
          'X-Request-ID': randomUUID(),
          ...headers,
        },
      }),
    consent: (type, status = 'Valid', more = {}) => {
      const { application = credentials.applications[0]?.clientId, psu } = more;
      const found = credentials.consents.find(
        (each) =>
          each.type === type &&
          each.status === status &&
          each.application === application &&
          (psu === undefined || each.psu === psu),
      );
      if (!found) throw new Error(`no ${status} ${type} consent of ${application}`);
      return found;
    },
    close: async () => {
      const metrics = await (await fetch(`${app.managementUrl}/metrics`)).text();
      await app.close();
      await core?.close();
      await database?.drop();
      appendFileSync(outputFile, `${logs.join('')}\n${metrics}`);
    },
  };
};
