/**
 * What the store answers while its connections break: the truth or StoreUnavailable, within its time limit. Every read below has a
 * row, every write is known to the journal.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Db, StoreUnavailable } from '../../../src/store/db.js';
import { openDb } from '../../../src/store/open.js';
import { hasPostgres } from '../../support/engines.js';
import { type RunningPostgres, startPostgres } from '../../support/run/postgres.js';
import { FaultyProxy } from '../faulty-proxy.js';
import { faultVolume } from '../volume.js';

const test = it.runIf(hasPostgres);

const STATEMENT_MS = 1000;
/** Far more than a busy machine needs for what has a limit of one second. */
const HANGS_MS = 30_000;

let postgres: RunningPostgres;
let proxy: FaultyProxy;
/** Not through the proxy. */
let direct: Db;
let db: Db;
const wrong: string[] = [];
const committed = new Set<string>();
const undecided = new Set<string>();
let answered = 0;
let refused = 0;

beforeAll(async () => {
  postgres = await startPostgres();
  proxy = await FaultyProxy.beforeUrl(postgres.url);
  direct = await openDb(postgres.url, 1);
  await direct.script('create table things (id text primary key, n bigint)');
  for (let n = 0; n < 50; n += 1) await direct.run('insert into things values (?, ?)', [`t${n}`, n]);
  db = await openDb(proxy.through(postgres.url), 12, { statementMs: STATEMENT_MS });
});
afterAll(async () => {
  await db?.close();
  await direct?.close();
  await proxy?.close();
  await postgres?.stop();
});
beforeEach(() => {
  wrong.length = 0;
  answered = 0;
  refused = 0;
});

const ONE = 'select id, n from things where id = ?';
const same = (got: unknown, wanted: unknown, what: string): void => {
  if (JSON.stringify(got) !== JSON.stringify(wanted))
    wrong.push(`${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`);
};

let count = 0;
const insertOne = async (write: (id: string) => Promise<unknown>): Promise<void> => {
  count += 1;
  const id = `w${count}`;
  undecided.add(id);
  try {
    await write(id);
    committed.add(id);
  } catch (error) {
    // Told as not done: then it must not be there.
    if (error instanceof StoreUnavailable && !error.outcomeUnknown) undecided.delete(id);
    throw error;
  }
  undecided.delete(id);
};

const INSERT = 'insert into things values (?, 0)';
const uses: readonly ((n: number) => Promise<void>)[] = [
  async () => same(await db.one('select cast(? as text) as x', ['y']), { x: 'y' }, 'one'),
  async (n) => same(await db.all(ONE, [`t${n}`]), [{ id: `t${n}`, n }], 'all'),
  // More connections than users, so that some of them are idle when they break.
  async () => {
    const rows = await Promise.all(Array.from({ length: 12 }, () => db.one('select 1 as x')));
    same(rows.filter((row) => row === undefined).length, 0, 'reads without a row');
  },
  async (n) => {
    const row = await db.batchedReads.one<{ id: string }>(ONE, [`t${n}`]);
    same(row?.id, `t${n}`, 'together');
  },
  async () => {
    const rows = await db.all<{ n: number }>(`select n from things where id like 't%'`);
    same(rows.length, 50, 'rows of a list');
  },
  async (n) => {
    const row = await db.transaction(async (tx) => {
      await tx.run('update things set n = n where id = ?', [`t${n}`]);
      return tx.one<{ id: string }>(ONE, [`t${n}`]);
    });
    same(row?.id, `t${n}`, 'read in a transaction');
  },
  () => insertOne((id) => db.transaction((tx) => tx.run(INSERT, [id]))),
  () =>
    insertOne(async (id) =>
      same(await db.writeBatch([{ sql: INSERT, params: [id] }]), [1], 'changes of a batch'),
    ),
  () => insertOne(async (id) => same(await db.run(INSERT, [id]), 1, 'changes of a write')),
];

const useOnce = async (): Promise<void> => {
  const use = uses[Math.floor(Math.random() * uses.length)] as (typeof uses)[number];
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), HANGS_MS);
  });
  try {
    await Promise.race([use(Math.floor(Math.random() * 50)), hang]);
    answered += 1;
  } catch (error) {
    if (error instanceof StoreUnavailable) refused += 1;
    else wrong.push(String(error));
  } finally {
    clearTimeout(timer);
  }
};

/** Eight users at once, as long as the faults last. */
const under = async (faults: () => Promise<void>): Promise<void> => {
  let isOver = false;
  const users = Array.from({ length: 8 }, async () => {
    while (!isOver) await useOnce();
  });
  await faults();
  isOver = true;
  await Promise.all(users);
  await expect.poll(() => db.one('select 1 as x').catch(() => undefined)).toEqual({ x: 1 });
  expect(wrong).toEqual([]);
  expect(answered).toBeGreaterThan(0);
};

/** Until the users had this many answers more, so that each fault meets work under way. */
const answers = async (more: number): Promise<void> => {
  const wanted = answered + more;
  await expect.poll(() => answered, { interval: 1, timeout: HANGS_MS }).toBeGreaterThanOrEqual(wanted);
};

test('faults 1: a read that has a row never returns none while connections are reset', async () => {
  await under(async () => {
    for (let done = 0; done < faultVolume(150, 2000); ) {
      done += Math.max(1, proxy.reset());
      await answers(1 + (done % 7));
    }
  });
  expect(refused).toBeGreaterThan(0);
});

test('faults 2: terminated sessions are told to their users and end nothing else', async () => {
  const TERMINATE = `select count(pg_terminate_backend(pid)) as n from pg_stat_activity
    where pid <> pg_backend_pid() and datname = current_database()`;
  await under(async () => {
    for (let done = 0; done < faultVolume(20, 200); done += 1) {
      await direct.one(TERMINATE);
      await answers(1 + (done % 5));
    }
  });
  expect(refused).toBeGreaterThan(0);
});

test('faults 3: half-open connections are given up within the time limit, and new ones are used', async () => {
  await under(async () => {
    for (let done = 0; done < faultVolume(2, 50); done += 1) {
      proxy.silence();
      // In every other spell new connections are swallowed too, until two statements were given up.
      if (done % 2 === 1) {
        proxy.swallow();
        const before = refused;
        await expect.poll(() => refused, { interval: 5 }).toBeGreaterThan(before + 1);
        await proxy.restore();
      }
      await answers(20);
    }
  });
});

test('faults 1: nothing is wrong while the server is killed and comes back', async () => {
  await under(async () => {
    for (let done = 0; done < faultVolume(1, 30); done += 1) {
      await postgres.kill();
      await postgres.restart();
      await answers(20);
    }
  });
});

test('what was told as written is there, and what was told as failed is not', async () => {
  const rows = await direct
    .all<{ id: string }>(`select id from things where id like 'w%'`)
    .catch(() => direct.all<{ id: string }>(`select id from things where id like 'w%'`));
  const there = new Set(rows.map(({ id }) => id));
  expect([...committed].filter((id) => !there.has(id))).toEqual([]);
  expect([...there].filter((id) => !committed.has(id) && !undecided.has(id))).toEqual([]);
  expect(committed.size).toBeGreaterThan(0);
});
