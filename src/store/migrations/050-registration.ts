/**
 * Third parties that register by their certificate. `software_id` is null for applications that an operator has made; `waiting_since` is set until an
 * operator approves. Roles of a third party that registered itself are those of its newest certificate.
 */
export const registration = {
  id: 50,
  name: 'registration',
  compatibleFrom: 24,
  sql: `
alter table tpps add column registered_by text not null default 'operator';
alter table tpps add column withdrawn_for text;
alter table applications add column software_id text;
alter table applications add column waiting_since bigint;
create unique index applications_by_software on applications (tpp_id, software_id) where software_id is not null and ended_at is null;
alter table tpp_certificates add column not_before bigint;
alter table tpp_certificates add column roles text;
alter table tpp_certificates add column checked_at bigint;
alter table tpp_certificates add column revoked_at bigint;
`,
} as const;
