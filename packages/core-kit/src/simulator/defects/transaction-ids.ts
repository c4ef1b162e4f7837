/** Defects in the ids of transactions. */
import { DAY } from 'trapeza/base';
import type { Answer, Asked, Core } from '../contract.js';
import type { Defect } from './defect.js';

type Transaction = Answer<'listTransactions'>['transactions'][number];
type Question = Pick<Asked<'listTransactions'>, 'params' | 'psuId' | 'at'>;

const booked = (core: Core, { params: { accountId }, psuId, at }: Question, from: string, to: string) =>
  core.listTransactions({
    ...{ params: { accountId }, psuId, at, body: undefined },
    query: { from, to, status: 'booked', limit: 1000, after: undefined },
  });

/** Numbers within a day, from its first booking on. */
const numbersOf = (transactions: readonly Transaction[]): ReadonlyMap<string, number> => {
  const last = new Map<string, number>();
  return new Map(
    transactions.toReversed().map(({ id, bookingDate }) => {
      const number = (last.get(bookingDate ?? '') ?? 0) + 1;
      last.set(bookingDate ?? '', number);
      return [id, number];
    }),
  );
};

/** What is older lies in an archive, where this mistake is made. */
const ARCHIVED_MS = 30 * DAY;

/** Ids made of a day and a number within it, of which some part is left out. */
const numbered = (nameOf: (accountId: string, day: string, number: number) => string): Defect['spoil'] => {
  const renamed = async (core: Core, question: Question, transactions: readonly Transaction[]) => {
    const days = transactions.map(({ bookingDate }) => bookingDate ?? '');
    const all = await booked(core, question, days.at(-1) ?? '', days[0] ?? '');
    const numbers = numbersOf(all.transactions);
    const archived = new Date(question.at - ARCHIVED_MS).toISOString().slice(0, 10);
    return transactions.map((each) => {
      const day = each.bookingDate ?? '';
      const number = numbers.get(each.id) ?? 0;
      return day < archived ? { ...each, id: nameOf(question.params.accountId, day, number) } : each;
    });
  };
  return (core) => ({
    listTransactions: async (asked) => {
      const page = await core.listTransactions(asked);
      if (asked.query.status === 'pending' || page.transactions.length === 0) return page;
      return { ...page, transactions: await renamed(core, asked, page.transactions) };
    },
    readTransaction: async (asked) => {
      const { accountId, transactionId } = asked.params;
      const question = { ...asked, params: { accountId } };
      const { transactions } = await booked(core, question, '1900-01-01', '2999-12-31');
      const found = (await renamed(core, question, transactions)).find(({ id }) => id === transactionId);
      return found ? { accountId, transaction: found } : core.readTransaction(asked);
    },
  });
};

export const transactionIdDefects = {
  'ids-shared': {
    title: 'archived transactions have numbers of their account, which other accounts have too',
    spoil: numbered((_accountId, day, number) => `${day}-${number}`),
  },
  'ids-reused': {
    title: 'the numbers of archived transactions begin anew every month',
    spoil: numbered((accountId, day, number) => `${accountId.slice(0, 6)}-${day.slice(8)}-${number}`),
  },
  'ids-name-account': {
    title: 'the id of a transaction begins with that of its account',
    spoil: (core) => ({
      listTransactions: async (asked) => {
        const page = await core.listTransactions(asked);
        const named = (each: Transaction) => ({ ...each, id: `${page.accountId}.${each.id}` });
        return { ...page, transactions: page.transactions.map(named) };
      },
      readTransaction: async (asked) => {
        const { accountId, transactionId } = asked.params;
        const params = { accountId, transactionId: transactionId.replace(`${accountId}.`, '') };
        const { transaction } = await core.readTransaction({ ...asked, params });
        return { accountId, transaction: { ...transaction, id: transactionId } };
      },
    }),
  },
  'ids-changing': {
    title: 'the id of a transaction depends on the days that were asked for',
    spoil: (core) => ({
      listTransactions: async (asked) => {
        const page = await core.listTransactions(asked);
        const rename = (each: Transaction) => ({ ...each, id: `${each.id}.${asked.query.from}` });
        return { ...page, transactions: page.transactions.map(rename) };
      },
      readTransaction: async (asked) => {
        const { accountId, transactionId } = asked.params;
        const params = { accountId, transactionId: transactionId.replace(/\.[\d-]+$/, '') };
        const { transaction } = await core.readTransaction({ ...asked, params });
        return { accountId, transaction: { ...transaction, id: transactionId } };
      },
    }),
  },
} as const satisfies Record<string, Defect>;
