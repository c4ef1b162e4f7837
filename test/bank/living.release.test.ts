/**
 * The demo bank goes on with its time: the same future however the clock is moved, books that add up, balances within what people
 * keep, and card payments that are booked, changed or dropped.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bankDaysAfter, shifted } from '../../packages/sandbox/src/bank/history/calendar.js';
import { lives } from '../../packages/sandbox/src/bank/history/lives.js';
import { nameEntries } from '../../packages/sandbox/src/bank/ledger/entry-ids.js';
import { internalId } from '../../packages/sandbox/src/bank/ledger/internal-accounts.js';
import { post } from '../../packages/sandbox/src/bank/ledger/post.js';
import { creditIdOf } from '../../packages/sandbox/src/bank/ledger/transfer.js';
import { DemoLife } from '../../packages/sandbox/src/bank/living/demo-life.js';
import { demoAccount, demoAccounts } from '../../packages/sandbox/src/bank/people.js';
import { seedDemoBank } from '../../packages/sandbox/src/bank/seed-bank.js';
import { makeBooks } from '../../packages/sandbox/src/bank/seed-books.js';
import { sandboxMigrations } from '../../packages/sandbox/src/migrations/index.js';
import type { Db } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { putSetting } from '../../src/store/settings.js';
import { createDatabase } from '../support/database.js';
import { bothEngines, type Engine, engines } from '../support/engines.js';
import { ever, faultsIn, holding, timeZone, today, useBooks } from './books.js';

const LONG = 100_000;

const lifeUntil = (db: Db, day: string): DemoLife => new DemoLife({ db, timeZone, today: async () => day });

/** Everything that the books say, in an order that does not depend on how it was written. */
const told = async (db: Db): Promise<string> =>
  JSON.stringify([
    await db.all('select * from demo_transfers order by id'),
    await db.all('select * from demo_holds order by id'),
    await db.all('select * from demo_accounts order by id'),
  ]);

const withBooks = async <T>(engine: Engine, work: (db: Db, url: string) => Promise<T>): Promise<T> => {
  const { url, drop } = await createDatabase(engine);
  const db = await openDb(url, 4);
  try {
    await migrate(db, 0, sandboxMigrations);
    const books = makeBooks({ today, timeZone, months: 1 });
    await db.exclusive((tx) => seedDemoBank(tx, books));
    return await work(db, url);
  } finally {
    await db.close();
    await drop();
  }
};

const inOneLeap = (engine: Engine, days: number): Promise<string> =>
  withBooks(engine, async (db) => {
    await lifeUntil(db, shifted(today, days)).catchUp(LONG);
    return told(db);
  });

const racing = bothEngines(
  'two processes write the same days: PostgreSQL by an advisory lock, SQLite by the lock of its file',
);

describe('the future', () => {
  const DAYS = 30;

  it('is the same in one leap, in thirty steps, in steps of any size with a start between them', async () => {
    const leap = await inOneLeap('sqlite', DAYS);
    const steps = fc.uniqueArray(fc.integer({ min: 1, max: DAYS - 1 }), { maxLength: DAYS - 1 });
    const everyDay = Array.from({ length: DAYS - 1 }, (_, day) => day + 1);
    await fc.assert(
      fc.asyncProperty(steps, (days) =>
        withBooks('sqlite', async (db) => {
          for (const day of [...days.toSorted((a, b) => a - b), DAYS])
            await lifeUntil(db, shifted(today, day)).catchUp(LONG);
          expect(await told(db)).toBe(leap);
        }),
      ),
      { numRuns: 3, examples: [[everyDay]] },
    );
  });

  it.each(racing)('is the same for two processes that write it at once, on %s', async (engine) => {
    const alone = await inOneLeap('sqlite', DAYS);
    await withBooks(engine, async (db, url) => {
      const other = await openDb(url, 2);
      const day = shifted(today, DAYS);
      await Promise.all([db, other, db].map((each) => lifeUntil(each, day).catchUp(LONG)));
      await other.close();
      expect(JSON.parse(await told(db))).toEqual(JSON.parse(alone));
    });
  });

  it('does not go back with a clock that goes back, and goes on where it was', async () => {
    await withBooks('sqlite', async (db) => {
      await lifeUntil(db, shifted(today, 5)).catchUp(LONG);
      const before = await told(db);
      expect(await lifeUntil(db, shifted(today, -400)).step()).toBe(false);
      expect(await told(db)).toBe(before);
      expect(await lifeUntil(db, shifted(today, 6)).step()).toBe(true);
    });
  });

  it('ends 400 days after the day of seeding, however far the clock is moved', async () => {
    await withBooks('sqlite', async (db) => {
      await putSetting(db, 'demo-life', `${today} ${shifted(today, 394)}`);
      const life = lifeUntil(db, '9998-12-31');
      await life.catchUp(LONG);
      expect(await life.writtenUntil()).toBe(shifted(today, 399));
      expect(await life.step()).toBe(false);
      expect(await faultsIn(db)).toEqual([]);
    });
  });
});

interface Held {
  readonly amountMinor: number;
  readonly date: string;
}

describe.each(engines)('sixty days on %s', (engine) => {
  const books = useBooks(engine, { months: 1 });
  const held = new Map<string, Held>();
  const DAYS = 60;

  it('have books that add up at the end of every day, and nobody below what people keep', async () => {
    const { db } = books();
    for (let day = 0; day <= DAYS; day += 1) {
      await lifeUntil(db, shifted(today, day)).catchUp(LONG);
      for (const { id, ...hold } of await db.all<Held & { id: string }>(
        'select id, amount_minor as "amountMinor", entered_on as date from demo_holds',
      ))
        held.set(id, hold);
      if (day % 10 === 0) expect(await faultsIn(db)).toEqual([]);
      const left = await db.all<{ id: string; left: number }>(
        `select id, booked_minor - pending_minor as left from demo_accounts where role = 'customer'`,
      );
      const poor = left.filter(
        ({ id, left: amount }) => amount < (lives.find(({ account }) => account.id === id)?.floor ?? 0),
      );
      expect(poor).toEqual([]);
    }
  });

  it('book every card payment under its id within three bank days, some with another amount, or drop it', async () => {
    const { db } = books();
    const rows = await db.all<{ id: string; amountMinor: number; date: string }>(
      'select id, amount_minor as "amountMinor", booking_date as date from demo_transfers',
    );
    const booked = new Map(rows.map(({ id, ...row }) => [id, row]));
    const kinds = { same: 0, changed: 0, dropped: 0 };
    const last = shifted(today, DAYS - 1);
    for (const [id, { amountMinor, date }] of held) {
      const row = booked.get(id);
      if (row) {
        kinds[row.amountMinor === amountMinor ? 'same' : 'changed'] += 1;
        expect(row.date >= bankDaysAfter(date, 1) && row.date <= bankDaysAfter(date, 3)).toBe(true);
      } else if (bankDaysAfter(date, 3) <= last) kinds.dropped += 1;
    }
    expect(kinds.same).toBeGreaterThan(100);
    expect(kinds.changed).toBeGreaterThan(10);
    expect(kinds.dropped).toBeGreaterThan(1);
    const stuck = await db.all('select id from demo_holds where entered_on < ?', [shifted(last, -10)]);
    expect(stuck).toEqual([]);
  });

  it('have wages, standing orders, direct debits and cards, each with what belongs to it', async () => {
    const { bank } = books();
    const accountId = demoAccount(101).id;
    const query = { accountId, from: today, to: ever.to, after: null, context: holding(accountId) } as const;
    const { items } = await bank.transactions({ ...query, status: 'booked', limit: 1000 });
    const of = (code: string) => items.filter((item) => item.code === code).map(({ details }) => details);
    expect(of('PMNT-RCDT-SALA').length).toBeGreaterThanOrEqual(2);
    for (const { endToEndId } of [...of('PMNT-RCDT-SALA'), ...of('PMNT-ICDT-STDO')])
      expect(endToEndId).toMatch(/^REF[0-9A-F]{20}$/);
    const debits = of('PMNT-RDDT-ESDD');
    expect(debits.length).toBeGreaterThan(4);
    for (const { mandateId, creditorId } of debits) {
      expect(mandateId).toMatch(/^M[0-9A-F]{8}$/);
      const [, check = '', national = ''] = /^GR(\d\d)ZZZ(\d{5})$/.exec(creditorId ?? '') ?? [];
      expect(BigInt(`${national}1627${check}`) % 97n).toBe(1n);
    }
    const cards = of('PMNT-CCRD-POSD');
    expect(cards.length).toBeGreaterThan(30);
    for (const { merchantCategoryCode } of cards) expect(merchantCategoryCode).toMatch(/^\d{4}$/);
    const abroad = items.filter(({ details }) => details.exchange);
    expect(abroad.length).toBeGreaterThan(1);
    for (const { amountMinor, details } of abroad)
      expect(Math.round((details.exchange?.amountMinor ?? 0) * (details.exchange?.rate ?? 0))).toBe(
        amountMinor,
      );
    const moments = await bank.balances(accountId, holding(accountId));
    expect(moments.map(({ at }) => at)).not.toContain(books().clock.now());
  });

  it('leave the account with one cent, the closed and the blocked one as they are', async () => {
    const rows = await books().db.all<{ id: string; booked: number }>(
      'select id, booked_minor as booked from demo_accounts',
    );
    const bookedOf = (number: number) => rows.find(({ id }) => id === demoAccount(number).id)?.booked;
    expect([401, 402, 602].map(bookedOf)).toEqual([1, 0, 0]);
    const paid = await books().db.all(
      'select id from demo_transfers where debit_account = ? and booking_date >= ?',
      [demoAccount(1001).id, today],
    );
    expect(paid).toEqual([]);
  });
});

describe.each(engines)('an account that its holder has emptied, on %s,', (engine) => {
  it('pays nothing that it does not have, and receives its wage', async () => {
    await withBooks(engine, async (db) => {
      const { id, bookedMinor, pendingMinor } = demoAccount(101);
      const nobody = { name: null, iban: null };
      const leg = { debit: id, credit: internalId('nostro', 'EUR'), payer: nobody, payee: nobody };
      const amountMinor = bookedMinor - pendingMinor;
      const legs = [{ ...leg, amountMinor, code: 'PMNT-ICDT-ESCT' }];
      await db.transaction((tx) => post(tx, { date: today, at: 0, isChecked: true, legs }));
      await lifeUntil(db, '2026-05-29').catchUp(LONG);
      const row = () =>
        db.one<{ left: number }>(
          'select booked_minor - pending_minor as left from demo_accounts where id = ?',
          [id],
        );
      // The cancelled order comes back, the payment in pounds costs a little more than was set aside.
      expect((await row())?.left).toBeGreaterThanOrEqual(0);
      expect((await row())?.left).toBeLessThan(10_000);
      await lifeUntil(db, '2026-05-30').catchUp(LONG);
      expect((await row())?.left).toBeGreaterThan(150_000);
      expect(await faultsIn(db)).toEqual([]);
    });
  });
});

describe.each(engines)('a store from before each entry had an id, on %s,', (engine) => {
  it('keeps the ids of payers, gives payees their own, and goes on from today', async () => {
    const { url, drop } = await createDatabase(engine);
    const db = await openDb(url, 2);
    await migrate(db, 0, sandboxMigrations.slice(0, 1));
    const [payer, payee] = [demoAccount(101), demoAccount(801)];
    const account = `insert into demo_accounts
      (id, iban, currency, name, product, status, booked_minor, pending_minor, credit_minor, role) values`;
    for (const { id, iban } of [payer, payee])
      await db.run(`${account} (?, ?, 'EUR', '', '', 'enabled', 0, 0, 0, 'customer')`, [id, iban]);
    await db.run(`${account} (?, 'XX', 'EUR', '', '', 'enabled', 0, 0, 0, 'nostro')`, ['nostro']);
    const transfer = `insert into demo_transfers
      (id, booking_id, currency, amount_minor, debit_account, credit_account, booking_date, value_date, booked_at, code,
       debit_seq, debit_balance, debit_paid, debit_paid_count, credit_seq, credit_balance, credit_paid, credit_paid_count)
      values (?, ?, 'EUR', 1, ?, ?, '2026-05-0' || ?, '2026-05-01', ?, 'PMNT-ICDT-BOOK', ?, 0, 0, 0, ?, 0, 0, 0)`;
    await db.run(transfer, ['paid', 'order', payer.id, payee.id, '1', 77, 1, 1]);
    await db.run(transfer, ['wage', 'other', 'nostro', payer.id, '2', 88, 1, 2]);
    await db.run(
      `insert into demo_payments (id, account_id, booked_on, limit_minor, settles_at) values ('order', ?, '', 1, 1)`,
      [payer.id],
    );
    await migrate(db, 0, sandboxMigrations);
    await Promise.all([nameEntries(db), nameEntries(db)]);
    expect(
      await db.all(
        'select id, credit_id as "creditId", payment_id as "paymentId" from demo_transfers order by id',
      ),
    ).toEqual([
      { id: 'paid', creditId: creditIdOf('paid'), paymentId: 'order' },
      { id: 'wage', creditId: null, paymentId: null },
    ]);
    expect(
      await db.one(
        'select opened_on as "openedOn", changed_at as "changedAt" from demo_accounts where id = ?',
        [payer.id],
      ),
    ).toEqual({ openedOn: '2026-05-01', changedAt: 88 });
    const life = lifeUntil(db, today);
    expect(await life.step()).toBe(false);
    expect(await life.writtenUntil()).toBe(shifted(today, -1));
    await db.close();
    await drop();
  });
});

describe('the demo people', () => {
  it('are all known to the future', () => {
    const known = new Set(lives.map(({ account }) => account.id));
    expect(demoAccounts.filter(({ id }) => !known.has(id))).toEqual([]);
  });
});
