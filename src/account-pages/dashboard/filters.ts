/** What a list is narrowed to: read from the address, understood by the store, and written into the next address. */
import { detailsColumn } from '../../consent/columns.js';
import { statusAt } from '../../consent/lifecycle.js';
import type { ListedLine, ListFilter } from '../../consent/lists.js';
import type { Place, Spot } from '../../consent/page.js';
import { type ConsentKind, type ConsentStatus, consentKinds, consentStatuses } from '../../consent/record.js';
import type { UseFilter } from '../../consent/uses.js';
import type { Application } from '../../consent/watch.js';
import type { PageRequest } from '../../http/pages.js';
import type { BankTime } from '../../lib/clock.js';
import { endOfDay, startOfDay } from '../../lib/day.js';
import { folded } from '../../lib/format/folded.js';
import { isUuid } from '../../lib/id.js';
import { isDate } from '../../lib/instant.js';
import type { ClientId } from '../../model/ids.js';
import { orderStatuses } from '../../payment/record.js';
import { amountOf } from '../approve/asked-for.js';
import { type PaymentState, paymentStates } from './messages/messages.js';
import { paymentStateOf } from './permission-summary.js';

type Query = PageRequest['query'];

/** Anything that is not understood counts as not chosen. */
export interface Filter {
  /** What is searched for. */
  readonly q?: string | undefined;
  readonly state?: ConsentStatus | undefined;
  readonly paid?: PaymentState | undefined;
  readonly kind?: ConsentKind | undefined;
  readonly app?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly permission?: string | undefined;
}

const oneOf = <T extends string>(value: string | undefined, known: readonly T[]): T | undefined =>
  known.find((each) => each === value);

const dateOf = (text: string | undefined): string | undefined =>
  text !== undefined && isDate(text) && text > '1970-01-01' && text < '9999-01-01' ? text : undefined;

const LONGEST_SEARCH = 100;
const searchOf = (text: string | undefined): string | undefined =>
  text?.trim().slice(0, LONGEST_SEARCH) || undefined;

export const permissionFilterOf = (query: Query): Filter => ({
  q: searchOf(query.q),
  state: oneOf(query.state, consentStatuses),
  kind: oneOf(query.kind, consentKinds),
  app: query.app || undefined,
});

export const paymentFilterOf = (query: Query): Filter => ({
  q: searchOf(query.q),
  paid: oneOf(query.paid, paymentStates),
  app: query.app || undefined,
  from: dateOf(query.from),
  to: dateOf(query.to),
});

export const useFilterOf = (query: Query): Filter => ({
  from: dateOf(query.from),
  to: dateOf(query.to),
  app: query.app || undefined,
  permission: query.permission !== undefined && isUuid(query.permission) ? query.permission : undefined,
});

export const isNarrowed = (filter: Filter): boolean =>
  Object.values(filter).some((value) => value !== undefined);

/** The days of the filter end before they begin. */
export const isInverted = ({ from, to }: Filter): boolean =>
  from !== undefined && to !== undefined && to < from;

const SHORTEST_END = 3;

/** What a search may mean: a text, the end of an account number, an amount. */
export interface Search {
  readonly text: string;
  readonly accountEnd: string | undefined;
  /** As it is typed, and as lists show it: `1.120,50 €` or `€1,120.50`. */
  readonly amounts: readonly number[];
}

const AMOUNT = /^\d{1,12}(?:[.,]\d{1,3})?$/;
const GROUPED = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d{1,3})?$/;

const amountsIn = (q: string): readonly number[] => {
  const text = q.replace(/[\s\p{Sc}]/gu, '');
  const [, sign] = GROUPED.exec(text) ?? [];
  const forms = [text, ...(sign === undefined ? [] : [text.replaceAll(sign, '')])];
  return forms.filter((form) => AMOUNT.test(form)).map((form) => Number(form.replace(',', '.')));
};

export const searchIn = ({ q }: Filter): Search | undefined => {
  if (q === undefined) return undefined;
  const end = q.replace(/[\s.…-]/g, '').toUpperCase();
  return {
    text: folded(q),
    accountEnd: end.length >= SHORTEST_END && /^[A-Z0-9]+$/.test(end) ? end : undefined,
    amounts: amountsIn(q),
  };
};

/** The apps that a search finds by name, and a test that finds a line by its app, account or purpose, or by payee or amount. */
export interface SearchTest {
  readonly apps?: readonly ClientId[];
  readonly isFound: (line: ListedLine) => boolean;
}

export const searchTest = (search: Search | undefined, parties: readonly Application[]): SearchTest => {
  if (!search) return { isFound: () => true };
  // Payees and purposes come again and again.
  const known = new Map<string, boolean>();
  const has = (text: unknown): boolean => {
    if (typeof text !== 'string') return false;
    const isKnown = known.get(text) ?? folded(text).includes(search.text);
    known.set(text, isKnown);
    return isKnown;
  };
  const apps = parties
    .filter(({ applicationName, tppName }) => has(applicationName) || has(tppName))
    .map(({ clientId }) => clientId);
  const named = new Set(apps);
  const isPaid = (text: string): boolean => {
    const details = detailsColumn.read(text);
    return search.amounts.includes(amountOf(details).amount) || has(details.creditorName);
  };
  return {
    apps,
    isFound: ({ clientId, hasAccount, purpose, details }) =>
      named.has(clientId) || hasAccount > 0 || has(purpose) || (details !== null && isPaid(details)),
  };
};

/** Both days belong to the period, as days of the bank. */
export const storedFilter = ({ from, to, app, permission }: Filter, timeZone: string): UseFilter => ({
  from: from === undefined ? undefined : startOfDay(from, timeZone),
  before: to === undefined ? undefined : endOfDay(to, timeZone),
  clientId: app,
  consentId: permission,
});

/** Whether a payment with this status of its order may be in the state; `-` is one without an order. */
const mayBe = (paid: PaymentState, order: string): boolean =>
  order === '-'
    ? consentStatuses.some((status) => paymentStateOf(status, null) === paid)
    : paymentStateOf('Expired', order) === paid;

/** Of payments without an order that can still be sent. */
const statusOfUnsent: Readonly<Partial<Record<PaymentState, ConsentStatus>>> = {
  waiting: 'Received',
  approved: 'Valid',
};

/** Which lines may be wanted, as the store understands it; `isWanted` of those that are left. */
export const listFilter = (
  filter: Filter,
  timeZone: string,
  parties: readonly Application[],
  bankNow: BankTime,
): ListFilter => {
  const { from = 0, before = Number.MAX_SAFE_INTEGER, clientId } = storedFilter(filter, timeZone);
  const { q, state, kind, paid } = filter;
  if ((q ?? state ?? kind ?? paid) === undefined) return { from, before, clientId };
  const search = searchIn(filter);
  const { apps, isFound } = searchTest(search, parties);
  const orders = paid && ['-', ...orderStatuses].filter((each) => mayBe(paid, each));
  const isWanted = (line: ListedLine): boolean => {
    const { at: createdAt, expiresAt } = line;
    const status = statusAt({ status: line.status, createdAt, expiresAt }, bankNow);
    return (
      (state === undefined || status === state) &&
      (kind === undefined || line.kind === kind) &&
      (paid === undefined || paymentStateOf(status, line.orderStatus) === paid) &&
      isFound(line)
    );
  };
  return {
    from,
    before,
    clientId,
    kind,
    status: state ?? (paid && statusOfUnsent[paid]),
    orders,
    apps,
    accountEnd: search?.accountEnd,
    isWanted,
  };
};

/** The filter as the end of an address, with what else belongs there. */
export const addressWith = (
  path: string,
  filter: Filter,
  more: Readonly<Record<string, string | undefined>> = {},
) => {
  const query = new URLSearchParams(
    Object.entries({ ...filter, ...more }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
};

const PLACE = /^(\d{1,15})_([\w-]{1,64})$/;

const placeOf = (text: string | undefined): Place | undefined => {
  const [, at, id] = PLACE.exec(text ?? '') ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at), id };
};

/** Where a page of a list begins or ends. */
export const spotOf = ({ after, before }: Query): Spot => ({
  after: placeOf(after),
  before: placeOf(before),
});

export const placeText = ({ at, id }: Place): string => `${at}_${id}`;
