/** Cases about whose account it is: every operation on an account answers its holders, and is absent to everybody else. */
import { decimalText } from 'trapeza/base';
import { availableOf, check, daysOf, pageOf, type Trial } from '../case.js';
import type { OperationId, Wanted } from '../client.js';
import { demand, Skip } from '../verdict.js';
import { documentOf } from './documents.js';
import { newestOf } from './statements.js';

type AccountTrial = Trial<'accountId' | 'psuId' | 'otherPsuId'>;

/** A question that the holder gets an answer to. */
interface Question {
  readonly operation: OperationId;
  readonly of: string;
  readonly ask: (trial: AccountTrial) => Promise<Wanted>;
}

const newestTransaction = async (trial: AccountTrial): Promise<string> => {
  const { accountId } = trial.subject;
  const [newest] = (await pageOf(trial, { accountId, limit: 1 })).transactions;
  if (!newest) throw new Skip('the account has no transactions in these days');
  return newest.id;
};

const paramsOf = ({ subject: { accountId } }: AccountTrial) => ({ accountId });

const questions: readonly Question[] = [
  {
    operation: 'hasFunds',
    of: 'funds',
    ask: async (trial) => {
      const { currency } = await availableOf(trial, trial.subject.accountId);
      return { params: paramsOf(trial), body: { currency, amount: decimalText(1, currency) } };
    },
  },
  { operation: 'readBalances', of: 'balances', ask: async (trial) => ({ params: paramsOf(trial) }) },
  {
    operation: 'listTransactions',
    of: 'transactions',
    ask: async (trial) => ({
      params: paramsOf(trial),
      query: { ...daysOf(trial), status: 'booked', limit: 10 },
    }),
  },
  {
    operation: 'readTransaction',
    of: 'transaction',
    ask: async (trial) => ({
      params: { ...paramsOf(trial), transactionId: await newestTransaction(trial) },
    }),
  },
  {
    operation: 'listStatements',
    of: 'statements',
    ask: async (trial) => ({ params: paramsOf(trial), query: daysOf(trial) }),
  },
  {
    operation: 'readStatement',
    of: 'statement',
    ask: async (trial) => ({ params: { ...paramsOf(trial), statementId: (await newestOf(trial)).id } }),
  },
  {
    operation: 'readStatementDocument',
    of: 'document',
    ask: async (trial) => ({ params: (await documentOf(trial)).params }),
  },
];

export const holderCases = questions.map(({ operation, of, ask }) =>
  check({
    id: `${of}-of-another-person`,
    title: `has no ${of} of the account for a person who does not hold it`,
    operation,
    hint: 'PSU-ID names the person for whom the question is asked. Look whether this person holds the account now, and answer 404 if not: people stop being holders while consents go on.',
    needs: ['accountId', 'psuId', 'otherPsuId'],
    run: async (trial) => {
      const { status } = await trial.core.ask(operation, {
        ...(await ask(trial)),
        psuId: trial.subject.otherPsuId,
      });
      demand(status === 404, '404 for a person who does not hold the account', `status ${status}`);
    },
  }),
);
