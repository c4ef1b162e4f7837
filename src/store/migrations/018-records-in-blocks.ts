/**
 * Funds records are only ever added, and read rarely. On the embedded engine an index by account holder writes a page of its own
 * for every record; one by account holder within each five hundred records writes the same few pages over and over. A query for a
 * person searches each block, through a view that PostgreSQL has too. Records are in the order of their time there, so their age
 * needs no index, and they are not read by id.
 */
export const recordsInBlocks = {
  id: 18,
  name: 'records-in-blocks',
  sql: {
    sqlite: `
alter table funds_confirmations rename to funds_confirmations_before;
create table funds_confirmations (
  position integer primary key,
  id text not null,
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
from funds_confirmations_before order by asked_at, id;
drop table funds_confirmations_before;
create index funds_confirmations_of_psu on funds_confirmations (position / 500, psu_id);
create view funds_confirmations_by_psu as
with recursive block (number) as (
  select max(position) / 500 from funds_confirmations
  union all
  select number - 1 from block where number > (select min(position) / 500 from funds_confirmations)
)
select f.* from block cross join funds_confirmations f on f.position / 500 = block.number;
`,
    postgres: 'create view funds_confirmations_by_psu as select * from funds_confirmations;',
  },
} as const;
