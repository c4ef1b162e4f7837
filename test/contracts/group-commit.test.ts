/** Records committed together: each caller gets its own outcome, and only when its own record is safe. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Db, StoreUnavailable } from '../../src/store/db.js';
import { GroupCommit, inTransaction } from '../../src/store/group-commit.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { bothEngines } from '../support/engines.js';

const TABLES = `
create table records (id text primary key, position bigint not null);
create table lines (id text primary key, record_id text not null);
`;
const INSERT = `insert into records (id, position) select cast(? as text), coalesce(max(position), 0) + 1 from records`;
const LINE = 'insert into lines (id, record_id) values (?, ?)';

const settled = <T>(promises: readonly Promise<T>[]) =>
  Promise.allSettled(promises).then((all) => all.map(({ status }) => status));

const engines = bothEngines('each engine commits a batch of writes in its own way');

describe.each(engines)('group commit on %s', (engine) => {
  let database: TestDatabase;
  let db: Db;
  let commits = 0;

  beforeAll(async () => {
    database = await createDatabase(engine);
    const opened = await openDb(database.url, 5);
    await opened.script(TABLES);
    db = {
      ...opened,
      writeBatch: (writes) => {
        commits += 1;
        return opened.writeBatch(writes);
      },
    };
  });
  beforeEach(async () => {
    await db.script('delete from lines; delete from records;');
    commits = 0;
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  const recordsOn = (place: Pick<Db, 'writeBatch'>) =>
    new GroupCommit(
      inTransaction(
        place,
        (id: string) => [{ sql: INSERT, params: [id] }],
        (changes) => changes,
      ),
    );
  const idsByPosition = async (): Promise<string[]> =>
    (await db.all<{ id: string }>('select id from records order by position, id')).map(({ id }) => id);
  const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `r${index}`);

  it('writes a thousand concurrent records in a handful of commits, each caller with its own result', async () => {
    const group = recordsOn(db);
    const results = await Promise.all(names(1000).map((id) => group.add(id)));
    expect(results).toEqual(names(1000).map(() => [1]));
    expect(await idsByPosition()).toHaveLength(1000);
    expect(commits).toBeLessThanOrEqual(10);
  });

  it('gives each caller the result of its own writes', async () => {
    const writesOf = (ids: readonly string[]) => [
      ...ids.map((id) => ({ sql: LINE, params: [id, 'r'] })),
      { sql: 'delete from lines where id = ?', params: [ids[0] ?? ''] },
    ];
    const group = new GroupCommit(inTransaction(db, writesOf, (changes) => changes.join()));
    const results = await Promise.all([group.add(['a', 'b']), group.add([]), group.add(['c'])]);
    expect(results).toEqual(['1,1,1', '0', '1,1']);
  });

  it('has no key twice in a batch, where there are keys', async () => {
    const batches: string[] = [];
    const sizes: number[] = [];
    const group = new GroupCommit<string, string>(
      async (items) => {
        batches.push(items.join(''));
        return items;
      },
      { keyOf: (item) => item.toLowerCase(), watch: { commit: (size) => sizes.push(size) } },
    );
    const results = await Promise.all([...'abAcBCcd'].map((item) => group.add(item)));
    expect(results.join('')).toBe('abAcBCcd');
    expect(batches).toEqual(['ab', 'AcB', 'C', 'cd']);
    expect(sizes).toEqual([2, 3, 1, 2]);
  });

  it('keeps the order in which the records of a batch came', async () => {
    const group = recordsOn(db);
    await Promise.all(names(200).map((id) => group.add(id)));
    expect(await idsByPosition()).toEqual(names(200));
  });

  it('lets a caller go on only when its record can be read by others', async () => {
    const group = recordsOn(db);
    const seen = await Promise.all(
      names(300).map(async (id) => {
        await group.add(id);
        return db.one('select id from records where id = ?', [id]);
      }),
    );
    expect(seen).toEqual(names(300).map((id) => ({ id })));
  });

  it('resolves nobody while the commit is still under way', async () => {
    const steps: string[] = [];
    const watched: Db = {
      ...db,
      writeBatch: async (writes) => {
        const result = await db.writeBatch(writes);
        await new Promise((resolve) => setImmediate(resolve));
        steps.push('committed');
        return result;
      },
    };
    const group = recordsOn(watched);
    await Promise.all(['a', 'b'].map((id) => group.add(id).then(() => steps.push(id))));
    expect(steps).toEqual(['committed', 'a', 'b']);
  });

  it('begins a lone record within the same turn, and gathers others only while its commit is under way', async () => {
    const sizes: number[] = [];
    const ends: (() => void)[] = [];
    const group = new GroupCommit<string, string>(async (items) => {
      sizes.push(items.length);
      await new Promise<void>((resolve) => ends.push(resolve));
      return items;
    });
    const turnEnds = new Promise((resolve) => setImmediate(resolve));
    const beforeTurnEnds = new Promise((resolve) => process.nextTick(() => process.nextTick(resolve)));
    const all = [group.add('a')];
    await beforeTurnEnds;
    expect(sizes).toEqual([1]);
    all.push(group.add('b'), group.add('c'));
    await turnEnds;
    expect(sizes).toEqual([1]);
    ends[0]?.();
    await all[0];
    await new Promise((resolve) => setImmediate(resolve));
    expect(sizes).toEqual([1, 2]);
    ends[1]?.();
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
  });

  it('takes in what arrives while a commit is under way, and starts again after a pause', async () => {
    const group = recordsOn(db);
    const first = group.add('a');
    const second = first.then(() => group.add('b'));
    await Promise.all([first, second, group.add('c')]);
    await group.add('d');
    expect((await idsByPosition()).toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('does not let one bad record take the others down', async () => {
    const group = recordsOn(db);
    const ids = names(50);
    ids[20] = 'r3';
    const outcomes = await settled(ids.map((id) => group.add(id)));
    expect(outcomes.filter((status) => status === 'rejected')).toHaveLength(1);
    expect(outcomes[20]).toBe('rejected');
    expect((await idsByPosition()).toSorted()).toEqual([...new Set(ids)].toSorted());
  });

  it('writes a good record of several statements exactly once beside a bad one', async () => {
    const lines = [1, 2, 3, 4, 5, 6, 7, 8];
    const writesOf = (id: string) => [
      { sql: INSERT, params: [id === 'bad' ? 'r0' : id] },
      ...lines.map((line) => ({ sql: LINE, params: [`${id}-${line}`, id] })),
    ];
    const group = new GroupCommit(inTransaction(db, writesOf, () => undefined));
    const outcomes = await settled(['r0', 'bad', 'r1', 'r2'].map((id) => group.add(id)));
    expect(outcomes).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await db.one('select count(*) as n from lines')).toEqual({ n: 24 });
    expect(await idsByPosition()).toEqual(['r0', 'r1', 'r2']);
  });

  it('rejects every record of a commit that the store lost, and tries none of them again', async () => {
    let attempts = 0;
    const lost: Db = {
      ...db,
      writeBatch: async () => {
        attempts += 1;
        throw new StoreUnavailable(new Error('connection lost'), true);
      },
    };
    const group = recordsOn(lost);
    const errors = await Promise.all(
      names(20).map((id) => group.add(id).catch((error: unknown) => error as StoreUnavailable)),
    );
    expect(errors.every((error) => error instanceof StoreUnavailable && error.outcomeUnknown)).toBe(true);
    expect(attempts).toBe(1);
  });
});
