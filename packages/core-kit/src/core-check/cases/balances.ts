/** Cases about balances. */
import { balanceTypes } from 'trapeza/bank';
import { DAY, MINUTE, newId } from 'trapeza/base';
import { balanceOf, balancesOf, check, currencyOf, dayOf, isSame, minor, pageOf } from '../case.js';
import { NOBODY } from '../client.js';
import { demand, Skip } from '../verdict.js';

export const balanceCases = [
  check({
    id: 'balances-once',
    title: 'tells each type of balance once',
    operation: 'readBalances',
    hint: `Answer with those of ${balanceTypes.join(', ')} that you know, each once, as decimal text with no more decimals than the currency has.`,
    needs: ['accountId'],
    run: async (trial) => {
      const types = (await balancesOf(trial, trial.subject.accountId)).map(({ type }) => String(type));
      demand(types.length > 0, 'a balance', 'none');
      const twice = types.find((type, index) => types.indexOf(type) !== index);
      demand(twice === undefined, 'each type once', `${twice} more than once`);
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
      const { accountId } = trial.subject;
      const known = await currencyOf(trial, accountId);
      if (known === undefined) throw new Skip('findAccounts does not list the account');
      for (const { currency, amount } of await balancesOf(trial, accountId)) {
        demand(currency === known, `currency ${known}`, currency);
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
      // What is pending may have a value date to come.
      const to = dayOf(trial.now() + 400 * DAY);
      const wish = {
        accountId,
        status: 'pending',
        limit: 1000,
        from: dayOf(trial.now() - 400 * DAY),
        to,
      } as const;
      const { transactions, next } = await pageOf(trial, wish);
      if (next !== null) throw new Skip('the account has more than 1000 pending transactions');
      const debits = transactions
        .map(({ amount, currency }) => minor(amount, currency, 'listTransactions'))
        .filter((amount) => amount < 0n)
        .reduce((total, amount) => total + amount, 0n);
      const between =
        minor(available.amount, available.currency, 'readBalances') -
        minor(booked.amount, booked.currency, 'readBalances');
      demand(between === debits, 'interimAvailable = interimBooked − pending debits', 'another difference');
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
      // Whatever days the subject names: the balance is that of now.
      const to = dayOf(trial.now() + DAY);
      const [newest] = (await pageOf(trial, { accountId, limit: 1, to })).transactions;
      if (!newest) throw new Skip('the account has no transactions in these days');
      if (newest.balance == null) throw new Skip('the transactions have no running balance');
      const { amount, currency } = balanceOf(await balancesOf(trial, accountId), 'interimBooked');
      const left = minor(newest.balance, newest.currency, 'listTransactions');
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
    id: 'consent-changes-nothing',
    title: 'answers the same with and without Consent-ID',
    operation: 'readBalances',
    hint: 'Consent-ID is for your records alone: the consent was checked, and the header may be absent.',
    needs: ['accountId'],
    run: async ({ core, subject: { accountId } }) => {
      const amounts = async (consentId: string | null) =>
        (await core.answer('readBalances', { params: { accountId }, consentId })).balances.map(
          ({ at: _at, ...balance }) => balance,
        );
      const [without, one, another] = [await amounts(null), await amounts(newId()), await amounts(newId())];
      demand(isSame(one, without) && isSame(another, without), 'the same balances', 'others');
    },
  }),
  check({
    id: 'consent-data-accepted',
    title: 'accepts the Bank-Consent-Data that it sent',
    operation: 'readBalances',
    hint: 'What an answer says in Bank-Consent-Data comes back unchanged with the next question on the same consent: read it as you wrote it, 1 to 1024 visible ASCII characters.',
    needs: ['accountId'],
    run: async ({ core, subject: { accountId } }) => {
      const wanted = { params: { accountId }, consentId: newId() };
      const { consentData } = await core.ask('readBalances', wanted);
      if (consentData === undefined) throw new Skip('the core sends no Bank-Consent-Data');
      // The client sends it back from here on, as Trapeza does.
      for (let times = 0; times < 2; times += 1) await core.answer('readBalances', wanted);
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
