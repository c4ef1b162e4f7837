/** Cases about statements. */
import { DAY, HOUR } from 'trapeza/base';
import { check, daysOf, isSame, minor, pageOf, type Trial } from '../case.js';
import type { Answer } from '../client.js';
import { NOBODY } from '../client.js';
import { demand, Skip } from '../verdict.js';

type Statement = Answer<'listStatements'>['statements'][number];

const listed = async (trial: Trial<'accountId'>, days = daysOf(trial)): Promise<readonly Statement[]> => {
  const { accountId } = trial.subject;
  return (await trial.core.answer('listStatements', { params: { accountId }, query: days })).statements;
};

const someOf = async (trial: Trial<'accountId'>, least: number): Promise<readonly Statement[]> => {
  const statements = await listed(trial);
  if (statements.length < least)
    throw new Skip(`the account has fewer than ${least} statements in these days`);
  return statements;
};

export const newestOf = async (trial: Trial<'accountId'>): Promise<Statement> => {
  const [newest] = await someOf(trial, 1);
  if (!newest) throw new Skip('the account has no statements in these days');
  return newest;
};

const idsOf = (statements: readonly Statement[]): string[] => statements.map(({ id }) => id).toSorted();

const of = ({ currency }: Statement, amount: string): bigint => minor(amount, currency, 'listStatements');

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + DAY).toISOString().slice(0, 10);

const daysIn = ({ from, to }: Statement): number => (Date.parse(to) - Date.parse(from)) / DAY + 1;

export const statementCases = [
  check({
    id: 'statements-periods',
    title: 'has statements of periods that are over, newest first',
    operation: 'listStatements',
    hint: 'From the first to the last day of a period, 366 days at most; none for the period that still runs. The one with the latest last day comes first.',
    needs: ['accountId'],
    run: async (trial) => {
      const statements = await someOf(trial, 1);
      for (const [index, each] of statements.entries()) {
        const { id, from, to } = each;
        const days = daysIn(each);
        demand(days >= 1 && days <= 366, 'a period of 1 to 366 days', `${from} to ${to} at ${id}`);
        // Somewhere it is already the next day.
        demand(
          Date.parse(dayAfter(to)) <= trial.now() + 14 * HOUR,
          'a period that is over',
          `${to} at ${id}`,
        );
        const older = statements[index + 1];
        demand(!older || older.to <= to, 'the newest first', `${older?.to} after ${to}`);
      }
      demand(
        new Set(statements.map(({ id }) => id)).size === statements.length,
        'ids of their own',
        'an id twice',
      );
    },
  }),
  check({
    id: 'statements-chain',
    title: 'opens each statement with what the period before closed with',
    operation: 'listStatements',
    hint: 'Take both from the same running balance of the books; do not compute them apart.',
    needs: ['accountId'],
    run: async (trial) => {
      const statements = await someOf(trial, 2);
      for (const each of statements) {
        const older = statements.find(({ to }) => dayAfter(to) === each.from);
        if (!older) continue;
        demand(
          of(each, each.opening) === of(older, older.closing),
          `${each.from} opens as ${older.to} closed`,
          'another amount',
        );
      }
    },
  }),
  check({
    id: 'statements-add-up',
    title: 'comes from its opening to its closing by credits and debits',
    operation: 'listStatements',
    hint: 'opening + credits + debits = closing; debits is negative or 0.',
    needs: ['accountId'],
    run: async (trial) => {
      for (const each of await someOf(trial, 1)) {
        demand(
          of(each, each.debits) <= 0n && of(each, each.credits) >= 0n,
          'debits of at most 0',
          `another at ${each.id}`,
        );
        const sum = of(each, each.opening) + of(each, each.credits) + of(each, each.debits);
        demand(
          sum === of(each, each.closing),
          'opening + credits + debits = closing',
          `not so at ${each.id}`,
        );
      }
    },
  }),
  check({
    id: 'statements-transactions',
    title: 'counts exactly the transactions of its days',
    operation: 'listStatements',
    hint: 'A statement and the list of transactions over its days must be made from the same bookings.',
    needs: ['accountId'],
    run: async (trial) => {
      const { from, to, ...statement } = await newestOf(trial);
      const wish = { accountId: trial.subject.accountId, from, to, limit: 1000 };
      const { transactions, next } = await pageOf(trial, wish);
      if (next !== null) throw new Skip('the period has more than 1000 transactions');
      const paid = transactions.filter(({ amount }) => amount.startsWith('-')).length;
      const counted = `${statement.creditCount} and ${statement.debitCount}`;
      const found = `${transactions.length - paid} and ${paid}`;
      demand(counted === found, `${found} credits and debits`, counted);
    },
  }),
  check({
    id: 'statements-within',
    title: 'lists statements only where all of their period is wanted',
    operation: 'listStatements',
    hint: 'The condition is "from <= first day and last day <= to"; a period that is cut is not listed.',
    needs: ['accountId'],
    run: async (trial) => {
      const all = await someOf(trial, 2);
      const [newest, second] = all;
      if (!newest || !second) return;
      const { to } = newest;
      for (const from of [second.from, dayAfter(second.from)]) {
        const whole = all.filter((each) => each.from >= from && each.to <= to);
        const seen = await listed(trial, { from, to });
        demand(
          isSame(idsOf(seen), idsOf(whole)),
          `the ${whole.length} that lie within ${from} and ${to}`,
          `${seen.length}`,
        );
      }
    },
  }),
  check({
    id: 'statements-echo',
    title: 'says which account the statements are of',
    operation: 'listStatements',
    hint: 'Return the accountId of the path exactly as it was sent.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      const answer = await trial.core.answer('listStatements', {
        params: { accountId },
        query: daysOf(trial),
      });
      demand(answer.accountId === accountId, `accountId ${accountId}`, 'another accountId');
    },
  }),
  check({
    id: 'statement-same',
    title: 'shows a statement by its id as it is in the list',
    operation: 'readStatement',
    hint: 'The id never changes, and neither does a statement of a period that is over.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      const newest = await newestOf(trial);
      const answer = await trial.core.answer('readStatement', {
        params: { accountId, statementId: newest.id },
      });
      demand(isSame(answer.statement, newest), `statement ${newest.id} as in the list`, 'something else');
      demand(answer.accountId === accountId, `accountId ${accountId}`, 'another accountId');
    },
  }),
  check({
    id: 'statement-of-another-account',
    title: 'shows a statement to its own account only',
    operation: 'readStatement',
    hint: 'Look it up by the id and the account together: 404 if the account has none of this id, else its own one.',
    needs: ['accountId', 'otherAccountId', 'otherPsuId'],
    run: async (trial) => {
      const { id: statementId } = await newestOf(trial);
      const { otherAccountId: accountId, otherPsuId: psuId } = trial.subject;
      const asked = { params: { accountId }, psuId };
      const list = await trial.core.answer('listStatements', { ...asked, query: daysOf(trial) });
      // Ids such as 2026-10 are those of a month, and every account has one.
      const own = list.statements.find(({ id }) => id === statementId);
      const { status, json } = await trial.core.ask('readStatement', {
        ...asked,
        params: { accountId, statementId },
      });
      const { statement } = (json ?? {}) as { readonly statement?: unknown };
      if (own)
        demand(status === 404 || isSame(statement, own), 'the statement of that account', 'another one');
      else demand(status === 404, `404 for ${statementId} of another account`, `status ${status}`);
    },
  }),
  check({
    id: 'statement-unknown',
    title: 'says that there is no such statement',
    operation: 'readStatement',
    hint: 'Answer 404 for an id that does not exist.',
    needs: ['accountId'],
    run: async ({ core, subject: { accountId } }) => {
      const { status } = await core.ask('readStatement', { params: { accountId, statementId: NOBODY } });
      demand(status === 404, '404', `status ${status}`);
    },
  }),
];
