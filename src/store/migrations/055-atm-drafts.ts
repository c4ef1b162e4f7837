/**
 * ATM lists that an operator has uploaded and looks at before they are published; the role of an operator whom the bank's OpenID
 * provider knows, for the time of the session.
 */
export const atmDrafts = {
  id: 55,
  name: 'atm drafts',
  compatibleFrom: 24,
  sql: `
create table atm_drafts (
  id text primary key, feed text not null, country text, basis text not null, made_by text not null, made_at bigint not null);
alter table operator_sessions add column role text;
`,
} as const;
