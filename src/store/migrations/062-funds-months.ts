/**
 * Funds records on PostgreSQL in partitions of a month (`months.ts`), so that retention drops files instead of deleting rows. The table of
 * before becomes the first partition without a copy; it takes what is older than the month after next. What has no month of its own, such
 * as records of a sandbox whose clock was moved, goes to `funds_confirmations_other`: no insert fails for want of a partition.
 *
 * The key of a month, its time and id, replaces two indexes of before. A record is never looked for by its id alone.
 */

/** Two months after the last record and the present, at the first of the month. */
const BOUND = `
  (extract(epoch from date_trunc('month', greatest(now() at time zone 'UTC',
    (select to_timestamp(max(asked_at) / 1000.0) at time zone 'UTC' from funds_confirmations)) + interval '2 months')) * 1000)::bigint`;

/** Attaching reads the whole table under a lock that calls wait for, unless a constraint proves its bound already. */
const PROMISE_BOUND = `
do $$ begin
  if exists (select from pg_class where oid = to_regclass('funds_confirmations') and relkind = 'r')
    and not exists (select from pg_constraint where conrelid = to_regclass('funds_confirmations') and conname = 'funds_confirmations_until')
  then
    if (select count(*) from (select 1 from funds_confirmations limit 100001) few) > 100000 then
      execute format('alter table funds_confirmations add constraint funds_confirmations_until check (asked_at < %s) not valid', ${BOUND});
    end if;
  end if;
end $$;`;

/** Beside calls: it keeps them from nothing. */
const PROVE_BOUND = `
do $$ begin
  if exists (select from pg_constraint where conrelid = to_regclass('funds_confirmations') and conname = 'funds_confirmations_until')
  then alter table funds_confirmations validate constraint funds_confirmations_until;
  end if;
end $$;`;

export const fundsMonths = {
  id: 62,
  name: 'funds-months',
  compatibleFrom: 24,
  beforePostgres: [PROMISE_BOUND, PROVE_BOUND],
  sql: {
    sqlite: '',
    postgres: `
lock table funds_confirmations in access exclusive mode;
drop view funds_confirmations_by_psu;
do $$ declare
  until bigint := coalesce(
    (select substring(pg_get_constraintdef(oid) from '[0-9]{10,}')::bigint from pg_constraint
     where conrelid = to_regclass('funds_confirmations') and conname = 'funds_confirmations_until'),
    ${BOUND});
begin
  alter table funds_confirmations rename to funds_confirmations_first;
  alter index funds_confirmations_of_psu rename to funds_confirmations_first_of_psu;
  alter index funds_confirmations_of_app rename to funds_confirmations_first_of_app;
  alter index funds_confirmations_of_permission rename to funds_confirmations_first_of_permission;
  create table funds_confirmations (like funds_confirmations_first) partition by range (asked_at);
  create index funds_confirmations_of_psu on funds_confirmations (psu_id, asked_at);
  create index funds_confirmations_of_app on funds_confirmations (psu_id, client_id, asked_at);
  create index funds_confirmations_of_permission on funds_confirmations (consent_id, asked_at, id);
  execute format('alter table funds_confirmations attach partition funds_confirmations_first for values from (minvalue) to (%s)', until);
end $$;
alter table funds_confirmations_first drop constraint if exists funds_confirmations_until;
create table funds_confirmations_other partition of funds_confirmations (primary key (asked_at, id)) default;
create view funds_confirmations_by_psu as select * from funds_confirmations;
`,
  },
} as const;
