/** Backup and restore of the embedded store: complete, of one moment, beside a service that goes on answering. */
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/lib/clock.js';
import { openDb } from '../../../src/store/open.js';
import { openSingle } from '../../../src/store/sqlite/single.js';
import { builtFile } from '../../lib/build.js';
import { FUNDS, fundsBody } from '../../support/operations.js';
import { ownNotes } from '../../support/own-notes.js';
import { startService, testSecret } from '../../support/service.js';
import { until } from '../../support/until.js';
import { useService } from '../../support/use-service.js';
import { cleanUp, jsonOf, Program, runCommand, startTrapeza, tempFolder } from '../program.js';
import { auditRows, rowsOf } from './rows.js';

afterAll(cleanUp);
const service = useService();
const otherSecret = 'Zr8mWq1LxUo6TbPy3KdHv9Jc5NfGs0Ea7Ri2QtYw4Xk=';

const envOf = (databaseUrl: string, secret = testSecret) => ({
  DATABASE_URL: databaseUrl,
  TRAPEZA_SECRET: secret,
});

const backUp = (file: string) =>
  runCommand(['backup', file, '--json'], { env: envOf(service().databaseUrl) });

const restore = (file: string, url: string, args: readonly string[] = [], secret = testSecret) =>
  runCommand(['restore', file, '--accept', '--json', ...args], { env: envOf(url, secret) });

const freshStore = (): string => `sqlite:${join(tempFolder('disk'), 'new', 'trapeza.db')}`;

/** A call that is recorded; returns its X-Request-ID. */
const askFunds = async (): Promise<string> => {
  const id = randomUUID();
  const answer = await service().call({
    method: 'POST',
    path: FUNDS,
    headers: { 'X-Request-ID': id },
    body: fundsBody(),
  });
  expect(answer.status, answer.text).toBe(200);
  return id;
};

interface Made {
  readonly file: string;
  readonly bytes: number;
  readonly secrets: readonly string[];
  readonly keep: readonly string[];
}

describe('a backup', () => {
  const auditIn = (url: string) => auditRows(envOf(url));

  it('under load fails no call and has every call that was answered before it began', async () => {
    const answered = await Promise.all(Array.from({ length: 20 }, askFunds));
    let isOver = false;
    const during: string[] = [];
    const goOn = async (): Promise<void> => {
      while (!isOver) during.push(await askFunds());
    };
    const load = Promise.all([goOn(), goOn(), goOn(), goOn()]);
    const file = join(tempFolder('disk'), 'backup.db');
    const made = jsonOf<Made>(await backUp(file));
    // On a busy machine the backup is done before the calls are.
    await Promise.race([load, until(() => during.length > 10)]);
    isOver = true;
    await load;
    expect(statSync(file)).toMatchObject({ size: made.bytes });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const url = freshStore();
    jsonOf(await restore(file, url));
    const db = await openDb(url);
    const kept = await db.all<{ id: string }>('select request_id as id from funds_confirmations');
    await db.close();
    expect(answered.filter((id) => !kept.some((row) => row.id === id))).toEqual([]);
  });

  it('is restored elsewhere with every row of every table, and serves', async () => {
    const file = join(tempFolder('disk'), 'backup.db');
    jsonOf(await backUp(file));
    const url = freshStore();
    const facts = jsonOf<Record<string, unknown>>(await restore(file, url));
    expect(facts).toMatchObject({ path: url.slice('sqlite:'.length), migration: expect.any(Number) });
    const tables = await rowsOf(service().databaseUrl);
    expect(Object.keys(tables).length).toBeGreaterThan(30);
    expect(Object.values(tables).flat().length).toBeGreaterThan(500);
    const restored = await rowsOf(url);
    // The acts themselves are in the audit log.
    for (const name of [...ownNotes, 'audit_log', 'settings']) {
      delete tables[name];
      delete restored[name];
    }
    expect(restored).toEqual(tables);
    const other = await startService({ databaseUrl: url });
    const answer = await other.call({ method: 'POST', path: FUNDS, body: fundsBody() });
    await other.close();
    expect(answer.status).toBe(200);
  });

  it('and its restore leave a row in the audit log of their store, whose chain stays whole', async () => {
    const file = join(tempFolder('disk'), 'backup.db');
    const { bytes } = jsonOf<Made>(await backUp(file));
    const url = freshStore();
    jsonOf(await restore(file, url, ['--reason', 'a lost disk']));
    const source = await auditIn(service().databaseUrl);
    expect(source[0]).toMatchObject({ act: 'store.backup', subject: 'store', details: { file, bytes } });
    const restored = await auditIn(url);
    expect(restored[0]).toMatchObject({ act: 'store.restore', reason: 'a lost disk', details: { file } });
    // Everything before the backup is there.
    expect(restored.slice(1)).toEqual(source.slice(1));
  });

  it('names what must be kept beside it, with a fingerprint and not the secret', async () => {
    const file = join(tempFolder('disk'), 'backup.db');
    const env = { ...envOf(service().databaseUrl), TRAPEZA_TRUST_ANCHORS: '/etc/trapeza/anchors' };
    const { code, stdout } = await runCommand(['backup', file], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/TRAPEZA_SECRET, in another place than the backup \(fingerprint [\w-]{8}\)/);
    expect(stdout).toContain('TRAPEZA_TRUST_ANCHORS: /etc/trapeza/anchors');
    expect(stdout).not.toContain(testSecret);
    const again = await backUp(file);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') });
    const wrong = await runCommand(['backup', `${file}-2`], {
      env: envOf(service().databaseUrl, otherSecret),
    });
    expect(wrong.stderr).toContain('sealed under a TRAPEZA_SECRET that is not configured');
    const absent = await runCommand(['backup', `${file}-2`], { env: envOf(freshStore()) });
    expect(absent.stderr).toContain('there is no store at');
    expect(existsSync(`${file}-2`)).toBe(false);
  });

  it('leaves nothing if the disk is full or it is killed, and the next one cleans up', async () => {
    const folder = tempFolder('disk');
    const file = join(folder, 'backup.db');
    const env = envOf(service().databaseUrl);
    const script = 'ulimit -f 200; exec "$@"';
    const args = ['-c', script, 'bash', process.execPath, builtFile('main.js'), 'backup', file];
    const full = await new Program('bash', args, { env }).finished;
    expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining('the store is unavailable') });
    expect(readdirSync(folder)).toEqual([]);

    const begun = new Promise<void>((resolve) => {
      const watcher = watch(folder, () => {
        watcher.close();
        resolve();
      });
    });
    const program = startTrapeza(['backup', file], { env });
    await begun;
    await program.stop('SIGKILL');
    expect(existsSync(file)).toBe(false);
    jsonOf(await backUp(file));
    expect(readdirSync(folder)).toEqual(['backup.db']);
  });
});

describe('a restore refuses', () => {
  const refused = async (file: string, words: RegExp, secret?: string): Promise<void> => {
    const url = freshStore();
    const { code, stderr } = await restore(file, url, [], secret);
    expect(stderr).toMatch(words);
    expect(code).toBe(1);
    expect(readdirSync(join(url.slice('sqlite:'.length), '..'))).toEqual([]);
  };

  it('another secret, a damaged file, a newer version and what is no backup, and leaves nothing', async () => {
    const file = join(tempFolder('disk'), 'backup.db');
    const { secrets } = jsonOf<Made>(await backUp(file));
    await refused(file, new RegExp(`needs the TRAPEZA_SECRET with fingerprint ${secrets[0]}`), otherSecret);
    await refused(service().databaseUrl.slice('sqlite:'.length), /is no backup|is damaged/);
    await refused(join(tempFolder('disk'), 'absent.db'), /there is no file/);

    const newer = `${file}-newer`;
    copyFileSync(file, newer);
    const copy = openSingle(newer);
    copy.script(`insert into migrations values (999, 'future', ${systemClock.now()})`);
    copy.close();
    await refused(newer, /has migration 999 .*: start a newer version/);

    const damaged = `${file}-damaged`;
    copyFileSync(file, damaged);
    writeFileSync(damaged, Buffer.alloc(64 * 1024, 7), { flag: 'r+' });
    await refused(damaged, /is damaged/);
  });

  it('a store that is there or in use; with --replace it keeps the old one', async () => {
    const file = join(tempFolder('disk'), 'backup.db');
    jsonOf(await backUp(file));
    const inUse = await restore(file, service().databaseUrl, ['--replace']);
    expect(inUse).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is in use by a running process'),
    });
    const url = freshStore();
    jsonOf(await restore(file, url));
    const second = await restore(file, url);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('add --replace') });
    const { replaced } = jsonOf<{ replaced: string }>(await restore(file, url, ['--replace']));
    expect(existsSync(replaced)).toBe(true);
    const postgres = await restore(file, 'postgres://127.0.0.1/x');
    expect(postgres.stderr).toContain('docs/backup.md');
  });
});
