/**
 * The uses of permissions: every question about funds (PSD2 Art. 65(5)), every access to data. Each is read for one person, of all
 * permissions, of one application, or of one permission, and each of these in the order of an index. Questions about funds have one index,
 * by application, because writing a further one would cost each of them more than all lists save.
 */
import type { ClientId, ConsentId, PsuId } from '../model/ids.js';
import type { Queries, Reads, Value } from '../store/db.js';
import { COUNTED_AT_MOST, type ListPage, type ListReads, type Place, readPage, type Spot } from './page.js';
import { withParties } from './parties.js';
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

const MOST = COUNTED_AT_MOST + 1;

/** The statements of a list within one scope. A count has the rows after a moment, and those of that moment itself after an id. */
interface Statements {
  readonly older: string;
  readonly newer: string;
  readonly count: string;
}

const fundsWith = (SCOPE: string): Statements => ({
  older: `select ${FUNDS} where ${SCOPE} and ${FUNDS_OLDER}`,
  newer: `select ${FUNDS} where ${SCOPE} and ${FUNDS_NEWER}`,
  count: `
    select (select count(*) from (select 1 from funds_confirmations f
        where ${SCOPE} and f.asked_at > ? and f.asked_at < ? limit ${MOST}) counted)
      + (select count(*) from funds_confirmations f where ${SCOPE} and f.asked_at = ? and f.id > ?) as count`,
});

const accessesWith = (SCOPE: string): Statements => ({
  older: `select ${ACCESSES} where ${SCOPE} and ${ACCESSES_OLDER}`,
  newer: `select ${ACCESSES} where ${SCOPE} and ${ACCESSES_NEWER}`,
  count: `
    select (select count(*) from (select 1 from data_accesses d
        where ${SCOPE} and d.page = 1 and d.accessed_at > ? and d.accessed_at < ? limit ${MOST}) counted)
      + (select count(*) from data_accesses d where ${SCOPE} and d.page = 1 and d.accessed_at = ? and d.id > ?) as count`,
});

const funds = {
  application: fundsWith('f.psu_id = ? and f.client_id = ?'),
  permission: fundsWith(`
    f.psu_id = ? and f.consent_id = ? and f.client_id =
      (select c.client_id from consents c where c.id = ? and c.psu_id = ? and c.client_id = coalesce(?, c.client_id))`),
};
const accesses = {
  person: accessesWith('d.psu_id = ?'),
  application: accessesWith('d.psu_id = ? and d.client_id = ?'),
  /** No other's uses are found by its id. */
  permission: accessesWith(`
    d.consent_id = (select c.id from consents c where c.id = ? and c.psu_id = ? and c.client_id = coalesce(?, c.client_id))`),
};

/** A list in the order of an index. */
interface Part {
  readonly statements: Statements;
  readonly whose: readonly Value[];
}

const APPLICATIONS = `
  ${withParties('funds_confirmations')} select client_id as "clientId" from party where client_id is not null`;

/** The lists that make up what is wanted. A permission is of one application: with another one nothing is found. */
type PartsOf = (db: Reads, psuId: PsuId, filter: UseFilter) => Promise<readonly Part[]>;

const fundsParts: PartsOf = async (db, psuId, { clientId, consentId }) => {
  if (consentId !== undefined)
    return [{ statements: funds.permission, whose: [psuId, consentId, consentId, psuId, clientId ?? null] }];
  if (clientId !== undefined) return [{ statements: funds.application, whose: [psuId, clientId] }];
  const applications = await db.all<Pick<Application, 'clientId'>>(APPLICATIONS, [psuId, psuId]);
  return applications.map((each) => ({ statements: funds.application, whose: [psuId, each.clientId] }));
};

const accessParts: PartsOf = async (_db, psuId, { clientId, consentId }) => {
  if (consentId !== undefined)
    return [{ statements: accesses.permission, whose: [consentId, psuId, clientId ?? null] }];
  if (clientId !== undefined) return [{ statements: accesses.application, whose: [psuId, clientId] }];
  return [{ statements: accesses.person, whose: [psuId] }];
};

const newestFirst = (one: Place, other: Place): number => other.at - one.at || (one.id < other.id ? 1 : -1);
const oldestFirst = (one: Place, other: Place): number => newestFirst(other, one);

/** The lists as one. Each is read only as far as it can add to those before it. */
const merged = <Line extends Place>(
  db: Reads,
  parts: readonly Part[],
  { from = 0, before = Number.MAX_SAFE_INTEGER }: UseFilter,
): ListReads<Line> => {
  const firstOf = async (
    limit: number,
    order: typeof newestFirst,
    read: (part: Part, last: Line | undefined) => Promise<Line[]>,
  ): Promise<readonly Line[]> => {
    let lines: Line[] = [];
    for (const part of parts) {
      const found = await read(part, lines[limit - 1]);
      lines = lines.length === 0 ? found : [...lines, ...found].sort(order).slice(0, limit);
    }
    return lines;
  };
  return {
    older: ({ at, id }, limit) =>
      firstOf(limit, newestFirst, ({ statements, whose }, last) =>
        db.all(statements.older, [...whose, last?.at ?? from, Math.min(before - 1, at), at, id, limit]),
      ),
    newer: ({ at, id }, limit) =>
      firstOf(limit, oldestFirst, ({ statements, whose }, last) =>
        db.all(statements.newer, [...whose, Math.max(from, at), last ? last.at + 1 : before, at, id, limit]),
      ),
    count: async (place) => {
      const { at, id } = place ?? { at: from - 1, id: '' };
      const tie = place ? at : -1;
      let sum = 0;
      for (const { statements, whose } of parts) {
        const params = [...whose, at, before, ...whose, tie, id];
        sum += (await db.one<{ count: number }>(statements.count, params))?.count ?? 0;
        if (sum > COUNTED_AT_MOST) break;
      }
      return sum;
    },
  };
};

/** A page of uses of a person. */
export type ReadUses<Line> = (
  db: Reads,
  psuId: PsuId,
  filter: UseFilter,
  spot: Spot,
  size: number,
) => Promise<ListPage<Line>>;

const pages =
  <Line extends Place>(partsOf: PartsOf): ReadUses<Line> =>
  async (db, psuId, filter, spot, size) =>
    readPage(merged<Line>(db, await partsOf(db, psuId, filter), filter), spot, size);

/** Who asked for the funds of a person, and what was answered. */
export const fundsAnswersOf: ReadUses<FundsLine> = pages(fundsParts);
/** Who read the data of a person. */
export const accessesOf: ReadUses<AccessLine> = pages(accessParts);

const all = <Line extends Place>(partsOf: PartsOf) =>
  async function* (db: Reads, psuId: PsuId, filter: UseFilter): AsyncGenerator<Line, void, undefined> {
    const { older } = merged<Line>(db, await partsOf(db, psuId, filter), filter);
    yield* inBatches(older, (line) => line);
  };

export const eachFundsAnswer = all<FundsLine>(fundsParts);
export const eachAccess = all<AccessLine>(accessParts);

const FUNDS_USES = 'from funds_confirmations where consent_id = ? and psu_id = ? and client_id = ?';
const USES = `
  select (select count(*) ${FUNDS_USES})
    + (select count(*) from data_accesses where consent_id = ? and page = 1)
    + (select count(*) from payment_orders where consent_id = ?) as count,
    (select max(asked_at) ${FUNDS_USES}) as "lastFunds",
    (select max(accessed_at) from data_accesses where consent_id = ? and page = 1) as "lastAccess",
    (select max(created_at) from payment_orders where consent_id = ?) as "lastOrder"`;

interface UsesRow {
  readonly count: number;
  readonly lastFunds: number | null;
  readonly lastAccess: number | null;
  readonly lastOrder: number | null;
}

/** How often a permission was used, and when last; undefined if it never was. */
export const useOf = async (
  db: Queries,
  id: ConsentId,
  psuId: PsuId,
  clientId: ClientId,
): Promise<Use | undefined> => {
  const row = await db.one<UsesRow>(USES, [id, psuId, clientId, id, id, id, psuId, clientId, id, id]);
  if (!row || row.count === 0) return undefined;
  return {
    count: row.count,
    lastAt: Math.max(row.lastFunds ?? 0, row.lastAccess ?? 0, row.lastOrder ?? 0),
  };
};
