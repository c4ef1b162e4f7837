/**
 * What a page of the dashboard costs does not grow with a person's permissions and records: the lists by application and by permission,
 * what is active, and what waits for a decision are each read in the order of an index.
 */
export const dashboard = {
  id: 39,
  name: 'dashboard',
  compatibleFrom: 24,
  sql: `
create index consents_permissions on consents (psu_id, created_at) where kind <> 'PaymentInitiation';
create index consents_payments on consents (psu_id, created_at) where kind = 'PaymentInitiation';
create index consents_permissions_of_app on consents (psu_id, client_id, created_at) where kind <> 'PaymentInitiation';
create index consents_active on consents (psu_id, client_id, expires_at, approved_at)
  where status = 'Valid' and kind <> 'PaymentInitiation';
create index consents_waiting on consents (psu_id, created_at) where status = 'Received';
create index consents_renewals on consents (psu_id, renewal_at) where renewal_at is not null;

create index funds_confirmations_of_app on funds_confirmations (psu_id, client_id, asked_at);
create index funds_confirmations_of_permission on funds_confirmations (consent_id, asked_at);
create index data_accesses_of_person on data_accesses (psu_id, accessed_at, page);
drop index data_accesses_of_psu;
create index data_accesses_of_app on data_accesses (psu_id, client_id, accessed_at) where page = 1;
create index data_accesses_of_permission on data_accesses (consent_id, accessed_at) where page = 1;
`,
} as const;
