/** Cases about balances. */
import { balanceTypes } from 'trapeza/bank';
import { MINUTE } from 'trapeza/base';
import { balanceOf, balancesOf, check, minor, pageOf } from '../case.js';
import { NOBODY } from '../client.js';
import { demand, Skip } from '../verdict.js';

export const balanceCases = [
  check({
    id: 'balances-once',
    title: 'tells each type of balance once',
    operation: 'readBalances',
    hint: `Answer with ${balanceTypes.join(', ')}, each once, as decimal text with no more decimals than the currency has.`,
    needs: ['accountId'],
    run: async (trial) => {
      const types = (await balancesOf(trial, trial.subject.accountId)).map(({ type }) => type as string);
      for (const type of balanceTypes) {
        const count = types.filter((each) => each === type).length;
        demand(count === 1, `one balance ${type}`, String(count));
      }
    },
  }),
  check({
    id: 'balances-echo',
    title: 'says which account the balances are of',
    operation: 'readBalances',
    hint: 'Return the accountId of the path exactly as it was sent.',
    needs: ['accountId'],
    run: async ({ core, subject: { accountId } }) => {
      const answer = await core.answer('readBalances', { params: { accountId } });
      demand(answer.accountId === accountId, `accountId ${accountId}`, 'another accountId');
    },
  }),
  check({
    id: 'balances-currency',
    title: 'tells balances in the currency of the account',
    operation: 'readBalances',
    hint: 'Each currency of an account has an id of its own; its balances are in that currency alone.',
    needs: ['psuId', 'accountId'],
    run: async (trial) => {
      const { psuId, accountId } = trial.subject;
      const { accounts } = await trial.core.answer('findAccounts', { params: { psuId } });
      const account = accounts.find(({ id }) => id === accountId);
      if (!account) throw new Skip('findAccounts does not list the account');
      for (const { currency, amount } of await balancesOf(trial, accountId)) {
        demand(currency === account.currency, `currency ${account.currency}`, currency);
        minor(amount, currency, 'readBalances');
      }
    },
  }),
  check({
    id: 'balances-pending',
    title: 'has exactly the pending debits between booked and available',
    operation: 'readBalances',
    hint: 'interimAvailable is interimBooked − pending debits, plus the credit line where includesCreditLine is true.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      const balances = await balancesOf(trial, accountId);
      const [booked, available] = [
        balanceOf(balances, 'interimBooked'),
        balanceOf(balances, 'interimAvailable'),
      ];
      if (available.includesCreditLine) throw new Skip('the available balance includes a credit line');
      const { transactions, next } = await pageOf(trial, { accountId, status: 'pending', limit: 1000 });
      if (next !== null) throw new Skip('the account has more than 1000 pending transactions');
      const sum = transactions.reduce(
        (total, each) => total + minor(each.amount, each.currency, 'listTransactions'),
        0n,
      );
      const between =
        minor(available.amount, available.currency, 'readBalances') -
        minor(booked.amount, booked.currency, 'readBalances');
      demand(between === sum, 'interimAvailable = interimBooked + what is pending', 'another difference');
    },
  }),
  check({
    id: 'balances-newest',
    title: 'has the balance that the newest booking left',
    operation: 'readBalances',
    hint: 'interimBooked counts everything that is booked up to now, and nothing else.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      const [newest] = (await pageOf(trial, { accountId, limit: 1 })).transactions;
      if (!newest) throw new Skip('the account has no transactions in these days');
      const { amount, currency } = balanceOf(await balancesOf(trial, accountId), 'interimBooked');
      const left = minor(newest.balance ?? '0', newest.currency, 'listTransactions');
      demand(
        minor(amount, currency, 'readBalances') === left,
        'interimBooked as after the newest booking',
        'another amount',
      );
    },
  }),
  check({
    id: 'balances-time',
    title: 'tells no balance of the future',
    operation: 'readBalances',
    hint: '"at" is the moment for which a balance holds, with offset; look at the clock and the zone of your core.',
    needs: ['accountId'],
    run: async (trial) => {
      const latest = trial.now() + 5 * MINUTE;
      for (const { type, at } of await balancesOf(trial, trial.subject.accountId))
        demand(Date.parse(at) <= latest, `${String(type)} of a moment that has come`, at);
    },
  }),
  check({
    id: 'balances-unknown-account',
    title: 'has no balances of an account that it does not know',
    operation: 'readBalances',
    hint: 'Answer with an error, not with zeros.',
    run: async ({ core }) => {
      const { status } = await core.ask('readBalances', { params: { accountId: NOBODY } });
      demand(status >= 400, 'an error', `status ${status}`);
    },
  }),
];
