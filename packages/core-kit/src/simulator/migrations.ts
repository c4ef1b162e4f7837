/** The tables of the core simulator, which lie beside those of the demo bank. */
import { sandboxMigrations } from '@trapeza/sandbox/demo-bank';

/**
 * What the core simulator keeps of each payment it was sent: what was asked, so that the same id with other content is noticed, and
 * what it answered at first, refusals included.
 */
const simulatorTables = {
  id: 10_101,
  name: 'simulator',
  compatibleFrom: 24,
  sql: `
create table if not exists simulator_payments (
  id text primary key,
  request_hash text not null,
  progress text not null,
  received_at bigint not null
);
`,
} as const;

/** Payments of a core that takes its time for them. */
const simulatorDelays = {
  id: 10_102,
  name: 'simulator-delays',
  compatibleFrom: 24,
  sql: `
create table if not exists simulator_delays (
  id text primary key,
  received_at bigint not null,
  decides_at bigint not null,
  body text not null
);
`,
} as const;

/** Consents that were reported to the core. */
const simulatorConsents = {
  id: 10_103,
  name: 'simulator-consents',
  compatibleFrom: 24,
  sql: `
create table if not exists simulator_consents (
  id text primary key,
  revision bigint not null,
  state text not null
);
`,
} as const;

/** The tables of a core on the demo bank. */
export const simulatorMigrations = [
  ...sandboxMigrations,
  simulatorTables,
  simulatorDelays,
  simulatorConsents,
];
