/** Defects in transactions and statements. */

import { demoAccounts } from '@trapeza/sandbox/demo-bank';
import { type AccountId, decimalText, minorOf } from 'trapeza/base';
import type { Answer, Asked } from '../contract.js';
import { type Defect, holderOf, where } from './defect.js';

type Page = Answer<'listTransactions'>;

const withPage =
  (change: (page: Page, asked: Asked<'listTransactions'>) => Page): Defect['spoil'] =>
  (core) => ({
    listTransactions: async (asked) => change(await core.listTransactions(asked), asked),
  });

/** The first account whose answer is no refusal. */
const ofAnyAccount = async <T>(
  work: (accountId: AccountId) => Promise<T>,
  otherwise: () => Promise<T>,
): Promise<T> => {
  for (const { id } of demoAccounts) {
    const found = await where<T | undefined>(
      404,
      () => work(id),
      async () => undefined,
    );
    if (found !== undefined) return found;
  }
  return otherwise();
};

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
  'foreign-statement-shown': {
    title: 'a statement is shown to every account that asks for it',
    spoil: (core) => ({
      readStatement: (asked) =>
        where(
          404,
          () => core.readStatement(asked),
          async () => {
            const { statementId } = asked.params;
            const found = await ofAnyAccount(
              (accountId) =>
                core.readStatement({
                  ...asked,
                  psuId: holderOf(accountId),
                  params: { accountId, statementId },
                }),
              () => core.readStatement(asked),
            );
            return { ...found, accountId: asked.params.accountId };
          },
        ),
    }),
  },
  'statements-do-not-chain': {
    title: 'a statement does not open with what the one before it closed with',
    spoil: (core) => ({
      listStatements: async (asked) => {
        const { accountId, statements } = await core.listStatements(asked);
        const shifted = (text: string, currency: string): string =>
          decimalText((minorOf(text, currency) ?? 0n) + 1n, currency);
        return {
          accountId,
          statements: statements.map((each) => ({
            ...each,
            opening: shifted(each.opening, each.currency),
            credits: decimalText((minorOf(each.credits, each.currency) ?? 0n) - 1n, each.currency),
          })),
        };
      },
    }),
  },
  'statement-of-half-a-month': {
    title: 'statements that only overlap with the days are listed too',
    spoil: (core) => ({
      listStatements: async (asked) => {
        const { from, to } = asked.query;
        const all = await core.listStatements({ ...asked, query: { from: '1900-01-01', to: '2999-12-31' } });
        return { ...all, statements: all.statements.filter((each) => each.to >= from && each.from <= to) };
      },
    }),
  },
} as const satisfies Record<string, Defect>;
