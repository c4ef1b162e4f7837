/**
 * Reading an account's transactions. A transfer lies in two indices, one for each side; a page takes the next rows of both
 * from the place where the last page ended, and merges them. It costs the same however deep the place is, and since new
 * entries get higher numbers than all before them, they never move what is still to be read.
 */

import type { BankTransaction, TransactionPage, TransactionsQuery } from 'trapeza/bank';
import type { AccountId, Queries } from 'trapeza/base';
import { bookedCursor, pendingCursor, readBookedCursor, readPendingCursor } from './cursor.js';
import { knownOf } from './details.js';
import { fromMicros } from './transfer.js';

interface Row {
  readonly id: string;
  readonly bookingDate: string | null;
  readonly valueDate: string;
  readonly at: number;
  readonly currency: string;
  readonly amountMinor: number;
  readonly code: string;
  readonly balanceMinor: number | null;
  readonly seq: number;
  readonly name: string | null;
  readonly iban: string | null;
  readonly remittance: string | null;
  readonly endToEndId: string | null;
  readonly paymentId: string | null;
  readonly mandateId: string | null;
  readonly creditorId: string | null;
  readonly merchantCategoryCode: string | null;
  readonly details: string | null;
  readonly exchangeCurrency: string | null;
  readonly exchangeMinor: number | null;
  readonly exchangeMicros: number | null;
}

const EXCHANGE = 'exchange_currency as "exchangeCurrency", exchange_micros as "exchangeMicros"';
const SHARED = `
  booking_date as "bookingDate", value_date as "valueDate", booked_at as at, currency, remittance,
  end_to_end_id as "endToEndId", mandate_id as "mandateId", creditor_id as "creditorId",
  merchant_category_code as "merchantCategoryCode", details, ${EXCHANGE}`;
/** What is paid is negative, and only the payer learns which order it was. */
const PAID = `
  id, -amount_minor as "amountMinor", code, debit_balance as "balanceMinor", debit_seq as seq, credit_name as name,
  credit_iban as iban, -exchange_minor as "exchangeMinor", payment_id as "paymentId", ${SHARED}`;
const RECEIVED = `
  coalesce(credit_id, id) as id, amount_minor as "amountMinor", replace(code, '-ICDT-', '-RCDT-') as code,
  credit_balance as "balanceMinor", credit_seq as seq, debit_name as name, debit_iban as iban,
  exchange_minor as "exchangeMinor", null as "paymentId", ${SHARED}`;

export const BOOKED_PAGE = `
  select * from (
    select ${PAID} from demo_transfers
    where debit_account = ? and booking_date >= ? and (booking_date, debit_seq) < (?, ?)
    order by booking_date desc, debit_seq desc limit ?) as paid
  union all
  select * from (
    select ${RECEIVED} from demo_transfers
    where credit_account = ? and booking_date >= ? and (booking_date, credit_seq) < (?, ?)
    order by booking_date desc, credit_seq desc limit ?) as received
  order by "bookingDate" desc, seq desc limit ?`;

const ONE_BOOKED = `
  select ${PAID} from demo_transfers where id = ? and debit_account = ?
  union all
  select ${RECEIVED} from demo_transfers where id = ? and credit_account = ? and credit_id is null
  union all
  select ${RECEIVED} from demo_transfers where credit_id = ? and credit_account = ?`;

const HELD = `
  id, -amount_minor as "amountMinor", code, null as "balanceMinor", 0 as seq, payee_name as name, payee_iban as iban,
  -exchange_minor as "exchangeMinor", payment_id as "paymentId", null as "bookingDate", entered_on as "valueDate",
  entered_at as at, currency, remittance, end_to_end_id as "endToEndId", null as "mandateId", null as "creditorId",
  merchant_category_code as "merchantCategoryCode", details, ${EXCHANGE}`;

export const PENDING_PAGE = `
  select ${HELD} from demo_holds
  where account_id = ? and entered_on >= ? and entered_on <= ? and (entered_at, id) < (?, ?)
  order by entered_at desc, id desc limit ?`;

const ONE_PENDING = `select ${HELD} from demo_holds where id = ? and account_id = ?`;

/** What the demo bank calls a kind of entry itself; most kinds have no such code. */
const ownCodes: Readonly<Record<string, string>> = { 'PMNT-CCRD-CWDL': 'ATM', 'PMNT-CCRD-POSD': 'POS' };

const transactionOf = (row: Row): BankTransaction => ({
  id: row.id,
  status: row.bookingDate === null ? 'pending' : 'booked',
  bookingDate: row.bookingDate,
  valueDate: row.valueDate,
  at: row.at,
  bookedAt: row.bookingDate === null ? null : row.at,
  currency: row.currency,
  amountMinor: row.amountMinor,
  code: row.code,
  proprietaryCode: ownCodes[row.code] ?? null,
  balanceMinor: row.balanceMinor,
  details: {
    counterpartyName: row.name,
    counterpartyIban: row.iban,
    remittanceInformation: row.remittance,
    endToEndId: row.endToEndId,
    paymentId: row.paymentId,
    mandateId: row.mandateId,
    creditorId: row.creditorId,
    merchantCategoryCode: row.merchantCategoryCode,
    ...knownOf(row.details, row.amountMinor < 0),
    exchange:
      row.exchangeCurrency === null || row.exchangeMinor === null || row.exchangeMicros === null
        ? null
        : {
            currency: row.exchangeCurrency,
            amountMinor: row.exchangeMinor,
            rate: fromMicros(row.exchangeMicros),
          },
  },
});

/** Above every number and moment there is. */
const TOP = 999_999_999_999_999;

/** One row more than wanted tells whether there is another page. */
const pageOf = (rows: readonly Row[], limit: number, cursorOf: (last: Row) => string): TransactionPage => {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { items: rows.slice(0, limit).map(transactionOf), next: last ? cursorOf(last) : null };
};

/** The values of BOOKED_PAGE; a cursor from outside the days begins at their end. */
export const bookedPageValues = ({ accountId, from, to, after, limit }: TransactionsQuery) => {
  const place = after === null ? { date: to, seq: TOP } : readBookedCursor(after);
  const { date, seq } = place.date > to ? { date: to, seq: TOP } : place;
  const side = [accountId, from, date, seq, limit + 1];
  return [...side, ...side, limit + 1];
};

const bookedPage = async (db: Queries, query: TransactionsQuery): Promise<TransactionPage> => {
  const rows = await db.all<Row>(BOOKED_PAGE, bookedPageValues(query));
  return pageOf(rows, query.limit, ({ bookingDate, seq }) => bookedCursor({ date: bookingDate ?? '', seq }));
};

const pendingPage = async (db: Queries, query: TransactionsQuery): Promise<TransactionPage> => {
  const { accountId, from, to, after, limit } = query;
  const { at, id } = after === null ? { at: TOP, id: '' } : readPendingCursor(after);
  const rows = await db.all<Row>(PENDING_PAGE, [accountId, from, to, at, id, limit + 1]);
  return pageOf(rows, limit, pendingCursor);
};

export const readPage = (db: Queries, query: TransactionsQuery): Promise<TransactionPage> =>
  query.status === 'booked' ? bookedPage(db, query) : pendingPage(db, query);

export const readTransaction = async (
  db: Queries,
  accountId: AccountId,
  id: string,
): Promise<BankTransaction | undefined> => {
  const row =
    (await db.one<Row>(ONE_BOOKED, [id, accountId, id, accountId, id, accountId])) ??
    (await db.one<Row>(ONE_PENDING, [id, accountId]));
  return row && transactionOf(row);
};
