/** Writes the history of the demo bank into its books: every account of the bank, its entries, and what is still pending. */
import type { Queries, Value } from 'trapeza/base';
import { demoHistory, type HistoryOptions } from './history/demo-history.js';
import { markNamed } from './ledger/entry-ids.js';
import { type Hold, placeHold } from './ledger/holds.js';
import { type InternalAccount, internalAccounts, internalId } from './ledger/internal-accounts.js';
import { emptyTally, enter, insertTransfers, type Tallies, type Tally } from './ledger/transfer.js';
import { demoAccounts } from './people.js';

const INSERT_INTERNAL = `
  insert into demo_accounts
    (id, bban, currency, name, product, status, booked_minor, pending_minor, credit_minor, role)
  values (?, ?, ?, ?, ?, 'enabled', 0, 0, 0, ?)`;
const WRITE = `
  update demo_accounts set booked_minor = ?, pending_minor = 0, entries = ?, paid_minor = ?, paid_count = ?, last_booked_on = ?,
         changed_at = ?, opening_minor = ?, opened_on = ?
  where id = ?`;

/** A store that was seeded before there was a ledger has none of these. */
export const hasBooks = async (tx: Queries): Promise<boolean> =>
  (await tx.one(`select id from demo_accounts where role <> 'customer' limit 1`)) !== undefined;

/** The books in memory: rows to write, and what every account comes to. */
export interface Books {
  /** The day of seeding. */
  readonly today: string;
  readonly rows: readonly (readonly Value[])[];
  readonly tallies: Tallies;
  readonly openings: ReadonlyMap<string, number>;
  readonly openedOn: string;
  readonly holds: readonly Hold[];
}

/** What customers bring along comes from other banks, so that all accounts of a currency have nothing together. */
const withNostro = (openings: ReadonlyMap<string, number>): ReadonlyMap<string, number> => {
  const all = new Map(openings);
  for (const { id, currency } of demoAccounts) {
    const nostro = internalId('nostro', currency);
    all.set(nostro, (all.get(nostro) ?? 0) - (openings.get(id) ?? 0));
  }
  return all;
};

/** Before the store is locked: it takes longer than the writing. */
export const makeBooks = (options: HistoryOptions): Books => {
  const { bookings, holds, openedOn, ...history } = demoHistory(options);
  const openings = withNostro(history.openings);
  const tallies = new Map<string, Tally>();
  const open = (role: string, { id, currency }: { id: string; currency: string }): unknown =>
    tallies.set(id, emptyTally(currency, role, openings.get(id) ?? 0));
  for (const account of internalAccounts) open(account.role, account);
  for (const account of demoAccounts) open('customer', account);
  const rows = bookings.flatMap(({ legs, ...entry }) => legs.map((leg) => enter(tallies, leg, entry)));
  return { today: options.today, rows, tallies, holds, openings, openedOn };
};

export const insertInternal = async (tx: Queries, accounts: readonly InternalAccount[]): Promise<void> => {
  await Promise.all(
    accounts.map(({ id, bban, currency, role }) =>
      tx.run(INSERT_INTERNAL, [id, bban, currency, role, 'Internal account', role]),
    ),
  );
};

/** Of accounts that are in the store and have nothing yet. */
export const writeBooks = async (
  tx: Queries,
  { rows, tallies, openings, openedOn }: Pick<Books, 'rows' | 'tallies' | 'openings' | 'openedOn'>,
): Promise<void> => {
  await insertTransfers(tx, rows);
  await Promise.all(
    [...tallies].map(([id, { bookedMinor, entries, paidMinor, paidCount, lastBookedOn, changedAt }]) => {
      const state = [bookedMinor, entries, paidMinor, paidCount, lastBookedOn, changedAt];
      return tx.run(WRITE, [...state, openings.get(id) ?? 0, openedOn, id]);
    }),
  );
};

export const seedBooks = async (tx: Queries, books: Books): Promise<void> => {
  await insertInternal(tx, internalAccounts);
  await writeBooks(tx, books);
  for (const hold of books.holds) await placeHold(tx, hold);
  await markNamed(tx);
};
