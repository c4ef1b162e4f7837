/**
 * The lists of a person's permissions and payments. Each statement reads in the order of an index and ends after a page; what no index
 * narrows (a search, a state that time changes) is tested line by line, in a bounded number of lines for each page.
 */
import type { BankTime } from '../lib/clock.js';
import type { ClientId, ConsentId, PsuId } from '../model/ids.js';
import type { Db, Queries, Value } from '../store/db.js';
import { detailsColumn } from './columns.js';
import { UNDECIDED_MS } from './lifecycle.js';
import {
  type ListPage,
  type ListReads,
  NEWEST,
  type Period,
  type Place,
  readPage,
  type Spot,
} from './page.js';
import type { Consent } from './record.js';
import type { Application } from './watch.js';

/** What tells whether a line is wanted, without who asks. */
export interface ListedLine
  extends Pick<Consent, 'id' | 'kind' | 'status' | 'createdAt' | 'expiresAt' | 'clientId'> {
  readonly at: BankTime;
  readonly purpose: string | null;
  /** Of a payment that was submitted. */
  readonly orderStatus: string | null;
  /** Of a payment. */
  readonly details: string | null;
  /** One of its accounts ends as the search does. */
  readonly hasAccount: number;
}

const LINE = `
  c.id, c.created_at as "at", c.created_at as "createdAt", c.kind, c.status, c.expires_at as "expiresAt", c.client_id as "clientId",
  c.purpose, case when c.kind = 'PaymentInitiation' then c.details end as details,
  case when c.submitted_at is null then null else (select o.status from payment_orders o where o.consent_id = c.id) end as "orderStatus",
  case when cast(? as text) is null then 0 else (select count(*) from consent_accounts n where n.consent_id = c.id
    and (n.iban like ? or n.bban like ? or n.msisdn like ?)) end as "hasAccount"
  from consents c`;
const OLDER =
  'c.created_at >= ? and c.created_at <= ? and (c.created_at < ? or c.id < ?) order by c.created_at desc, c.id desc limit ?';
const NEWER =
  'c.created_at >= ? and c.created_at < ? and (c.created_at > ? or c.id > ?) order by c.created_at, c.id limit ?';
const COUNTED = 'created_at > ? and created_at < ? limit 1001';
const TIED = 'created_at = ? and id > ?';

interface Statements {
  readonly older: string;
  readonly newer: string;
  readonly count: string;
}

const permissions = {
  all: {
    older: `select ${LINE} where c.psu_id = ? and c.kind <> 'PaymentInitiation' and ${OLDER}`,
    newer: `select ${LINE} where c.psu_id = ? and c.kind <> 'PaymentInitiation' and ${NEWER}`,
    count: `
      select (select count(*) from (select 1 from consents where psu_id = ? and kind <> 'PaymentInitiation' and ${COUNTED}) counted)
        + (select count(*) from consents where psu_id = ? and kind <> 'PaymentInitiation' and ${TIED}) as count`,
  },
  ofApp: {
    older: `select ${LINE} where c.psu_id = ? and c.client_id = ? and c.kind <> 'PaymentInitiation' and ${OLDER}`,
    newer: `select ${LINE} where c.psu_id = ? and c.client_id = ? and c.kind <> 'PaymentInitiation' and ${NEWER}`,
    count: `
      select (select count(*) from (select 1 from consents
          where psu_id = ? and client_id = ? and kind <> 'PaymentInitiation' and ${COUNTED}) counted)
        + (select count(*) from consents
          where psu_id = ? and client_id = ? and kind <> 'PaymentInitiation' and ${TIED}) as count`,
  },
} as const satisfies Record<string, Statements>;

const payments = {
  all: {
    older: `select ${LINE} where c.psu_id = ? and c.kind = 'PaymentInitiation' and ${OLDER}`,
    newer: `select ${LINE} where c.psu_id = ? and c.kind = 'PaymentInitiation' and ${NEWER}`,
    count: `
      select (select count(*) from (select 1 from consents where psu_id = ? and kind = 'PaymentInitiation' and ${COUNTED}) counted)
        + (select count(*) from consents where psu_id = ? and kind = 'PaymentInitiation' and ${TIED}) as count`,
  },
  ofApp: {
    older: `select ${LINE} where c.psu_id = ? and c.client_id = ? and c.kind = 'PaymentInitiation' and ${OLDER}`,
    newer: `select ${LINE} where c.psu_id = ? and c.client_id = ? and c.kind = 'PaymentInitiation' and ${NEWER}`,
    count: `
      select (select count(*) from (select 1 from consents
          where psu_id = ? and client_id = ? and kind = 'PaymentInitiation' and ${COUNTED}) counted)
        + (select count(*) from consents where psu_id = ? and client_id = ? and kind = 'PaymentInitiation' and ${TIED}) as count`,
  },
} as const satisfies Record<string, Statements>;

const statements = { permissions, payments } as const;

/** Which lines of a list are wanted. */
export interface ListFilter extends Partial<Period> {
  readonly clientId?: ClientId | undefined;
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

export interface FoundLines extends ListPage<ListedLine> {
  /** Lines were tested one by one: what was counted is what was found. */
  readonly isTested: boolean;
  /** The last line that was tested, if more were left than one page may test. */
  readonly stoppedAt: ListedLine | undefined;
}

const readsOf = (db: Queries, { list, psuId, filter }: ListQuery): ListReads<ListedLine> => {
  const { clientId, accountEnd, from = 0, before = Number.MAX_SAFE_INTEGER } = filter;
  const { older, newer, count } = statements[list][clientId === undefined ? 'all' : 'ofApp'];
  const end = accountEnd === undefined ? null : `%${accountEnd}`;
  const whose: readonly Value[] = clientId === undefined ? [psuId] : [psuId, clientId];
  const search = [end, end, end, end];
  return {
    older: ({ at, id }, limit) =>
      db.all<ListedLine>(older, [...search, ...whose, from, Math.min(before - 1, at), at, id, limit]),
    newer: ({ at, id }, limit) =>
      db.all<ListedLine>(newer, [...search, ...whose, Math.max(from, at), before, at, id, limit]),
    count: async (place) => {
      const tie: readonly Value[] = place ? [place.at, place.id] : [-1, ''];
      const params = [...whose, place ? place.at : from - 1, before, ...whose, ...tie];
      return (await db.one<{ count: number }>(count, params))?.count ?? 0;
    },
  };
};

const BATCH = 100;
/** So many lines are tested for one page. */
const TESTED_AT_MOST = 200;

type Read = ListReads<ListedLine>['older'];

const wantedLines = async (
  read: Read,
  start: Place,
  size: number,
  isWanted: (line: ListedLine) => boolean,
) => {
  const found: ListedLine[] = [];
  let last: ListedLine | undefined;
  for (let tested = 0; tested < TESTED_AT_MOST; tested += BATCH) {
    const lines = await read(last ?? start, BATCH);
    for (const line of lines) if (isWanted(line)) found.push(line);
    last = lines.at(-1);
    if (found.length > size || lines.length < BATCH) return { found, stoppedAt: undefined };
  }
  return { found, stoppedAt: last };
};

/** A page of what is wanted, in one direction. */
const testedPage = async (reads: ListReads<ListedLine>, query: ListQuery): Promise<FoundLines> => {
  const { filter, spot, size } = query;
  const isWanted = filter.isWanted ?? (() => true);
  const isBackwards = spot.before !== undefined;
  const { found, stoppedAt } = await wantedLines(
    isBackwards ? reads.newer : reads.older,
    spot.before ?? spot.after ?? NEWEST,
    size,
    isWanted,
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

export const findLines = async (db: Queries, query: ListQuery): Promise<FoundLines> => {
  const reads = readsOf(db, query);
  if (query.filter.isWanted) return testedPage(reads, query);
  return { ...(await readPage(reads, query.spot, query.size)), isTested: false, stoppedAt: undefined };
};

/** A permission or payment as a list shows it. */
export interface Listed
  extends Pick<
      Consent,
      'id' | 'kind' | 'status' | 'createdAt' | 'expiresAt' | 'approvedAt' | 'submittedAt' | 'endReason'
    >,
    Application {
  readonly purpose: string | null;
  readonly renewalAt: BankTime | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** The first account, and how many others there are. */
  readonly account: string | null;
  readonly otherAccounts: number;
  readonly order: ListedOrder | undefined;
}

export interface ListedOrder {
  readonly status: string;
  readonly reasonCode: string | null;
  readonly changedAt: BankTime;
  readonly cancelledBy: string | null;
}

const LISTED = `
  select c.id, c.kind, c.status, c.created_at as "createdAt", c.expires_at as "expiresAt", c.approved_at as "approvedAt",
    c.submitted_at as "submittedAt", c.end_reason as "endReason", c.renewal_at as "renewalAt", c.purpose, c.details,
    c.client_id as "clientId", a.name as "applicationName", t.name as "tppName",
    (select coalesce(n.iban, n.bban, n.msisdn) from consent_accounts n where n.consent_id = c.id order by n.position limit 1) as account,
    (select count(distinct coalesce(n.iban, n.bban, n.msisdn)) from consent_accounts n where n.consent_id = c.id) as accounts,
    o.status as "orderStatus", o.reason_code as "reasonCode", o.changed_at as "changedAt",
    (select h.changed_by from payment_order_history h where h.order_id = o.id and h.to_status = 'CANC') as "cancelledBy"
  from consents c join applications a on a.client_id = c.client_id join tpps t on t.id = a.tpp_id
    left join payment_orders o on o.consent_id = c.id
  where c.id = ? and c.psu_id = ?`;

interface ListedRow
  extends Omit<Listed, 'details' | 'order' | 'otherAccounts'>,
    Omit<ListedOrder, 'status' | 'changedAt'> {
  readonly details: string;
  readonly accounts: number;
  readonly orderStatus: string | null;
  readonly changedAt: BankTime | null;
}

const listedOf = ({
  orderStatus,
  reasonCode,
  changedAt,
  cancelledBy,
  accounts,
  ...row
}: ListedRow): Listed => ({
  ...row,
  details: detailsColumn.read(row.details),
  otherAccounts: Math.max(0, accounts - 1),
  order:
    orderStatus === null || changedAt === null
      ? undefined
      : { status: orderStatus, reasonCode, changedAt, cancelledBy },
});

/** All in one statement, in this order. */
export const listedOnes = async (
  db: Pick<Db, 'batchedReads'>,
  psuId: PsuId,
  ids: readonly ConsentId[],
): Promise<readonly Listed[]> => {
  const rows = await Promise.all(ids.map((id) => db.batchedReads.one<ListedRow>(LISTED, [id, psuId])));
  return rows.flatMap((row) => (row ? [listedOf(row)] : []));
};

const WAITING = `
  select id from consents where psu_id = ? and status = 'Received' and created_at > ? and (expires_at is null or expires_at > ?)
  order by created_at desc, id desc limit ?`;
const RENEWALS = `
  select id from consents where psu_id = ? and renewal_at is not null and renewal_at > ? and status = 'Valid'
    and (expires_at is null or expires_at > ?)
  order by renewal_at desc, id desc limit ?`;

/** What waits for a decision of the person, requests before renewals. */
export const waitingOnes = async (
  db: Queries,
  psuId: PsuId,
  bankNow: BankTime,
  limit: number,
): Promise<readonly ConsentId[]> => {
  const params = [psuId, bankNow - UNDECIDED_MS, bankNow, limit];
  const rows = await Promise.all([WAITING, RENEWALS].map((sql) => db.all<{ id: ConsentId }>(sql, params)));
  return rows.flat().map(({ id }) => id);
};
