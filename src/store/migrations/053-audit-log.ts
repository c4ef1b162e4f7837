/**
 * What operators and third parties changed, and security events, as a hash chain. Rows are only ever added; who has the rights of the
 * owner of the database can still take the triggers away, and then the chain shows it. Its head is the setting `audit-head`.
 */
const TABLE = `
create table audit_log (
  position bigint primary key, at bigint not null, actor text not null, act text not null, subject text not null,
  reason text, details text not null, hash text not null);
create index audit_log_subject on audit_log (subject, position);
`;

export const auditLog = {
  id: 53,
  name: 'audit-log',
  compatibleFrom: 24,
  sql: {
    sqlite: `${TABLE}
create trigger audit_log_update before update on audit_log begin select raise(abort, 'the audit log only grows'); end;
create trigger audit_log_delete before delete on audit_log begin select raise(abort, 'the audit log only grows'); end;
`,
    postgres: `${TABLE}
create function audit_log_only_grows() returns trigger language plpgsql as $$
begin raise exception 'the audit log only grows'; end $$;
create trigger audit_log_only_grows before update or delete or truncate on audit_log
  for each statement execute function audit_log_only_grows();
`,
  },
} as const;
