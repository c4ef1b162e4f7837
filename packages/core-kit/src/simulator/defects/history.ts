/** Defects in transactions. */

import { demoAccount } from '@trapeza/sandbox/demo-bank';
import { type Answer, type Asked, Refusal } from '../contract.js';
import { answering, combined, type Defect, holderOf, ofAnyAccount, where } from './defect.js';

type Page = Answer<'listTransactions'>;
type Transaction = Page['transactions'][number];

const withPage = (change: (page: Page, asked: Asked<'listTransactions'>) => Page): Defect['spoil'] =>
  answering('listTransactions', change);

/** In the list and by its id. */
const eachTransaction = (change: (transaction: Transaction) => Transaction): Defect['spoil'] =>
  combined(
    withPage((page) => ({ ...page, transactions: page.transactions.map(change) })),
    answering('readTransaction', (answer) => ({ ...answer, transaction: change(answer.transaction) })),
  );

const inDollars = <Row extends { readonly currency: string }>(row: Row): Row => ({
  ...row,
  currency: row.currency === 'USD' ? 'GBP' : 'USD',
});

export const historyDefects = {
  'limit-ignored': {
    title: 'a page has as many transactions as there are',
    spoil: (core) => ({
      listTransactions: (asked) =>
        core.listTransactions({ ...asked, query: { ...asked.query, limit: 1000 } }),
    }),
  },
  'oldest-first': {
    title: 'the transactions of a page are sorted oldest first',
    spoil: withPage((page) => ({ ...page, transactions: page.transactions.toReversed() })),
  },
  'pages-overlap': {
    title: 'a page begins with the last transaction of the page before it',
    spoil: (core) => ({
      listTransactions: async (asked) => {
        const page = await core.listTransactions(asked);
        const { limit } = asked.query;
        if (page.next === null || limit === 1) return page;
        const shorter = await core.listTransactions({
          ...asked,
          query: { ...asked.query, limit: limit - 1 },
        });
        return { ...page, next: shorter.next };
      },
    }),
  },
  'last-day-excluded': {
    title: 'the day "to" is not part of the list',
    spoil: withPage((page, { query }) => ({
      ...page,
      transactions: page.transactions.filter((each) => (each.bookingDate ?? each.valueDate) !== query.to),
    })),
  },
  'any-cursor-accepted': {
    title: 'a cursor that nobody gave out begins at the first page',
    spoil: (core) => ({
      listTransactions: (asked) =>
        where(
          400,
          () => core.listTransactions(asked),
          () => core.listTransactions({ ...asked, query: { ...asked.query, after: undefined } }),
        ),
    }),
  },
  'pending-has-balance': {
    title: 'what is pending has a balance already',
    spoil: eachTransaction((each) => ({ ...each, balance: each.balance ?? each.amount })),
  },
  'balance-before-booking': {
    title: 'the running balance is the one before the booking',
    spoil: eachTransaction(({ balance, ...each }) => ({
      ...each,
      balance: balance == null ? null : (Number(balance) - Number(each.amount)).toFixed(2),
    })),
  },
  'pending-has-booking-date': {
    title: 'what is pending already has a booking date',
    spoil: withPage((page) => ({
      ...page,
      transactions: page.transactions.map((each) => ({
        ...each,
        bookingDate: each.bookingDate ?? each.valueDate,
      })),
    })),
  },
  'foreign-transaction-shown': {
    title: 'a transaction is shown to every account that asks for it',
    spoil: (core) => ({
      readTransaction: (asked) =>
        where(
          404,
          () => core.readTransaction(asked),
          async () => {
            const { transactionId } = asked.params;
            const found = await ofAnyAccount(
              (accountId) =>
                core.readTransaction({
                  ...asked,
                  psuId: holderOf(accountId),
                  params: { accountId, transactionId },
                }),
              () => core.readTransaction(asked),
            );
            return { ...found, accountId: asked.params.accountId };
          },
        ),
    }),
  },
  'next-after-the-end': {
    title: 'the last page names a next one, which is empty and names itself',
    spoil: (core) => ({
      listTransactions: async (asked) => {
        if (asked.query.after === 'end')
          return { accountId: asked.params.accountId, transactions: [], next: 'end' };
        const page = await core.listTransactions(asked);
        return { ...page, next: page.next ?? 'end' };
      },
    }),
  },
  'nothing-is-404': {
    title: 'days without transactions are answered with 404',
    spoil: withPage((page) => {
      if (page.transactions.length === 0) throw new Refusal(404, 'no rows');
      return page;
    }),
  },
  'original-currency': {
    title: 'transactions are in another currency than the account',
    spoil: eachTransaction(inDollars),
  },
  'transactions-not-echoed': {
    title: 'the transactions do not say which account they are of',
    spoil: withPage((page) => ({ ...page, accountId: 'account' })),
  },
  'unknown-account-of-anybody': {
    title: 'an unknown account has the transactions of the first one',
    spoil: (core) => ({
      listTransactions: (asked) =>
        where(
          404,
          () => core.listTransactions(asked),
          async () => {
            const { id: accountId } = demoAccount(101);
            const page = await core.listTransactions({
              ...asked,
              params: { accountId },
              psuId: holderOf(accountId),
            });
            return { ...page, accountId: asked.params.accountId };
          },
        ),
    }),
  },
  'cursor-names-account': {
    title: 'the cursor has the id of the account in it',
    spoil: (core) => ({
      listTransactions: async (asked) => {
        const { accountId } = asked.params;
        const after = asked.query.after?.replace(`${accountId}.`, '');
        const page = await core.listTransactions({ ...asked, query: { ...asked.query, after } });
        return { ...page, next: page.next && `${accountId}.${page.next}` };
      },
    }),
  },
  'cursor-is-offset': {
    title: 'the cursor is a number of rows, which moves with each new booking',
    spoil: (core) => ({
      listTransactions: async (asked) => {
        const { after, limit, status } = asked.query;
        const [, number] = new RegExp(`^${status}-(\\d+)$`).exec(after ?? `${status}-0`) ?? [];
        if (number === undefined) throw new Refusal(400, 'no cursor of this list');
        const query = { ...asked.query, after: undefined, limit: 1000 };
        const { accountId, transactions } = await core.listTransactions({ ...asked, query });
        const end = Number(number) + limit;
        return {
          accountId,
          transactions: transactions.slice(Number(number), end),
          next: transactions.length > end ? `${status}-${end}` : null,
        };
      },
    }),
  },
  'single-transaction-differs': {
    title: 'a transaction by its id has another value date than in the list',
    spoil: answering('readTransaction', (answer) => ({
      ...answer,
      transaction: { ...answer.transaction, valueDate: '2000-01-01' },
    })),
  },
  'odd-id-is-400': {
    title: 'an id that no transaction could have is answered with 400',
    spoil: (core) => ({
      readTransaction: async (asked) => {
        if (asked.params.transactionId.includes('~')) throw new Refusal(400, 'no id');
        return core.readTransaction(asked);
      },
    }),
  },
} as const satisfies Record<string, Defect>;
