/** Cases about the places in a list that third parties carry from page to page, and about single transactions. */
import { askPage, check, demandStatuses, isSame, pageOf, type Transaction, type Trial } from '../case.js';
import { NOBODY } from '../client.js';
import { demand, Skip } from '../verdict.js';

const LEAST_ID = 8;

const cursorOf = async (trial: Trial<'accountId'>): Promise<string> => {
  const { next } = await pageOf(trial, { accountId: trial.subject.accountId, limit: 1 });
  if (next === null) throw new Skip('the account has a single page of transactions in these days');
  return next;
};

const someOf = async (trial: Trial<'accountId'>): Promise<readonly Transaction[]> => {
  const { accountId } = trial.subject;
  const booked = await pageOf(trial, { accountId, limit: 1 });
  const pending = await pageOf(trial, { accountId, status: 'pending', limit: 1 });
  const found = [...booked.transactions, ...pending.transactions];
  if (found.length === 0) throw new Skip('the account has no transactions in these days');
  return found;
};

export const cursorCases = [
  check({
    id: 'cursor-invented',
    title: 'refuses a cursor that no page gave out',
    operation: 'listTransactions',
    hint: 'Read the cursor strictly and answer 400; to begin at the first page instead would repeat transactions.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      const good = await cursorOf(trial);
      // Signs that no encoding uses: another letter might by chance make a place that exists.
      const ask = (after: string) => () => askPage(trial, { accountId, limit: 10, after });
      await demandStatuses('400 for a cursor that was made up', ({ status }) => status === 400, {
        '"x"': ask('x'),
        '"core-check~"': ask('core-check~'),
        'a good cursor with ~~ after it': ask(`${good}~~`),
        'a good cursor with ~ before it': ask(`~${good}`),
      });
    },
  }),
  check({
    id: 'cursor-of-another-list',
    title: 'refuses the cursor of booked transactions in the list of pending ones',
    operation: 'listTransactions',
    hint: 'Let the cursor say which list it belongs to, and answer 400 where it is used in another one.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      const { status, json } = await askPage(trial, {
        accountId,
        status: 'pending',
        limit: 10,
        after: await cursorOf(trial),
      });
      // A list that is empty anyway repeats nothing.
      const { transactions } = (json ?? {}) as { readonly transactions?: readonly unknown[] };
      const isEmpty = status === 200 && transactions?.length === 0;
      demand(status === 400 || isEmpty, '400', `status ${status}`);
    },
  }),
  check({
    id: 'cursor-tells-nothing',
    title: 'names no account in a cursor',
    operation: 'listTransactions',
    hint: 'A cursor passes through third parties: let it name a place, not an account.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      // A short one may be in any number by chance.
      if (accountId.length < LEAST_ID) throw new Skip(`the accountId has fewer than ${LEAST_ID} characters`);
      const cursor = await cursorOf(trial);
      const text = `${cursor} ${Buffer.from(cursor, 'base64url').toString('latin1')}`;
      demand(!text.includes(accountId), 'no id of an account', 'the id of the account');
    },
  }),
  check({
    id: 'transaction-same',
    title: 'shows a transaction by its id as it is in the list',
    operation: 'readTransaction',
    hint: 'Use one function to write a transaction, for the list and for the single one; ids stay from pending to booked.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      for (const each of await someOf(trial)) {
        const params = { accountId, transactionId: each.id };
        const answer = await trial.core.answer('readTransaction', { params });
        demand(answer.accountId === accountId, `accountId ${accountId}`, 'another accountId');
        demand(isSame(answer.transaction, each), `transaction ${each.id} as in the list`, 'something else');
      }
    },
  }),
  check({
    id: 'transaction-of-another-account',
    title: 'shows a transaction to its own account only',
    operation: 'readTransaction',
    hint: 'Look it up by the id and the account together; to any other account it is absent: 404.',
    needs: ['accountId', 'otherAccountId', 'otherPsuId'],
    run: async (trial) => {
      const { otherPsuId: psuId, otherAccountId: accountId } = trial.subject;
      const ask = (transactionId: string) => () =>
        trial.core.ask('readTransaction', { params: { accountId, transactionId }, psuId });
      const variants = (await someOf(trial)).map(({ id }) => [`${id} of another account`, ask(id)]);
      await demandStatuses('404', ({ status }) => status === 404, Object.fromEntries(variants));
    },
  }),
  check({
    id: 'transaction-unknown',
    title: 'says that there is no such transaction',
    operation: 'readTransaction',
    hint: 'Answer 404 for an id that does not exist or could never exist.',
    needs: ['accountId'],
    run: async ({ core, subject: { accountId } }) => {
      const ask = (transactionId: string) => () =>
        core.ask('readTransaction', { params: { accountId, transactionId } });
      await demandStatuses('404', ({ status }) => status === 404, {
        'an id that does not exist': ask(NOBODY),
        'an id that could never exist': ask('no.such~id'),
      });
    },
  }),
];
