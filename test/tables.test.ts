/** One room owns each table: it alone writes it, and others call its named writes. */
import { describe, expect, it } from 'vitest';
import { filesUnder, sourceFolders, stringsOf } from './lib/source.js';

const source = sourceFolders.flatMap(filesUnder);

describe('tables', () => {
  /** The room that writes a table; others call its named writes. Tables of a package are written by it alone. */
  const owners: Readonly<Record<string, readonly string[]>> = {
    'src/consent': [
      'consents',
      'consent_accounts',
      'consent_history',
      'data_accesses',
      'funds_confirmations',
      'funds_confirmations_other',
      'third_party_blocks',
    ],
    'src/payment': ['payment_orders', 'payment_order_history'],
    'src/tpp': [
      'tpps',
      'applications',
      'subscriptions',
      'subscription_keys',
      'tpp_certificates',
      'blocked_certificates',
      'register_entities',
    ],
    'src/events': ['events', 'event_positions', 'deliveries', 'announcements'],
    'src/oauth': ['oidc_records', 'oauth_revocations', 'signing_keys', 'dpop_proofs'],
    'src/psu': ['psu_sessions', 'sent_codes', 'last_methods', 'code_attempts'],
    'src/gate': ['request_ids', 'quota_grants'],
    'src/admin': ['operators', 'operator_sessions'],
    'src/acts': ['proposals'],
    'src/atms': ['atm_publications', 'atm_drafts'],
    'src/statistics': [
      'statistics_calls',
      'statistics_spans',
      'statistics_failures',
      'statistics_writes',
      'planned_downtimes',
      'channel_days',
      'published_quarters',
      'incidents',
      'incident_notes',
    ],
    'src/certificate': ['trust_lists', 'trust_services'],
    'src/audit': ['audit_log'],
    'src/jobs': ['jobs'],
    'src/observe': ['request_log', 'request_positions', 'usage_days'],
    'src/store': [
      'settings',
      'store_pulses',
      'recent_times',
      'migrations',
      'migration_compatibility',
      'backup_facts',
    ],
    'packages/sandbox/src/bank': [
      'demo_psus',
      'demo_accounts',
      'demo_holders',
      'demo_holds',
      'demo_transfers',
      'demo_payments',
      'demo_challenges',
      'demo_passkeys',
    ],
    'packages/sandbox/src/tpp': ['demo_walks', 'demo_webhooks'],
    'packages/sandbox/src/developers': ['sandbox_developers', 'sandbox_developer_sessions'],
    'packages/sandbox/src/pki': ['sandbox_authority', 'sandbox_certificates'],
    'packages/core-kit/src/simulator': ['simulator_payments', 'simulator_delays', 'simulator_consents'],
  };
  const ownerOf = new Map(
    Object.entries(owners).flatMap(([room, tables]) => tables.map((table) => [table, room])),
  );
  /** Tables of one session, which nobody else has. */
  const SESSION_TABLES = 'pg_temp';
  const WRITE = /\b(?:insert into|delete from)\s+([a-z_]+)|\bupdate\s+(?!set\b)([a-z_]+)\s+set\b/gi;
  const writes = source
    .filter(({ path }) => !path.includes('/migrations/'))
    .flatMap((file) =>
      [...stringsOf(file).join(' ').matchAll(WRITE)].map((match) => ({
        path: file.path,
        table: match[1] ?? match[2] ?? '',
      })),
    )
    .filter(({ table }) => table !== SESSION_TABLES);

  it('are written by their owner alone', () => {
    expect(writes.filter(({ path, table }) => !path.startsWith(`${ownerOf.get(table)}/`))).toEqual([]);
  });

  it('all have an owner', () => {
    const created = source.flatMap(({ text }) =>
      [...text.matchAll(/\bcreate table (?:if not exists )?([a-z_]+)/gi)].map((match) => match[1] ?? ''),
    );
    const gone = source.flatMap(({ text }) =>
      [...text.matchAll(/\bdrop table (?:if exists )?([a-z_]+)|rename to ([a-z_]+)/gi)].flatMap((match) => [
        match[1],
        match[2],
      ]),
    );
    expect(created.filter((table) => !ownerOf.has(table) && !gone.includes(table))).toEqual([]);
    expect([...ownerOf.keys()].filter((table) => !created.includes(table))).toEqual([]);
    expect(writes.length).toBeGreaterThan(80);
  });
});
