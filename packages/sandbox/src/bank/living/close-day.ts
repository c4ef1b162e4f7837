/**
 * The end of a bank day: payments that are settled, card payments that are due, then what people planned, as far as their balances
 * allow. The accounts are locked once, the figures move in memory, and the day is written as a whole.
 */
import type { TransactionDetails } from 'trapeza/bank';
import { derivedId, endOfDay, type Queries, type Value } from 'trapeza/base';
import { moved, rounded } from '../history/backwards.js';
import { referenced, SEED } from '../history/demo-history.js';
import type { Future, Purchase, Transfers } from '../history/future.js';
import type { Life } from '../history/life.js';
import { lives } from '../history/lives.js';
import { Random } from '../history/random.js';
import { type DueHold, insertHold, takeDueHolds } from '../ledger/holds.js';
import { internalId } from '../ledger/internal-accounts.js';
import { bookingDate, type Locked, lockAccounts, writeAccounts } from '../ledger/post.js';
import { enter, insertTransfers, type Leg } from '../ledger/transfer.js';
import { duePayments } from '../payments/settlement.js';

export interface ClosingDay {
  /** The day of seeding. */
  readonly since: string;
  readonly date: string;
  readonly timeZone: string;
}

const byAccount: ReadonlyMap<string, Life> = new Map(lives.map((life) => [life.account.id, life]));

/** In another currency the amount stays and the rate follows what was booked. */
const exchangeAt = ({ exchange }: DueHold, amountMinor: number): TransactionDetails['exchange'] =>
  exchange && { ...exchange, rate: Math.round((amountMinor / exchange.amountMinor) * 1_000_000) / 1_000_000 };

class Closing {
  readonly #day: ClosingDay;
  readonly #accounts: ReadonlyMap<string, Locked>;
  readonly #changed = new Set<string>();
  readonly #rows: (readonly Value[])[] = [];

  constructor(day: ClosingDay, accounts: ReadonlyMap<string, Locked>) {
    this.#day = day;
    this.#accounts = accounts;
  }

  #account(id: string): Locked {
    const found = this.#accounts.get(id);
    if (!found) throw new Error('an account of the day is not locked');
    return found;
  }

  #book(legs: readonly (Leg & { readonly id: string })[], bookingId: string, at: number): void {
    const touched = legs.flatMap(({ debit, credit }) => [debit, credit]);
    for (const id of touched) this.#changed.add(id);
    const date = bookingDate(
      this.#day.date,
      touched.map((id) => this.#account(id)),
    );
    for (const leg of legs) this.#rows.push(enter(this.#accounts, leg, { bookingId, date, at }));
  }

  /** No balance goes below what its holder keeps, a closed account receives nothing, and a blocked one pays nothing. */
  #isPossible(legs: readonly Leg[]): boolean {
    return [...new Set(legs.flatMap(({ debit, credit }) => [debit, credit]))].every((id) => {
      const { role, status, bookedMinor, pendingMinor } = this.#account(id);
      if (role !== 'customer') return true;
      const paid = legs.filter(({ debit }) => debit === id);
      if (status === 'closed' || (status === 'blocked' && paid.length > 0)) return false;
      if (paid.length === 0) return true;
      const sum = (some: readonly Leg[]): number =>
        some.reduce((all, { amountMinor }) => all + amountMinor, 0);
      const left = bookedMinor - pendingMinor - sum(paid) + sum(legs.filter(({ credit }) => credit === id));
      return left >= (byAccount.get(id)?.floor ?? 0);
    });
  }

  settle(hold: DueHold): void {
    const account = this.#account(hold.accountId);
    this.#changed.add(hold.accountId);
    account.pendingMinor -= hold.amountMinor;
    // What was set aside is there; more only if the account still has it.
    const most = Math.max(account.bookedMinor - account.pendingMinor + account.creditMinor, hold.amountMinor);
    const amountMinor = Math.min(hold.settlesMinor ?? hold.amountMinor, most);
    if (amountMinor === 0) return;
    const leg = {
      ...hold,
      amountMinor,
      debit: hold.accountId,
      credit: internalId('nostro', hold.currency),
      valueDate: hold.date,
      exchange: exchangeAt(hold, amountMinor),
    };
    this.#book([leg], hold.id, endOfDay(this.#day.date, this.#day.timeZone) - 1);
  }

  transfer({ legs, at }: Transfers, id: string): void {
    if (!this.#isPossible(legs)) return;
    const named = legs.map((leg, place) => referenced({ ...leg, id: derivedId(`${id}:${place}`) }));
    this.#book(named, derivedId(id), at);
  }

  async purchase(tx: Queries, { leg, at, heldMinor, settles }: Purchase, name: string): Promise<void> {
    const most = Math.max(heldMinor, settles.amountMinor);
    if (!this.#isPossible([{ ...leg, amountMinor: most }])) return;
    const { debit: accountId, code, payee, exchange } = leg;
    const remittance = leg.remittance ?? null;
    const { date } = this.#day;
    const hold = { accountId, code, payee, remittance, date, at, amountMinor: heldMinor, settles };
    const account = this.#account(accountId);
    await insertHold(tx, { ...hold, ...(exchange ? { exchange } : {}) }, derivedId(name), account.currency);
    account.pendingMinor += heldMinor;
    this.#changed.add(accountId);
  }

  /** What has grown beyond what the holder leaves on the account goes to an account at another bank, or is taken in cash. */
  skim(life: Life, at: number, name: string): void {
    const { account, ceiling, floor } = life;
    const { bookedMinor } = this.#account(account.id);
    if (bookedMinor <= ceiling) return;
    const extra = new Random(name).next() * (ceiling - floor) * 0.15;
    const leg = moved(life, -rounded(bookedMinor - ceiling + extra, account.currency));
    this.transfer({ kind: 'transfers', legs: [leg], at }, name);
  }

  async write(tx: Queries): Promise<void> {
    const closedAt = endOfDay(this.#day.date, this.#day.timeZone);
    const changed = new Map([...this.#accounts].filter(([id]) => this.#changed.has(id)));
    for (const account of changed.values()) account.changedAt = Math.max(account.changedAt, closedAt);
    await insertTransfers(tx, this.#rows);
    await writeAccounts(tx, changed);
  }
}

/** In a transaction that no other process is in at the same time. */
export const closeDay = async (tx: Queries, future: Future, day: ClosingDay): Promise<void> => {
  const { since, date, timeZone } = day;
  const closedAt = endOfDay(date, timeZone);
  const [payments, holds] = [await duePayments(tx, closedAt, timeZone), await takeDueHolds(tx, date)];
  const plans = future.on(date);
  const legs = plans.flatMap((plan) => (plan.kind === 'purchase' ? [plan.leg] : plan.legs));
  const receivers = legs.flatMap(({ credit }) => byAccount.get(credit) ?? []);
  const touched = [
    ...payments.accounts,
    ...holds.flatMap(({ accountId, currency }) => [accountId, internalId('nostro', currency)]),
    ...receivers.map(({ account }) => internalId('nostro', account.currency)),
    ...legs.flatMap(({ debit, credit }) => [debit, credit]),
  ];
  // All at once and in their order: a payment of a third party may want some of them at the same time.
  let accounts = await lockAccounts(tx, touched);
  if (payments.accounts.length > 0) {
    await payments.settle(tx);
    accounts = await lockAccounts(tx, touched);
  }
  const closing = new Closing(day, accounts);
  for (const hold of holds) closing.settle(hold);
  for (const [index, plan] of plans.entries()) {
    const name = `${SEED}:${since}:${date}:${index}`;
    if (plan.kind === 'purchase') await closing.purchase(tx, plan, name);
    else closing.transfer(plan, name);
  }
  for (const life of new Set(receivers))
    closing.skim(life, closedAt - 1, `${SEED}:${since}:${date}:${life.account.id}`);
  await closing.write(tx);
};
