/** Availability and performance of the interface by day, its planned downtimes, the bank's own channels, and what was published of it. */
export const statistics = {
  id: 58,
  name: 'statistics',
  compatibleFrom: 24,
  sql: `
create table statistics_calls (
  day text not null, area text not null, bucket integer not null,
  calls bigint not null, micros bigint not null, faults bigint not null, primary key (day, area, bucket));
create table statistics_spans (
  kind text not null, node text not null, first_at bigint not null, last_at bigint not null, primary key (kind, node, first_at));
create index statistics_spans_by_end on statistics_spans (last_at);
create table statistics_failures (
  node text not null, slot bigint not null, place integer not null, received_at bigint not null, primary key (node, slot, place));
create index statistics_failures_by_time on statistics_failures (received_at);
create table statistics_writes (node text primary key, number bigint not null, written_at bigint not null);
create table planned_downtimes (
  id text primary key, starts_at bigint not null, ends_at bigint not null, text_el text not null, text_en text not null,
  announced_at bigint not null, cancelled_at bigint);
create table channel_days (
  day text not null, channel text not null, up_percent text not null, primary key (day, channel));
create table published_quarters (quarter text primary key, published_at bigint not null, figures text not null, sha256 text not null);
`,
} as const;
