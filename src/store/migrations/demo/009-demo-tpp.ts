/** The demo third party of the sandbox: its walks, sealed, and the webhooks that have reached it. */
export const demoTpp = {
  id: 9,
  name: 'demo-tpp',
  sql: `
create table demo_walks (
  id text primary key,
  browser_hash text not null,
  version bigint not null,
  state text not null,
  consent_id text,
  touched_at bigint not null
);
create index demo_walks_of_browser on demo_walks (browser_hash, touched_at);
create index demo_walks_of_consent on demo_walks (consent_id);
create index demo_walks_by_age on demo_walks (touched_at);

create table demo_webhooks (
  event_id text not null,
  is_verified bigint not null,
  consent_id text not null,
  message text not null,
  received_at bigint not null,
  primary key (event_id, is_verified)
);
create index demo_webhooks_of_consent on demo_webhooks (consent_id, received_at);
create index demo_webhooks_by_age on demo_webhooks (received_at);
`,
} as const;
