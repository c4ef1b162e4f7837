/**
 * What reading accounts needs: when the account holder last proved who they are and whether they are asked to do so again, the ids
 * under which a consent shows its accounts, and which page of a read an access was.
 */
export const accountInformation = {
  id: 8,
  name: 'account-information',
  sql: `
alter table consents add column sca_at bigint;
alter table consents add column renewal_at bigint;
update consents set sca_at = approved_at;

alter table consent_accounts add column resource_id text;
update consent_accounts set resource_id = consent_id || '-' || position;

alter table data_accesses add column page bigint not null default 1;
`,
} as const;
