/** Pending debits: a card was used, the booking comes later. Their sum is the account's `pending_minor`. */

import type { TransactionDetails } from 'trapeza/bank';
import { type AccountId, newId, type Queries, type Value } from 'trapeza/base';
import { lockAccounts } from './post.js';
import { type Party, toMicros } from './transfer.js';

export interface Hold {
  readonly id?: string;
  readonly accountId: AccountId;
  readonly amountMinor: number;
  readonly date: string;
  readonly at: number;
  readonly code: string;
  readonly payee: Party;
  readonly remittance?: string | null;
  readonly endToEndId?: string | null;
  readonly paymentId?: string | null;
  readonly exchange?: TransactionDetails['exchange'];
  /** What becomes of it at the end of which day; a payment of a third party ends with its order. */
  readonly settles?: { readonly on: string; readonly amountMinor: number };
}

const INSERT_HOLD = `
  insert into demo_holds
    (id, account_id, currency, amount_minor, entered_on, entered_at, code, payee_name, payee_iban, remittance,
     exchange_currency, exchange_minor, exchange_micros, end_to_end_id, payment_id, merchant_category_code,
     settles_on, settles_minor)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const ADD = `
  update demo_accounts set pending_minor = pending_minor + ?,
         changed_at = case when changed_at > ? then changed_at else ? end
  where id = ?`;

const rowOf = (hold: Hold, id: string, currency: string): readonly Value[] => [
  id,
  hold.accountId,
  currency,
  hold.amountMinor,
  hold.date,
  hold.at,
  hold.code,
  hold.payee.name,
  hold.payee.iban,
  hold.remittance ?? null,
  hold.exchange?.currency ?? null,
  hold.exchange?.amountMinor ?? null,
  hold.exchange ? toMicros(hold.exchange.rate) : null,
  hold.endToEndId ?? null,
  hold.paymentId ?? null,
  hold.payee.merchantCategoryCode ?? null,
  hold.settles?.on ?? null,
  hold.settles?.amountMinor ?? null,
];

const DROP = 'delete from demo_holds where id = ? and account_id = ? returning amount_minor as "amountMinor"';

/** Sets the amount free again: nothing is booked. */
export const dropHold = async (tx: Queries, id: string, accountId: AccountId, at: number): Promise<void> => {
  await lockAccounts(tx, [accountId]);
  const row = await tx.one<{ amountMinor: number }>(DROP, [id, accountId]);
  if (row) await tx.run(ADD, [-row.amountMinor, at, at, accountId]);
};

/** Sets the amount aside; `post` with this id as `holdId` books it. */
export const placeHold = async (tx: Queries, hold: Hold): Promise<string> => {
  const account = (await lockAccounts(tx, [hold.accountId])).get(hold.accountId);
  const id = hold.id ?? newId();
  await tx.run(INSERT_HOLD, rowOf(hold, id, account?.currency ?? ''));
  await tx.run(ADD, [hold.amountMinor, hold.at, hold.at, hold.accountId]);
  return id;
};
