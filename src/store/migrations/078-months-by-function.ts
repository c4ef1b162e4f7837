/**
 * Months of funds records (`months.ts`) are made and dropped by functions with the rights of who migrates: the role of the service needs
 * none to create, change or drop a table. They take no name that is not such a month, and a role needs a grant to call them.
 */
const ADD = `
create function add_funds_month(at_ms bigint) returns bigint language plpgsql security definer set search_path = %1$I, pg_temp as $add$
declare
  starts constant timestamp := date_trunc('month', to_timestamp(at_ms / 1000.0) at time zone 'UTC');
  from_ms constant bigint := extract(epoch from starts) * 1000;
  until_ms constant bigint := extract(epoch from starts + interval '1 month') * 1000;
  month constant text := 'funds_confirmations_' || to_char(starts, 'YYYY_MM');
begin
  if exists (select from funds_confirmations_other where asked_at >= from_ms and asked_at < until_ms) then return 0; end if;
  execute format('create table %%I (like funds_confirmations, primary key (asked_at, id))', month);
  execute format('alter table funds_confirmations attach partition %%I for values from (%%s) to (%%s)', month, from_ms, until_ms);
  return 1;
end $add$`;

const DROP = `
create function drop_funds_month(month text) returns bigint language plpgsql security definer set search_path = %1$I, pg_temp as $drop$
begin
  if month !~ '^funds_confirmations_\\d{4}_\\d{2}$' or not exists (
    select from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'funds_confirmations'::regclass and c.relname = month)
  then return 0; end if;
  execute format('drop table %%I', month);
  return 1;
end $drop$`;

export const monthsByFunction = {
  id: 78,
  name: 'months-by-function',
  compatibleFrom: 24,
  sql: {
    sqlite: '',
    postgres: `
do $do$ begin
  execute format($sql$${ADD}$sql$, current_schema());
  execute format($sql$${DROP}$sql$, current_schema());
end $do$;
revoke execute on function add_funds_month(bigint), drop_funds_month(text) from public;
`,
  },
} as const;
