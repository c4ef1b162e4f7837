/** Passkeys of demo people: the public halves, which are no secret. */
export const passkeys = {
  id: 10_006,
  name: 'demo passkeys',
  compatibleFrom: 24,
  sql: `
create table demo_passkeys (
  id text primary key,
  psu_id text not null,
  public_key text not null,
  counter bigint not null,
  transports text not null,
  is_syncable integer not null,
  is_backed_up integer not null,
  created_at bigint not null
);
create index demo_passkeys_by_person on demo_passkeys (psu_id);
`,
};
