/** What every bank behind the port promises. Another implementation joins by one more line in the list. */
import { beforeAll, describe, expect, it } from 'vitest';
import { internalId } from '../../packages/sandbox/src/bank/ledger/internal-accounts.js';
import { post } from '../../packages/sandbox/src/bank/ledger/post.js';
import { demoAccount } from '../../packages/sandbox/src/bank/people.js';
import { type Bank, NoSuchAccount } from '../../src/bank/bank.js';
import { BadCursor, type BankTransaction, balanceTypes } from '../../src/bank/history.js';
import { DAY } from '../../src/lib/clock.js';
import { newId } from '../../src/lib/id.js';
import { type Books, ever, today, useBooks } from '../bank/books.js';
import { useCore } from '../bank/core.js';
import { psuId } from '../support/operations.js';
import { engines } from '../support/service.js';

/** A bank with what the promises are checked on. */
interface Tried {
  readonly bank: Bank;
  readonly psuId: string;
  /** An account of hers with some months of transactions and something pending, and another customer's. */
  readonly accountId: string;
  readonly otherId: string;
  readonly otherPsuId: string;
  now(): number;
  advance(ms: number): void;
  /** A payment of one minor unit arrives on the account. */
  arrive(): Promise<void>;
}

const triedOn = (use: () => () => Books) => (): (() => Tried) => {
  const books = use();
  return () => {
    const { bank, db, clock } = books();
    const accountId = demoAccount(101).id;
    const nobody = { name: null, iban: null };
    const leg = {
      debit: internalId('nostro', 'EUR'),
      credit: accountId,
      amountMinor: 1,
      payer: nobody,
      payee: nobody,
    };
    const legs = [{ ...leg, code: 'PMNT-ICDT-ESCT' }];
    return {
      bank,
      psuId: psuId('eleni'),
      accountId,
      otherId: demoAccount(801).id,
      otherPsuId: psuId('kostas'),
      now: () => clock.now(),
      advance: (ms) => clock.advance(ms),
      arrive: async () => {
        const booking = { date: new Date(clock.now()).toISOString().slice(0, 10), at: clock.now(), legs };
        await db.transaction((tx) => post(tx, { ...booking, isChecked: false }));
      },
    };
  };
};

const banks: readonly (readonly [string, () => () => Tried])[] = [
  ...engines.map(
    (engine) => [`the demo bank on ${engine}`, triedOn(() => useBooks(engine, { months: 5 }))] as const,
  ),
  ['the core simulator behind the HTTP adapter', triedOn(() => useCore({ months: 5 }))],
];

describe.each(banks)('%s', (_name, use) => {
  const tried = use();
  let bank: Bank;
  let accountId: string;
  let context: { readonly psuId: string };
  let otherAsker: { readonly psuId: string };
  beforeAll(() => {
    ({ bank, accountId } = tried());
    context = { psuId: tried().psuId };
    otherAsker = { psuId: tried().otherPsuId };
  });

  const page = (more: Partial<Parameters<Bank['transactions']>[0]> = {}) =>
    bank.transactions({ accountId, ...ever, status: 'booked', after: null, limit: 50, context, ...more });
  const walk = async (limit: number, between: () => Promise<void> = async () => undefined) => {
    const seen: BankTransaction[] = [];
    let after: string | null = null;
    do {
      const { items, next } = await page({ after, limit });
      expect(items.length).toBeLessThanOrEqual(limit);
      seen.push(...items);
      after = next;
      await between();
    } while (after !== null);
    return seen;
  };

  it('answers when it is asked how it is', async () => {
    await expect(bank.ping()).resolves.toBeUndefined();
    expect(bank.name).not.toBe('');
  });

  it('lists the accounts of a person, each with number, currency, type and owner; none of a stranger', async () => {
    const accounts = await bank.accountsOf(tried().psuId);
    expect(accounts.map(({ id }) => id)).toContain(accountId);
    expect(accounts.map(({ id }) => id)).not.toContain(tried().otherId);
    for (const account of accounts) {
      expect(account.iban ?? account.bban).toMatch(/\d{10}/);
      expect(account.currency).toMatch(/^[A-Z]{3}$/);
      expect(account.type).toMatch(/^[A-Z]{4}$/);
      expect(account.ownerName).not.toBe('');
    }
    expect(await bank.accountsOf(newId())).toEqual([]);
  });

  it('has funds for what is available, and not for a minor unit more', async () => {
    const balance = (await bank.balances(accountId, context)).find(({ type }) => type === 'interimAvailable');
    const { currency = '', amountMinor = 0 } = balance ?? {};
    const ask = (minor: number) =>
      bank.hasFunds({ accountId, currency, amountMinor: BigInt(minor), context });
    expect([await ask(amountMinor), await ask(amountMinor + 1)]).toEqual([true, false]);
    await expect(bank.hasFunds({ accountId: newId(), currency, amountMinor: 1n, context })).rejects.toThrow();
  });

  it('answers nobody about an account that is not theirs', async () => {
    const [transaction] = (await page({ limit: 1 })).items;
    const [statement] = await bank.statements(accountId, ever.from, ever.to, context);
    const asked = { accountId, currency: 'EUR', amountMinor: 1n };
    for (const stranger of [otherAsker, { psuId: newId() }]) {
      const questions = [
        () => bank.hasFunds({ ...asked, context: stranger }),
        () => bank.balances(accountId, stranger),
        () => page({ context: stranger }),
        () => page({ context: stranger, status: 'pending' }),
        () => bank.statements(accountId, ever.from, ever.to, stranger),
      ];
      for (const question of questions) await expect(question()).rejects.toBeInstanceOf(NoSuchAccount);
      const found = (look: Promise<unknown>) => look.catch((error: unknown) => error);
      const looks = [
        await found(bank.transaction(accountId, transaction?.id ?? '', stranger)),
        await found(bank.statement(accountId, statement?.id ?? '', stranger)),
      ];
      for (const look of looks) expect(look === undefined || look instanceof NoSuchAccount).toBe(true);
    }
  });

  it('tells each balance once, none of them of the future, and what is pending lies between booked and available', async () => {
    const balances = await bank.balances(accountId, context);
    const of = (type: string) => balances.find((each) => each.type === type)?.amountMinor ?? Number.NaN;
    expect(balances.map(({ type }) => type).toSorted()).toEqual([...balanceTypes].toSorted());
    for (const { at } of balances) expect(at).toBeLessThanOrEqual(tried().now());
    const { items } = await page({ status: 'pending' });
    const pending = items.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    expect(pending).toBeLessThan(0);
    expect(of('interimAvailable')).toBe(of('interimBooked') + pending);
    const [newest] = (await page({ limit: 1 })).items;
    expect(newest?.balanceMinor).toBe(of('interimBooked'));
  });

  it('gives transactions newest first, each with the balance after it', async () => {
    const all = await walk(7);
    expect(all.length).toBeGreaterThan(50);
    for (const [index, each] of all.entries()) {
      const older = all[index + 1];
      expect(each.status).toBe('booked');
      expect((each.balanceMinor ?? 0) - each.amountMinor).toBe(older?.balanceMinor ?? 0);
      if (older) expect((each.bookingDate ?? '') >= (older.bookingDate ?? '')).toBe(true);
    }
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect((await page({ limit: 1000 })).items).toEqual(all);
  });

  it('gives the transactions of the wanted days, the first and the last included', async () => {
    const all = await walk(100);
    const days = [...new Set(all.map(({ bookingDate }) => bookingDate ?? ''))];
    const [to = '', from = ''] = [days[3], days[9]];
    const within = all.filter(({ bookingDate }) => (bookingDate ?? '') >= from && (bookingDate ?? '') <= to);
    expect((await page({ from, to, limit: 1000 })).items).toEqual(within);
    expect((await page({ from: '2999-01-01' })).items).toEqual([]);
    const { next } = await page({ limit: 1 });
    expect((await page({ from, to, after: next, limit: 1000 })).items).toEqual(within);
  });

  it('neither repeats nor hides a transaction when others arrive between the pages', async () => {
    const before = await walk(100);
    const seen = await walk(9, () => tried().arrive());
    expect(seen).toEqual(before);
    expect((await walk(100)).length).toBeGreaterThan(before.length);
  });

  it('refuses a cursor that it never gave out, and names no account in its own', async () => {
    const { next } = await page({ limit: 1 });
    const good = next ?? '';
    const made = Buffer.from('b2026-02-31.1').toString('base64url');
    for (const after of [
      '',
      'x',
      `${good}x`,
      `${good}=`,
      good.toUpperCase(),
      made,
      'a'.repeat(10_000),
      '%00',
    ])
      await expect(page({ after })).rejects.toBeInstanceOf(BadCursor);
    await expect(page({ after: good, status: 'pending' })).rejects.toBeInstanceOf(BadCursor);
    const iban = demoAccount(101).iban ?? '';
    const text = good + Buffer.from(good, 'base64url').toString('latin1');
    expect(text.includes(accountId) || text.includes(iban.slice(-6))).toBe(false);
  });

  it('pages through what is pending too', async () => {
    const all = (await page({ status: 'pending' })).items;
    const first = await page({ status: 'pending', limit: 1 });
    const second = await page({ status: 'pending', limit: 1, after: first.next });
    expect([...first.items, ...second.items]).toEqual(all.slice(0, 2));
    for (const each of all)
      expect(each).toMatchObject({ status: 'pending', bookingDate: null, balanceMinor: null });
  });

  it('shows a transaction by its id, to its own account only', async () => {
    const [booked] = (await page({ limit: 1 })).items;
    const [pending] = (await page({ status: 'pending', limit: 1 })).items;
    for (const each of [booked, pending]) {
      expect(await bank.transaction(accountId, each?.id ?? '', context)).toEqual(each);
      expect(await bank.transaction(tried().otherId, each?.id ?? '', otherAsker)).toBeUndefined();
    }
    expect(await bank.transaction(accountId, newId(), context)).toBeUndefined();
    expect(await bank.transaction(accountId, 'no such id', context)).toBeUndefined();
  });

  it('has a statement for each month that is over, and a new one as soon as the next is', async () => {
    const before = await bank.statements(accountId, ever.from, ever.to, context);
    expect(before.length).toBeGreaterThan(3);
    expect(before[0]?.to).toBe('2026-04-30');
    tried().advance(20 * DAY);
    const [newest, ...older] = await bank.statements(accountId, ever.from, ever.to, context);
    expect(newest).toMatchObject({
      from: '2026-05-01',
      to: '2026-05-31',
      openingMinor: before[0]?.closingMinor,
    });
    expect(newest?.createdAt).toBeLessThanOrEqual(tried().now());
    expect(older).toEqual(before);
  });

  it('gives the statements that lie wholly within the days, and one by its id to its own account', async () => {
    const all = await bank.statements(accountId, ever.from, ever.to, context);
    const [, second, third] = all;
    if (!second || !third) throw new Error('too few statements');
    expect(await bank.statements(accountId, third.from, second.to, context)).toEqual([second, third]);
    expect(await bank.statements(accountId, `${third.from.slice(0, 8)}02`, second.to, context)).toEqual([
      second,
    ]);
    expect(await bank.statement(accountId, second.id, context)).toEqual(second);
    expect(await bank.statement(tried().otherId, second.id, otherAsker)).toBeUndefined();
    expect(await bank.statement(accountId, newId(), context)).toBeUndefined();
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(today < second.from).toBe(false);
    for (const { openingMinor, closingMinor, creditsMinor, debitsMinor } of all) {
      expect(Math.min(creditsMinor, debitsMinor)).toBeGreaterThanOrEqual(0);
      expect(openingMinor + creditsMinor - debitsMinor).toBe(closingMinor);
    }
  });
});
