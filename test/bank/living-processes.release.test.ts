/** The future of the demo bank under attack: processes that move the clock at once, are killed between two days, and are reset meanwhile. */
import { describe, expect, it } from 'vitest';
import { casePsus } from '../../packages/sandbox/src/bank/case-people.js';
import { shifted } from '../../packages/sandbox/src/bank/history/calendar.js';
import { DemoLife } from '../../packages/sandbox/src/bank/living/demo-life.js';
import { demoAccounts } from '../../packages/sandbox/src/bank/people.js';
import { seedDemoBank } from '../../packages/sandbox/src/bank/seed-bank.js';
import { makeBooks } from '../../packages/sandbox/src/bank/seed-books.js';
import { sandboxMigrations } from '../../packages/sandbox/src/migrations/index.js';
import { derivedId } from '../../src/lib/id.js';
import type { Db } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { readSetting } from '../../src/store/settings.js';
import { PaymentNode, STARTING_MS } from '../payment/nodes.js';
import { send } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { bothEngines } from '../support/engines.js';
import { askForReset, moveBankClock } from '../support/operations.js';
import { until } from '../support/until.js';
import { useService, withStore } from '../support/use-service.js';
import { faultsIn, timeZone } from './books.js';

/** Nothing happens on these, and a bank without the sandbox has none of them. */
const still = casePsus
  .flatMap(({ accounts }) => accounts.flatMap(({ id }) => [id, derivedId(`internal:nostro:${id}`)]))
  .map((id) => `'${id}'`)
  .join();

const told = async (db: Db): Promise<unknown> =>
  JSON.parse(
    JSON.stringify([
      await db.all(`select * from demo_transfers where debit_account not in (${still}) order by id`),
      await db.all('select * from demo_holds order by id'),
      await db.all(`select * from demo_accounts where id not in (${still}) order by id`),
    ]),
  );

/** The same days in a store of its own, undisturbed. */
const undisturbed = async (since: string, until: string): Promise<unknown> => {
  const { url, drop } = await createDatabase('sqlite');
  const db = await openDb(url, 1);
  await migrate(db, 0, sandboxMigrations);
  const books = makeBooks({ today: since, timeZone, months: 1 });
  await db.exclusive((tx) => seedDemoBank(tx, books));
  await new DemoLife({ db, timeZone, today: async () => shifted(until, 1) }).catchUp(100_000);
  const all = await told(db);
  await db.close();
  await drop();
  return all;
};

const lifeIn = async (db: Db): Promise<readonly [since: string, until: string]> => {
  const [since = '', until = ''] = (await readSetting(db, 'demo-life'))?.split(' ') ?? [];
  return [since, until];
};

const engines = bothEngines(
  'two processes write the same days: PostgreSQL by an advisory lock, SQLite by the lock of its file',
);

describe.each(engines)('two processes on %s', (engine) => {
  it(
    'that move the clock at once and are killed between two days leave the same books as an undisturbed one',
    async () => {
      const { url, drop } = await createDatabase(engine);
      const nodes = await Promise.all([1, 2].map(() => PaymentNode.start(url, { TRAPEZA_DEMO_MONTHS: '1' })));
      const [first, second] = nodes as [PaymentNode, PaymentNode];
      const db = await openDb(url, 2);
      const [since, start] = await lifeIn(db);
      const move = (node: PaymentNode) =>
        send(node.url, { method: 'PUT', path: '/sandbox/clock', body: { advance: 'P20D' } }).catch(
          () => undefined,
        );
      const moving = Promise.all([move(first), move(second), move(first)]);
      await until(async () => (await lifeIn(db))[1] > shifted(start, 4));
      await first.kill();
      await until(async () => (await lifeIn(db))[1] > shifted(start, 12));
      await second.kill();
      await moving;
      // Whichever movements were answered, the time has moved; the next start goes on from the last day that was written.
      await first.start();
      const readClock = async () =>
        (await send(first.url, { path: '/sandbox/clock' })).json as { now: string; booksUntil: string };
      const { now } = await readClock();
      const yesterday = shifted(
        new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(Date.parse(now)),
        -1,
      );
      await until(async () => (await readClock()).booksUntil === yesterday);
      await first.kill();
      expect(await faultsIn(db)).toEqual([]);
      expect(yesterday >= shifted(since, 19)).toBe(true);
      expect(await told(db)).toEqual(await undisturbed(since, yesterday));
      await db.close();
      await drop();
    },
    STARTING_MS,
  );
});

describe.each(engines)('a reset on %s', (engine) => {
  const service = useService({ engine, isAlive: true, env: { TRAPEZA_DEMO_MONTHS: '1' } });

  it('while the bank lives through a leap starts anew, with nothing of the future left', async () => {
    const described = demoAccounts.map(({ id, bookedMinor }) => ({ id, booked: bookedMinor }));
    for (let turn = 0; turn < 3; turn += 1) {
      const [, reset] = await Promise.all([
        moveBankClock(service(), 'P40D'),
        withStore(service(), async (db) => {
          const [, start] = await lifeIn(db);
          await until(async () => (await lifeIn(db))[1] > start);
          return askForReset(service());
        }),
      ]);
      expect(reset.status).toBe(204);
      await withStore(service(), async (db) => {
        const [since, reached] = await lifeIn(db);
        expect(reached).toBe(shifted(since, -1));
        expect(await faultsIn(db)).toEqual([]);
        const rows = await db.all<{ id: string; booked: number }>(
          `select id, booked_minor as booked from demo_accounts where role = 'customer' and id not in (${still})`,
        );
        const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
        expect(rows.toSorted(byId)).toEqual(described.toSorted(byId));
      });
    }
  });
});
