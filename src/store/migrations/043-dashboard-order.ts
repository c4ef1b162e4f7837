/**
 * Lists in the order of an index. SQLite takes the older of two that promise as much, so the one without the application is made anew.
 * PostgreSQL sorts all uses of a permission unless the index has their whole order.
 */
export const dashboardOrder = {
  id: 43,
  name: 'dashboard-order',
  compatibleFrom: 24,
  sql: {
    sqlite: `
drop index funds_confirmations_of_psu;
create index funds_confirmations_of_psu on funds_confirmations (psu_id, asked_at);
drop index consents_active;
create index consents_active on consents (psu_id, client_id, approved_at, expires_at)
  where status = 'Valid' and kind <> 'PaymentInitiation';
`,
    postgres: `
drop index funds_confirmations_of_permission;
create index funds_confirmations_of_permission on funds_confirmations (consent_id, asked_at, id);
drop index consents_active;
create index consents_active on consents (psu_id, client_id, approved_at, expires_at)
  where status = 'Valid' and kind <> 'PaymentInitiation';
`,
  },
} as const;
