/**
 * As the view before it, with who holds the account: what is read with a consent is read only for a holder. The older view stays,
 * because a node of the version before may still ask it.
 */
export const holdersHere = {
  id: 22,
  name: 'holders-here',
  sql: `
create view holders_here as
select h.psu_id, a.id as account_id, a.currency,
       case when a.status = 'enabled' then a.booked_minor - a.pending_minor + a.credit_minor else 0 end as available
from demo_holders h join demo_accounts a on a.id = h.account_id;
`,
} as const;
