/** Why a third party asks, in its own words. Null if it did not say. */
export const purposes = {
  id: 41,
  name: 'purposes',
  compatibleFrom: 24,
  sql: `
alter table consents add column purpose text;
`,
} as const;
