/** PgBouncer between the service and PostgreSQL, as Debian has it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../bench/free-port.js';
import { poolingFaults } from '../../../src/store/fitness.js';
import { openDb } from '../../../src/store/open.js';
import { cleanUp, runCommand } from '../../cli/program.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { hasPostgres } from '../../support/engines.js';
import { FUNDS, fundsBody, goodRequest, operationIds } from '../../support/operations.js';
import { postgresUrl } from '../../support/postgres-url.js';
import { type Service, startService, testSecret } from '../../support/service.js';

const PROGRAM = '/usr/sbin/pgbouncer';
const isInstalled = (() => {
  try {
    execFileSync(PROGRAM, ['--version']);
    return true;
  } catch {
    console.warn('PgBouncer is not installed: its tests are skipped. On Debian: apt-get install pgbouncer');
    return false;
  }
})();

const untilItListens = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = '';
    child.stderr?.on('data', (bytes: Buffer) => {
      output += bytes.toString('utf8');
      if (output.includes('process up')) resolve();
    });
    child.once('close', () => reject(new Error(`PgBouncer ended:\n${output}`)));
  });

const isPossible = hasPostgres && isInstalled;

describe.runIf(isPossible).each(['session', 'transaction'] as const)('PgBouncer in %s mode', (mode) => {
  let database: TestDatabase;
  let folder: string;
  let pooler: ChildProcess;
  let service: Service;

  beforeAll(async () => {
    database = await createDatabase('postgres');
    folder = mkdtempSync(join(tmpdir(), 'trapeza-pgbouncer-'));
    chmodSync(folder, 0o755);
    const { port: serverPort } = new URL(await postgresUrl());
    const port = await freePort();
    writeFileSync(join(folder, 'users.txt'), '"postgres" "postgres"\n');
    writeFileSync(
      join(folder, 'pgbouncer.ini'),
      `[databases]
* = host=127.0.0.1 port=${serverPort} user=postgres password=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${mode}
default_pool_size = ${mode === 'session' ? 40 : 4}
`,
    );
    // PgBouncer refuses to run as root.
    const user = process.getuid?.() === 0 ? ['--user=nobody'] : [];
    pooler = spawn(PROGRAM, [...user, join(folder, 'pgbouncer.ini')]);
    await untilItListens(pooler);
    const url = new URL(database.url);
    url.port = String(port);
    service = await startService({ databaseUrl: url.href, env: { TRAPEZA_DATABASE_POOLING: mode } });
  });
  afterAll(async () => {
    await service?.close();
    await cleanUp();
    pooler?.kill('SIGINT');
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('every operation is answered, also by many callers at once', async () => {
    for (const id of operationIds) expect((await service.call(goodRequest(service, id))).status).toBe(200);
    const ask = () => service.call({ method: 'POST', path: FUNDS, body: fundsBody() });
    const answers = await Promise.all(Array.from({ length: 60 }, ask));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('is noticed: what does not go together is refused by serve and doctor with the setting to change', async () => {
    const words = 'set TRAPEZA_DATABASE_POOLING=transaction, or pool_mode = session in PgBouncer';
    const { databaseUrl } = service;
    // As often as nodes start while others call.
    for (let start = 0; start < 5; start += 1) {
      const [faults] = await Promise.all([
        poolingFaults(databaseUrl, 'session'),
        ...Array.from({ length: 20 }, () => service.call({ method: 'POST', path: FUNDS, body: fundsBody() })),
      ]);
      expect(faults).toEqual(mode === 'session' ? [] : [expect.stringContaining(words)]);
    }
    expect(await poolingFaults(databaseUrl, 'transaction')).toEqual([]);
    expect(await poolingFaults(database.url, 'session')).toEqual([]);
    if (mode === 'session') return;
    const env = { DATABASE_URL: databaseUrl, TRAPEZA_SECRET: testSecret };
    await expect(startService({ databaseUrl })).rejects.toThrow(words);
    const { code, stdout } = await runCommand(['doctor'], { env });
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\n {10,}/g, ' ')).toMatch(
      new RegExp(`^failed +TRAPEZA_DATABASE_POOLING .*${words}`, 'm'),
    );
  });

  it('a try to write succeeds whatever session it gets, and the node is ready', async () => {
    const db = await openDb(service.databaseUrl, 2, { pooling: mode });
    await Promise.all(Array.from({ length: 4 }, () => db.tryWrite()));
    await db.tryWrite();
    await db.close();
    await expect.poll(() => service.app.readiness()).toMatchObject({ ready: true, reasons: {} });
  });
});
