/** The demo bank with its books in a store of its own, without the service around it. */

import { afterAll, beforeAll } from 'vitest';
import { holderOf } from '../../packages/core-kit/src/simulator/defects/defect.js';
import { simulatorMigrations } from '../../packages/core-kit/src/simulator/migrations.js';
import { createDemoBank } from '../../packages/sandbox/src/bank/demo-bank.js';
import { seedDemoBank } from '../../packages/sandbox/src/bank/seed-bank.js';
import { makeBooks } from '../../packages/sandbox/src/bank/seed-books.js';
import { fillVolumeAccount, volumeAccount } from '../../packages/sandbox/src/bank/volume.js';
import type { Bank } from '../../src/bank/bank.js';
import type { Db } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { ManualClock } from '../lib/manual-clock.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import type { Engine } from '../support/engines.js';
import { psuId } from '../support/operations.js';

export const timeZone = 'Europe/Athens';
/** A Friday; the clock of the tests starts at its noon. */
export const today = '2026-05-15';
export const ever = { from: '1900-01-01', to: '2999-12-31' } as const;

export interface Books {
  readonly db: Db;
  readonly bank: Bank;
  readonly clock: ManualClock;
}

export const useBooks = (engine: Engine, wanted: { months: number; volume?: number }): (() => Books) => {
  let database: TestDatabase | undefined;
  let books: Books | undefined;
  beforeAll(async () => {
    database = await createDatabase(engine);
    const db = await openDb(database.url, 8);
    const clock = new ManualClock(Date.parse(`${today}T09:00:00Z`));
    books = { db, clock, bank: createDemoBank(db, { bankTime: async () => clock.now(), timeZone }) };
    await migrate(db, clock.now(), simulatorMigrations);
    const options = { today, timeZone, months: wanted.months };
    const data = makeBooks(options);
    await db.exclusive((tx) => seedDemoBank(tx, data));
    const start = performance.now();
    await fillVolumeAccount(db, options, wanted.volume ?? 0, () => undefined);
    if (process.env.TEST_PAGING)
      console.log(
        `${engine}: ${wanted.volume} transactions made in ${Math.round(performance.now() - start)} ms`,
      );
  }, 3_600_000);
  afterAll(async () => {
    await books?.db.close();
    await database?.drop();
  });
  return () => {
    if (!books) throw new Error('the books are not open');
    return books;
  };
};

export interface EntryRow {
  readonly account: string;
  readonly seq: number;
  readonly date: string;
  readonly amount: number;
  readonly balance: number;
}

/** Every entry of every account of the bank, by account and number. */
const ENTRIES = `
  select debit_account as account, debit_seq as seq, booking_date as date, -amount_minor as amount, debit_balance as balance
  from demo_transfers
  union all
  select credit_account as account, credit_seq as seq, booking_date as date, amount_minor as amount, credit_balance as balance
  from demo_transfers
  order by account, seq`;

export const entriesByAccount = async (db: Db): Promise<ReadonlyMap<string, readonly EntryRow[]>> => {
  const all = new Map<string, EntryRow[]>();
  for (const row of await db.all<EntryRow>(ENTRIES)) {
    const known = all.get(row.account);
    if (known) known.push(row);
    else all.set(row.account, [row]);
  }
  return all;
};

interface AccountRow {
  readonly id: string;
  readonly currency: string;
  readonly opening: number;
  readonly booked: number;
  readonly pending: number;
  readonly held: number;
  readonly entries: number;
}

const IDS = `
  select id from demo_transfers union all select credit_id as id from demo_transfers where credit_id is not null
  union all select id from demo_holds`;

/** What is wrong with the books; nothing, it is hoped. */
export const faultsIn = async (db: Db): Promise<string[]> => {
  const faults: string[] = [];
  const entries = await entriesByAccount(db);
  const accounts = await db.all<AccountRow>(
    `select id, currency, opening_minor as opening, booked_minor as booked, pending_minor as pending, entries,
            (select cast(coalesce(sum(h.amount_minor), 0) as bigint) from demo_holds h where h.account_id = a.id) as held
     from demo_accounts a`,
  );
  const sums = new Map<string, number>();
  for (const { id, currency, opening, booked, pending, held, entries: count } of accounts) {
    let [sum, date] = [opening, ''];
    for (const [index, row] of (entries.get(id) ?? []).entries()) {
      sum += row.amount;
      if (row.seq !== index + 1) faults.push(`entry ${index + 1} has the number ${row.seq}`);
      if (row.balance !== sum) faults.push(`entry ${row.seq}: ${row.balance} instead of ${sum}`);
      if (row.date < date) faults.push(`entry ${row.seq} goes back to ${row.date}`);
      date = row.date;
    }
    if (pending !== held) faults.push(`an account has ${pending} pending, its holds come to ${held}`);
    if (booked !== sum) faults.push(`an account has ${booked}, its entries come to ${sum}`);
    if (count !== (entries.get(id)?.length ?? 0)) faults.push(`an account counts ${count} entries`);
    sums.set(currency, (sums.get(currency) ?? 0) + sum);
  }
  const ids = (await db.all<{ id: string }>(IDS)).map(({ id }) => id);
  if (new Set(ids).size < ids.length) faults.push(`${ids.length - new Set(ids).size} ids are given twice`);
  for (const [currency, sum] of sums) if (sum !== 0) faults.push(`${currency} comes to ${sum}`);
  return faults;
};

/** Somebody who holds the account. */
export const holding = (accountId: string): { readonly psuId: string } => ({
  psuId: accountId === volumeAccount.id ? psuId('eleni') : holderOf(accountId),
});
