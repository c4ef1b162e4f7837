/** The demo bank's books: every balance is the sum of its entries, on every day, and statements follow one another. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { demoHistory } from '../../packages/sandbox/src/bank/history/demo-history.js';
import { stateAt } from '../../packages/sandbox/src/bank/ledger/statements.js';
import { demoAccount, demoAccounts } from '../../packages/sandbox/src/bank/people.js';
import { engines } from '../support/engines.js';
import { entriesByAccount, ever, faultsIn, holding, timeZone, today, useBooks } from './books.js';

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A customer's balances, entry by entry. */
const courseOf = (history: ReturnType<typeof demoHistory>, id: string): number[] => {
  let balance = history.openings.get(id) ?? 0;
  return history.bookings.flatMap(({ legs }) =>
    legs.flatMap(({ debit, credit, amountMinor }) => {
      if (debit !== id && credit !== id) return [];
      balance += credit === id ? amountMinor : -amountMinor;
      return [balance];
    }),
  );
};

describe.each(engines)('the books on %s', (engine) => {
  const books = useBooks(engine, { months: 24 });

  it('have for every account, at every entry and so at every day’s end, the sum of the entries as balance', async () => {
    expect(await faultsIn(books().db)).toEqual([]);
    const entries = await entriesByAccount(books().db);
    expect([...entries.values()].reduce((sum, rows) => sum + rows.length, 0)).toBeGreaterThan(10_000);
  });

  it('tell the balance at the end of any day, also of one without entries', async () => {
    const entries = await entriesByAccount(books().db);
    const rows = await books().db.all<{ id: string; opening: number }>(
      'select id, opening_minor as opening from demo_accounts',
    );
    const openings = new Map(rows.map(({ id, opening }) => [id, opening]));
    const days = fc.integer({ min: Date.parse('2024-04-01'), max: Date.parse('2026-06-01') }).map(dateOf);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...entries.keys()), days, async (account, day) => {
        const upTo = (entries.get(account) ?? []).filter(({ date }) => date <= day);
        const { balanceMinor, seq, paidMinor } = await stateAt(books().db, account, day);
        const sum = (rows: readonly { amount: number }[]) =>
          rows.reduce((all, { amount }) => all + amount, 0);
        expect({ balanceMinor, seq, paidMinor }).toEqual({
          balanceMinor: (openings.get(account) ?? 0) + sum(upTo),
          seq: upTo.length,
          paidMinor: -sum(upTo.filter(({ amount }) => amount < 0)) + 0,
        });
      }),
      { numRuns: 200 },
    );
  });

  it('end with the balances and pending amounts the customers are described with', async () => {
    const rows = await books().db.all(
      `select a.id, a.booked_minor as booked, a.pending_minor as pending,
              (select cast(coalesce(sum(h.amount_minor), 0) as bigint) from demo_holds h where h.account_id = a.id) as held
       from demo_accounts a where a.role = 'customer' order by a.id`,
    );
    const wanted = demoAccounts
      .map(({ id, bookedMinor: booked, pendingMinor: pending }) => ({ id, booked, pending, held: pending }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(rows).toEqual(wanted);
  });

  const openingOf = async (id: string): Promise<number | undefined> =>
    (await books().db.one<{ n: number }>('select opening_minor as n from demo_accounts where id = ?', [id]))
      ?.n;

  it.each(demoAccounts.map((account) => [`${account.iban ?? account.bban} ${account.currency}`, account]))(
    'chain the statements of %s, and each adds up to its transactions',
    async (_name, account) => {
      const { bank } = books();
      const context = holding(account.id);
      const statements = await bank.statements(account.id, ever.from, ever.to, context);
      for (const [index, statement] of statements.entries()) {
        const earlier = statements[index + 1];
        expect(statement.openingMinor).toBe(earlier?.closingMinor ?? (await openingOf(account.id)));
        expect(statement.closingMinor - statement.openingMinor).toBe(
          statement.creditsMinor - statement.debitsMinor,
        );
        if (earlier) expect(dateOf(Date.parse(earlier.to) + 86_400_000)).toBe(statement.from);
      }
      const [newest] = statements;
      if (!newest) return;
      const { from, to } = newest;
      const query = {
        accountId: account.id,
        from,
        to,
        status: 'booked',
        after: null,
        limit: 1000,
        context,
      } as const;
      const amounts = (await bank.transactions(query)).items.map(({ amountMinor }) => amountMinor);
      const [credits, debits] = [amounts.filter((each) => each > 0), amounts.filter((each) => each < 0)];
      expect(newest).toMatchObject({
        creditsMinor: credits.reduce((sum, each) => sum + each, 0),
        debitsMinor: -debits.reduce((sum, each) => sum + each, 0) + 0,
        creditCount: credits.length,
        debitCount: debits.length,
      });
      expect(await bank.statement(account.id, newest.id, context)).toEqual(newest);
    },
  );
});

describe('a history', () => {
  const calendarDay = fc
    .integer({ min: Date.parse('2024-01-01'), max: Date.parse('2031-12-31') })
    .map(dateOf);

  it('is the same for the same day, and another one for another day', () => {
    const options = { today, timeZone, months: 6 };
    expect(demoHistory(options)).toEqual(demoHistory(options));
    expect(demoHistory({ ...options, today: '2026-05-18' })).not.toEqual(demoHistory(options));
  });

  it('ends with the described balances on whatever day, for whatever depth and zone', () => {
    const zones = fc.constantFrom(timeZone, 'UTC', 'Pacific/Auckland', 'America/Los_Angeles');
    fc.assert(
      fc.property(calendarDay, fc.constantFrom(0, 1, 2, 7, 24), zones, (day, months, zone) => {
        const history = demoHistory({ today: day, months, timeZone: zone });
        for (const { id, bookedMinor, creditMinor, currency } of demoAccounts) {
          const course = courseOf(history, id);
          expect(course.at(-1) ?? history.openings.get(id), `${id} ${currency}`).toBe(bookedMinor);
          expect(Math.min(0, ...course), `${id} ${currency}`).toBeGreaterThanOrEqual(-creditMinor);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('names every transfer once, books nothing on a weekend or later than the day before', () => {
    const { bookings } = demoHistory({ today, timeZone, months: 24 });
    const ids = bookings.flatMap(({ legs }) => legs.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    const weekdays = new Set(bookings.map(({ date }) => new Date(date).getUTCDay()));
    expect([...weekdays].toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(bookings.some(({ date }) => date >= today)).toBe(false);
    expect(bookings.filter(({ date }) => date.endsWith('-12-25') || date === '2026-04-13')).toEqual([]);
  });

  it('has what people have: wages with their bonuses, rent, cards abroad, cash, fees, interest', () => {
    const { bookings } = demoHistory({ today, timeZone, months: 24 });
    const legs = bookings.flatMap((booking) => booking.legs);
    const texts = legs.map(({ remittance }) => remittance ?? '').join('\n');
    for (const word of [
      'Μισθοδοσία',
      'Δώρο Χριστουγέννων 2025',
      'Δώρο Πάσχα 2026',
      'Επίδομα αδείας',
      'Σύνταξη',
    ])
      expect(texts).toContain(word);
    for (const word of [
      'Ενοίκιο',
      'Ρεύμα',
      'Ανάληψη μετρητών',
      'Συνδρομή',
      'Τόκοι',
      'Χρεωστικοί τόκοι',
      'Τιμολόγιο',
    ])
      expect(texts).toContain(word);
    const euros = new Set(demoAccounts.filter(({ currency }) => currency === 'EUR').map(({ id }) => id));
    const abroad = legs.filter(
      ({ debit, code, exchange }) => euros.has(debit) && code === 'PMNT-CCRD-POSD' && exchange,
    );
    expect(new Set(abroad.map(({ exchange }) => exchange?.currency))).toEqual(new Set(['USD', 'GBP']));
    for (const { amountMinor, exchange } of abroad)
      expect(Math.round((exchange?.amountMinor ?? 0) * (exchange?.rate ?? 0))).toBe(amountMinor);
  });

  it('leaves a blocked account unable to pay, and a closed one without entries, for weeks now', () => {
    const { bookings } = demoHistory({ today, timeZone, months: 24 });
    const [blocked, closed] = [demoAccount(1001).id, demoAccount(602).id];
    const late = bookings.filter(({ date }) => date >= '2026-04-27').flatMap(({ legs }) => legs);
    expect(late.filter(({ debit }) => debit === blocked)).toEqual([]);
    expect(late.filter(({ debit, credit }) => [debit, credit].includes(closed))).toEqual([]);
    const all = bookings.flatMap(({ legs }) => legs);
    expect(all.filter(({ credit }) => credit === closed).length).toBeGreaterThan(0);
  });
});
