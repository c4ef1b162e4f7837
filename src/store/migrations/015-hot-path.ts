/**
 * What a funds confirmation costs. The caller's consents are found by the account holder first, because that tells them apart at
 * once, where thousands share an application. Its record is only ever added: it needs neither the check that its consent exists,
 * which was just read, nor an index by consent beside the one by account holder.
 */
export const hotPath = {
  id: 15,
  name: 'hot-path',
  sql: `
create index consents_of_person on consents (psu_id, client_id, kind, created_at);
drop index consents_of_caller;

alter table funds_confirmations rename to funds_confirmations_before;
create table funds_confirmations (
  id text primary key,
  consent_id text not null,
  client_id text not null,
  psu_id text not null,
  account_id text not null,
  payee text,
  amount text not null,
  currency text not null,
  available bigint not null,
  request_id text not null,
  session_consent_id text,
  asked_at bigint not null
);
insert into funds_confirmations
  (id, consent_id, client_id, psu_id, account_id, payee, amount, currency, available, request_id, session_consent_id, asked_at)
select id, consent_id, client_id, psu_id, account_id, payee, amount, currency, available, request_id, session_consent_id, asked_at
from funds_confirmations_before;
drop table funds_confirmations_before;
create index funds_confirmations_of_psu on funds_confirmations (psu_id, asked_at);
create index funds_confirmations_by_age on funds_confirmations (asked_at);
`,
} as const;
