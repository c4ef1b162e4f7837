/** Defects in accounts, funds and balances. */

import { demoAccounts, demoPsus } from '@trapeza/sandbox/demo-bank';
import { type AccountId, minorOf } from 'trapeza/base';
import { type Answer, Refusal } from '../contract.js';
import { type Defect, holderOf, where } from './defect.js';

type Balance = Answer<'readBalances'>['balances'][number];

const withBalances =
  (change: (balance: Balance) => Balance): Defect['spoil'] =>
  (core) => ({
    readBalances: async (asked) => {
      const { accountId, balances } = await core.readBalances(asked);
      return { accountId, balances: balances.map(change) };
    },
  });

const withStatus = (status: string): readonly string[] =>
  demoAccounts.filter((account) => account.status === status).map(({ id }) => id);

const fundsFor =
  (status: 'blocked' | 'closed'): Defect['spoil'] =>
  (core) => ({
    hasFunds: async (asked) => {
      const answer = await core.hasFunds(asked);
      return withStatus(status).includes(asked.params.accountId)
        ? { ...answer, fundsAvailable: true }
        : answer;
    },
  });

export const accountDefects = {
  'stranger-has-accounts': {
    title: 'an unknown person gets the accounts of another',
    spoil: (core) => ({
      findAccounts: async (asked) => {
        const answer = await core.findAccounts(asked);
        if (answer.accounts.length > 0) return answer;
        const other = await core.findAccounts({ ...asked, params: { psuId: demoPsus[0]?.id ?? '' } });
        return { ...answer, accounts: other.accounts };
      },
    }),
  },
  'greek-lost': {
    title: 'letters outside ASCII become question marks',
    spoil: (core) => ({
      findAccounts: async (asked) => {
        const { psuId, accounts } = await core.findAccounts(asked);
        const lost = (text: string): string => text.replace(/[^ -~]/g, '?');
        return {
          psuId,
          accounts: accounts.map((each) => ({
            ...each,
            name: lost(each.name),
            ownerName: lost(each.ownerName),
          })),
        };
      },
    }),
  },
  'blocked-has-funds': { title: 'a blocked account has funds', spoil: fundsFor('blocked') },
  'closed-has-funds': { title: 'a closed account has funds', spoil: fundsFor('closed') },
  'pending-ignored': {
    title: 'funds are compared with the booked balance, without the pending debits',
    spoil: (core) => ({
      hasFunds: async (asked) => {
        const answer = await core.hasFunds(asked);
        const { accountId, currency } = answer;
        if (!withStatus('enabled').includes(accountId)) return answer;
        const { balances } = await core.readBalances({ ...asked, body: undefined });
        const booked = balances.find(({ type }) => type === 'interimBooked')?.amount ?? '0';
        const wanted = minorOf(asked.body.amount, currency) ?? 0n;
        return { accountId, currency, fundsAvailable: (minorOf(booked, currency) ?? 0n) >= wanted };
      },
    }),
  },
  'exact-amount-refused': {
    title: 'exactly the available amount is not available',
    spoil: (core) => ({
      hasFunds: async (asked) => {
        const answer = await core.hasFunds(asked);
        const { balances } = await core.readBalances({ ...asked, body: undefined });
        const available = balances.find(({ type }) => type === 'interimAvailable')?.amount;
        return available === asked.body.amount ? { ...answer, fundsAvailable: false } : answer;
      },
    }),
  },
  'unknown-account-false': {
    title: 'an unknown account has no funds, instead of an error',
    spoil: (core) => ({
      hasFunds: ({ params: { accountId }, ...asked }) =>
        where(
          404,
          () => core.hasFunds({ params: { accountId }, ...asked }),
          async () => ({ accountId, currency: asked.body.currency, fundsAvailable: false }),
        ),
    }),
  },
  'person-ignored': {
    title: 'an account answers whoever asks, also for somebody who does not hold it',
    spoil: (core) => {
      const forAnybody = <Asked extends { readonly params: { readonly accountId: AccountId } }>(
        asked: Asked,
      ): Asked => ({
        ...asked,
        psuId: holderOf(asked.params.accountId),
      });
      return {
        hasFunds: (asked) => core.hasFunds(forAnybody(asked)),
        readBalances: (asked) => core.readBalances(forAnybody(asked)),
        listTransactions: (asked) => core.listTransactions(forAnybody(asked)),
        readTransaction: (asked) => core.readTransaction(forAnybody(asked)),
        listStatements: (asked) => core.listStatements(forAnybody(asked)),
        readStatement: (asked) => core.readStatement(forAnybody(asked)),
      };
    },
  },
  'funds-not-echoed': {
    title: 'the answer about funds does not say which account it is about',
    spoil: (core) => ({
      hasFunds: async (asked) => ({ ...(await core.hasFunds(asked)), accountId: 'account' }),
    }),
  },
  'malformed-is-500': {
    title: 'an amount that does not fit its currency is answered with 500',
    spoil: (core) => ({
      hasFunds: (asked) =>
        where(
          400,
          () => core.hasFunds(asked),
          () => {
            throw new Refusal(500, 'cannot parse');
          },
        ),
    }),
  },
  'float-noise': {
    title: 'balances come out of floating point arithmetic, such as 12.5000000001',
    spoil: withBalances((balance) => ({ ...balance, amount: `${balance.amount}00000001` })),
  },
  'foreign-balance': {
    title: 'balances are in another currency than the account',
    spoil: withBalances((balance) => ({ ...balance, currency: balance.currency === 'USD' ? 'GBP' : 'USD' })),
  },
} as const satisfies Record<string, Defect>;
