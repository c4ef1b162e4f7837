/** What every bank behind the port promises. Another implementation joins by one more line in the list. */
import { describe, expect, it } from 'vitest';
import {
  accountHolderPromises,
  bankPromises,
  type TriedBank,
  type TriedHolders,
} from '../../packages/core-kit/src/contract/index.js';
import { demoAccountHolders } from '../../packages/sandbox/src/bank/demo-identity.js';
import { internalId } from '../../packages/sandbox/src/bank/ledger/internal-accounts.js';
import { post } from '../../packages/sandbox/src/bank/ledger/post.js';
import { DemoLife } from '../../packages/sandbox/src/bank/living/demo-life.js';
import { demoAccount, demoPsus } from '../../packages/sandbox/src/bank/people.js';
import { DAY } from '../../src/lib/clock.js';
import { type Books, ever, timeZone, useBooks } from '../bank/books.js';
import { useCore } from '../bank/core.js';
import { engines } from '../support/engines.js';
import { psuId } from '../support/operations.js';

interface Tried extends TriedBank {
  advance(ms: number): void;
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
      // Holds are booked after one to three working days.
      bookPending: async () => {
        const inAWeek = new Date(clock.now() + 7 * DAY).toISOString().slice(0, 10);
        const life = new DemoLife({ db, timeZone, today: async () => inAWeek });
        while (await life.step());
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

  it.each(bankPromises(tried))('$name', ({ check }) => check());

  it('has a statement for each month that is over, and a new one as soon as the next is', async () => {
    const { bank, accountId, psuId: person, now, advance } = tried();
    const context = { psuId: person };
    const before = await bank.statements(accountId, ever.from, ever.to, context);
    expect(before.length).toBeGreaterThan(3);
    expect(before[0]?.to).toBe('2026-04-30');
    advance(20 * DAY);
    const [newest, ...older] = await bank.statements(accountId, ever.from, ever.to, context);
    expect(newest).toMatchObject({
      from: '2026-05-01',
      to: '2026-05-31',
      openingMinor: before[0]?.closingMinor,
    });
    expect(newest?.createdAt).toBeLessThanOrEqual(now());
    expect(older).toEqual(before);
  });
});

describe('the account holders of the demo bank', () => {
  const books = useBooks('sqlite', { months: 0 });
  const [eleni] = demoPsus;
  const tried = (): TriedHolders => {
    const { db, clock } = books();
    return {
      holders: demoAccountHolders(db, clock),
      username: eleni?.username ?? '',
      password: eleni?.password ?? '',
      psuId: eleni?.id ?? '',
      codeOf: async ({ demoCode }) => demoCode ?? '',
    };
  };

  it.each(accountHolderPromises(tried))('$name', ({ check }) => check());
});
