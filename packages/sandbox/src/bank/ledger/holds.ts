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
  readonly exchange?: TransactionDetails['exchange'];
}

const INSERT_HOLD = `
  insert into demo_holds
    (id, account_id, currency, amount_minor, entered_on, entered_at, code, payee_name, payee_iban, remittance,
     exchange_currency, exchange_minor, exchange_micros)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const ADD = 'update demo_accounts set pending_minor = pending_minor + ? where id = ?';

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
];

/** Sets the amount aside; `post` with this id as `holdId` books it. */
export const placeHold = async (tx: Queries, hold: Hold): Promise<string> => {
  const account = (await lockAccounts(tx, [hold.accountId])).get(hold.accountId);
  const id = hold.id ?? newId();
  await tx.run(INSERT_HOLD, rowOf(hold, id, account?.currency ?? ''));
  await tx.run(ADD, [hold.amountMinor, hold.accountId]);
  return id;
};
