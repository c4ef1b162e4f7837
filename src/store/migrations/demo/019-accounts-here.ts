/**
 * What the accounts of a bank that lives in this store can pay now, by their id and currency: read with a consent, it makes one
 * question of two. Empty where the bank is elsewhere.
 */
export const accountsHere = {
  id: 19,
  name: 'accounts-here',
  sql: `
create view accounts_here as
select id as account_id, currency,
       case when status = 'enabled' then booked_minor - pending_minor + credit_minor else 0 end as available
from demo_accounts;
`,
} as const;
