/** The audit log: what operators did, as a chain in which every change by another way is found. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Admin } from '../../src/admin/admin.js';
import { auditText } from '../../src/audit/export.js';
import { eachAuditRow, latestAudit } from '../../src/audit/read.js';
import { SecurityRecorder } from '../../src/audit/security-recorder.js';
import { verifyAudit } from '../../src/audit/verify.js';
import { sha256 } from '../../src/lib/hash.js';
import type { Db } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { putSetting, readSetting } from '../../src/store/settings.js';
import { ManualClock } from '../lib/manual-clock.js';
import { bothEngines } from '../support/engines.js';
import { openStore } from '../tpp/support.js';

const clock = new ManualClock();
const by = { actor: 'cli:maria', reason: 'a test \ud800\u0000 of «λόγος»' };
const adminOf = (db: Db): Admin =>
  new Admin({ db, clock, bankTime: async () => clock.now(), config: { fapi2Only: 'off' }, by });

/** As who has the rights of the owner of the database. */
const unguard: Readonly<Record<Db['engine'], string>> = {
  sqlite: 'drop trigger if exists audit_log_update; drop trigger if exists audit_log_delete;',
  postgres: 'drop trigger if exists audit_log_only_grows on audit_log;',
};

const HEAD = 'audit-head';
const ROWS = 12;

const engines = bothEngines(
  'the head of the chain is taken by one act at a time, and triggers that refuse changes have a text for each engine',
);

describe.each(engines)('the audit log on %s', (engine) => {
  let store: Awaited<ReturnType<typeof openStore>>;
  let other: Db;
  let tpp = '';

  beforeAll(async () => {
    store = await openStore(engine);
    other = await openDb(store.url, 3);
    tpp = await adminOf(store.db).createTpp({
      name: 'Agora',
      registration: 'PSDGR-BOG-1',
      roles: ['PSP_AI'],
    });
    await Promise.all(
      Array.from({ length: ROWS - 1 }, (_, index) => {
        const admin = adminOf(index % 2 ? store.db : other);
        return admin[index % 3 ? 'suspend' : 'resume']('tpp', tpp);
      }),
    );
  });
  afterAll(async () => {
    await other.close();
    await store.close();
  });

  it('is one chain, whichever node an act was done on', async () => {
    const { rows, broken } = await verifyAudit(store.db);
    expect({ rows, broken }).toEqual({ rows: ROWS, broken: undefined });
    const [last] = await latestAudit(store.db, { act: 'tpp', subject: `tpp:${tpp}` }, 1);
    expect(last).toMatchObject({ actor: 'cli:maria', reason: 'a test \ufffd  of «λόγος»' });
  });

  it('has no row of an act that failed', async () => {
    await expect(adminOf(store.db).suspend('tpp', 'none')).rejects.toThrow();
    expect((await verifyAudit(store.db)).rows).toBe(ROWS);
  });

  it('cannot be changed by the service', async () => {
    const grows = { cause: expect.objectContaining({ message: expect.stringContaining('only grows') }) };
    for (const sql of ['update audit_log set act = act', 'delete from audit_log']) {
      const error: unknown = await store.db.run(sql).catch((each: unknown) => each);
      expect([grows.cause, expect.objectContaining(grows)]).toContainEqual(error);
    }
  });

  it('can be recomputed by an auditor from the export alone', async () => {
    const lines: string[] = [];
    for await (const line of auditText(eachAuditRow(store.db), 'ndjson')) lines.push(line);
    for (const line of lines) {
      const { hashed, hash, previous } = JSON.parse(line) as Record<string, string>;
      expect(sha256(`${previous}\n${hashed}`, 'hex')).toBe(hash);
    }
    expect(lines).toHaveLength(ROWS);
  });

  const column = (name: string, value: string) =>
    `update audit_log set ${name} = ${value} where position = 5`;
  /** The SQL, and the first broken row. */
  const faults: Readonly<Record<string, readonly [string, number]>> = {
    'a flipped byte of the time': [column('at', 'at + 1'), 5],
    'a flipped byte of the actor': [column('actor', `'cli:marib'`), 5],
    'a flipped byte of the act': [column('act', `'tpp.resumf'`), 5],
    'a flipped byte of the subject': [column('subject', `subject || 'x'`), 5],
    'another reason': [column('reason', 'null'), 5],
    'other details': [column('details', `'{"a":1}'`), 5],
    'a flipped byte of the hash': [
      column('hash', `case when hash like 'f%' then 'e' else 'f' end || substr(hash, 2, 63)`),
      5,
    ],
    'a deleted row': ['delete from audit_log where position = 7', 7],
    'a deleted first row': ['delete from audit_log where position = 1', 1],
    'a deleted last row': [`delete from audit_log where position = ${ROWS}`, ROWS],
    'all rows deleted': ['delete from audit_log', 1],
    'two swapped rows': [
      'update audit_log set position = -3 where position = 3; update audit_log set position = 3 where position = 8; update audit_log set position = 8 where position = -3',
      3,
    ],
    'an added row': [
      `insert into audit_log (position, at, actor, act, subject, details, hash) values (${ROWS + 1}, 1, 'a', 'b.c', 'd', '{}', 'e')`,
      ROWS + 1,
    ],
  };

  it.each(Object.entries(faults))('finds %s, and names the row', async (_name, [sql, position]) => {
    const { db } = store;
    await db.script(unguard[engine]);
    const kept = await db.all('select * from audit_log');
    const restore = async (): Promise<void> => {
      await db.run('delete from audit_log');
      for (const row of kept)
        await db.run(
          'insert into audit_log (position, at, actor, act, subject, reason, details, hash) values (?, ?, ?, ?, ?, ?, ?, ?)',
          ['position', 'at', 'actor', 'act', 'subject', 'reason', 'details', 'hash'].map(
            (name) => row[name] ?? null,
          ),
        );
    };
    await db.script(sql);
    const { broken } = await verifyAudit(db);
    await restore();
    expect(broken?.position).toBe(position);
    expect((await verifyAudit(db)).broken).toBeUndefined();
  });

  it('shows a tail that was cut off with the head, to who has kept the head', async () => {
    const { db } = store;
    const { head } = await verifyAudit(db);
    expect((await verifyAudit(db, head)).broken).toBeUndefined();
    await db.script(unguard[engine]);
    const whole = (await readSetting(db, HEAD)) ?? '';
    const [before] = await latestAudit(db, { before: ROWS }, 1);
    await db.run('delete from audit_log where position = ?', [ROWS]);
    await putSetting(db, HEAD, `${ROWS - 1} ${before?.hash}`);
    expect(whole).toBe(`${ROWS} ${head}`);
    expect((await verifyAudit(db)).broken).toBeUndefined();
    expect((await verifyAudit(db, head)).broken).toMatchObject({ position: ROWS });
  });

  it('takes one row for a flood of security events, and keeps them while the store is away', async () => {
    const rows = async (): Promise<number> => (await verifyAudit(store.db)).rows;
    const before = await rows();
    let isAway = true;
    const db: Db = {
      ...store.db,
      transaction: (work) => (isAway ? Promise.reject(new Error('away')) : store.db.transaction(work)),
    };
    const recorder = new SecurityRecorder({ db, clock, log: { warn: () => undefined } });
    for (let index = 0; index < 5_000; index += 1)
      recorder.record('key-refused', {
        reason: 'key-unknown',
        clientId: `app-${index % 30}`,
        userName: 'eve',
      });
    await recorder.flush();
    recorder.record('key-refused', {});
    isAway = false;
    await recorder.close();
    expect(await rows()).toBe(before + 1);
    const [row] = await latestAudit(store.db, { act: 'security' }, 1);
    expect(row?.details).toContain('"count":5001');
    expect(row?.details).not.toContain('eve');
    expect(row?.details.length).toBeLessThan(500);
  });
});
