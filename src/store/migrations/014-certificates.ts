/** The certificates that third parties were registered with, and how near to its end each was at the last warning. */
export const certificates = {
  id: 14,
  name: 'certificates',
  sql: `
create table tpp_certificates (
  tpp_id text not null references tpps (id),
  fingerprint text not null,
  use text not null check (use in ('seal', 'web')),
  subject text not null,
  not_after bigint not null,
  pem text not null,
  added_at bigint not null,
  warned_days bigint,
  primary key (tpp_id, fingerprint)
);
create index tpp_certificates_by_end on tpp_certificates (not_after);
`,
} as const;
