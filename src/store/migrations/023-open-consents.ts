/**
 * What a question costs does not grow with the consents that are over: an index of those that are not, and for the newest of each
 * reference of a funds consent its owner and its time beside the account. A node of the version before leaves these empty and does
 * not read them.
 */
export const openConsents = {
  id: 23,
  name: 'open-consents',
  sql: `
create index consents_open on consents (psu_id, client_id, kind, status, created_at)
  where status = 'Received' or status = 'Valid';

alter table consent_accounts add column funds_client text;
alter table consent_accounts add column funds_psu text;
alter table consent_accounts add column funds_at bigint;
update consent_accounts set (funds_client, funds_psu, funds_at) =
  (select c.client_id, c.psu_id, c.created_at from consents c where c.id = consent_id)
where consent_id in (select id from consents where kind = 'ConfirmationOfFunds');
create index consent_accounts_by_iban on consent_accounts (funds_psu, funds_client, iban, funds_at)
  where funds_psu is not null and iban is not null;
create index consent_accounts_by_bban on consent_accounts (funds_psu, funds_client, bban, funds_at)
  where funds_psu is not null and bban is not null;
create index consent_accounts_by_msisdn on consent_accounts (funds_psu, funds_client, msisdn, funds_at)
  where funds_psu is not null and msisdn is not null;
create index consents_by_card on consents (psu_id, client_id, card_hash, created_at) where card_hash is not null;
`,
} as const;
