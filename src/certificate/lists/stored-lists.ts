/** The trusted lists that were accepted, and their services. A list is replaced as a whole; a refused one leaves the last good one as it is. */
import type { RealTime } from '../../lib/clock.js';
import type { Queries } from '../../store/db.js';
import { jsonColumn, listOf, members, text } from '../../store/json-column.js';
import { type ListedAuthority, ListRefusal, type Pointers, type TrustedList } from './trusted-list.js';

export const hostsColumn = jsonColumn<readonly string[]>('the hosts of a trust service', listOf(text));
const pointersColumn = jsonColumn<Pointers>('the signers of national lists', members({}));

export interface ListRow {
  readonly territory: string;
  readonly source: string;
  readonly sequence: number;
  readonly nextUpdate: number;
  readonly importedAt: number;
  readonly fault: string | null;
  readonly services: number;
}

const LISTS = `
  select l.territory, l.source, l.sequence, l.next_update as "nextUpdate", l.imported_at as "importedAt", l.fault,
         (select count(*) from trust_services s where s.territory = l.territory) as services
  from trust_lists l order by l.territory limit 1000`;

export const listTrustLists = (db: Queries): Promise<ListRow[]> => db.all<ListRow>(LISTS);

const POINTERS = `select pointers from trust_lists where territory = 'EU'`;

/** Who may sign the list of a territory, by the list of the lists that is kept. */
export const signersOf = async (db: Queries, territory: string): Promise<readonly string[]> => {
  const row = await db.one<{ pointers: string }>(POINTERS);
  const known = row ? pointersColumn.read(row.pointers) : {};
  return Object.hasOwn(known, territory) ? (known[territory] ?? []) : [];
};

export interface AuthorityRow {
  readonly fingerprint: string;
  readonly provider: string;
  readonly name: string;
  readonly uses: string;
}

const SERVICES_OF =
  'select fingerprint, provider, name, uses from trust_services where territory = ? order by fingerprint limit 10000';
const KEPT = 'select sequence, issued_at as "issuedAt" from trust_lists where territory = ?';
const TERRITORY = 'select territory from trust_lists where source = ? and territory <> ?';
const PUT_LIST = `
  insert into trust_lists (territory, source, sequence, issued_at, next_update, signer, digest, pointers, imported_at, fault)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, null)
  on conflict (territory) do update set source = excluded.source, sequence = excluded.sequence, issued_at = excluded.issued_at,
    next_update = excluded.next_update, signer = excluded.signer, digest = excluded.digest, pointers = excluded.pointers,
    imported_at = excluded.imported_at, fault = null`;
const CLEAR_SERVICES = 'delete from trust_services where territory = ?';
const INSERT_SERVICE = `
  insert into trust_services (territory, fingerprint, provider, name, uses, hosts, pem) values (?, ?, ?, ?, ?, ?, ?)`;

export interface ListChange {
  readonly added: readonly AuthorityRow[];
  readonly removed: readonly AuthorityRow[];
}

const rowOf = ({ fingerprint, provider, name, uses }: ListedAuthority): AuthorityRow => ({
  fingerprint,
  provider,
  name,
  uses: uses.join(' '),
});

const keyOf = ({ fingerprint, uses }: AuthorityRow): string => `${fingerprint} ${uses}`;

/** Call within a transaction. */
export const putList = async (
  tx: Queries,
  list: TrustedList,
  { source, digest }: { readonly source: string; readonly digest: string },
  nowMs: RealTime,
): Promise<ListChange> => {
  const { territory, sequence, issuedAt, nextUpdate, signer, pointers, services } = list;
  const kept = await tx.one<{ sequence: number; issuedAt: number }>(KEPT, [territory]);
  const other = await tx.one<{ territory: string }>(TERRITORY, [source, territory]);
  if (other)
    throw new ListRefusal(`it is the list of ${territory}, in the place of that of ${other.territory}`);
  const before = await tx.all<AuthorityRow>(SERVICES_OF, [territory]);
  if (kept && sequence < kept.sequence)
    throw new ListRefusal(`it is older (number ${sequence}) than the one that is kept (${kept.sequence})`);
  if (kept && sequence === kept.sequence && issuedAt < kept.issuedAt)
    throw new ListRefusal(
      `it has the number of the one that is kept (${sequence}), and was issued before it`,
    );
  const head = [territory, source, sequence, issuedAt, nextUpdate, signer, digest];
  await tx.run(PUT_LIST, [...head, pointersColumn.write(pointers), nowMs]);
  await tx.run(CLEAR_SERVICES, [territory]);
  for (const service of services) {
    const { fingerprint, provider, name, uses } = rowOf(service);
    const hosts = hostsColumn.write(service.hosts);
    await tx.run(INSERT_SERVICE, [territory, fingerprint, provider, name, uses, hosts, service.pem]);
  }
  const now = services.map(rowOf);
  const [old, young] = [before, now].map((rows) => new Set(rows.map(keyOf)));
  return {
    added: now.filter((each) => !old?.has(keyOf(each))),
    removed: before.filter((each) => !young?.has(keyOf(each))),
  };
};

const UNCHANGED = `
  select territory, sequence, signer, next_update as "nextUpdate" from trust_lists where source = ? and digest = ?`;

export interface KeptList {
  readonly territory: string;
  readonly sequence: number;
  readonly signer: string;
  readonly nextUpdate: number;
}

/** The list of this source, if it has been taken in exactly these bytes. */
export const findUnchanged = (db: Queries, source: string, digest: string): Promise<KeptList | undefined> =>
  db.one<KeptList>(UNCHANGED, [source, digest]);

const MARK_FAULT = 'update trust_lists set fault = ? where source = ?';

/** The last good one goes on counting. */
export const markFault = async (db: Queries, source: string, fault: string | null): Promise<void> => {
  await db.run(MARK_FAULT, [fault, source]);
};

const STATE =
  'select territory, digest, imported_at as "importedAt" from trust_lists order by territory limit 1000';

interface StateRow {
  readonly territory: string;
  readonly digest: string;
  readonly importedAt: number;
}

/** What changes when a list is accepted. */
export const stateOfLists = async (db: Queries): Promise<string> =>
  JSON.stringify(await db.all<StateRow>(STATE));

const ALL_SERVICES =
  'select fingerprint, uses, hosts, pem from trust_services order by fingerprint limit 20000';

export interface TrustedAuthority {
  readonly fingerprint: string;
  readonly uses: string;
  readonly hosts: string;
  readonly pem: string;
}

export const trustedAuthorities = (db: Queries): Promise<TrustedAuthority[]> =>
  db.all<TrustedAuthority>(ALL_SERVICES);
