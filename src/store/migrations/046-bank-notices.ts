/**
 * When the state of a consent is to be reported to the bank, in real time: 0 is at once, null is never again. A bank that does not want to
 * know leaves them as they are until their events are forgotten.
 */
export const bankNotices = {
  id: 46,
  name: 'bank-notices',
  compatibleFrom: 24,
  sql: `
alter table events add column bank_due_at bigint default 0;
create index events_for_bank on events (bank_due_at) where bank_due_at is not null and kind = 'consent';
`,
} as const;
