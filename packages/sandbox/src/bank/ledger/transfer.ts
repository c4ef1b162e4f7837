/**
 * One transfer between two accounts of the ledger, and how it is written down. The figures of both accounts move in
 * memory first: `post` has read them under lock, the seeding of the demo bank starts them at nothing.
 */

import type { PartyAgent, TransactionDetails } from 'trapeza/bank';
import { derivedId, newId, type Queries, type Value } from 'trapeza/base';
import { detailsOf } from './details.js';

export interface Party {
  readonly name: string | null;
  readonly iban: string | null;
  /** Of an account without IBAN, as the other side knows it. */
  readonly bban?: string | null;
  /** The currency of the account, and its bank. */
  readonly currency?: string | null;
  readonly agent?: PartyAgent | null;
  /** For whom it pays or is paid, if that is another person. */
  readonly ultimate?: string;
  /** Of one that collects direct debits. */
  readonly creditorId?: string;
  /** Of one that is paid by card. */
  readonly merchantCategoryCode?: string;
}

/** As other parties see an account of this bank. */
export const accountParty = (
  { iban, bban }: { readonly iban: string | null; readonly bban: string | null },
  name: string | null,
): Party => (iban === null && bban !== null ? { name, iban, bban } : { name, iban });

export interface Leg {
  /** Of the payer's entry. */
  readonly id?: string;
  /** The account that pays, and the one that receives: ids of the bank. */
  readonly debit: string;
  readonly credit: string;
  readonly amountMinor: number;
  /** As the payer sees it; the payee sees a received transfer (RCDT) where the payer sees an issued one (ICDT). */
  readonly code: string;
  readonly payer: Party;
  readonly payee: Party;
  readonly valueDate?: string;
  readonly remittance?: string | null;
  readonly endToEndId?: string | null;
  /** The order of a third party that it belongs to; the payer alone sees it. */
  readonly paymentId?: string | null;
  readonly mandateId?: string | null;
  readonly purposeCode?: string | null;
  readonly creditorReference?: string | null;
  /** As a sum: the sign is that of each side's entry. */
  readonly exchange?: TransactionDetails['exchange'];
}

/** When it is booked, and with what else. */
export interface Entry {
  readonly bookingId: string;
  readonly date: string;
  readonly at: number;
}

/** What an account's entries come to so far. */
export interface Tally {
  readonly currency: string;
  readonly role: string;
  bookedMinor: number;
  entries: number;
  paidMinor: number;
  paidCount: number;
  lastBookedOn: string | null;
  changedAt: number;
}

export type Tallies = ReadonlyMap<string, Tally>;

export const emptyTally = (currency: string, role: string, openingMinor: number): Tally => ({
  currency,
  role,
  bookedMinor: openingMinor,
  entries: 0,
  paidMinor: 0,
  paidCount: 0,
  lastBookedOn: null,
  changedAt: 0,
});

const tallyOf = (tallies: Tallies, id: string): Tally => {
  const found = tallies.get(id);
  if (!found) throw new Error('a booking names an account that the demo bank does not have');
  return found;
};

const MICRO = 1_000_000;
export const toMicros = (rate: number): number => Math.round(rate * MICRO);
export const fromMicros = (micros: number): number => micros / MICRO;

/** Two customers of one transfer have an entry each; neither id leads to the other one. */
export const creditIdOf = (transferId: string): string => derivedId(`entry:${transferId}:credit`);

/** The id and the row of the transfer, in the order of the columns; the figures of both accounts have moved. */
export const enter = (tallies: Tallies, leg: Leg, { bookingId, date, at }: Entry): readonly Value[] => {
  const payer = tallyOf(tallies, leg.debit);
  const payee = tallyOf(tallies, leg.credit);
  const { amountMinor, exchange } = leg;
  payer.bookedMinor -= amountMinor;
  payer.paidMinor += amountMinor;
  payer.paidCount += 1;
  payee.bookedMinor += amountMinor;
  for (const tally of [payer, payee]) {
    tally.entries += 1;
    tally.lastBookedOn = date;
    tally.changedAt = Math.max(tally.changedAt, at);
  }
  const id = leg.id ?? newId();
  return [
    id,
    bookingId,
    payer.currency,
    amountMinor,
    leg.debit,
    leg.credit,
    date,
    leg.valueDate ?? date,
    at,
    leg.code,
    payer.entries,
    payer.bookedMinor,
    payer.paidMinor,
    payer.paidCount,
    payee.entries,
    payee.bookedMinor,
    payee.paidMinor,
    payee.paidCount,
    leg.payer.name,
    leg.payer.iban,
    leg.payee.name,
    leg.payee.iban,
    leg.remittance ?? null,
    leg.endToEndId ?? null,
    exchange?.currency ?? null,
    exchange?.amountMinor ?? null,
    exchange ? toMicros(exchange.rate) : null,
    payer.role === 'customer' && payee.role === 'customer' ? creditIdOf(id) : null,
    leg.paymentId ?? null,
    leg.mandateId ?? null,
    leg.mandateId ? (leg.payee.creditorId ?? null) : null,
    leg.payee.merchantCategoryCode ?? null,
    detailsOf(leg),
  ];
};

const MARKS = Array.from({ length: 33 }, () => '?').join(', ');
const INSERT_TRANSFER = `
  insert into demo_transfers
    (id, booking_id, currency, amount_minor, debit_account, credit_account, booking_date, value_date, booked_at, code,
     debit_seq, debit_balance, debit_paid, debit_paid_count, credit_seq, credit_balance, credit_paid, credit_paid_count,
     debit_name, debit_iban, credit_name, credit_iban, remittance, end_to_end_id,
     exchange_currency, exchange_minor, exchange_micros,
     credit_id, payment_id, mandate_id, creditor_id, merchant_category_code, details)
  values (${MARKS})`;
const ROW = `, (${MARKS})`;
/** Three texts serve every number of rows, in few trips to the store. */
const SIZES = [100, 10, 1].map((size) => ({ size, sql: INSERT_TRANSFER + ROW.repeat(size - 1) }));

export const insertTransfers = async (tx: Queries, rows: readonly (readonly Value[])[]): Promise<void> => {
  let start = 0;
  for (const { size, sql } of SIZES) {
    for (; start + size <= rows.length; start += size) {
      const values: Value[] = [];
      for (const row of rows.slice(start, start + size)) values.push(...row);
      await tx.run(sql, values);
    }
  }
};
