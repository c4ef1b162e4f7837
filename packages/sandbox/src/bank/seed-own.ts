/** People of one's own in a store that has the demo bank: their accounts, and the transactions that they are described with. */
import { dateAt, derivedId, endOfDay, HOUR, type Queries, type RealTime } from 'trapeza/base';
import { shifted } from './history/calendar.js';
import { referenced } from './history/demo-history.js';
import { emptyTally, enter, type Leg, type Party } from './ledger/transfer.js';
import type { DemoAccount, DemoPsu } from './people.js';
import { insertAccounts, insertHolder } from './seed-bank.js';
import { insertInternal, writeBooks } from './seed-books.js';

export interface OwnEntry {
  readonly accountId: string;
  /** A day, or how many before the day of seeding. */
  readonly on: string | number;
  /** Negative if the person pays. */
  readonly amountMinor: number;
  readonly remittance: string | null;
  readonly other: Party;
}

export interface OwnPerson {
  readonly psu: DemoPsu;
  readonly passwordHash: string;
  readonly entries: readonly OwnEntry[];
}

export interface SeedDay {
  readonly nowMs: RealTime;
  readonly timeZone: string;
}

/** All other banks, merchants and cash: one for each account, because the dates of an account's entries never run backwards. */
const outsideOf = ({ id, iban, currency }: DemoAccount) => ({
  id: derivedId(`internal:nostro:${id}`),
  role: 'nostro' as const,
  currency,
  bban: `NOSTRO${iban?.slice(-24)}`,
});

const legOf = (entry: OwnEntry, outside: string, self: Party): Omit<Leg, 'id'> => {
  const { accountId, amountMinor, remittance, other } = entry;
  const shared = { amountMinor: Math.abs(amountMinor), code: 'PMNT-ICDT-ESCT', remittance };
  return amountMinor < 0
    ? { ...shared, debit: accountId, credit: outside, payer: self, payee: other }
    : { ...shared, debit: outside, credit: accountId, payer: other, payee: self };
};

/** The account ends with the balance that it is described with; what its transactions do not explain, it was opened with. */
const seedAccount = async (
  tx: Queries,
  account: DemoAccount,
  { psu, entries }: OwnPerson,
  { nowMs, timeZone }: SeedDay,
): Promise<void> => {
  const today = dateAt(nowMs, timeZone);
  const dated = entries
    .filter(({ accountId }) => accountId === account.id)
    .map((entry) => ({ ...entry, date: typeof entry.on === 'string' ? entry.on : shifted(today, -entry.on) }))
    .toSorted((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)));
  const openingMinor = dated.reduce((left, { amountMinor }) => left - amountMinor, account.bookedMinor);
  const outside = outsideOf(account);
  const openings = new Map([
    [account.id, openingMinor],
    [outside.id, -openingMinor],
  ]);
  const tally = emptyTally(account.currency, 'customer', openingMinor);
  if (dated.length === 0) tally.changedAt = nowMs;
  const tallies = new Map([
    [account.id, tally],
    [outside.id, emptyTally(account.currency, outside.role, -openingMinor)],
  ]);
  const self = { name: psu.name, iban: account.iban };
  const rows = dated.map(({ date, ...entry }, index) => {
    const id = derivedId(`own:${account.id}:${index}`);
    const noon = endOfDay(shifted(date, -1), timeZone) + 12 * HOUR;
    const leg = referenced({ ...legOf(entry, outside.id, self), id });
    return enter(tallies, leg, { bookingId: id, date, at: Math.min(noon + index, nowMs) });
  });
  await insertInternal(tx, [outside]);
  await writeBooks(tx, { rows, tallies, openings, openedOn: dated[0]?.date ?? today });
};

export const seedOwnPerson = async (tx: Queries, person: OwnPerson, day: SeedDay): Promise<void> => {
  await insertAccounts(tx, person.psu.accounts);
  await insertHolder(tx, person.psu, person.passwordHash);
  for (const account of person.psu.accounts) await seedAccount(tx, account, person, day);
};
