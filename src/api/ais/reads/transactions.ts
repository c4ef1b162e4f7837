/** The transactions of an account: booked and pending, newest first, in pages; and one of them. */
import { contextOf } from '../../../bank/consent-note.js';
import { dayOf } from '../../../bank/guard/answers.js';
import {
  BadCursor,
  type BankTransaction,
  type TransactionPage,
  type TransactionsQuery,
} from '../../../bank/history.js';
import type { Permission } from '../../../consent/record.js';
import type { Call, Field, Operation } from '../../../http/operation.js';
import { dateAt } from '../../../lib/day.js';
import { PAGE_LINK_MINUTES } from '../../../lib/page-link.js';
import { isNoneOf } from '../../../problem/field.js';
import { Problem } from '../../../problem/problem.js';
import { wholeNumberFault } from '../../headers.js';
import { type Cursor, expiredCursor, openCursor, sealCursor } from './cursor.js';
import { transactionExample, transactionsExample } from './examples.js';
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
import { allowsDays, isOldDay, periodFields, type ReadPeriod, readPeriodOf } from './read-period.js';
import { TransactionResponse, TransactionsResponse } from './schema.js';
import { transactionView } from './views.js';

const opensTransactions: readonly Permission[] = ['TransactionsBasic', 'TransactionsDetail'];

const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 500;
const bookingStatuses = ['booked', 'pending', 'both'] as const;

const listFields: readonly Field[] = [
  ...periodFields,
  {
    name: 'bookingStatus',
    schema: { type: 'string', enum: bookingStatuses, default: 'booked' },
    description: 'Which transactions. Pending ones come on the first pages, up to 500 on each.',
    fault: (value) =>
      bookingStatuses.some((each) => each === value) ? undefined : isNoneOf(bookingStatuses),
  },
  {
    name: 'limit',
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    description: 'Booked transactions on a page.',
    fault: wholeNumberFault(MAX_LIMIT),
  },
  {
    name: 'page',
    schema: { type: 'string' },
    description: `As \`_links.next\` of the page before has it; nothing else is needed beside it. It works for ${PAGE_LINK_MINUTES} minutes.`,
  },
];

/** What is to be read: the first page of what the query asks for, or the page that a cursor leads to. */
type Wanted = ReadPeriod &
  Pick<Cursor, 'limit' | 'bookingStatus' | 'page' | 'after' | 'last' | 'pendingAfter'>;

const wantedOf = (parts: DataParts, call: Call, { access, account, bankNow }: OpenedAccount): Wanted => {
  const { page, limit, bookingStatus = 'booked' } = call.query;
  if (page) {
    const read = { consentId: access.id, resourceId: account.resourceId, at: bankNow };
    return openCursor(parts.vault, page, read, call.query);
  }
  return {
    ...readPeriodOf(call.query, access.details, dateAt(bankNow, parts.timeZone)),
    limit: limit ? Number(limit) : DEFAULT_LIMIT,
    bookingStatus: bookingStatus || 'booked',
    page: 1,
    after: null,
  };
};

const refuseBadCursor = (error: unknown): never => {
  throw error instanceof BadCursor ? expiredCursor() : error;
};

/** Where a page ends. */
export const lastOf = (items: readonly BankTransaction[] = []): TransactionsQuery['last'] => {
  const last = items.at(-1);
  return last && { id: last.id, day: dayOf(last) };
};

const nothing: TransactionPage = { items: [], next: null };

const readPage = async (parts: DataParts, call: Call, opened: OpenedAccount, wanted: Wanted) => {
  const { bank } = parts;
  const { access, account } = opened;
  const { from, to, after, pendingAfter = null, limit, last, bookingStatus, page } = wanted;
  const { accountId } = account;
  const context = contextOf(access, account);
  const ask = (
    status: BankTransaction['status'],
    rest: Pick<TransactionsQuery, 'after' | 'limit' | 'last'>,
  ) =>
    // No day at all: the consented days are all more than 90 days ago, or still to come.
    from > to
      ? checkHolder(parts, call, opened).then(() => nothing)
      : bank.transactions({ accountId, from, to, status, ...rest, context }).catch(refuseBadCursor);
  const goesOn = (place: string | null): boolean => page === 1 || place !== null;
  const [booked, pending] = await Promise.all([
    bookingStatus !== 'pending' && goesOn(after) ? ask('booked', { after, limit, last }) : undefined,
    bookingStatus !== 'booked' && goesOn(pendingAfter)
      ? ask('pending', { after: pendingAfter, limit: MAX_LIMIT })
      : undefined,
  ]);
  return {
    booked: booked?.items,
    // Banks keep them in no common order.
    pending: pending?.items.toSorted((one, other) => other.at - one.at),
    next: {
      after: booked?.next ?? null,
      last: lastOf(booked?.items),
      pendingAfter: pending?.next ?? undefined,
    },
  };
};

const nextLink = (
  parts: DataParts,
  opened: OpenedAccount,
  wanted: Wanted,
  next: Pick<Cursor, 'after' | 'last' | 'pendingAfter'>,
) => {
  if (next.after === null && next.pendingAfter === undefined) return {};
  const { access, account, bankNow } = opened;
  const { from, to, isOld, limit, bookingStatus, page } = wanted;
  const cursor = sealCursor(parts.vault, {
    consentId: access.id,
    resourceId: account.resourceId,
    ...{ from, to, isOld, limit, bookingStatus },
    page: page + 1,
    ...next,
    madeAt: bankNow,
  });
  return { next: { href: `${hrefOf(parts, account.resourceId, 'transactions').href}?page=${cursor}` } };
};

export const getTransactions = (parts: DataParts): Operation =>
  readOperation({
    id: 'getTransactions',
    path: `${ACCOUNT_PATH}/transactions`,
    summary: 'List transactions',
    description:
      'Transactions of an account, newest first, in pages. Needs TransactionsBasic or TransactionsDetail; the counterparty, the message and what belongs to them need TransactionsDetail. Days before the last 90 are given only within 60 minutes of an authentication of the account holder. Following pages are not counted; a link to one works for ' +
      `${PAGE_LINK_MINUTES} minutes, then it is 400 \`page-expired\`: start over with the first page.`,
    query: listFields,
    answer: 'A page of transactions.',
    schema: TransactionsResponse,
    isHistory: true,
    problems: ['page-expired'],
    example: transactionsExample,
    handle: (call) =>
      readAccount(parts, call, opensTransactions, async (opened) => {
        const wanted = wantedOf(parts, call, opened);
        if (wanted.isOld) checkHistory(parts, opened);
        const { page } = wanted;
        return answer(parts, call, opened, { kind: 'transactions', page }, async () => {
          const { booked, pending, next } = await readPage(parts, call, opened, wanted);
          const view = (each: BankTransaction) => transactionView(opened.access, each);
          return {
            body: {
              transactions: {
                ...(booked ? { booked: booked.map(view) } : {}),
                ...(pending ? { pending: pending.map(view) } : {}),
              },
              _links: {
                account: hrefOf(parts, opened.account.resourceId),
                ...nextLink(parts, opened, wanted, next),
              },
            },
          };
        });
      }),
  });

/** What can be an id at all: the store would stumble over a NUL. */
export const isReadableId = (id: string): boolean => /^[\x21-\x7e]{1,128}$/.test(id);

export const getTransaction = (parts: DataParts): Operation =>
  readOperation({
    id: 'getTransaction',
    path: `${ACCOUNT_PATH}/transactions/:transactionId`,
    summary: 'Get a transaction',
    description: 'One transaction of an account. Needs TransactionsBasic or TransactionsDetail.',
    query: [],
    params: [
      {
        name: 'transactionId',
        schema: { type: 'string' },
        description: 'The transactionId, as the list of transactions has it.',
      },
    ],
    answer: 'The transaction.',
    schema: TransactionResponse,
    isHistory: true,
    example: { transactionsDetails: transactionExample },
    handle: (call) =>
      readAccount(parts, call, opensTransactions, (opened) =>
        answer(parts, call, opened, { kind: 'transaction' }, async () => {
          const { access, account, bankNow } = opened;
          const id = call.params.transactionId ?? '';
          const found = isReadableId(id)
            ? await parts.bank.transaction(account.accountId, id, contextOf(access, account))
            : undefined;
          const day = found?.bookingDate ?? found?.valueDate ?? '';
          if (!found || !allowsDays(access.details, { from: day, to: day }))
            throw new Problem('resource-not-found');
          if (isOldDay(day, dateAt(bankNow, parts.timeZone))) checkHistory(parts, opened);
          return { body: { transactionsDetails: transactionView(access, found) } };
        }),
      ),
  });
