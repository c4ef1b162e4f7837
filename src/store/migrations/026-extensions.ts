/** A store names the extension that it was made for. Until now only the sandbox did, by a setting of its own. */
export const extensions = {
  id: 26,
  name: 'extensions',
  compatibleFrom: 24,
  sql: `
insert into settings (name, value)
select 'extension', 'sandbox' from settings where name = 'sandbox';
`,
} as const;
