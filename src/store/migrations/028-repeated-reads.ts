/** What a counted read asked for, so that its repetition is known. Null for the reads before. */
export const repeatedReads = {
  id: 28,
  name: 'repeated-reads',
  compatibleFrom: 24,
  sql: `
alter table data_accesses add column fingerprint text;
`,
} as const;
