/** Certificates that the bank refuses whatever their issuer says. By fingerprint, so that one need not be registered to be blocked. */
export const blockedCertificates = {
  id: 21,
  name: 'blocked-certificates',
  sql: `
create table blocked_certificates (
  fingerprint text primary key,
  reason text,
  blocked_at bigint not null
);
`,
} as const;
