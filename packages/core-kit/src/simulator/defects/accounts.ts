/** Defects in accounts and funds. */

import { demoAccount, demoAccounts, demoPsus } from '@trapeza/sandbox/demo-bank';
import { type AccountId, decimalText, minorOf } from 'trapeza/base';
import { type Core, Refusal } from '../contract.js';
import { answering, type Defect, holderOf, where } from './defect.js';

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

interface OfAccount {
  readonly params: { readonly accountId: AccountId };
}

const forAnybody = <Asked extends OfAccount>(asked: Asked): Asked => ({
  ...asked,
  psuId: holderOf(asked.params.accountId),
});

/** Every question about an account, asked otherwise. */
const readsWith = (core: Core, change: <Asked extends OfAccount>(asked: Asked) => Asked): Partial<Core> => ({
  hasFunds: (asked) => core.hasFunds(change(asked)),
  readBalances: (asked) => core.readBalances(change(asked)),
  listTransactions: (asked) => core.listTransactions(change(asked)),
  readTransaction: (asked) => core.readTransaction(change(asked)),
  listStatements: (asked) => core.listStatements(change(asked)),
  readStatement: (asked) => core.readStatement(change(asked)),
  readStatementDocument: (asked) => core.readStatementDocument(change(asked)),
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
        const { accounts, ...answer } = await core.findAccounts(asked);
        const lost = (text: string): string => text.replace(/[^ -~]/g, '?');
        return {
          ...answer,
          accounts: accounts.map((each) => ({
            ...each,
            name: lost(each.name),
            ownerName: lost(each.ownerName),
          })),
        };
      },
    }),
  },
  'accounts-end-early': {
    title: 'the first page of accounts claims to be the last',
    spoil: (core) => ({
      findAccounts: async (asked) => ({ ...(await core.findAccounts(asked)), next: null }),
    }),
  },
  'accounts-by-iban-alone': {
    title: 'an account that is named by a phone number is not found',
    spoil: (core) => ({
      findAccounts: async (asked) => {
        const answer = await core.findAccounts(asked);
        return asked.query.msisdn === undefined ? answer : { ...answer, accounts: [] };
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
    spoil: (core) => readsWith(core, forAnybody),
  },
  'funds-not-echoed': {
    title: 'the answer about funds does not say which account it is about',
    spoil: answering('hasFunds', (answer) => ({ ...answer, accountId: 'account' })),
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
  'question-holds-funds': {
    title: 'an amount that was asked about is held until the balances are read',
    spoil: (core) => {
      const held = new Map<AccountId, bigint>();
      return {
        hasFunds: async (asked) => {
          const answer = await core.hasFunds(asked);
          const { currency, amount } = asked.body;
          if (answer.fundsAvailable) held.set(answer.accountId, minorOf(amount, currency) ?? 0n);
          return answer;
        },
        readBalances: async (asked) => {
          const { accountId, balances } = await core.readBalances(asked);
          const less = held.get(accountId) ?? 0n;
          held.delete(accountId);
          const reduced = ({ amount, currency }: (typeof balances)[number]): string =>
            decimalText((minorOf(amount, currency) ?? 0n) - less, currency);
          return {
            accountId,
            balances: balances.map((each) =>
              each.type === 'interimAvailable' ? { ...each, amount: reduced(each) } : each,
            ),
          };
        },
      };
    },
  },
  'accounts-not-echoed': {
    title: 'the list of accounts does not say whose it is',
    spoil: answering('findAccounts', (answer) => ({ ...answer, psuId: 'somebody' })),
  },
  'account-not-listed': {
    title: 'a list that begins at one leaves out the first account',
    spoil: answering('findAccounts', (answer) => ({ ...answer, accounts: answer.accounts.slice(1) })),
  },
  'account-listed-twice': {
    title: 'an account is listed once for each of its holders',
    spoil: answering('findAccounts', (answer) => ({
      ...answer,
      accounts: [...answer.accounts, ...answer.accounts.slice(0, 1)],
    })),
  },
  'account-of-another-listed': {
    title: 'everybody may use the account of one person',
    spoil: (core) => {
      const shared = demoAccount(902).id;
      const asHolder = <Asked extends OfAccount>(asked: Asked): Asked =>
        asked.params.accountId === shared ? forAnybody(asked) : asked;
      return {
        ...readsWith(core, asHolder),
        findAccounts: async (asked) => {
          const answer = await core.findAccounts(asked);
          if (answer.accounts.length === 0 || answer.accounts.some(({ id }) => id === shared)) return answer;
          const { accounts } = await core.findAccounts({ ...asked, params: { psuId: holderOf(shared) } });
          return { ...answer, accounts: [...answer.accounts, ...accounts.filter(({ id }) => id === shared)] };
        },
      };
    },
  },
  'balance-too-fine': {
    title: 'the balance in the list of accounts has three decimals',
    spoil: answering('findAccounts', (answer) => ({
      ...answer,
      accounts: answer.accounts.map((each) => ({
        ...each,
        balance: each.balance ? `${each.balance}5` : null,
      })),
    })),
  },
} as const satisfies Record<string, Defect>;
