/** `doctor` sees what a crash could take back although it was confirmed, as the sessions of the service would have it. */
import { afterEach, describe, expect, it } from 'vitest';
import { checkDurability, type Durability, judgeDurability } from '../../src/cli/doctor/durability.js';
import type { Db } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase } from '../support/database.js';
import { hasPostgres } from '../support/engines.js';

const SAFE: Durability = {
  ...{ fsync: 'on', fullPageWrites: 'on', synchronousCommit: 'on', synchronousNames: '' },
  ...{ mayMakeTables: 'true', standbys: [] },
};
const one = (name: string, state: string | null) => ({ name, state });

describe('what doctor says of durability', () => {
  it.each<[string, Partial<Durability>, 'ok' | 'warning' | 'failed', RegExp]>([
    ['nothing amiss', {}, 'ok', /every commit is on the disk/],
    ['no flush', { fsync: 'off' }, 'failed', /^fsync is off: .*since the last backup lost/],
    ['half pages', { fullPageWrites: 'off' }, 'failed', /^full_page_writes is off: .*half written/],
    ['late commits', { synchronousCommit: 'off' }, 'failed', /of up to a second are gone/],
    ['local commits, no standby wanted', { synchronousCommit: 'local' }, 'ok', /./],
    ['local commits', { synchronousCommit: 'local', synchronousNames: 'a' }, 'failed', /is local for this/],
    [
      'a standby behind',
      { standbys: [one('a', 'async')] },
      'warning',
      /asynchronous \(a\): a failover loses/,
    ],
    ['one of two behind', { standbys: [one('a', 'async'), one('b', 'sync')] }, 'ok', /./],
    ['a standby that may not be seen', { standbys: [one('a', null)] }, 'ok', /./],
    ['no temporary tables', { mayMakeTables: 'false' }, 'warning', /Grant it TEMPORARY/],
  ])('%s', (_name, changes, verdict, detail) => {
    expect(judgeDurability({ ...SAFE, ...changes })).toMatchObject([{ verdict }]);
    expect(judgeDurability({ ...SAFE, ...changes })[0]?.detail).toMatch(detail);
  });
});

describe.runIf(hasPostgres)('a database of PostgreSQL', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  const opened = async (url: string): Promise<Db> => {
    const db = await openDb(url, 1);
    closers.push(() => db.close());
    return db;
  };

  it('is read with the settings of the service, which may differ from those of the server', async () => {
    const database = await createDatabase('postgres');
    closers.push(() => database.drop());
    const name = new URL(database.url).pathname.slice(1);
    const operator = await opened(database.url);
    await operator.script(`alter database ${name} set synchronous_commit = off`);
    const db = await opened(database.url);
    const flushes = /^synchronous_commit is off/;
    // The fast server of the tests does not flush either.
    for (const [isProduction, verdict] of [
      [true, 'failed'],
      [false, 'warning'],
    ] as const) {
      const findings = await checkDurability(db, isProduction);
      expect(findings.filter(({ detail }) => flushes.test(detail))).toMatchObject([{ verdict }]);
    }
    const ofOperator = await checkDurability(operator, true);
    expect(ofOperator.some(({ detail }) => flushes.test(detail))).toBe(false);
  });
});
