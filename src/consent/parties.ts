/** The third parties of a person: every application that has ever asked for a permission or a payment, with what it may do now. */
import type { BankTime } from '../lib/clock.js';
import type { ConsentId, PsuId } from '../model/ids.js';
import type { Db, Queries } from '../store/db.js';
import type { Application } from './watch.js';

export interface Party extends Application {
  readonly tppId: string;
  readonly registration: string;
  /** It may do something now. */
  readonly isActive: boolean;
}

/** A third party with its figures, which cost more the longer it has been used. */
export interface PartyStanding extends Party {
  /** Permissions, not payments. */
  readonly permissions: number;
  readonly payments: number;
  readonly active: number;
  /** When the oldest of the active ones was approved. */
  readonly since: BankTime | null;
  /** When data was last read or funds were last asked about with one of the active ones. */
  readonly lastUsedAt: BankTime | null;
}

const ACTIVE = `
  c.status = 'Valid' and c.kind <> 'PaymentInitiation' and (c.expires_at is null or c.expires_at > ?)`;

/** `party`, the applications of a person in a table: from one to the next in an index, the many rows of each are not read. */
export const withParties = (TABLE: string): string => `
  with recursive party (client_id) as (
    select (select min(r.client_id) from ${TABLE} r where r.psu_id = ?)
    union all
    select (select min(r.client_id) from ${TABLE} r where r.psu_id = ? and r.client_id > party.client_id)
    from party where party.client_id is not null
  )`;

const PARTIES = `${withParties('consents')}
  select a.client_id as "clientId", a.name as "applicationName", t.id as "tppId", t.name as "tppName", t.registration,
    case when exists (select 1 from consents c where c.psu_id = ? and c.client_id = a.client_id and ${ACTIVE})
      then 1 else 0 end as active
  from party join applications a on a.client_id = party.client_id join tpps t on t.id = a.tpp_id`;

interface PartyRow extends Omit<Party, 'isActive'> {
  readonly active: number;
}

/** Those that may do something now first, then by name. */
export const partiesOf = async (db: Queries, psuId: PsuId, bankNow: BankTime): Promise<readonly Party[]> => {
  const rows = await db.all<PartyRow>(PARTIES, [psuId, psuId, psuId, bankNow]);
  return rows
    .map(({ active, ...row }) => ({ ...row, isActive: active === 1 }))
    .sort(
      (a, b) => Number(b.isActive) - Number(a.isActive) || a.applicationName.localeCompare(b.applicationName),
    );
};

const STANDING = `
  select
    (select count(*) from consents c
      where c.psu_id = ? and c.client_id = ? and c.kind <> 'PaymentInitiation') as permissions,
    (select count(*) from consents c
      where c.psu_id = ? and c.client_id = ? and c.kind = 'PaymentInitiation') as payments,
    (select count(*) from consents c where c.psu_id = ? and c.client_id = ? and ${ACTIVE}) as active,
    (select min(c.approved_at) from consents c where c.psu_id = ? and c.client_id = ? and ${ACTIVE}) as since,
    (select max((select max(f.asked_at) from funds_confirmations f where f.consent_id = c.id)) from consents c
      where c.psu_id = ? and c.client_id = ? and ${ACTIVE}) as "lastFunds",
    (select max((select max(d.accessed_at) from data_accesses d where d.consent_id = c.id and d.page = 1))
      from consents c where c.psu_id = ? and c.client_id = ? and ${ACTIVE}) as "lastAccess"`;

interface StandingRow extends Pick<PartyStanding, 'permissions' | 'payments' | 'active' | 'since'> {
  readonly lastFunds: BankTime | null;
  readonly lastAccess: BankTime | null;
}

/** The same third parties with their figures, in one statement. */
export const standingsOf = (
  db: Pick<Db, 'batchedReads'>,
  psuId: PsuId,
  bankNow: BankTime,
  parties: readonly Party[],
): Promise<readonly PartyStanding[]> =>
  Promise.all(
    parties.map(async (party) => {
      const of = [psuId, party.clientId];
      const params = [...of, ...of, ...of, bankNow, ...of, bankNow, ...of, bankNow, ...of, bankNow];
      const row = await db.batchedReads.one<StandingRow>(STANDING, params);
      if (!row) throw new Error('no figures of a third party');
      const { lastFunds, lastAccess, ...figures } = row;
      return { ...party, ...figures, lastUsedAt: Math.max(lastFunds ?? 0, lastAccess ?? 0) || null };
    }),
  );

/** Upper bound of a page; no third party has nearly as many permissions of one person. */
const MOST_ACTIVE = 500;

const FIND_ACTIVE = `
  select c.id from consents c where c.psu_id = ? and c.client_id = ? and ${ACTIVE}
  order by c.approved_at desc limit ${MOST_ACTIVE}`;

/** Every active permission of each, the newest first, in one statement. */
export const activeOnes = async (
  db: Pick<Db, 'batchedReads'>,
  psuId: PsuId,
  bankNow: BankTime,
  parties: readonly Party[],
): Promise<ReadonlyMap<string, readonly ConsentId[]>> =>
  new Map(
    await Promise.all(
      parties.map(async ({ clientId }) => {
        const params = [psuId, clientId, bankNow];
        const rows = await db.batchedReads.all<{ id: ConsentId }>(FIND_ACTIVE, params);
        return [clientId, rows.map(({ id }) => id)] as const;
      }),
    ),
  );
