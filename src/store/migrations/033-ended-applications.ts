/** When the developer of an application has ended it. It is suspended from then on, and cannot be resumed. */
export const endedApplications = {
  id: 33,
  name: 'ended-applications',
  compatibleFrom: 24,
  sql: `
alter table applications add column ended_at bigint;
`,
} as const;
