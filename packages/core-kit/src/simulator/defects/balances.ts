/** Defects in balances. */
import { HOUR, instantText, parseInstant } from 'trapeza/base';
import type { Answer } from '../contract.js';
import { answering, type Defect, where } from './defect.js';

type Balance = Answer<'readBalances'>['balances'][number];

const eachBalance = (change: (balance: Balance, all: readonly Balance[]) => Balance): Defect['spoil'] =>
  answering('readBalances', ({ accountId, balances }) => ({
    accountId,
    balances: balances.map((each) => change(each, balances)),
  }));

/** One type has the amount of another. */
const taken = (type: Balance['type'], from: Balance['type']): Defect['spoil'] =>
  eachBalance((balance, all) => {
    const { amount = balance.amount } = all.find((each) => each.type === from) ?? {};
    return balance.type === type ? { ...balance, amount } : balance;
  });

export const balanceDefects = {
  'float-noise': {
    title: 'balances come out of floating point arithmetic, such as 12.5000000001',
    spoil: eachBalance((balance) => ({ ...balance, amount: `${balance.amount}00000001` })),
  },
  'foreign-balance': {
    title: 'balances are in another currency than the account',
    spoil: eachBalance((balance) => ({ ...balance, currency: balance.currency === 'USD' ? 'GBP' : 'USD' })),
  },
  'balances-not-echoed': {
    title: 'the balances do not say which account they are of',
    spoil: answering('readBalances', (answer) => ({ ...answer, accountId: 'account' })),
  },
  'balance-told-twice': {
    title: 'a type of balance is told twice',
    spoil: answering('readBalances', (answer) => ({
      ...answer,
      balances: [...answer.balances, ...answer.balances.slice(-1)],
    })),
  },
  'available-is-booked': {
    title: 'what is pending is still told as available',
    spoil: taken('interimAvailable', 'interimBooked'),
  },
  'booked-is-available': {
    title: 'what is pending is already told as booked',
    spoil: taken('interimBooked', 'interimAvailable'),
  },
  'balance-of-the-future': {
    title: 'the time of the bank’s zone is told as if it were UTC',
    spoil: answering('readBalances', ({ accountId, balances }, { at }) => ({
      accountId,
      balances: balances.map((each) => ({
        ...each,
        at: instantText(Math.max(at, parseInstant(each.at) ?? 0) + 3 * HOUR),
      })),
    })),
  },
  'unknown-account-zero': {
    title: 'an unknown account has balances of zero',
    spoil: (core) => ({
      readBalances: (asked) =>
        where(
          404,
          () => core.readBalances(asked),
          async () => ({
            accountId: asked.params.accountId,
            balances: [
              {
                type: 'interimAvailable' as Balance['type'],
                currency: 'EUR',
                amount: '0.00',
                includesCreditLine: false,
                at: instantText(asked.at),
              },
            ],
          }),
        ),
    }),
  },
} as const satisfies Record<string, Defect>;
