/**
 * What stops guessing: when something was last done for a person, on all nodes, and which code was sent to which session. The counters
 * of before (`code_attempts`) stay for nodes of the version before and are not read.
 */
export const guessing = {
  id: 20,
  name: 'guessing',
  sql: `
create table recent_times (
  kind text not null,
  subject text not null,
  times text not null,
  last_at bigint not null,
  primary key (kind, subject)
);
create index recent_times_by_age on recent_times (last_at);

create table sent_codes (
  session_hash text not null,
  shown_hash text not null,
  challenge text,
  sent_at bigint not null,
  expires_at bigint,
  primary key (session_hash, shown_hash)
);
create index sent_codes_by_age on sent_codes (sent_at);
`,
} as const;
