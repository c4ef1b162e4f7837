/**
 * What the role of a running service may do in PostgreSQL, if another role migrates. This list is what `trapeza migrate --grants` prints and
 * what a start demands; `test/store/statements` compares it with the statements of the product.
 */
import type { Db, Queries } from './db.js';

export type Right = 'select' | 'insert' | 'update' | 'delete';

interface TableGrant {
  readonly rights: readonly Right[];
  readonly tables: readonly string[];
}

export const tableGrants: readonly TableGrant[] = [
  { rights: ['select'], tables: ['migrations', 'migration_compatibility'] },
  {
    rights: ['select', 'insert'],
    tables: [
      'announcements',
      'audit_log',
      'funds_confirmations',
      'incident_notes',
      'published_quarters',
      'register_entities',
    ],
  },
  {
    rights: ['select', 'insert', 'update'],
    tables: [
      'channel_days',
      'incidents',
      'jobs',
      'planned_downtimes',
      'proposals',
      'signing_keys',
      'statistics_calls',
      'trust_lists',
    ],
  },
  {
    rights: ['select', 'insert', 'delete'],
    tables: [
      'atm_drafts',
      'atm_publications',
      'consent_accounts',
      'consent_history',
      'data_accesses',
      'dpop_proofs',
      'payment_order_history',
      'third_party_blocks',
      'trust_services',
    ],
  },
  { rights: ['select', 'delete'], tables: ['funds_confirmations_first', 'funds_confirmations_other'] },
  {
    rights: ['select', 'insert', 'update', 'delete'],
    tables: [
      'applications',
      'blocked_certificates',
      'consents',
      'deliveries',
      'event_positions',
      'events',
      'last_methods',
      'oauth_revocations',
      'oidc_records',
      'operator_sessions',
      'operators',
      'payment_orders',
      'psu_sessions',
      'quota_grants',
      'recent_times',
      'request_ids',
      'request_log',
      'request_positions',
      'sent_codes',
      'settings',
      'statistics_failures',
      'statistics_spans',
      'statistics_writes',
      'store_pulses',
      'subscription_keys',
      'subscriptions',
      'tpp_certificates',
      'tpps',
      'usage_days',
    ],
  },
];

/** Of migration 78. */
export const functionGrants: readonly string[] = ['add_funds_month(bigint)', 'drop_funds_month(text)'];

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const WHERE = 'select current_database() as database, current_schema() as schema';

/** For the role that owns the tables to run; may be run again after every upgrade. */
export const grantsFor = async (db: Queries, role: string): Promise<string[]> => {
  const { database = '', schema = '' } = (await db.one<{ database: string; schema: string }>(WHERE)) ?? {};
  const to = `to ${quoted(role)};`;
  const inSchema = (name: string): string => `${quoted(schema)}.${name}`;
  return [
    // Temporary tables: a node tries whether there is room for a page.
    `grant connect, temporary on database ${quoted(database)} ${to}`,
    `grant usage on schema ${quoted(schema)} ${to}`,
    ...tableGrants.map(
      ({ rights, tables }) => `grant ${rights.join(', ')} on ${tables.map(inSchema).join(', ')} ${to}`,
    ),
    `grant execute on function ${functionGrants.map(inSchema).join(', ')} ${to}`,
  ];
};

/** What is not there yet is for the migrations. */
const MISSING = `
  select wanted.entry as entry from unnest(string_to_array(cast(? as text), ';')) with ordinality as wanted (entry, place)
  where case split_part(wanted.entry, ' on ', 1)
    when 'execute' then not has_function_privilege(to_regprocedure(split_part(wanted.entry, ' on ', 2)), 'execute')
    else not has_table_privilege(to_regclass(nullif(split_part(wanted.entry, ' on ', 2), '')), split_part(wanted.entry, ' on ', 1)) end
  order by wanted.place`;

const wanted: readonly string[] = [
  ...tableGrants.flatMap(({ rights, tables }) =>
    tables.flatMap((name) => rights.map((right) => `${right} on ${name}`)),
  ),
  ...functionGrants.map((name) => `execute on ${name}`),
];

/** What the role of this connection lacks, such as `insert on consents`. */
export const missingGrants = async (db: Queries & Pick<Db, 'engine'>): Promise<string[]> => {
  if (db.engine === 'sqlite') return [];
  const rows = await db.all<{ entry: string }>(MISSING, [wanted.join(';')]);
  return rows.map(({ entry }) => entry);
};
