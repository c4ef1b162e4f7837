/**
 * What of a quota all nodes together have been granted: a minute and a day of one subject, by the clock of the database. Only PostgreSQL
 * has several nodes. A row is written again and again, which costs no index entry while its page has room.
 */
const TABLE = `
create table quota_grants (
  subject text primary key,
  minute_granted bigint not null,
  minute_ends_at bigint not null,
  day_granted bigint not null,
  day_ends_at bigint not null
)`;

export const quotaGrants = {
  id: 73,
  name: 'quota-grants',
  compatibleFrom: 24,
  sql: { sqlite: `${TABLE};`, postgres: `${TABLE} with (fillfactor = 50);` },
} as const;
