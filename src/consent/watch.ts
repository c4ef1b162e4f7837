/**
 * What an account holder can watch: every permission with its history, every question about funds, every access to data.
 * Everything is read for one person, newest first, page by page after the last row seen, so a list of any length fits.
 */

import { setImmediate } from 'node:timers/promises';
import type { BankTime } from '../lib/clock.js';
import type { ClientId, ConsentId, PsuId } from '../model/ids.js';
import type { Queries } from '../store/db.js';
import type { Actor } from './lifecycle.js';
import type { Consent, ConsentStatus } from './record.js';

/** The last row that was seen; the next page begins after it. */
export interface Place {
  readonly at: BankTime;
  readonly id: string;
}

/** Before every row there is. */
const START: Place = { at: Number.MAX_SAFE_INTEGER, id: '' };
const BATCH = 200;

/** All rows, a batch at a time; between them others have their turn. */
async function* inBatches<Row>(
  read: (after: Place, limit: number) => Promise<readonly Row[]>,
  placeOf: (row: Row) => Place,
  from: Place = START,
): AsyncGenerator<Row, void, undefined> {
  let after = from;
  for (;;) {
    const rows = await read(after, BATCH);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = placeOf(last);
    await setImmediate();
  }
}

export interface Application {
  readonly clientId: ClientId;
  readonly applicationName: string;
  readonly tppName: string;
}

/** A permission as the list needs it: enough to sort and filter. */
export type PermissionLine = Pick<Consent, 'id' | 'kind' | 'status' | 'createdAt' | 'expiresAt'> &
  Application & {
    /** Why it is asked for, in the third party's words. */
    readonly purpose: string | null;
  };

const LINES = `
  select c.id, c.kind, c.status, c.created_at as "createdAt", c.expires_at as "expiresAt", c.client_id as "clientId",
         a.name as "applicationName", t.name as "tppName", c.purpose
  from consents c join applications a on a.client_id = c.client_id join tpps t on t.id = a.tpp_id
  where c.psu_id = ? and (c.created_at < ? or (c.created_at = ? and c.id < ?))
  order by c.created_at desc, c.id desc limit ?`;

const OPEN_LINES = `
  select c.id, c.kind, c.status, c.created_at as "createdAt", c.expires_at as "expiresAt", c.client_id as "clientId",
         a.name as "applicationName", t.name as "tppName", c.purpose
  from consents c join applications a on a.client_id = c.client_id join tpps t on t.id = a.tpp_id
  where c.psu_id = ? and (c.status = 'Received' or c.status = 'Valid')
  order by c.created_at desc, c.id desc`;
const ENDED_LINES = `
  select c.id, c.kind, c.status, c.created_at as "createdAt", c.expires_at as "expiresAt", c.client_id as "clientId",
         a.name as "applicationName", t.name as "tppName", c.purpose
  from consents c join applications a on a.client_id = c.client_id join tpps t on t.id = a.tpp_id
  where c.psu_id = ? and c.status <> 'Received' and c.status <> 'Valid'
    and (c.created_at < ? or (c.created_at = ? and c.id < ?))
  order by c.created_at desc, c.id desc limit ?`;

/** Those that were not ended in the store. They are few: a person has decided about each, or is asked by a few at a time. */
export const openPermissions = (db: Queries, psuId: PsuId): Promise<PermissionLine[]> =>
  db.all<PermissionLine>(OPEN_LINES, [psuId]);

/** Those that were ended, from the newest or from a place on. */
export const eachEndedPermission = (
  db: Queries,
  psuId: PsuId,
  from?: Place,
): AsyncGenerator<PermissionLine> =>
  inBatches(
    ({ at, id }, limit) => db.all<PermissionLine>(ENDED_LINES, [psuId, at, at, id, limit]),
    ({ createdAt, id }) => ({ at: createdAt, id }),
    from,
  );

export const eachPermission = (db: Queries, psuId: PsuId): AsyncGenerator<PermissionLine> =>
  inBatches(
    ({ at, id }, limit) => db.all<PermissionLine>(LINES, [psuId, at, at, id, limit]),
    ({ createdAt, id }) => ({ at: createdAt, id }),
  );

export interface HistoryStep {
  readonly from: ConsentStatus | null;
  readonly to: ConsentStatus;
  readonly by: Actor;
  readonly reason: string | null;
  readonly at: BankTime;
}

const HISTORY = `
  select h.from_status as "from", h.to_status as "to", h.changed_by as "by", h.reason, h.changed_at as "at"
  from consent_history h join consents c on c.id = h.consent_id
  where h.consent_id = ? and c.psu_id = ? order by h.position`;

export const historyOf = (db: Queries, id: ConsentId, psuId: PsuId): Promise<HistoryStep[]> =>
  db.all<HistoryStep>(HISTORY, [id, psuId]);

export interface Use {
  readonly count: number;
  readonly lastAt: number;
}

interface UseRow extends Use {
  readonly consentId: ConsentId;
}

const FUNDS_USES = `
  select consent_id as "consentId", count(*) as count, max(asked_at) as "lastAt"
  from funds_confirmations where psu_id = ? group by consent_id`;
/** The pages that follow the first one are the same access. */
const ACCESS_USES = `
  select consent_id as "consentId", count(*) as count, max(accessed_at) as "lastAt"
  from data_accesses where psu_id = ? and page = 1 group by consent_id`;

/** The order of a payment, once it was submitted. */
export interface OrderLine {
  readonly id: string;
  readonly status: string;
  readonly reasonCode: string | null;
  readonly createdAt: BankTime;
  readonly changedAt: BankTime;
}

const ORDER = `
  select id, status, reason_code as "reasonCode", created_at as "createdAt", changed_at as "changedAt"
  from payment_orders where consent_id = ? and psu_id = ?`;

export const orderOf = (db: Queries, consentId: ConsentId, psuId: PsuId): Promise<OrderLine | undefined> =>
  db.one<OrderLine>(ORDER, [consentId, psuId]);

const PAYMENT_USES = `
  select consent_id as "consentId", count(*) as count, max(created_at) as "lastAt"
  from payment_orders where psu_id = ? group by consent_id`;

/** How often each permission of a person was used, and when last; one that never was is absent. */
export const usesOf = async (db: Queries, psuId: PsuId): Promise<ReadonlyMap<string, Use>> => {
  const rows = await Promise.all(
    [FUNDS_USES, ACCESS_USES, PAYMENT_USES].map((sql) => db.all<UseRow>(sql, [psuId])),
  );
  const uses = new Map<string, Use>();
  for (const { consentId, count, lastAt } of rows.flat()) {
    const known = uses.get(consentId);
    uses.set(consentId, {
      count: count + (known?.count ?? 0),
      lastAt: Math.max(lastAt, known?.lastAt ?? 0),
    });
  }
  return uses;
};

/** Which uses are wanted; what is absent does not narrow. */
export interface UseFilter {
  /** From this moment on. */
  readonly from?: number | undefined;
  /** Before this moment. */
  readonly before?: number | undefined;
  readonly clientId?: ClientId | undefined;
  readonly consentId?: ConsentId | undefined;
}

interface UseLine extends Application {
  readonly id: string;
  readonly at: BankTime;
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
  select f.id, f.asked_at as "at", f.consent_id as "consentId", f.client_id as "clientId", f.payee, f.amount, f.currency, f.available,
         coalesce(a.name, f.client_id) as "applicationName", coalesce(t.name, '') as "tppName",
         (select coalesce(n.iban, n.bban, n.msisdn) from consent_accounts n
          where n.consent_id = f.consent_id and n.account_id = f.account_id order by n.position limit 1) as account
  from funds_confirmations f
    left join applications a on a.client_id = f.client_id left join tpps t on t.id = a.tpp_id
  where f.psu_id = ? and f.asked_at >= ? and f.asked_at < ?
    and (cast(? as text) is null or f.client_id = ?) and (cast(? as text) is null or f.consent_id = ?)
    and (f.asked_at < ? or (f.asked_at = ? and f.id < ?))
  order by f.asked_at desc, f.id desc limit ?`;

const ACCESSES = `
  select d.id, d.accessed_at as "at", d.consent_id as "consentId", d.client_id as "clientId", d.kind, d.attended,
         coalesce(a.name, d.client_id) as "applicationName", coalesce(t.name, '') as "tppName",
         (select coalesce(n.iban, n.bban, n.msisdn) from consent_accounts n
          where n.consent_id = d.consent_id and n.account_id = d.account_id order by n.position limit 1) as account
  from data_accesses d
    left join applications a on a.client_id = d.client_id left join tpps t on t.id = a.tpp_id
  where d.psu_id = ? and d.page = 1 and d.accessed_at >= ? and d.accessed_at < ?
    and (cast(? as text) is null or d.client_id = ?) and (cast(? as text) is null or d.consent_id = ?)
    and (d.accessed_at < ? or (d.accessed_at = ? and d.id < ?))
  order by d.accessed_at desc, d.id desc limit ?`;

/** A page of uses of a person. */
export type ReadUses<Line> = (
  db: Queries,
  psuId: PsuId,
  filter: UseFilter,
  after: Place | undefined,
  limit: number,
) => Promise<Line[]>;

const reader =
  <Line>(sql: string): ReadUses<Line> =>
  (db, psuId, filter, after = START, limit) => {
    const { from = 0, before = Number.MAX_SAFE_INTEGER, clientId = null, consentId = null } = filter;
    return db.all<Line>(sql, [
      psuId,
      from,
      before,
      clientId,
      clientId,
      consentId,
      consentId,
      after.at,
      after.at,
      after.id,
      limit,
    ]);
  };

/** Who asked for the funds of a person, and what was answered. */
export const fundsAnswersOf: ReadUses<FundsLine> = reader(FUNDS);
/** Who read the data of a person. */
export const accessesOf: ReadUses<AccessLine> = reader(ACCESSES);

const all =
  <Line extends Place>(read: ReadUses<Line>) =>
  (db: Queries, psuId: PsuId, filter: UseFilter): AsyncGenerator<Line> =>
    inBatches(
      (after, limit) => read(db, psuId, filter, after, limit),
      (line) => line,
    );

export const eachFundsAnswer = all(fundsAnswersOf);
export const eachAccess = all(accessesOf);

const APPLICATIONS = `
  select a.client_id as "clientId", a.name as "applicationName", t.name as "tppName"
  from applications a join tpps t on t.id = a.tpp_id
  where exists (select 1 from consents c where c.psu_id = ? and c.client_id = a.client_id)
  order by a.name, a.client_id`;

/** Who has ever asked this person for a permission. */
export const applicationsOf = (db: Queries, psuId: PsuId): Promise<Application[]> =>
  db.all<Application>(APPLICATIONS, [psuId]);
