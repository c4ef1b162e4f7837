/** What the bank's people wrote down when they ended a consent by hand: who, and why. Null for every other step. */
export const historyNotes = {
  id: 30,
  name: 'history-notes',
  compatibleFrom: 24,
  sql: `
alter table consent_history add column note text;
`,
} as const;
