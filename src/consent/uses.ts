/**
 * The uses of permissions: every question about funds (PSD2 Art. 65(5)), every access to data. Each is read for one person, of all
 * permissions, of one application, or of one permission, and each of these in the order of an index.
 */
import type { ClientId, ConsentId, PsuId } from '../model/ids.js';
import type { Queries, Value } from '../store/db.js';
import { type ListPage, type Period, type Place, readPage, type Spot } from './page.js';
import { type Application, inBatches } from './watch.js';

export interface Use {
  readonly count: number;
  readonly lastAt: number;
}

/** Which uses are wanted; what is absent does not narrow. */
export interface UseFilter {
  /** From this moment on. */
  readonly from?: number | undefined;
  /** Before this moment. */
  readonly before?: number | undefined;
  readonly clientId?: ClientId | undefined;
  readonly consentId?: ConsentId | undefined;
}

interface UseLine extends Application, Place {
  readonly consentId: ConsentId;
  readonly account: string | null;
}

export interface FundsLine extends UseLine {
  readonly payee: string | null;
  /** In its shortest decimal form. */
  readonly amount: string;
  readonly currency: string;
  readonly available: number;
}

export const accessKinds = [
  'accounts',
  'account',
  'balances',
  'transactions',
  'transaction',
  'statements',
  'statement',
] as const;
export type AccessKind = (typeof accessKinds)[number];

export interface AccessLine extends UseLine {
  readonly kind: AccessKind;
  readonly attended: number;
}

const FUNDS = `
  f.id, f.asked_at as "at", f.consent_id as "consentId", f.client_id as "clientId", f.payee, f.amount, f.currency, f.available,
  coalesce(a.name, f.client_id) as "applicationName", coalesce(t.name, '') as "tppName",
  (select coalesce(n.iban, n.bban, n.msisdn) from consent_accounts n
   where n.consent_id = f.consent_id and n.account_id = f.account_id order by n.position limit 1) as account
  from funds_confirmations f left join applications a on a.client_id = f.client_id left join tpps t on t.id = a.tpp_id`;
const FUNDS_OLDER =
  'f.asked_at >= ? and f.asked_at <= ? and (f.asked_at < ? or f.id < ?) order by f.asked_at desc, f.id desc limit ?';
const FUNDS_NEWER =
  'f.asked_at >= ? and f.asked_at < ? and (f.asked_at > ? or f.id > ?) order by f.asked_at, f.id limit ?';

const ACCESSES = `
  d.id, d.accessed_at as "at", d.consent_id as "consentId", d.client_id as "clientId", d.kind, d.attended,
  coalesce(a.name, d.client_id) as "applicationName", coalesce(t.name, '') as "tppName",
  (select coalesce(n.iban, n.bban, n.msisdn) from consent_accounts n
   where n.consent_id = d.consent_id and n.account_id = d.account_id order by n.position limit 1) as account
  from data_accesses d left join applications a on a.client_id = d.client_id left join tpps t on t.id = a.tpp_id`;
/** The pages that follow the first one are the same access. */
const ACCESSES_OLDER =
  'd.page = 1 and d.accessed_at >= ? and d.accessed_at <= ? and (d.accessed_at < ? or d.id < ?) order by d.accessed_at desc, d.id desc limit ?';
const ACCESSES_NEWER =
  'd.page = 1 and d.accessed_at >= ? and d.accessed_at < ? and (d.accessed_at > ? or d.id > ?) order by d.accessed_at, d.id limit ?';

/** No other's uses are found by its id. */
const OF_PERMISSION = 'consent_id = (select c.id from consents c where c.id = ? and c.psu_id = ?)';
const MOST = 1001;

/** The statements of a list within one scope. A count has the rows after a moment, and those of that moment itself after an id. */
interface Statements {
  readonly older: string;
  readonly newer: string;
  readonly count: string;
}

type Scope = 'person' | 'application' | 'permission';

const funds: Readonly<Record<Scope, Statements>> = {
  person: {
    older: `select ${FUNDS} where f.psu_id = ? and ${FUNDS_OLDER}`,
    newer: `select ${FUNDS} where f.psu_id = ? and ${FUNDS_NEWER}`,
    count: `
      select (select count(*) from (select 1 from funds_confirmations
          where psu_id = ? and asked_at > ? and asked_at < ? limit ${MOST}) counted)
        + (select count(*) from funds_confirmations where psu_id = ? and asked_at = ? and id > ?) as count`,
  },
  application: {
    older: `select ${FUNDS} where f.psu_id = ? and f.client_id = ? and ${FUNDS_OLDER}`,
    newer: `select ${FUNDS} where f.psu_id = ? and f.client_id = ? and ${FUNDS_NEWER}`,
    count: `
      select (select count(*) from (select 1 from funds_confirmations
          where psu_id = ? and client_id = ? and asked_at > ? and asked_at < ? limit ${MOST}) counted)
        + (select count(*) from funds_confirmations
          where psu_id = ? and client_id = ? and asked_at = ? and id > ?) as count`,
  },
  permission: {
    older: `select ${FUNDS} where f.${OF_PERMISSION} and ${FUNDS_OLDER}`,
    newer: `select ${FUNDS} where f.${OF_PERMISSION} and ${FUNDS_NEWER}`,
    count: `
      select (select count(*) from (select 1 from funds_confirmations
          where ${OF_PERMISSION} and asked_at > ? and asked_at < ? limit ${MOST}) counted)
        + (select count(*) from funds_confirmations where ${OF_PERMISSION} and asked_at = ? and id > ?) as count`,
  },
};

const accesses: Readonly<Record<Scope, Statements>> = {
  person: {
    older: `select ${ACCESSES} where d.psu_id = ? and ${ACCESSES_OLDER}`,
    newer: `select ${ACCESSES} where d.psu_id = ? and ${ACCESSES_NEWER}`,
    count: `
      select (select count(*) from (select 1 from data_accesses
          where psu_id = ? and page = 1 and accessed_at > ? and accessed_at < ? limit ${MOST}) counted)
        + (select count(*) from data_accesses where psu_id = ? and page = 1 and accessed_at = ? and id > ?) as count`,
  },
  application: {
    older: `select ${ACCESSES} where d.psu_id = ? and d.client_id = ? and ${ACCESSES_OLDER}`,
    newer: `select ${ACCESSES} where d.psu_id = ? and d.client_id = ? and ${ACCESSES_NEWER}`,
    count: `
      select (select count(*) from (select 1 from data_accesses
          where psu_id = ? and client_id = ? and page = 1 and accessed_at > ? and accessed_at < ? limit ${MOST}) counted)
        + (select count(*) from data_accesses
          where psu_id = ? and client_id = ? and page = 1 and accessed_at = ? and id > ?) as count`,
  },
  permission: {
    older: `select ${ACCESSES} where d.${OF_PERMISSION} and ${ACCESSES_OLDER}`,
    newer: `select ${ACCESSES} where d.${OF_PERMISSION} and ${ACCESSES_NEWER}`,
    count: `
      select (select count(*) from (select 1 from data_accesses
          where ${OF_PERMISSION} and page = 1 and accessed_at > ? and accessed_at < ? limit ${MOST}) counted)
        + (select count(*) from data_accesses where ${OF_PERMISSION} and page = 1 and accessed_at = ? and id > ?) as count`,
  },
};

interface Scoped extends Period {
  readonly statements: Statements;
  readonly whose: readonly Value[];
}

/** A permission is of one application: the narrower of the two counts. */
const scoped = (all: Readonly<Record<Scope, Statements>>, psuId: PsuId, filter: UseFilter): Scoped => {
  const { from = 0, before = Number.MAX_SAFE_INTEGER, clientId, consentId } = filter;
  if (consentId !== undefined) return { statements: all.permission, whose: [consentId, psuId], from, before };
  if (clientId !== undefined) return { statements: all.application, whose: [psuId, clientId], from, before };
  return { statements: all.person, whose: [psuId], from, before };
};

const olderThan = <Line>(
  db: Queries,
  { statements, whose, from, before }: Scoped,
  place: Place,
  limit: number,
) =>
  db.all<Line>(statements.older, [...whose, from, Math.min(before - 1, place.at), place.at, place.id, limit]);

const countOf = async (db: Queries, scope: Scoped, place: Place | undefined): Promise<number> => {
  const { statements, whose, from, before } = scope;
  const { at, id } = place ?? { at: from - 1, id: '' };
  const tie = place ? at : -1;
  return (
    (await db.one<{ count: number }>(statements.count, [...whose, at, before, ...whose, tie, id]))?.count ?? 0
  );
};

/** A page of uses of a person. */
export type ReadUses<Line> = (
  db: Queries,
  psuId: PsuId,
  filter: UseFilter,
  spot: Spot,
  size: number,
) => Promise<ListPage<Line>>;

const pages =
  <Line extends Place>(all: Readonly<Record<Scope, Statements>>): ReadUses<Line> =>
  (db, psuId, filter, spot, size) => {
    const scope = scoped(all, psuId, filter);
    const { statements, whose, from, before } = scope;
    return readPage<Line>(
      {
        older: (place, limit) => olderThan<Line>(db, scope, place, limit),
        newer: ({ at, id }, limit) =>
          db.all<Line>(statements.newer, [...whose, Math.max(from, at), before, at, id, limit]),
        count: (place) => countOf(db, scope, place),
      },
      spot,
      size,
    );
  };

/** Who asked for the funds of a person, and what was answered. */
export const fundsAnswersOf: ReadUses<FundsLine> = pages(funds);
/** Who read the data of a person. */
export const accessesOf: ReadUses<AccessLine> = pages(accesses);

const all =
  <Line extends Place>(statements: Readonly<Record<Scope, Statements>>) =>
  (db: Queries, psuId: PsuId, filter: UseFilter): AsyncGenerator<Line> => {
    const scope = scoped(statements, psuId, filter);
    return inBatches(
      (after, limit) => olderThan<Line>(db, scope, after, limit),
      (line) => line,
    );
  };

export const eachFundsAnswer = all<FundsLine>(funds);
export const eachAccess = all<AccessLine>(accesses);

const USES = `
  select (select count(*) from funds_confirmations where consent_id = ?)
    + (select count(*) from data_accesses where consent_id = ? and page = 1)
    + (select count(*) from payment_orders where consent_id = ?) as count,
    (select max(asked_at) from funds_confirmations where consent_id = ?) as "lastFunds",
    (select max(accessed_at) from data_accesses where consent_id = ? and page = 1) as "lastAccess",
    (select max(created_at) from payment_orders where consent_id = ?) as "lastOrder"`;

interface UsesRow {
  readonly count: number;
  readonly lastFunds: number | null;
  readonly lastAccess: number | null;
  readonly lastOrder: number | null;
}

/** How often a permission was used, and when last; undefined if it never was. */
export const useOf = async (db: Queries, id: ConsentId): Promise<Use | undefined> => {
  const row = await db.one<UsesRow>(USES, [id, id, id, id, id, id]);
  if (!row || row.count === 0) return undefined;
  return {
    count: row.count,
    lastAt: Math.max(row.lastFunds ?? 0, row.lastAccess ?? 0, row.lastOrder ?? 0),
  };
};
