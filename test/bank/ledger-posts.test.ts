/** Booking in the demo bank: all or nothing, balanced whatever happens at once, and refused by the database where it is not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeHold } from '../../packages/sandbox/src/bank/ledger/holds.js';
import { internalId } from '../../packages/sandbox/src/bank/ledger/internal-accounts.js';
import {
  type Booking,
  type Outcome,
  type PostedLeg,
  post,
} from '../../packages/sandbox/src/bank/ledger/post.js';
import { demoAccount, demoAccounts } from '../../packages/sandbox/src/bank/people.js';
import { newId } from '../../src/lib/id.js';
import type { Db, Value } from '../../src/store/db.js';
import { racingEngines } from '../support/engines.js';
import { ever, faultsIn, holding, today, useBooks } from './books.js';

const nobody = { name: null, iban: null };
const leg = (
  debit: string,
  credit: string,
  amountMinor: number,
  more: Partial<PostedLeg> = {},
): PostedLeg => ({
  debit,
  credit,
  amountMinor,
  code: 'PMNT-ICDT-ESCT',
  payer: nobody,
  payee: nobody,
  ...more,
});

const [eleni, kostas, poor] = [demoAccount(101), demoAccount(801), demoAccount(401)];
const [blocked, closed, dollars] = [demoAccount(1001), demoAccount(602), demoAccount(201, 'USD')];
const nostro = internalId('nostro', 'EUR');
const fees = internalId('fees', 'EUR');

const engines = racingEngines(
  'bookings at once change the same balances, and each engine refuses a wrong one by constraints of its own',
);

describe.each(engines)('booking on %s', (engine) => {
  const books = useBooks(engine, { months: 1 });

  const book = (legs: readonly PostedLeg[], more: Partial<Booking> = {}): Promise<Outcome> =>
    books().db.transaction((tx) =>
      post(tx, { date: today, at: books().clock.now(), isChecked: true, legs, ...more }),
    );
  const bookedOf = async (id: string): Promise<number> =>
    (
      await books().db.one<{ booked: number }>(
        'select booked_minor as booked from demo_accounts where id = ?',
        [id],
      )
    )?.booked ?? Number.NaN;
  const newestOf = async (accountId: string) =>
    (
      await books().bank.transactions({
        accountId,
        ...ever,
        status: 'booked',
        after: null,
        limit: 3,
        context: holding(accountId),
      })
    ).items;

  it('moves a payment with its fee together, and both sides see it from their own side', async () => {
    const before = await Promise.all([eleni.id, kostas.id, fees].map(bookedOf));
    const payment = leg(eleni.id, kostas.id, 2500, {
      payer: { name: 'Ελένη Παπαδοπούλου', iban: eleni.iban },
      payee: { name: 'Κώστας Ιωάννου', iban: kostas.iban },
      remittance: 'Για το δώρο',
      endToEndId: 'E2E-1',
    });
    const outcome = await book([payment, leg(eleni.id, fees, 30, { code: 'ACMT-MDOP-CHRG' })]);
    expect(outcome).toMatchObject({ kind: 'booked', date: today });
    const after = await Promise.all([eleni.id, kostas.id, fees].map(bookedOf));
    expect(after.map((each, index) => each - (before[index] ?? 0))).toEqual([-2530, 2500, 30]);
    const [fee, paid] = await newestOf(eleni.id);
    const [received] = await newestOf(kostas.id);
    expect([fee?.amountMinor, paid?.amountMinor, received?.amountMinor]).toEqual([-30, -2500, 2500]);
    expect([paid?.code, received?.code]).toEqual(['PMNT-ICDT-ESCT', 'PMNT-RCDT-ESCT']);
    expect(paid?.details).toMatchObject({ counterpartyName: 'Κώστας Ιωάννου', endToEndId: 'E2E-1' });
    expect(received?.details).toMatchObject({
      counterpartyIban: eleni.iban,
      remittanceInformation: 'Για το δώρο',
    });
    expect(fee?.balanceMinor).toBe(after[0]);
    expect(await faultsIn(books().db)).toEqual([]);
  });

  it.each([
    ['more than the account has', poor.id, nostro, 'no-funds', poor.id],
    ['from a blocked account', blocked.id, nostro, 'blocked', blocked.id],
    ['from a closed account', closed.id, nostro, 'closed', closed.id],
    ['to a closed account', eleni.id, closed.id, 'closed', closed.id],
  ] as const)('refuses a payment %s, and changes nothing', async (_what, from, to, reason, accountId) => {
    const before = await Promise.all([from, to].map(bookedOf));
    expect(await book([leg(from, to, 200)])).toEqual({ kind: 'refused', reason, accountId });
    expect(await Promise.all([from, to].map(bookedOf))).toEqual(before);
  });

  it('takes the last cent, the credit line and what is set aside into account', async () => {
    const katerina = demoAccount(501);
    const available = katerina.bookedMinor - katerina.pendingMinor + katerina.creditMinor;
    expect(await book([leg(katerina.id, nostro, available + 1)])).toMatchObject({ reason: 'no-funds' });
    expect(await book([leg(katerina.id, nostro, available)])).toMatchObject({ kind: 'booked' });
    expect(await book([leg(katerina.id, nostro, 1)])).toMatchObject({ reason: 'no-funds' });
    expect(await book([leg(katerina.id, nostro, 1)], { isChecked: false })).toMatchObject({ kind: 'booked' });
  });

  it('books a pending debit under its own id, and sets its amount free', async () => {
    const { bank, db, clock } = books();
    const pendingOf = async () =>
      (await db.one<{ n: number }>('select pending_minor as n from demo_accounts where id = ?', [kostas.id]))
        ?.n;
    const hold = {
      accountId: kostas.id,
      amountMinor: 1234,
      date: today,
      at: clock.now(),
      code: 'PMNT-CCRD-POSD',
    };
    const id = await db.transaction((tx) =>
      placeHold(tx, { ...hold, payee: { name: 'Καφέ Αίθριο', iban: null } }),
    );
    expect(await bank.transaction(kostas.id, id, holding(kostas.id))).toMatchObject({
      status: 'pending',
      amountMinor: -1234,
    });
    expect(await pendingOf()).toBe(1234);
    await book([leg(kostas.id, nostro, 1200, { holdId: id })]);
    expect(await bank.transaction(kostas.id, id, holding(kostas.id))).toMatchObject({
      id,
      status: 'booked',
      amountMinor: -1200,
    });
    expect(await pendingOf()).toBe(0);
    await expect(book([leg(kostas.id, nostro, 1200, { holdId: id })])).rejects.toThrow('pending debit');
  });

  it('never gives an entry an earlier day than the one before it', async () => {
    await book([leg(eleni.id, nostro, 1)], { date: '2026-05-20' });
    expect(await book([leg(eleni.id, kostas.id, 1)], { date: today })).toMatchObject({ date: '2026-05-20' });
    expect(await faultsIn(books().db)).toEqual([]);
  });

  it('stays balanced, per account and per currency, under random bookings at once', async () => {
    const euros = demoAccounts.filter(({ currency }) => currency === 'EUR').map(({ id }) => id);
    const pair = fc.shuffledSubarray([...euros, nostro, fees], { minLength: 2, maxLength: 2 });
    const some = fc.array(fc.tuple(pair, fc.integer({ min: 1, max: 40_000 })), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(some, { minLength: 8, maxLength: 24 }), async (bookings) => {
        const outcomes = await Promise.all(
          bookings.map((each) =>
            book(
              each.map(([[from = '', to = ''], amount]) => leg(from, to, amount)),
              { date: '2026-05-21' },
            ),
          ),
        );
        expect(outcomes).toHaveLength(bookings.length);
        expect(await faultsIn(books().db)).toEqual([]);
      }),
      { numRuns: 8 },
    );
  });

  it('undoes the whole booking when one of its legs cannot be written', async () => {
    const before = await bookedOf(eleni.id);
    await expect(
      book([leg(eleni.id, nostro, 5), leg(eleni.id, nostro, -5)], { isChecked: false }),
    ).rejects.toThrow();
    await expect(book([leg(eleni.id, dollars.id, 5)], { isChecked: false })).rejects.toThrow();
    await expect(book([leg(eleni.id, 'nobody', 5)])).rejects.toThrow('does not have');
    expect(await bookedOf(eleni.id)).toBe(before);
    expect(await faultsIn(books().db)).toEqual([]);
  });
});

/** A transfer written past the program, with one thing changed. */
const insertRow = (db: Db, change: Readonly<Record<string, Value>>): Promise<number> => {
  const row: Record<string, Value> = {
    id: newId(),
    booking_id: newId(),
    currency: 'EUR',
    amount_minor: 100,
    debit_account: eleni.id,
    credit_account: nostro,
    booking_date: '2026-06-01',
    value_date: '2026-06-01',
    booked_at: 0,
    code: 'PMNT-ICDT-ESCT',
    debit_seq: 1,
    debit_balance: 0,
    debit_paid: 0,
    debit_paid_count: 0,
    credit_seq: 1,
    credit_balance: 0,
    credit_paid: 0,
    credit_paid_count: 0,
    ...change,
  };
  const names = Object.keys(row);
  const marks = names.map(() => '?').join(', ');
  return db.run(`insert into demo_transfers (${names.join(', ')}) values (${marks})`, Object.values(row));
};

describe.each(engines)('the database itself, on %s,', (engine) => {
  const books = useBooks(engine, { months: 0 });

  it.each([
    ['of nothing', { amount_minor: 0 }],
    ['of a negative amount', { amount_minor: -1 }],
    ['without payer', { debit_account: null }],
    ['without payee', { credit_account: null }],
    ['from an account to itself', { credit_account: eleni.id }],
    ['to an account of another currency', { credit_account: dollars.id }],
    ['in a currency that neither account has', { currency: 'USD' }],
    ['from an account that is not there', { debit_account: 'nobody' }],
  ])('refuses a transfer %s', async (_what, change: Record<string, Value>) => {
    await expect(insertRow(books().db, change)).rejects.toThrow(/constraint|violates/i);
  });

  it('takes the same transfer without the fault, and refuses it a second time', async () => {
    expect(await insertRow(books().db, {})).toBe(1);
    await expect(insertRow(books().db, {})).rejects.toThrow(/constraint|unique/i);
  });

  it('keeps an account that has entries, and its currency', async () => {
    const { db } = books();
    await expect(db.run('delete from demo_accounts where id = ?', [nostro])).rejects.toThrow();
    await expect(
      db.run(`update demo_accounts set currency = 'USD' where id = ?`, [eleni.id]),
    ).rejects.toThrow();
  });
});
