/**
 * The last calls of each application, for its developers: a ring of slots, so that it never grows, and a position that tells which are
 * new. Calls by day beside it.
 */
export const requestLog = {
  id: 32,
  name: 'request-log',
  compatibleFrom: 24,
  sql: `
create table request_positions (client_id text primary key, last bigint not null);
create table request_log (
  client_id text not null, slot bigint not null, position bigint not null, at bigint not null, call text not null,
  primary key (client_id, slot));
create table usage_days (
  client_id text not null, day text not null, calls bigint not null, refused bigint not null, limited bigint not null,
  failed bigint not null, primary key (client_id, day));
`,
} as const;
