/** docs/backup.md rehearsed on PostgreSQL under load: archive, base backup, restore to a moment, and a standby that takes over. */
import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import { send } from '../../support/client.js';
import { account } from '../../support/operations.js';
import { NodeProcess } from './break/node-process.js';
import { folderForServers } from './break/pg-server.js';
import type { Campaign, Inject } from './campaign.js';
import { Caller } from './load/caller.js';
import { Journal } from './load/journal.js';
import { is, kinds } from './load/known.js';
import { promotions } from './parts.js';
import { runOnTwoNodes, type TwoNodes } from './two-nodes.js';

const FIGURES = `
  select pg_size_pretty(pg_database_size(current_database())) as size,
    (select count(*)::int from consents) as consents`;

/** Archived as docs/backup.md says, but for where. */
const archivingTo = (archive: string): string[] => [
  'wal_level=replica',
  'archive_mode=on',
  `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  'archive_timeout=60',
];

const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  const startedAt = Date.now();
  const result = await work();
  console.log(`${what}: ${Date.now() - startedAt} ms`);
  return result;
};

/** A write that a caller was told of: the id of a new consent. */
const write = async (caller: Caller): Promise<string> => {
  const answer = await caller.insist({
    operation: 'create',
    method: 'POST',
    path: kinds.funds.create,
    body: { account: { iban: account('kostas', 801).iban } },
    fault: is(201),
  });
  return (answer.json as { consentId: string }).consentId;
};

const nextArchived = `select coalesce(last_archived_wal, '') as name from pg_stat_archiver`;

const toMoment =
  ({ nodes, server }: TwoNodes, archive: string): Inject =>
  async (random) => {
    const primary = server();
    const base = await timed('base backup under load', () => primary.baseBackup());
    const caller = new Caller(new Journal(), nodes, random, 'demo-budget-app', 'kostas');
    const first = await write(caller);
    const [now] = await primary.query<{ at: string }>('select clock_timestamp()::text as at');
    const second = await write(caller);
    const [last] = await primary.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name');
    while (((await primary.query<{ name: string }>(nextArchived))[0]?.name ?? '') < (last?.name ?? ''));
    await timed('restore to the moment', () => base.recover(archive, now?.at ?? ''));
    console.log(JSON.stringify(await base.query(FIGURES)));
    const restored = new Journal();
    const node = await timed('a node on the restored database', () => NodeProcess.start(restored, base.url));
    const reader = new Caller(restored, [node], random, 'demo-budget-app', 'kostas');
    const read = async (id: string): Promise<unknown> =>
      (await reader.ask({ operation: 'consent', path: `${kinds.funds.path}/${id}`, fault: () => undefined }))
        ?.status;
    expect([await read(first), await read(second)]).toEqual([200, 404]);
    expect((await send(node.url, { path: '/', outsideContract: true })).status).toBeLessThan(400);
    await node.stop();
    await base.remove();
    return 'restored to a moment';
  };

export const rehearseRecovery = async (): Promise<Campaign> => {
  const archive = folderForServers();
  const campaign = await runOnTwoNodes((parts) => {
    const order = [toMoment(parts, archive), promotions(parts), promotions(parts)];
    const inject: Inject = async (random) => (await order.shift()?.(random)) ?? '';
    return { name: 'recovery', count: order.length, inject };
  }, archivingTo(archive));
  rmSync(archive, { recursive: true, force: true });
  return campaign;
};
