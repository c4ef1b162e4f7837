/** Defects in statements. */
import { DAY, decimalText, minorOf } from 'trapeza/base';
import type { Answer, Asked, Core } from '../contract.js';
import { answering, type Defect, holderOf, ofAnyAccount, where } from './defect.js';

type Statement = Answer<'listStatements'>['statements'][number];

const shifted = (text: string, currency: string, by: bigint): string =>
  decimalText((minorOf(text, currency) ?? 0n) + by, currency);

/** In the list and by its id. */
const eachStatement =
  (change: (statement: Statement) => Statement): Defect['spoil'] =>
  (core) => ({
    ...answering('listStatements', ({ accountId, statements }) => ({
      accountId,
      statements: statements.map(change),
    }))(core),
    ...answering('readStatement', (answer) => ({ ...answer, statement: change(answer.statement) }))(core),
  });

const yearsBefore = (day: string, years: number): string =>
  `${Number(day.slice(0, 4)) - years}${day.slice(4)}`;

const RUNNING = 'running';

/** What a statement until tomorrow would say today. */
const runningOf = async (core: Core, asked: Asked<'listStatements'>): Promise<Statement | undefined> => {
  const all = await core.listStatements({ ...asked, query: { from: '1900-01-01', to: '2999-12-31' } });
  const [newest] = all.statements;
  const to = new Date(asked.at + DAY).toISOString().slice(0, 10);
  const from = `${to.slice(0, 7)}-01`;
  const { transactions } = await core.listTransactions({
    ...asked,
    query: { from, to, status: 'booked', limit: 1000, after: undefined },
  });
  if (!newest) return undefined;
  const { currency, closing: opening } = newest;
  const minors = transactions.map(({ amount }) => minorOf(amount, currency) ?? 0n);
  const [paid, got] = [minors.filter((each) => each < 0n), minors.filter((each) => each >= 0n)];
  const sum = (list: readonly bigint[]): bigint => list.reduce((total, each) => total + each, 0n);
  return {
    ...newest,
    ...{ id: RUNNING, from, to, opening, closing: shifted(opening, currency, sum(minors)) },
    ...{ credits: decimalText(sum(got), currency), debits: decimalText(sum(paid), currency) },
    ...{ creditCount: got.length, debitCount: paid.length },
  };
};

export const statementDefects = {
  'foreign-statement-shown': {
    title: 'a statement is shown to every account that asks for it',
    spoil: (core) => ({
      readStatement: (asked) =>
        where(
          404,
          () => core.readStatement(asked),
          async () => {
            const { statementId } = asked.params;
            const found = await ofAnyAccount(
              (accountId) =>
                core.readStatement({
                  ...asked,
                  psuId: holderOf(accountId),
                  params: { accountId, statementId },
                }),
              () => core.readStatement(asked),
            );
            return { ...found, accountId: asked.params.accountId };
          },
        ),
    }),
  },
  'statements-do-not-chain': {
    title: 'a statement does not open with what the one before it closed with',
    spoil: answering('listStatements', ({ accountId, statements }) => ({
      accountId,
      statements: statements.map((each) => ({
        ...each,
        opening: shifted(each.opening, each.currency, 1n),
        credits: shifted(each.credits, each.currency, -1n),
      })),
    })),
  },
  'statement-of-half-a-month': {
    title: 'statements that only overlap with the days are listed too',
    spoil: (core) => ({
      listStatements: async (asked) => {
        const { from, to } = asked.query;
        const all = await core.listStatements({ ...asked, query: { from: '1900-01-01', to: '2999-12-31' } });
        return { ...all, statements: all.statements.filter((each) => each.to >= from && each.from <= to) };
      },
    }),
  },
  'running-month-listed': {
    title: 'the month that still runs has a statement',
    spoil: (core) => ({
      listStatements: async (asked) => {
        const answer = await core.listStatements(asked);
        const running = await runningOf(core, asked);
        const { from, to } = asked.query;
        const isWanted = running && running.from >= from && running.to <= to;
        return isWanted ? { ...answer, statements: [running, ...answer.statements] } : answer;
      },
      readStatement: async (asked) => {
        const { accountId, statementId } = asked.params;
        const query = { from: '1900-01-01', to: '2999-12-31' };
        const running = await runningOf(core, { ...asked, params: { accountId }, query });
        return statementId === RUNNING && running
          ? { accountId, statement: running }
          : core.readStatement(asked);
      },
    }),
  },
  'statement-of-two-years': {
    title: 'the oldest statement begins two years before it',
    spoil: answering('listStatements', ({ accountId, statements }) => ({
      accountId,
      statements: statements.map((each, index) =>
        index > 1 && index === statements.length - 1 ? { ...each, from: yearsBefore(each.from, 2) } : each,
      ),
    })),
  },
  'oldest-statement-first': {
    title: 'the oldest statement comes first',
    spoil: answering('listStatements', ({ accountId, statements }) => ({
      accountId,
      statements: statements.toReversed(),
    })),
  },
  'statement-ids-name-account': {
    title: 'the id of a statement begins with that of its account',
    spoil: (core) => ({
      listStatements: async (asked) => {
        const { accountId, statements } = await core.listStatements(asked);
        return {
          accountId,
          statements: statements.map((each) => ({ ...each, id: `${accountId}.${each.id}` })),
        };
      },
      readStatement: async (asked) => {
        const { accountId, statementId } = asked.params;
        const params = { accountId, statementId: statementId.replace(`${accountId}.`, '') };
        const { statement } = await core.readStatement({ ...asked, params });
        return { accountId, statement: { ...statement, id: statementId } };
      },
    }),
  },
  'document-in-json': {
    title: 'the document is a text within JSON',
    spoil: answering('readStatementDocument', (bytes) => ({ document: String(bytes) }) as never),
  },
  'document-is-a-page': {
    title: 'the document is a page of HTML',
    spoil: answering('readStatementDocument', () => Buffer.from('<!doctype html><p>Statement')),
  },
  'document-made-anew': {
    title: 'the document is made anew each time, with the time in it',
    spoil: answering('readStatementDocument', (bytes, _asked, count) =>
      Buffer.concat([bytes, Buffer.from(`% ${count}`)]),
    ),
  },
  'foreign-document-shown': {
    title: 'the document of a statement is shown to whoever knows its id',
    spoil: (core) => ({
      readStatementDocument: (asked) =>
        where(
          404,
          () => core.readStatementDocument(asked),
          () =>
            ofAnyAccount(
              (accountId) =>
                core.readStatementDocument({
                  ...asked,
                  psuId: holderOf(accountId),
                  params: { ...asked.params, accountId },
                }),
              () => core.readStatementDocument(asked),
            ),
        ),
    }),
  },
  'debits-positive': {
    title: 'the sum of what was paid has no minus sign',
    spoil: eachStatement((each) => ({ ...each, debits: each.debits.replace('-', '') })),
  },
  'debits-miscounted': {
    title: 'a statement counts one payment more than there are',
    spoil: eachStatement((each) => ({ ...each, debitCount: each.debitCount + 1 })),
  },
  'statements-not-echoed': {
    title: 'the statements do not say which account they are of',
    spoil: answering('listStatements', (answer) => ({ ...answer, accountId: 'account' })),
  },
  'unknown-statement-newest': {
    title: 'an unknown id gets the newest statement',
    spoil: (core) => ({
      readStatement: (asked) =>
        where(
          404,
          () => core.readStatement(asked),
          async () => {
            const { accountId } = asked.params;
            const query = { from: '1900-01-01', to: '2999-12-31' };
            const { statements } = await core.listStatements({ ...asked, params: { accountId }, query });
            return statements[0] ? { accountId, statement: statements[0] } : core.readStatement(asked);
          },
        ),
    }),
  },
} as const satisfies Record<string, Defect>;
