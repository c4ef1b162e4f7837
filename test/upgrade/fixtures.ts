/**
 * A store and a dump of the older version, kept so that every run of the tests upgrades one. They hold the demo bank, and a permission
 * to confirm funds without an end that was given there. TEST_UPGRADE=write makes them again.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { demoApplications } from '../../packages/sandbox/src/applications.js';
import { openSingle } from '../../src/store/sqlite/single.js';
import { startSandbox, tempFolder } from '../cli/program.js';
import { PgServer } from '../faults/campaign/break/pg-server.js';
import { done, sandboxToken, send } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import type { Engine } from '../support/engines.js';
import { BUDGET, FUNDS, ibanOf } from '../support/operations.js';
import { testSecret } from '../support/service.js';
import { buildOlder } from './older.js';

const FOLDER = new URL('fixtures/', import.meta.url).pathname;
const files: Readonly<Record<Engine, string>> = {
  sqlite: join(FOLDER, 'store-046.db.gz'),
  postgres: join(FOLDER, 'dump-046.sql.gz'),
};

/** Who gave the permission, and to whom. */
export const giver = { psu: 'nikos', application: BUDGET } as const;
export const question = {
  account: { iban: ibanOf('nikos', 202) },
  instructedAmount: { currency: 'EUR', amount: 1 },
};

/** Starts the older version on an empty store, uses it, and stops it. */
const useOlder = async (main: string, databaseUrl: string): Promise<void> => {
  const env = { DATABASE_URL: databaseUrl, TRAPEZA_SECRET: testSecret, TRAPEZA_DEMO_MONTHS: '1' };
  const { url, program } = await startSandbox({ cwd: tempFolder(), env, main });
  const token = await sandboxToken(url, giver);
  const key = demoApplications.find(({ clientId }) => clientId === BUDGET)?.subscriptionKey;
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = {
      'Ocp-Apim-Subscription-Key': key,
      Authorization: `Bearer ${token}`,
      'X-Request-ID': randomUUID(),
      'Content-Type': 'application/json',
    };
    return done(await send(url, { method: 'POST', path, headers, body })).json;
  };
  const { account } = question;
  const { consentId } = (await post('/piis/psd2/v1/consents', { account })) as { consentId: string };
  await post(`/sandbox/consents/${consentId}/decision`, { decision: 'approve' });
  await post(FUNDS, question);
  await program.stop('SIGTERM');
};

export const writeFixtures = async (): Promise<void> => {
  const main = buildOlder();
  mkdirSync(FOLDER, { recursive: true });
  const store = join(tempFolder(), 'trapeza.db');
  await useOlder(main, `sqlite:${store}`);
  const opened = openSingle(store);
  opened.script(`vacuum into '${store}.whole'`);
  opened.close();
  writeFileSync(files.sqlite, gzipSync(readFileSync(`${store}.whole`), { level: 9 }));
  const server = await PgServer.create();
  await useOlder(main, server.url);
  writeFileSync(files.postgres, gzipSync(await server.dump(), { level: 9 }));
  await server.remove();
};

/** A database of its own with what the older version left. */
export const openFixture = async (engine: Engine): Promise<TestDatabase> => {
  const database = await createDatabase(engine);
  const content = gunzipSync(readFileSync(files[engine]));
  if (engine === 'sqlite') writeFileSync(database.url.slice('sqlite:'.length), content, { mode: 0o600 });
  else {
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query(content.toString());
    await client.end();
  }
  return database;
};
