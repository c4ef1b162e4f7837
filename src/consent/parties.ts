/** The third parties of a person: every application that has ever asked for a permission or a payment, with what it may do now. */
import type { BankTime } from '../lib/clock.js';
import type { ConsentId, PsuId } from '../model/ids.js';
import type { Db, Queries } from '../store/db.js';
import type { Application } from './watch.js';

export interface Party extends Application {
  readonly tppId: string;
  readonly registration: string;
  /** Permissions, not payments. */
  readonly permissions: number;
  readonly payments: number;
  readonly active: number;
  /** When the oldest of the active ones was approved. */
  readonly since: BankTime | null;
  /** When data was last read or funds were last asked about. */
  readonly lastUsedAt: BankTime | null;
}

interface PartyRow extends Omit<Party, 'lastUsedAt'> {
  readonly lastFunds: BankTime | null;
  readonly lastAccess: BankTime | null;
}

/** From one application to the next in an index: the many permissions of each are not read. */
const PARTIES = `
  with recursive party (client_id) as (
    select (select min(c.client_id) from consents c where c.psu_id = ?)
    union all
    select (select min(c.client_id) from consents c where c.psu_id = ? and c.client_id > party.client_id)
    from party where party.client_id is not null
  )
  select a.client_id as "clientId", a.name as "applicationName", t.id as "tppId", t.name as "tppName", t.registration,
    (select count(*) from consents c
      where c.psu_id = ? and c.client_id = a.client_id and c.kind <> 'PaymentInitiation') as permissions,
    (select count(*) from consents c
      where c.psu_id = ? and c.client_id = a.client_id and c.kind = 'PaymentInitiation') as payments,
    (select count(*) from consents c where c.psu_id = ? and c.client_id = a.client_id and c.status = 'Valid'
      and c.kind <> 'PaymentInitiation' and (c.expires_at is null or c.expires_at > ?)) as active,
    (select min(c.approved_at) from consents c where c.psu_id = ? and c.client_id = a.client_id and c.status = 'Valid'
      and c.kind <> 'PaymentInitiation' and (c.expires_at is null or c.expires_at > ?)) as since,
    (select max(f.asked_at) from funds_confirmations f where f.psu_id = ? and f.client_id = a.client_id) as "lastFunds",
    (select max(d.accessed_at) from data_accesses d
      where d.psu_id = ? and d.client_id = a.client_id and d.page = 1) as "lastAccess"
  from party join applications a on a.client_id = party.client_id join tpps t on t.id = a.tpp_id`;

const isMoreActive = (a: Party, b: Party): number => Number(b.active > 0) - Number(a.active > 0);

/** Those that may do something now first, then by name. */
export const partiesOf = async (db: Queries, psuId: PsuId, bankNow: BankTime): Promise<readonly Party[]> => {
  const params = [...Array.from({ length: 5 }, () => psuId), bankNow, psuId, bankNow, psuId, psuId];
  const rows = await db.all<PartyRow>(PARTIES, params);
  return rows
    .map(({ lastFunds, lastAccess, ...row }) => ({
      ...row,
      lastUsedAt:
        lastFunds === null && lastAccess === null ? null : Math.max(lastFunds ?? 0, lastAccess ?? 0),
    }))
    .sort((a, b) => isMoreActive(a, b) || a.applicationName.localeCompare(b.applicationName));
};

const NEWEST_ACTIVE = `
  select id from consents
  where psu_id = ? and client_id = ? and status = 'Valid' and kind <> 'PaymentInitiation' and (expires_at is null or expires_at > ?)
  order by approved_at desc limit ?`;

/** The newest active permissions of each, in one statement. */
export const newestActive = async (
  db: Pick<Db, 'batchedReads'>,
  psuId: PsuId,
  bankNow: BankTime,
  parties: readonly Party[],
  limit: number,
): Promise<ReadonlyMap<string, readonly ConsentId[]>> =>
  new Map(
    await Promise.all(
      parties.map(async ({ clientId }) => {
        const rows = await db.batchedReads.all<{ id: ConsentId }>(NEWEST_ACTIVE, [
          psuId,
          clientId,
          bankNow,
          limit,
        ]);
        return [clientId, rows.map(({ id }) => id)] as const;
      }),
    ),
  );
