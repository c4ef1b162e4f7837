/** What every bank promises about the ids of transactions: third parties keep every entry under its id alone. */
import assert from 'node:assert/strict';
import type { BankTransaction, TransactionsQuery } from 'trapeza/bank';
import type { KeptPromise } from './promises.js';
import { isTrue, type TriedBank, transactionsOf } from './tried-bank.js';

const LIMIT = 500;

const idsOf = (items: readonly BankTransaction[]): readonly string[] => items.map(({ id }) => id);

export const transactionIdPromises = (tried: () => TriedBank): readonly KeptPromise[] => {
  const { page } = transactionsOf(tried);
  const entriesOf = async (of: Pick<TransactionsQuery, 'accountId' | 'status' | 'context'>) => {
    const seen: BankTransaction[] = [];
    let after: string | null = null;
    do {
      const { items, next } = await page({ ...of, after, limit: LIMIT });
      seen.push(...items);
      after = next;
    } while (after !== null);
    return seen;
  };
  return [
    {
      name: 'gives every entry an id of its own: no two accounts, customers or sides of a transfer share one',
      async check() {
        const { bank, psuId, otherPsuId } = tried();
        const accountOf = new Map<string, string>();
        for (const person of [psuId, otherPsuId])
          for (const { id: accountId } of await bank.accountsOf(person))
            for (const status of ['booked', 'pending'] as const)
              for (const { id } of await entriesOf({ accountId, status, context: { psuId: person } })) {
                isTrue(!accountOf.has(id), `${id} is the id of one entry`);
                accountOf.set(id, accountId);
              }
      },
    },
    {
      name: 'keeps the id of an entry, whichever days are read',
      async check() {
        const all = (await page({ limit: LIMIT })).items;
        const to = all[Math.floor(all.length / 2)]?.bookingDate ?? '';
        const { items } = await page({ to, limit: LIMIT });
        const older = all.filter(({ bookingDate }) => (bookingDate ?? '') <= to);
        assert.deepEqual(idsOf(items).slice(0, older.length), idsOf(older));
      },
    },
    {
      name: 'keeps the id of an entry from pending to booked',
      async check() {
        const { bookPending, bank, accountId, psuId } = tried();
        if (!bookPending) return;
        const pending = idsOf((await page({ status: 'pending', limit: LIMIT })).items);
        await bookPending();
        const booked = await Promise.all(pending.map((id) => bank.transaction(accountId, id, { psuId })));
        isTrue(
          booked.some((each) => each?.status === 'booked'),
          'what was pending is booked under its id',
        );
      },
    },
  ];
};
