/** The audit log: what operators did, as a chain in which every change by another way is found. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Admin } from '../../src/admin/admin.js';
import { AuditLog, type AuditRow, FIRST_HASH, SEAL, unkeyedHashAfter } from '../../src/audit/audit-log.js';
import { auditText } from '../../src/audit/export.js';
import { eachAuditRow, latestAudit } from '../../src/audit/read.js';
import { SecurityRecorder } from '../../src/audit/security-recorder.js';
import { verifyAudit } from '../../src/audit/verify.js';
import { tellAuditHead } from '../../src/jobs/audit-head.js';
import { keyedHash } from '../../src/lib/hash.js';
import { Vault } from '../../src/lib/vault.js';
import type { Db } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { putSetting, readSetting } from '../../src/store/settings.js';
import { ManualClock } from '../lib/manual-clock.js';
import { testAudit, testVault } from '../support/audit.js';
import { racingEngines } from '../support/engines.js';
import { testSecret } from '../support/service.js';
import { openStore } from '../tpp/support.js';

const clock = new ManualClock();
const by = { actor: 'cli:maria', reason: 'a test \ud800\u0000 of «λόγος»' };
const adminOf = (db: Db): Admin =>
  new Admin({
    db,
    audit: testAudit,
    clock,
    bankTime: async () => clock.now(),
    config: { fapi2Only: 'off', twoPeople: 'off', timeZone: 'UTC' },
    by,
  });

/** As who has the rights of the owner of the database. */
const unguard: Readonly<Record<Db['engine'], string>> = {
  sqlite: 'drop trigger if exists audit_log_update; drop trigger if exists audit_log_delete;',
  postgres: 'drop trigger if exists audit_log_only_grows on audit_log;',
};

const HEAD = 'audit-head';
const ROWS = 12;

const engines = racingEngines(
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
        return admin[index % 3 ? 'suspendTpp' : 'resumeTpp'](tpp);
      }),
    );
  });
  afterAll(async () => {
    await other.close();
    await store.close();
  });

  it('is one chain, whichever node an act was done on', async () => {
    const { rows, broken } = await verifyAudit(store.db, testVault);
    expect({ rows, broken }).toEqual({ rows: ROWS, broken: undefined });
    const [last] = await latestAudit(store.db, { act: 'tpp', subject: `tpp:${tpp}` }, 1);
    expect(last).toMatchObject({ actor: 'cli:maria', reason: 'a test \ufffd  of «λόγος»' });
  });

  it('has no row of an act that failed', async () => {
    await expect(adminOf(store.db).suspendTpp('none')).rejects.toThrow();
    expect((await verifyAudit(store.db, testVault)).rows).toBe(ROWS);
  });

  it('cannot be changed by the service', async () => {
    const grows = { cause: expect.objectContaining({ message: expect.stringContaining('only grows') }) };
    for (const sql of ['update audit_log set act = act', 'delete from audit_log']) {
      const error: unknown = await store.db.run(sql).catch((each: unknown) => each);
      expect([grows.cause, expect.objectContaining(grows)]).toContainEqual(error);
    }
  });

  it('is exported with the text that each row is hashed from', async () => {
    const lines: string[] = [];
    for await (const line of auditText(eachAuditRow(store.db), 'ndjson')) lines.push(line);
    const [{ key, name }] = testVault.keys('audit-log');
    for (const line of lines) {
      const { hashed, hash, previous } = JSON.parse(line) as Record<string, string>;
      expect(`${name}.${keyedHash(key, `${previous}\n${hashed}`)}`).toBe(hash);
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
    const { broken } = await verifyAudit(db, testVault);
    await restore();
    expect(broken?.position).toBe(position);
    expect((await verifyAudit(db, testVault)).broken).toBeUndefined();
  });

  it('shows a tail that was cut off with the head, to who has kept the head', async () => {
    const { db } = store;
    const { head } = await verifyAudit(db, testVault);
    expect((await verifyAudit(db, testVault, head)).broken).toBeUndefined();
    await db.script(unguard[engine]);
    const whole = (await readSetting(db, HEAD)) ?? '';
    const [before] = await latestAudit(db, { before: ROWS }, 1);
    await db.run('delete from audit_log where position = ?', [ROWS]);
    await putSetting(db, HEAD, `${ROWS - 1} ${before?.hash}`);
    expect(whole).toBe(`${ROWS} ${head}`);
    expect((await verifyAudit(db, testVault)).broken).toBeUndefined();
    expect((await verifyAudit(db, testVault, head)).broken).toMatchObject({ position: ROWS });
  });

  it('takes one row for a flood of security events, and keeps them while the store is away', async () => {
    const rows = async (): Promise<number> => (await verifyAudit(store.db, testVault)).rows;
    const before = await rows();
    let isAway = true;
    const db: Db = {
      ...store.db,
      transaction: (work) => (isAway ? Promise.reject(new Error('away')) : store.db.transaction(work)),
    };
    const recorder = new SecurityRecorder({ db, audit: testAudit, clock, log: { warn: () => undefined } });
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

  describe('rewritten by somebody who has the database and no secret', () => {
    const write = async (rows: readonly AuditRow[]): Promise<void> => {
      const { db } = store;
      await db.script(unguard[engine]);
      await db.run('delete from audit_log');
      let last = { position: 0, hash: FIRST_HASH };
      for (const row of rows) {
        last = row;
        await db.run(
          'insert into audit_log (position, at, actor, act, subject, reason, details, hash) values (?, ?, ?, ?, ?, ?, ?, ?)',
          [row.position, row.at, row.actor, row.act, row.subject, row.reason, row.details, row.hash],
        );
      }
      await putSetting(db, HEAD, `${last.position} ${last.hash}`);
    };
    /** The chain of these rows as anybody can compute it. */
    const unkeyed = (rows: readonly AuditRow[]): AuditRow[] => {
      const made: AuditRow[] = [];
      for (const row of rows) {
        const moved = { ...row, position: made.length + 1 };
        made.push({ ...moved, hash: unkeyedHashAfter(made.at(-1)?.hash ?? FIRST_HASH, moved) });
      }
      return made;
    };
    const rowsNow = async (): Promise<AuditRow[]> => (await latestAudit(store.db, {}, 10_000)).toReversed();
    const append = (audit = testAudit, act: 'a.b' | typeof SEAL = 'a.b') =>
      store.db.transaction((tx) => audit.append(tx, { actor: 'x', act, subject: 'y' }, clock.now()));
    let kept: AuditRow[] = [];

    beforeAll(async () => {
      kept = await rowsNow();
    });
    afterEach(() => write(kept));

    it('is broken at the first row without a key, also after honest rows', async () => {
      await write(unkeyed(kept.filter(({ position }) => position !== 4 && position !== 5)));
      expect((await verifyAudit(store.db, testVault)).broken?.position).toBe(1);
      await append();
      expect((await verifyAudit(store.db, testVault)).broken?.position).toBe(1);
    });

    it('is broken at a tail without a key, and keyed rows of before cannot be put after it', async () => {
      const forged = unkeyed(kept)
        .slice(6)
        .map((row) => ({ ...row }));
      for (const [index, row] of forged.entries())
        row.hash = unkeyedHashAfter((forged[index - 1] ?? kept[5])?.hash ?? '', row);
      await write([...kept.slice(0, 6), ...forged]);
      expect((await verifyAudit(store.db, testVault)).broken?.position).toBe(7);
      await write([...kept.slice(0, 6), ...forged.slice(0, 2), ...kept.slice(8)]);
      expect((await verifyAudit(store.db, testVault)).broken?.position).toBe(9);
    });

    it('is broken under a key of his own', async () => {
      const own = new AuditLog(() => new Vault('x'.repeat(40)));
      await write([]);
      await append(own);
      expect((await verifyAudit(store.db, testVault)).broken?.position).toBe(1);
    });

    it('is whole after an upgrade only once a person has sealed what was there', async () => {
      await write(unkeyed(kept.slice(0, 3)));
      await append();
      expect(await verifyAudit(store.db, testVault)).toMatchObject({ unsealed: 1, broken: { position: 1 } });
      await append(testAudit, SEAL);
      expect(await verifyAudit(store.db, testVault)).toEqual({ rows: 5, head: expect.any(String) });
      const sealed = await rowsNow();
      await write([...unkeyed(sealed.slice(0, 2)), ...sealed.slice(2)]);
      expect((await verifyAudit(store.db, testVault)).broken).toBeUndefined();
      await write([
        ...unkeyed([...sealed.slice(0, 1), { ...kept[1], actor: 'cli:eve' } as AuditRow]),
        ...sealed.slice(2),
      ]);
      expect((await verifyAudit(store.db, testVault)).broken?.position).toBe(3);
    });

    it('outlives two changes of the secret, whether or not something was written meanwhile', async () => {
      const [second, third] = ['n'.repeat(40), 'm'.repeat(40)];
      const both = new Vault(`${second},${testSecret}`);
      await append(new AuditLog(() => both));
      const next = new Vault(`${third},${second}`);
      const lines: object[] = [];
      const job = tellAuditHead({
        db: store.db,
        audit: new AuditLog(() => next),
        log: { info: (line: object) => void lines.push(line) } as never,
      });
      await job.step();
      const { head, rows, broken } = await verifyAudit(store.db, new Vault(third));
      expect(broken).toBeUndefined();
      expect(lines).toEqual([{ position: rows, head }]);
      expect((await verifyAudit(store.db, new Vault('o'.repeat(40)))).broken?.position).toBe(1);
      await store.db.run("delete from settings where name = 'audit-keys'");
      expect((await verifyAudit(store.db, new Vault(third))).broken?.position).toBe(1);
    });
  });
});
