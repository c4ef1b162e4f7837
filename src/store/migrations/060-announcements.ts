/**
 * What operators announce is an event of every application. `consent_id` of such an event holds the id of the planned downtime or incident, so that
 * events about the same one are delivered in order. A node of the version before knows nothing of the text: it passes on the rest.
 */
const TEXTS = `
create table announcements (
  id text primary key, starts_at bigint not null, ends_at bigint, text_el text not null, text_en text not null);
alter table event_positions add column announcement_id text;
`;

/** SQLite cannot change a check: the table is made anew, and the one that refers to it. */
const EVENTS_SQLITE = `
alter table events rename to events_before;
alter table deliveries rename to deliveries_before;
create table events (
  id text primary key,
  client_id text not null references applications (client_id),
  position bigint not null,
  kind text not null check (kind in ('consent', 'payment', 'downtime', 'incident')),
  consent_id text not null,
  consent_kind text not null,
  payment_id text,
  status text not null,
  occurred_at bigint not null,
  reason text,
  superseded_by text,
  notice text,
  until_at bigint,
  bank_due_at bigint default 0,
  announcement_id text
);
insert into events (id, client_id, position, kind, consent_id, consent_kind, payment_id, status, occurred_at, reason, superseded_by, notice,
    until_at, bank_due_at)
  select id, client_id, position, kind, consent_id, consent_kind, payment_id, status, occurred_at, reason, superseded_by, notice, until_at,
    bank_due_at from events_before;
create table deliveries (
  event_id text not null references events (id),
  target text not null,
  client_id text not null,
  position bigint not null,
  attempts bigint not null,
  due_at bigint,
  ended_at bigint,
  outcome text,
  primary key (event_id, target)
);
insert into deliveries (event_id, target, client_id, position, attempts, due_at, ended_at, outcome)
  select event_id, target, client_id, position, attempts, due_at, ended_at, outcome from deliveries_before;
drop table deliveries_before;
drop table events_before;
create unique index events_of_application on events (client_id, position);
create index events_by_age on events (occurred_at);
create index events_of_consent on events (consent_id, position);
create index events_for_bank on events (bank_due_at) where bank_due_at is not null and kind = 'consent';
create index deliveries_due on deliveries (client_id, due_at, position) where due_at is not null;
`;

/** Not validated: every row had one of the two kinds of before. */
const EVENTS_POSTGRES = `
alter table events add column announcement_id text;
alter table events drop constraint events_kind_check;
alter table events add constraint events_kind_check check (kind in ('consent', 'payment', 'downtime', 'incident')) not valid;
`;

export const announcements = {
  id: 60,
  name: 'announcements',
  compatibleFrom: 24,
  sql: { sqlite: TEXTS + EVENTS_SQLITE, postgres: TEXTS + EVENTS_POSTGRES },
} as const;
