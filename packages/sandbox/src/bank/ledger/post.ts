/**
 * Booking. All accounts that a booking touches are locked in the order of their ids, so that two bookings never wait for
 * each other in a circle; what they come to is read, checked and written under those locks. An account's entries are
 * therefore numbered in the order in which they become visible, and their dates never run backwards: that is what makes
 * paging by date and number stable.
 */
import { type AccountId, newId, type Queries } from 'trapeza/base';
import { enter, insertTransfers, type Leg, type Tally } from './transfer.js';

export interface Booking {
  readonly id?: string;
  /** The bank's day. If an account already has a later entry, the booking gets that day. */
  readonly date: string;
  readonly at: number;
  readonly legs: readonly PostedLeg[];
  /** Whether a customer's account that pays must be open, free and have the funds, and one that receives must be open. */
  readonly isChecked: boolean;
}

export interface PostedLeg extends Leg {
  /** The pending debit that this transfer settles; its id becomes the id of the transfer. */
  readonly holdId?: string;
}

export type Outcome =
  | {
      readonly kind: 'booked';
      readonly bookingId: string;
      readonly date: string;
      readonly transferIds: readonly string[];
    }
  | {
      readonly kind: 'refused';
      readonly reason: 'no-funds' | 'blocked' | 'closed';
      readonly accountId: AccountId;
    };

export interface Locked extends Tally {
  readonly status: 'enabled' | 'blocked' | 'closed';
  readonly creditMinor: number;
  pendingMinor: number;
}

/** Changes nothing, but locks the row on both engines. */
const LOCK = `
  update demo_accounts set entries = entries where id = ?
  returning currency, role, status, booked_minor as "bookedMinor", pending_minor as "pendingMinor",
            credit_minor as "creditMinor", entries, paid_minor as "paidMinor", paid_count as "paidCount",
            last_booked_on as "lastBookedOn", changed_at as "changedAt"`;
const WRITE = `
  update demo_accounts set booked_minor = ?, pending_minor = ?, entries = ?, paid_minor = ?, paid_count = ?, last_booked_on = ?,
         changed_at = ?
  where id = ?`;
const HELD = 'select amount_minor as "amountMinor" from demo_holds where id = ? and account_id = ?';

export const lockAccounts = async (
  tx: Queries,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, Locked>> => {
  const locked = new Map<string, Locked>();
  for (const id of [...new Set(ids)].toSorted()) {
    const row = await tx.one<Locked>(LOCK, [id]);
    if (!row) throw new Error('a booking names an account that the demo bank does not have');
    locked.set(id, { ...row });
  }
  return locked;
};

export const writeAccounts = async (tx: Queries, accounts: ReadonlyMap<string, Locked>): Promise<void> => {
  for (const [id, account] of accounts) {
    const { bookedMinor, pendingMinor, entries, paidMinor, paidCount, lastBookedOn, changedAt } = account;
    await tx.run(WRITE, [
      bookedMinor,
      pendingMinor,
      entries,
      paidMinor,
      paidCount,
      lastBookedOn,
      changedAt,
      id,
    ]);
  }
};

/** What each pending debit that is settled had set aside. */
const releasedBy = async (
  tx: Queries,
  legs: readonly PostedLeg[],
): Promise<ReadonlyMap<PostedLeg, number>> => {
  const released = new Map<PostedLeg, number>();
  for (const leg of legs) {
    if (leg.holdId === undefined) continue;
    const row = await tx.one<{ amountMinor: number }>(HELD, [leg.holdId, leg.debit]);
    if (!row) throw new Error('a booking settles a pending debit that its account does not have');
    released.set(leg, row.amountMinor);
  }
  return released;
};

type Refusal = Extract<Outcome, { kind: 'refused' }>;

const sumOf = (legs: readonly PostedLeg[]): number =>
  legs.reduce((total, { amountMinor }) => total + amountMinor, 0);

/** Whether those who pay have what they pay, with what they receive in the same booking and what it sets free. */
export const hasFunds = (
  accounts: ReadonlyMap<string, Locked>,
  legs: readonly PostedLeg[],
  released: ReadonlyMap<PostedLeg, number> = new Map(),
): boolean =>
  [...accounts].every(([accountId, account]) => {
    const paying = legs.filter(({ debit }) => debit === accountId);
    if (account.role !== 'customer' || paying.length === 0) return true;
    const received = legs.filter(({ credit }) => credit === accountId);
    const freed = paying.reduce((total, leg) => total + (released.get(leg) ?? 0), 0);
    const available = account.bookedMinor - account.pendingMinor + account.creditMinor + freed;
    return available + sumOf(received) >= sumOf(paying);
  });

const refusalOf = (
  accounts: ReadonlyMap<string, Locked>,
  legs: readonly PostedLeg[],
  released: ReadonlyMap<PostedLeg, number>,
): Refusal | undefined => {
  for (const [accountId, account] of accounts) {
    if (account.role !== 'customer') continue;
    const refused = (reason: Refusal['reason']): Refusal => ({ kind: 'refused', reason, accountId });
    if (account.status === 'closed') return refused('closed');
    if (legs.every(({ debit }) => debit !== accountId)) continue;
    if (account.status === 'blocked') return refused('blocked');
    if (!hasFunds(new Map([[accountId, account]]), legs, released)) return refused('no-funds');
  }
  return undefined;
};

/** Not before the last entry of a customer involved; no one pages through the bank's own accounts. */
export const bookingDate = (wished: string, accounts: Iterable<Locked>): string => {
  let date = wished;
  for (const { role, lastBookedOn } of accounts)
    if (role === 'customer' && lastBookedOn !== null && lastBookedOn > date) date = lastBookedOn;
  return date;
};

/** Books all legs or none, inside the caller's transaction. A refusal has changed nothing. */
export const post = async (tx: Queries, booking: Booking): Promise<Outcome> => {
  const { legs, at } = booking;
  const accounts = await lockAccounts(
    tx,
    legs.flatMap(({ debit, credit }) => [debit, credit]),
  );
  const released = await releasedBy(tx, legs);
  const refusal = booking.isChecked ? refusalOf(accounts, legs, released) : undefined;
  if (refusal) return refusal;
  const date = bookingDate(booking.date, accounts.values());
  const bookingId = booking.id ?? newId();
  const named = legs.map((leg) => ({ ...leg, id: leg.holdId ?? leg.id ?? newId() }));
  const rows = named.map((leg) => enter(accounts, leg, { bookingId, date, at }));
  for (const [{ holdId = '', debit }, amount] of released) {
    await tx.run('delete from demo_holds where id = ?', [holdId]);
    const account = accounts.get(debit);
    if (account) account.pendingMinor -= amount;
  }
  await insertTransfers(tx, rows);
  await writeAccounts(tx, accounts);
  return { kind: 'booked', bookingId, date, transferIds: named.map(({ id }) => id) };
};
