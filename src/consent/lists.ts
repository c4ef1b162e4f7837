/**
 * The lists of a person's permissions and payments. Each statement reads in the order of an index and ends after a page; what no index
 * narrows (a search, a state that time changes) is tested line by line, in a bounded number of lines for each page.
 */
import { setImmediate } from 'node:timers/promises';
import type { BankTime } from '../lib/clock.js';
import type { ClientId, PsuId } from '../model/ids.js';
import type { Queries, Value } from '../store/db.js';
import { storedAs } from './lifecycle.js';
import {
  type ListPage,
  type ListReads,
  NEWEST,
  type Period,
  type Place,
  readPage,
  type Spot,
} from './page.js';
import type { Consent, ConsentKind, ConsentStatus } from './record.js';
import { inBatches } from './watch.js';

/** What tells whether a line is wanted, without who asks. */
export interface ListedLine extends Pick<Consent, 'id' | 'kind' | 'status' | 'expiresAt' | 'clientId'> {
  /** When it was created. */
  readonly at: BankTime;
  readonly purpose: string | null;
  /** Of a payment that was submitted. */
  readonly orderStatus: string | null;
  /** Of a payment, if names are searched. */
  readonly details: string | null;
  /** One of its accounts ends as the search does. */
  readonly hasAccount: number;
}

const OLDER =
  'c.created_at >= ? and c.created_at <= ? and (c.created_at < ? or c.id < ?) order by c.created_at desc, c.id desc limit ?';
const NEWER =
  'c.created_at >= ? and c.created_at < ? and (c.created_at > ? or c.id > ?) order by c.created_at, c.id limit ?';
const TESTED = `
  c.id, c.created_at, c.kind, c.status, c.expires_at, c.client_id, c.purpose,
  case when cast(? as text) is not null and c.kind = 'PaymentInitiation' then c.details end as details,
  case when c.submitted_at is not null then (select o.status from payment_orders o where o.consent_id = c.id) end as order_status,
  case when cast(? as text) is null then 0 else (select count(*) from consent_accounts n where n.consent_id = c.id
    and (n.iban like ? or n.bban like ? or n.msisdn like ?)) end as has_account
  from consents c`;
const LINE = `
  l.id, l.created_at as "at", l.kind, l.status, l.expires_at as "expiresAt", l.client_id as "clientId", l.purpose, l.details,
  l.order_status as "orderStatus", l.has_account as "hasAccount", (select count(*) from tested) as tested
  from tested l`;
const MAY_BE_WANTED = `
  (cast(? as text) is null or l.kind = ?)
  and (cast(? as text) is null or ? like '%' || l.status || '%')
  and (cast(? as text) is null or ? like '%' || coalesce(l.order_status, '-') || '%')
  and (cast(? as text) is null or ? like '%' || l.client_id || '%'
    or l.purpose is not null or l.details is not null or l.has_account > 0)`;

interface Statements {
  readonly older: string;
  readonly newer: string;
  readonly count: string;
  /** A number of lines, of which those that cannot be wanted are left out, but never the last. */
  readonly testOlder: string;
  readonly testNewer: string;
}

const statementsOf = (WHICH: string): Statements => ({
  older: `select c.id, c.created_at as "at" from consents c where c.psu_id = ? and ${WHICH} and ${OLDER}`,
  newer: `select c.id, c.created_at as "at" from consents c where c.psu_id = ? and ${WHICH} and ${NEWER}`,
  count: `
    select (select count(*) from (select 1 from consents c
        where c.psu_id = ? and ${WHICH} and c.created_at > ? and c.created_at < ? limit 1001) counted)
      + (select count(*) from consents c where c.psu_id = ? and ${WHICH} and c.created_at = ? and c.id > ?) as count`,
  testOlder: `
    with tested as (select ${TESTED} where c.psu_id = ? and ${WHICH} and ${OLDER})
    select ${LINE} where ${MAY_BE_WANTED} or l.id = (select t.id from tested t order by t.created_at, t.id limit 1)
    order by l.created_at desc, l.id desc`,
  testNewer: `
    with tested as (select ${TESTED} where c.psu_id = ? and ${WHICH} and ${NEWER})
    select ${LINE} where ${MAY_BE_WANTED} or l.id = (select t.id from tested t order by t.created_at desc, t.id desc limit 1)
    order by l.created_at, l.id`,
});

const statements = {
  permissions: {
    all: statementsOf("c.kind <> 'PaymentInitiation'"),
    ofApp: statementsOf("c.client_id = ? and c.kind <> 'PaymentInitiation'"),
  },
  payments: {
    all: statementsOf("c.kind = 'PaymentInitiation'"),
    ofApp: statementsOf("c.client_id = ? and c.kind = 'PaymentInitiation'"),
  },
} as const;

/** Which lines of a list are wanted. */
export interface ListFilter extends Partial<Period> {
  readonly clientId?: ClientId | undefined;
  readonly kind?: ConsentKind | undefined;
  /** At this moment. */
  readonly status?: ConsentStatus | undefined;
  /** Statuses of the order of a payment; `-` is that of a payment without one. */
  readonly orders?: readonly string[] | undefined;
  /** Those whose names a search has found. */
  readonly apps?: readonly ClientId[] | undefined;
  /** What an account number ends with: letters and digits. */
  readonly accountEnd?: string | undefined;
  /** Everything is wanted without it. */
  readonly isWanted?: ((line: ListedLine) => boolean) | undefined;
}

export interface ListQuery {
  readonly list: 'permissions' | 'payments';
  readonly psuId: PsuId;
  readonly filter: ListFilter;
  readonly spot: Spot;
  readonly size: number;
}

export interface FoundLines extends ListPage<Place> {
  /** Lines were tested one by one: what was counted is what was found. */
  readonly isTested: boolean;
  /** The last line that was tested, if more were left than one page may test. */
  readonly stoppedAt: Place | undefined;
}

interface TestedLine extends ListedLine {
  /** How many lines the statement has tested. */
  readonly tested: number;
}

interface Reads extends ListReads<Place> {
  readonly testOlder: (place: Place, limit: number) => Promise<readonly TestedLine[]>;
  readonly testNewer: (place: Place, limit: number) => Promise<readonly TestedLine[]>;
}

const twice = (values: readonly string[] | undefined): readonly Value[] => {
  const text = values?.join(' ') ?? null;
  return [text, text];
};

const conditionsOf = ({ kind, status, orders, apps }: ListFilter): readonly Value[] => [
  ...twice(kind && [kind]),
  ...twice(status && storedAs(status)),
  ...twice(orders),
  ...twice(apps),
];

const readsOf = (db: Queries, { list, psuId, filter }: Omit<ListQuery, 'spot' | 'size'>): Reads => {
  const { clientId, accountEnd, from = 0, before = Number.MAX_SAFE_INTEGER } = filter;
  const sql = statements[list][clientId === undefined ? 'all' : 'ofApp'];
  const whose: readonly Value[] = clientId === undefined ? [psuId] : [psuId, clientId];
  const older = ({ at, id }: Place, limit: number) => [
    ...whose,
    from,
    Math.min(before - 1, at),
    at,
    id,
    limit,
  ];
  const newer = ({ at, id }: Place, limit: number) => [...whose, Math.max(from, at), before, at, id, limit];
  const end = accountEnd === undefined ? null : `%${accountEnd}`;
  const search = [filter.apps ? 'searched' : null, end, end, end, end];
  const conditions = conditionsOf(filter);
  return {
    older: (place, limit) => db.all<Place>(sql.older, older(place, limit)),
    newer: (place, limit) => db.all<Place>(sql.newer, newer(place, limit)),
    testOlder: (place, limit) =>
      db.all<TestedLine>(sql.testOlder, [...search, ...older(place, limit), ...conditions]),
    testNewer: (place, limit) =>
      db.all<TestedLine>(sql.testNewer, [...search, ...newer(place, limit), ...conditions]),
    count: async (place) => {
      const tie: readonly Value[] = place ? [place.at, place.id] : [-1, ''];
      const params = [...whose, place ? place.at : from - 1, before, ...whose, ...tie];
      return (await db.one<{ count: number }>(sql.count, params))?.count ?? 0;
    },
  };
};

/** So many lines are tested for one page. Payments cost more, and most if they are searched. */
const TESTED_LINES = {
  permissions: { filter: 150, search: 120 },
  payments: { filter: 120, search: 50 },
} as const;

const wantedLines = async (read: Reads['testOlder'], start: Place, { list, filter, size }: ListQuery) => {
  const { isWanted = () => true } = filter;
  const limit = TESTED_LINES[list][filter.apps ? 'search' : 'filter'];
  const lines = await read(start, limit);
  const found = lines.filter(isWanted);
  const last = lines.at(-1);
  const isEnough = found.length > size || last === undefined || last.tested < limit;
  return { found, stoppedAt: isEnough ? undefined : last };
};

/** A page of what is wanted, in one direction. */
const testedPage = async (reads: Reads, query: ListQuery): Promise<FoundLines> => {
  const { spot, size } = query;
  const isBackwards = spot.before !== undefined;
  const { found, stoppedAt } = await wantedLines(
    isBackwards ? reads.testNewer : reads.testOlder,
    spot.before ?? spot.after ?? NEWEST,
    query,
  );
  const shown = found.slice(0, size);
  const isMore = found.length > size || stoppedAt !== undefined;
  return {
    rows: isBackwards ? shown.toReversed() : shown,
    newerRows: 0,
    total: found.length,
    hasNewer: isBackwards ? isMore : spot.after !== undefined,
    hasOlder: isBackwards || found.length > size,
    isTested: true,
    stoppedAt: isBackwards || found.length > size ? undefined : stoppedAt,
  };
};

/** A page of the list. */
export const findLines = async (db: Queries, query: ListQuery): Promise<FoundLines> => {
  const reads = readsOf(db, query);
  if (query.filter.isWanted) return testedPage(reads, query);
  return { ...(await readPage(reads, query.spot, query.size)), isTested: false, stoppedAt: undefined };
};

/** So many wanted lines are read at once. */
const WALKED = 200;

/** The whole list: what its pages show, one after the other. */
export async function* eachLine(
  db: Queries,
  query: Omit<ListQuery, 'spot' | 'size'>,
): AsyncGenerator<Place, void, undefined> {
  const reads = readsOf(db, query);
  if (!query.filter.isWanted) return yield* inBatches(reads.older, (line) => line);
  for (let after: Place | undefined = NEWEST; after; ) {
    const { rows, hasOlder, stoppedAt } = await testedPage(reads, {
      ...query,
      spot: { after },
      size: WALKED,
    });
    yield* rows;
    after = hasOlder ? rows.at(-1) : stoppedAt;
    await setImmediate();
  }
}
