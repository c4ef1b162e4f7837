/** Requests to the app of the demo bank: what it shows, and what the person has answered there. Null: a code was sent. */
export const phone = {
  id: 10_003,
  name: 'demo phone',
  compatibleFrom: 24,
  sql: `
alter table demo_challenges add column app_shown text;
alter table demo_challenges add column app_answer text check (app_answer in ('right', 'refused'));
`,
};
