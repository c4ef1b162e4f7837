/** Statements of an account: the list, and one of them with its transactions. */
import { contextOf } from '../../../bank/consent-note.js';
import type { BankTransaction, Statement } from '../../../bank/history.js';
import type { Operation } from '../../../http/operation.js';
import { dateAt } from '../../../lib/day.js';
import { Problem } from '../../../problem/problem.js';
import { statementExample, transactionExample } from './examples.js';
import {
  ACCOUNT_PATH,
  answer,
  checkHistory,
  checkHolder,
  type DataParts,
  hrefOf,
  type OpenedAccount,
  readAccount,
  readOperation,
} from './read.js';
import { allowsDays, isOldDay, periodFields, readPeriodOf } from './read-period.js';
import { StatementResponse, StatementsResponse } from './schema.js';
import { PDF, statementDocument } from './statement-document.js';
import { isReadableId, lastOf, MAX_LIMIT } from './transactions.js';
import { statementView, transactionView } from './views.js';

const viewOf = (parts: DataParts, { account }: OpenedAccount, statement: Statement) =>
  statementView(statement, {
    self: hrefOf(parts, account.resourceId, 'statements', statement.id),
    account: hrefOf(parts, account.resourceId),
  });

export const getStatements = (parts: DataParts): Operation =>
  readOperation({
    id: 'getStatements',
    path: `${ACCOUNT_PATH}/statements`,
    summary: 'List statements',
    description:
      'Statements whose periods lie wholly within the days, newest first. A period is as long as the bank makes it, often a month or a quarter. Needs Statements. Days before the last 90 are given only within 60 minutes of an authentication of the account holder.',
    query: periodFields,
    answer: 'The statements.',
    schema: StatementsResponse,
    isHistory: true,
    example: { statements: [statementExample] },
    handle: (call) =>
      readAccount(parts, call, ['Statements'], async (opened) => {
        const { access, account, bankNow } = opened;
        const { from, to, isOld } = readPeriodOf(call.query, access.details, dateAt(bankNow, parts.timeZone));
        if (isOld) checkHistory(parts, opened);
        return answer(parts, call, opened, { kind: 'statements' }, async () => {
          const statements =
            from > to
              ? await checkHolder(parts, call, opened).then(() => [])
              : await parts.bank.statements(account.accountId, from, to, contextOf(access, account));
          return { body: { statements: statements.map((each) => viewOf(parts, opened, each)) } };
        });
      }),
  });

/** More would keep the other callers waiting; the list of transactions has them all, page by page. */
const MAX_IN_STATEMENT = 1000;

/** Of the whole period, newest first. */
const transactionsOf = async (
  { bank }: DataParts,
  { access, account }: OpenedAccount,
  { from, to }: Statement,
): Promise<readonly BankTransaction[]> => {
  const all: BankTransaction[] = [];
  const { accountId } = account;
  const context = contextOf(access, account);
  let after: string | null = null;
  do {
    const query = { accountId, from, to, status: 'booked', after, limit: MAX_LIMIT, context } as const;
    const page = await bank.transactions({ ...query, last: lastOf(all) });
    all.push(...page.items);
    after = page.next;
  } while (after !== null && all.length < MAX_IN_STATEMENT);
  return all;
};

/** A statement, if the consent opens it. Every response format uses it. */
const readStatement = async (parts: DataParts, opened: OpenedAccount, id: string): Promise<Statement> => {
  const { access, account, bankNow } = opened;
  const statement = isReadableId(id)
    ? await parts.bank.statement(account.accountId, id, contextOf(access, account))
    : undefined;
  if (!statement || !allowsDays(access.details, statement)) throw new Problem('resource-not-found');
  if (isOldDay(statement.from, dateAt(bankNow, parts.timeZone))) checkHistory(parts, opened);
  return statement;
};

const NO_DOCUMENT =
  'The bank has no PDF of this statement, or the consent does not open all that it tells. Accept application/json.';

export const getStatement = (parts: DataParts): Operation =>
  readOperation({
    id: 'getStatement',
    path: `${ACCOUNT_PATH}/statements/:statementId`,
    summary: 'Get a statement',
    description:
      'One statement of an account with its transactions, of which the newest 1000 are told. With `Accept: application/pdf` it is the PDF of the bank itself, in the language of PSU-Accept-Language or Accept-Language, if the bank has one and the consent has AccountsDetail, Balances and TransactionsDetail; else it is JSON if that is accepted too, or 406. Needs Statements; the counterparty and the message of its transactions need TransactionsDetail too.',
    query: [],
    params: [
      {
        name: 'statementId',
        schema: { type: 'string' },
        description: 'The statementId, as the list of statements has it.',
      },
    ],
    answer: 'The statement.',
    schema: StatementResponse,
    isHistory: true,
    example: { statement: { ...statementExample, transactions: [transactionExample] } },
    otherMedia: [PDF],
    handle: (call) =>
      readAccount(parts, call, ['Statements'], (opened) =>
        answer(parts, call, opened, { kind: 'statement' }, async () => {
          const statement = await readStatement(parts, opened, call.params.statementId ?? '');
          if (call.mediaType === PDF) {
            const document = await statementDocument(parts, call, opened, statement);
            if (document) return document;
            if (!call.takesJson) throw new Problem('not-acceptable', { detail: NO_DOCUMENT });
          }
          const transactions = await transactionsOf(parts, opened, statement);
          const views = transactions.map((each) => transactionView(opened.access, each));
          return { body: { statement: { ...viewOf(parts, opened, statement), transactions: views } } };
        }),
      ),
  });
