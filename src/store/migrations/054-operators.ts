/** People of the bank who use the console, their sessions; until when and why a third party is suspended. */
export const operators = {
  id: 54,
  name: 'operators',
  compatibleFrom: 24,
  sql: `
create table operators (
  name text primary key, role text not null, passphrase_hash text, totp_sealed text not null, totp_counter bigint not null,
  enrol_hash text, enrol_until bigint, created_at bigint not null);
create table operator_sessions (
  id_hash text primary key, name text not null, created_at bigint not null, seen_at bigint not null);
alter table tpps add column suspended_until bigint;
alter table tpps add column suspension_reason text;
`,
} as const;
