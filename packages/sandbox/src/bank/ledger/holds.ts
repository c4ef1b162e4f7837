/** Pending debits: a card was used, the booking comes later. Their sum is the account's `pending_minor`. */

import type { TransactionDetails } from 'trapeza/bank';
import { type AccountId, newId, type Queries, type Value } from 'trapeza/base';
import { detailsOf } from './details.js';
import { lockAccounts } from './post.js';
import { fromMicros, type Party, toMicros } from './transfer.js';

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
     settles_on, settles_minor, details)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
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
  detailsOf(hold),
];

const DROP = 'delete from demo_holds where id = ? and account_id = ? returning amount_minor as "amountMinor"';

/** Sets the amount free again: nothing is booked. */
export const dropHold = async (tx: Queries, id: string, accountId: AccountId, at: number): Promise<void> => {
  await lockAccounts(tx, [accountId]);
  const row = await tx.one<{ amountMinor: number }>(DROP, [id, accountId]);
  if (row) await tx.run(ADD, [-row.amountMinor, at, at, accountId]);
};

/** A card payment that ends by the end of a day; its payee says neither name nor account if it is a machine. */
export interface DueHold {
  readonly id: string;
  readonly accountId: AccountId;
  readonly currency: string;
  readonly amountMinor: number;
  readonly settlesMinor: number | null;
  readonly date: string;
  readonly code: string;
  readonly payer: Party;
  readonly payee: Party;
  readonly remittance: string | null;
  readonly exchange: TransactionDetails['exchange'];
}

const DUE = `
  select h.id, h.account_id as "accountId", h.currency, h.amount_minor as "amountMinor", h.settles_minor as "settlesMinor",
         h.entered_on as date, h.code, h.payee_name as "payeeName", h.payee_iban as "payeeIban", h.remittance,
         h.merchant_category_code as category, h.exchange_currency as "exchangeCurrency",
         h.exchange_minor as "exchangeMinor", h.exchange_micros as "exchangeMicros", a.iban as "payerIban",
         (select string_agg(p.name, ', ' order by p.name) from demo_holders x join demo_psus p on p.id = x.psu_id
          where x.account_id = h.account_id) as "payerName"
  from demo_holds h join demo_accounts a on a.id = h.account_id
  where h.payment_id is null and coalesce(h.settles_on, h.entered_on) <= ? order by h.entered_at, h.id`;
const REMOVE_DUE =
  'delete from demo_holds where payment_id is null and coalesce(settles_on, entered_on) <= ?';

interface DueRow extends Omit<DueHold, 'payer' | 'payee' | 'exchange'> {
  readonly payeeName: string | null;
  readonly payeeIban: string | null;
  readonly payerName: string | null;
  readonly payerIban: string | null;
  readonly category: string | null;
  readonly exchangeCurrency: string | null;
  readonly exchangeMinor: number | null;
  readonly exchangeMicros: number | null;
}

const dueOf = (row: DueRow): DueHold => {
  const { id, accountId, currency, amountMinor, settlesMinor, date, code, remittance, category } = row;
  const { exchangeCurrency, exchangeMinor, exchangeMicros } = row;
  const payee = { name: row.payeeName, iban: row.payeeIban };
  return {
    ...{ id, accountId, currency, amountMinor, settlesMinor, date, code, remittance },
    payer: { name: row.payerName, iban: row.payerIban },
    payee: category === null ? payee : { ...payee, merchantCategoryCode: category },
    exchange:
      exchangeCurrency === null || exchangeMinor === null || exchangeMicros === null
        ? null
        : { currency: exchangeCurrency, amountMinor: exchangeMinor, rate: fromMicros(exchangeMicros) },
  };
};

/** Takes out the card payments whose time has come by the end of this day. Payments of third parties end with their orders. */
export const takeDueHolds = async (tx: Queries, date: string): Promise<readonly DueHold[]> => {
  const rows = await tx.all<DueRow>(DUE, [date]);
  if (rows.length > 0) await tx.run(REMOVE_DUE, [date]);
  return rows.map(dueOf);
};

export const insertHold = (tx: Queries, hold: Hold, id: string, currency: string): Promise<number> =>
  tx.run(INSERT_HOLD, rowOf(hold, id, currency));

/** Sets the amount aside; `post` with this id as `holdId` books it. */
export const placeHold = async (tx: Queries, hold: Hold): Promise<string> => {
  const account = (await lockAccounts(tx, [hold.accountId])).get(hold.accountId);
  const id = hold.id ?? newId();
  await insertHold(tx, hold, id, account?.currency ?? '');
  await tx.run(ADD, [hold.amountMinor, hold.at, hold.at, hold.accountId]);
  return id;
};
