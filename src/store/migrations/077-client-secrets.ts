/** The secret that an application had before, for as long as it still works. */
export const clientSecrets = {
  id: 77,
  name: 'client-secrets',
  compatibleFrom: 24,
  sql: `
alter table applications add column last_secret_hash text;
alter table applications add column last_secret_until bigint;
`,
} as const;
