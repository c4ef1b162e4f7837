/**
 * Paging through very many transactions while others arrive. `npm run prove -- paging` does it with a million and measures what
 * a deep page costs beside a first one; here a few thousand and the plans of both engines.
 */
import { describe, expect, it } from 'vitest';
import { internalId } from '../../packages/sandbox/src/bank/ledger/internal-accounts.js';
import { BOOKED_PAGE, bookedPageValues } from '../../packages/sandbox/src/bank/ledger/pages.js';
import { post } from '../../packages/sandbox/src/bank/ledger/post.js';
import { LAST_ENTRY } from '../../packages/sandbox/src/bank/ledger/statements.js';
import { volumeAccount } from '../../packages/sandbox/src/bank/volume.js';
import type { Db, Value } from '../../src/store/db.js';
import { bothEngines } from '../support/engines.js';
import { ever, holding, today, useBooks } from './books.js';

const wanted = process.env.TEST_PAGING;
const total = Number(wanted ?? 4000);
const limit = wanted ? 500 : 90;
const LONG = 3_600_000;

const first = {
  accountId: volumeAccount.id,
  ...ever,
  status: 'booked',
  after: null,
  limit,
  context: holding(volumeAccount.id),
} as const;

const arrive = (db: Db): Promise<unknown> => {
  const nobody = { name: null, iban: null };
  const leg = { debit: internalId('nostro', 'EUR'), credit: volumeAccount.id, payer: nobody, payee: nobody };
  const legs = [{ ...leg, amountMinor: 1, code: 'PMNT-ICDT-ESCT' }];
  return db.transaction((tx) => post(tx, { date: today, at: 0, isChecked: false, legs }));
};

const planOf = async (db: Db, sql: string, values: readonly Value[]): Promise<string> => {
  if (db.engine === 'postgres') await db.script('analyze demo_transfers');
  const explain = db.engine === 'sqlite' ? 'explain query plan' : 'explain';
  const rows = await db.all<Record<string, unknown>>(`${explain} ${sql}`, values);
  return rows.map((row) => String(row.detail ?? row['QUERY PLAN'])).join('\n');
};

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const engines = bothEngines('the plan decides what a deep page costs, and each engine makes its own');

describe.each(engines)('paging on %s', (engine) => {
  const books = useBooks(engine, { months: wanted ? 24 : 1, volume: total });

  it(
    'gives each of the transactions that were there exactly once, while others arrive',
    async () => {
      const { bank, db } = books();
      const seen = new Set<string>();
      let [count, arrived, isOver] = [0, 0, false];
      const arriving = (async () => {
        for (; !isOver; arrived += 1) await arrive(db);
      })();
      let { items, next } = await bank.transactions(first);
      const { balanceMinor: newest } = items[0] ?? {};
      for (;;) {
        count += items.length;
        for (const { id } of items) seen.add(id);
        if (next === null) break;
        ({ items, next } = await bank.transactions({ ...first, after: next }));
      }
      isOver = true;
      await arriving;
      expect(seen.size).toBe(count);
      // What arrived before the first page was read is part of it: each was one cent.
      const early = (newest ?? 0) - (await balanceAfter(db, total));
      expect(count).toBe(total + early);
      expect(arrived).toBeGreaterThan(early);
      expect(items.at(-1)?.balanceMinor).toBe(items.at(-1)?.amountMinor);
    },
    LONG,
  );

  const balanceAfter = async (db: Db, seq: number): Promise<number> =>
    (
      await db.one<{ balance: number }>(
        `select credit_balance as balance from demo_transfers where credit_account = ? and credit_seq = ?
         union all select debit_balance as balance from demo_transfers where debit_account = ? and debit_seq = ?`,
        [volumeAccount.id, seq, volumeAccount.id, seq],
      )
    )?.balance ?? Number.NaN;

  it('makes as many transactions as it was told, once, and they add up', async () => {
    const { bank, db } = books();
    const { items } = await bank.transactions({ ...first, limit: 1000 });
    for (const [index, { amountMinor, balanceMinor }] of items.slice(0, -1).entries())
      expect((balanceMinor ?? 0) - amountMinor).toBe(items[index + 1]?.balanceMinor);
    const sums = await db.one(
      `select cast((select sum(amount_minor) from demo_transfers where credit_account = ?)
                 - (select sum(amount_minor) from demo_transfers where debit_account = ?) as bigint) as sum,
              (select booked_minor from demo_accounts where id = ?) as booked`,
      [volumeAccount.id, volumeAccount.id, volumeAccount.id],
    );
    expect(sums?.sum).toBe(sums?.booked);
  });

  it('finds the next page, and the balance of a day, by the index of each side', async () => {
    const { bank, db } = books();
    const { next } = await bank.transactions(first);
    const plans = [
      await planOf(db, BOOKED_PAGE, bookedPageValues({ ...first, after: next })),
      await planOf(db, LAST_ENTRY, [volumeAccount.id, today, volumeAccount.id, today]),
    ];
    for (const plan of plans) {
      expect(plan).toMatch(/demo_transfers_debits/);
      expect(plan).toMatch(/demo_transfers_credits/);
      expect(plan).not.toMatch(/SCAN demo_transfers|Seq Scan/);
    }
    const [page = ''] = plans;
    // The place in the list is part of the search, not a filter over what was found.
    expect(page).toMatch(
      engine === 'sqlite'
        ? /demo_transfers_credits \(credit_account=\? AND .*\(booking_date,credit_seq\)<\(\?,\?\)/
        : /Index Cond: .*ROW\(booking_date, credit_seq\) < ROW/,
    );
  });

  if (wanted)
    it(
      'costs the same on a deep page as on the first',
      async () => {
        const { bank } = books();
        const deepDate =
          (await bank.statements(volumeAccount.id, ever.from, ever.to, first.context)).at(-1)?.to ?? '';
        const { next: deep } = await bank.transactions({ ...first, to: deepDate, limit: 1 });
        const times: Record<'first' | 'deep', number[]> = { first: [], deep: [] };
        for (let round = 0; round < 200; round += 1) {
          for (const [kind, after] of [
            ['first', null],
            ['deep', deep],
          ] as const) {
            const start = performance.now();
            const { items } = await bank.transactions({ ...first, limit: 100, after });
            times[kind].push(performance.now() - start);
            expect(items).toHaveLength(100);
          }
        }
        const [near, far] = [median(times.first), median(times.deep)];
        console.log(
          `${engine}: first page ${near.toFixed(3)} ms, deep page ${far.toFixed(3)} ms, ratio ${(far / near).toFixed(2)}`,
        );
        expect(far / near).toBeLessThanOrEqual(1.5);
      },
      LONG,
    );
});
