/** Cases about several questions about funds in one call, which a core need not take. */
import { type AccountId, decimalText, newId } from 'trapeza/base';
import { availableOf, check, demandRefusals, type Trial } from '../case.js';
import { type Answer, NOBODY } from '../client.js';
import { demand, Skip } from '../verdict.js';

const NOT_OFFERED = [404, 405, 501];

interface Question {
  readonly accountId: AccountId;
  readonly currency: string;
  readonly amount: string;
}
type Reply = Answer<'hasFundsOfMany'>['replies'][number];

/** The replies in the order of the questions. */
const askTogether = async (
  { core }: Trial,
  questions: readonly Question[],
): Promise<readonly (readonly Reply[])[]> => {
  const headers = { 'PSU-ID': core.psuId };
  const sent = questions.map((each) => ({ id: newId(), headers, ...each }));
  const seen = await core.ask('hasFundsOfMany', { body: { questions: sent } });
  if (NOT_OFFERED.includes(seen.status)) throw new Skip('the core takes one question a call');
  const { replies } = core.valid('hasFundsOfMany', seen);
  return sent.map(({ id }) => replies.filter((each) => each.id === id));
};

const shownOutcome = (status: number, fundsAvailable: boolean | undefined): string =>
  status === 200 ? `fundsAvailable ${fundsAvailable}` : `status ${status}`;

const askAlone = async ({ core }: Trial, { accountId, ...body }: Question): Promise<string> => {
  const seen = await core.ask('hasFunds', { params: { accountId }, body });
  return shownOutcome(
    seen.status,
    seen.status === 200 ? core.valid('hasFunds', seen).fundsAvailable : undefined,
  );
};

/** Enough, one minor unit too much, and an account that there is not. */
const mixedQuestions = async (trial: Trial<'accountId'>): Promise<readonly Question[]> => {
  const { accountId } = trial.subject;
  const { currency, minor } = await availableOf(trial, accountId);
  const about = { accountId, currency };
  return [
    { ...about, amount: decimalText(1, currency) },
    { ...about, amount: decimalText(minor + 1n, currency) },
    { accountId: NOBODY, currency, amount: decimalText(1, currency) },
  ];
};

export const fundsTogetherCases = [
  check({
    id: 'funds-together-same',
    title: 'answers several questions in one call as each alone',
    operation: 'hasFundsOfMany',
    hint: 'Each reply has the id of its question and the status and answer that this question would have alone; one that fails must not fail the others.',
    needs: ['accountId'],
    run: async (trial) => {
      const questions = await mixedQuestions(trial);
      const replies = await askTogether(trial, questions);
      for (const [at, question] of questions.entries())
        for (const { status, answer } of replies[at] ?? [])
          demand(
            shownOutcome(status, answer?.fundsAvailable) === (await askAlone(trial, question)),
            'what the question is answered with alone',
            'something else',
          );
    },
  }),
  check({
    id: 'funds-together-complete',
    title: 'has one reply for each question of a call',
    operation: 'hasFundsOfMany',
    hint: 'A question that cannot be answered has a reply too, with a status of its own: what is missing is answered 503.',
    needs: ['accountId'],
    run: async (trial) => {
      const counts = (await askTogether(trial, await mixedQuestions(trial))).map(({ length }) => length);
      demand(
        counts.every((count) => count === 1),
        'one reply for each question',
        `${counts.join(', ')} replies`,
      );
    },
  }),
  check({
    id: 'funds-together-malformed',
    title: 'refuses a question of a call that does not fit the contract, and that one alone',
    operation: 'hasFundsOfMany',
    hint: 'Give the one question the status that it would have alone (400), and answer the others; refuse a call without questions as a whole.',
    needs: ['accountId'],
    run: async (trial) => {
      const [good, , other] = await mixedQuestions(trial);
      if (!good || !other) throw new Skip('there are no questions');
      const tooFine = { ...good, amount: `${good.amount}${good.amount.includes('.') ? '' : '.'}1` };
      const [[refused], [answered]] = (await askTogether(trial, [tooFine, good])) as [Reply[], Reply[]];
      demand(
        refused !== undefined && refused.status >= 400 && refused.status < 500,
        'a status from 400 to 499 for an amount with too many decimals',
        `status ${refused?.status}`,
      );
      demand(answered?.status === 200, '200 for the other question', `status ${answered?.status}`);
      await demandRefusals({
        'a call without questions': () => trial.core.ask('hasFundsOfMany', { body: { questions: [] } }),
      });
    },
  }),
];
