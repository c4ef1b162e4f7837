/** Writes the history of the demo bank into its books: every account of the bank, its entries, and what is still pending. */
import type { Queries, Value } from 'trapeza/base';
import { demoHistory, type HistoryOptions } from './history/demo-history.js';
import { type Hold, placeHold } from './ledger/holds.js';
import { internalAccounts } from './ledger/internal-accounts.js';
import { emptyTally, enter, insertTransfers, type Tallies, type Tally } from './ledger/transfer.js';
import { demoAccounts } from './people.js';

const INSERT_INTERNAL = `
  insert into demo_accounts
    (id, bban, currency, name, product, status, booked_minor, pending_minor, credit_minor, role)
  values (?, ?, ?, ?, ?, 'enabled', 0, 0, 0, ?)`;
const WRITE = `
  update demo_accounts set booked_minor = ?, pending_minor = 0, entries = ?, paid_minor = ?, paid_count = ?, last_booked_on = ?
  where id = ?`;

/** A store that was seeded before there was a ledger has none of these. */
export const hasBooks = async (tx: Queries): Promise<boolean> =>
  (await tx.one(`select id from demo_accounts where role <> 'customer' limit 1`)) !== undefined;

/** The books in memory: rows to write, and what every account comes to. */
export interface Books {
  readonly rows: readonly (readonly Value[])[];
  readonly tallies: Tallies;
  readonly holds: readonly Hold[];
}

/** Before the store is locked: it takes longer than the writing. */
export const makeBooks = (options: HistoryOptions): Books => {
  const tallies = new Map<string, Tally>();
  for (const { id, currency } of [...internalAccounts, ...demoAccounts])
    tallies.set(id, emptyTally(currency));
  const { bookings, holds } = demoHistory(options);
  const rows = bookings.flatMap(({ legs, ...entry }) => legs.map((leg) => enter(tallies, leg, entry)));
  return { rows, tallies, holds };
};

export const seedBooks = async (tx: Queries, { rows, tallies, holds }: Books): Promise<void> => {
  await Promise.all(
    internalAccounts.map(({ id, bban, currency, role }) =>
      tx.run(INSERT_INTERNAL, [id, bban, currency, role, 'Internal account', role]),
    ),
  );
  await insertTransfers(tx, rows);
  await Promise.all(
    [...tallies].map(([id, { bookedMinor, entries, paidMinor, paidCount, lastBookedOn }]) =>
      tx.run(WRITE, [bookedMinor, entries, paidMinor, paidCount, lastBookedOn, id]),
    ),
  );
  for (const hold of holds) await placeHold(tx, hold);
};
