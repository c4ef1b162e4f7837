/** Cases about available funds: a wrong answer declines a card. */
import { type AccountId, decimalText, minorOf } from 'trapeza/base';
import { accountsOf, availableOf, check, demandRefusals, type Trial } from '../case.js';
import { NOBODY } from '../client.js';
import type { Subject } from '../subject.js';
import { demand, Skip } from '../verdict.js';

const fundsOf = async (
  trial: Trial,
  accountId: AccountId,
  currency: string,
  amount: string,
): Promise<boolean> =>
  (await trial.core.answer('hasFunds', { params: { accountId }, body: { currency, amount } })).fundsAvailable;

const smallest = (currency: string): string => decimalText(1, currency);

const somethingAvailable = async (trial: Trial, accountId: AccountId) => {
  const available = await availableOf(trial, accountId);
  if (available.minor <= 0n) throw new Skip('the account has nothing available');
  return available;
};

type Held = NonNullable<Subject['blockedAccount']>;

const hasNone = async (trial: Trial, { id: accountId, currency, psuId }: Held): Promise<void> => {
  const { core, subject } = trial;
  const holder = psuId ?? subject.psuId ?? NOBODY;
  const body = { currency, amount: smallest(currency) };
  const wanted = { params: { accountId }, body, psuId: holder };
  const { status } = await core.ask('hasFunds', wanted);
  if (status === 404 && !(await accountsOf(trial, holder)).some(({ id }) => id === accountId))
    throw new Skip('the core no longer knows the account as one of this person');
  const { fundsAvailable: has } = await core.answer('hasFunds', wanted);
  demand(!has, 'fundsAvailable false for the smallest amount', 'true');
};

export const fundsCases = [
  check({
    id: 'funds-available',
    title: 'has funds for exactly what is available',
    operation: 'hasFunds',
    hint: 'The comparison is "available >= amount", with the figure that readBalances tells as interimAvailable.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      const { currency, minor } = await somethingAvailable(trial, accountId);
      const has = await fundsOf(trial, accountId, currency, decimalText(minor, currency));
      demand(has, 'fundsAvailable true for the amount of interimAvailable', 'false');
    },
  }),
  check({
    id: 'funds-one-more',
    title: 'has no funds for one minor unit more than is available',
    operation: 'hasFunds',
    hint: 'Compare with booked balance − pending debits + agreed credit line; pending debits are easily forgotten.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      const { currency, minor } = await somethingAvailable(trial, accountId);
      const has = await fundsOf(trial, accountId, currency, decimalText(minor + 1n, currency));
      demand(!has, 'fundsAvailable false for one minor unit more than interimAvailable', 'true');
    },
  }),
  check({
    id: 'funds-blocked',
    title: 'has no funds on a blocked account',
    operation: 'hasFunds',
    hint: 'Look at the status of the account before its balance.',
    needs: ['blockedAccount'],
    run: (trial) => hasNone(trial, trial.subject.blockedAccount),
  }),
  check({
    id: 'funds-closed',
    title: 'has no funds on a closed account',
    operation: 'hasFunds',
    hint: 'Look at the status of the account before its balance.',
    needs: ['closedAccount'],
    run: (trial) => hasNone(trial, trial.subject.closedAccount),
  }),
  check({
    id: 'funds-unknown-account',
    title: 'never says "no funds" of an account that it does not know',
    operation: 'hasFunds',
    hint: 'Answer with an error where it is not known: a wrong false declines somebody’s card.',
    run: async ({ core }) => {
      const body = { currency: 'EUR', amount: '0.01' };
      const { status } = await core.ask('hasFunds', { params: { accountId: NOBODY }, body });
      demand(status >= 400, 'an error', `status ${status}`);
    },
  }),
  check({
    id: 'funds-echo',
    title: 'says which account and currency it answers for',
    operation: 'hasFunds',
    hint: 'Return accountId and currency exactly as they were sent: an answer to another question is noticed by them.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      const { currency } = await availableOf(trial, accountId);
      const body = { currency, amount: smallest(currency) };
      const answer = await trial.core.answer('hasFunds', { params: { accountId }, body });
      demand(answer.accountId === accountId, `accountId ${accountId}`, 'another accountId');
      demand(answer.currency === currency, `currency ${currency}`, 'another currency');
    },
  }),
  check({
    id: 'funds-changes-nothing',
    title: 'holds nothing when it is asked',
    operation: 'hasFunds',
    hint: 'The question reserves nothing: the same amount is available afterwards.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      const { currency, minor } = await somethingAvailable(trial, accountId);
      await fundsOf(trial, accountId, currency, decimalText(minor, currency));
      const after = await availableOf(trial, accountId);
      demand(after.minor === minor, 'the same amount available as before', 'another one');
    },
  }),
  check({
    id: 'funds-malformed',
    title: 'refuses a question that does not fit the contract',
    operation: 'hasFunds',
    hint: 'Check the body against the contract first and answer 400; a 500 counts as an outage of your core.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      const { currency } = await availableOf(trial, accountId);
      const tooFine = `${smallest(currency)}${minorOf('0.1', currency) === undefined ? '.' : ''}1`;
      const ask = (body: unknown) => () => trial.core.ask('hasFunds', { params: { accountId }, body });
      await demandRefusals({
        'an amount with too many decimals': ask({ currency, amount: tooFine }),
        'an amount that is no number': ask({ currency, amount: 'all' }),
        'a question without currency': ask({ amount: '1' }),
        'a body that is no JSON': ask('{"currency":'),
      });
    },
  }),
];
