/** Another process has the write lock of the embedded store: nothing else of this process waits for it. */
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openDb } from '../../src/store/open.js';
import { slugOf } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { ATMS, FUNDS, fundsBody, statusPath } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { useService } from '../support/use-service.js';

/** Takes the write lock as a command or a backup would, past our own queue. */
const lockStore = async (databaseUrl: string): Promise<() => void> => {
  const load = createRequire(import.meta.url);
  const name = Number(process.versions.node.split('.')[0]) >= 24 ? 'node:sqlite' : '@photostructure/sqlite';
  const { DatabaseSync } = load(name) as {
    DatabaseSync: new (path: string) => { exec(sql: string): void; close(): void };
  };
  const other = new DatabaseSync(databaseUrl.slice('sqlite:'.length));
  // A job of the service may have it at this very moment.
  for (let isLocked = false; !isLocked; ) {
    try {
      other.exec('begin immediate');
      isLocked = true;
    } catch {
      await setImmediate();
    }
  }
  return () => {
    other.exec('rollback');
    other.close();
  };
};

const writes = (service: Service) => [
  service.call({ method: 'POST', path: FUNDS, body: fundsBody() }),
  service.call({ method: 'POST', path: '/ais/psd2/v1/consents', body: { permissions: ['AccountsBasic'] } }),
  service.call({ method: 'POST', path: FUNDS, body: fundsBody() }),
  service.call({ method: 'POST', path: '/ais/psd2/v1/consents', body: { permissions: ['AccountsBasic'] } }),
];

describe('while another process has the write lock', () => {
  const use = useService({ engine: 'sqlite' }, async (service) => {
    await service.token();
  });

  it('faults 8: liveness, ATMs and statuses are answered, and writes are made when it is given back', async () => {
    const service = use();
    const release = await lockStore(service.databaseUrl);
    const waiting = writes(service);
    let isAnyAnswered = false;
    for (const each of waiting) void each.then(() => (isAnyAnswered = true));
    const live = await fetch(`${service.app.managementUrl}/health/live`);
    const atms = await service.call({ path: ATMS });
    const status = await service.call({ path: statusPath(service.consent('AccountAccess').id) });
    expect([live.status, atms.status, status.status]).toEqual([200, 200, 200]);
    expect(isAnyAnswered).toBe(false);
    release();
    const answers = await Promise.all(waiting);
    expect(answers.map((answer) => answer.status)).toEqual([200, 201, 200, 201]);
  });

  it('faults 8: writes that wait too long are refused together with 503 and Retry-After', async () => {
    const release = await lockStore(use().databaseUrl);
    const answers = await Promise.all(writes(use()));
    release();
    for (const answer of answers) {
      expect([answer.status, slugOf(answer)]).toEqual([503, 'dependency-unavailable']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await Promise.all(writes(use()))).map(({ status }) => status)).toEqual([200, 201, 200, 201]);
  });
});

it('faults 8: writes that waited for the lock are made in the order in which they came', async () => {
  const database = await createDatabase('sqlite');
  const db = await openDb(database.url);
  await db.script('create table lines (position integer primary key, text text not null)');
  const release = await lockStore(database.url);
  const insert = 'insert into lines (text) values (?)';
  const made = [
    db.run(insert, ['1']),
    db.transaction(async (tx) => {
      await tx.run(insert, ['2']);
      await tx.run(insert, ['3']);
    }),
    db.writeBatch([
      { sql: insert, params: ['4'] },
      { sql: insert, params: ['5'] },
    ]),
    db.one(`${insert} returning text`, ['6']),
  ];
  expect(await db.all('select text from lines')).toEqual([]);
  expect(await db.batchedReads.all('select text from lines')).toEqual([]);
  release();
  await Promise.all(made);
  const lines = await db.all<{ text: string }>('select text from lines order by position');
  expect(lines.map(({ text }) => text).join('')).toBe('123456');
  await db.close();
  await database.drop();
});
