/** Would a campaign notice? Defects are planted, and each must be found. */
import { renameSync, rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { readMarker } from '../../../src/store/continuity/marker.js';
import { openDb } from '../../../src/store/open.js';
import { runCommand, type Variables } from '../../cli/program.js';
import { createDatabase } from '../../support/database.js';
import { testSecret } from '../../support/service.js';
import { until } from '../../support/until.js';
import { NodeProcess } from './break/node-process.js';
import { hasPostgresServer } from './break/pg-server.js';
import { Campaign, endCampaigns } from './campaign.js';
import type { Journal } from './load/journal.js';
import { runOnTwoNodes } from './two-nodes.js';

afterAll(endCampaigns);

/** What the campaign says after a defect was planted under load. */
const faultsOf = async (
  plant: (node: NodeProcess, url: string, journal: Journal) => Promise<unknown>,
  env: Variables = {},
): Promise<string> => {
  const campaign = new Campaign();
  const { url, drop } = await createDatabase('sqlite');
  const node = await NodeProcess.start(campaign.journal, url, env);
  const inject = async (): Promise<string> => {
    await plant(node, url, campaign.journal);
    return 'planted';
  };
  await campaign
    .run([node], () => url, { name: 'control', count: 1, inject })
    // A store that cannot be read any more is a defect that was found.
    .catch((error: unknown) => campaign.journal.report(String(error)));
  await node.stop();
  await drop();
  return campaign.journal.faults.join('\n');
};

const without =
  (...statements: readonly string[]) =>
  async (_: NodeProcess, url: string): Promise<void> => {
    const db = await openDb(url, 1);
    for (const sql of statements) expect(await db.run(sql)).toBeGreaterThan(0);
    await db.close();
  };

describe('a campaign finds', () => {
  it('durability that is off: what was acknowledged last is gone after a kill', async () => {
    const faults = await faultsOf(async (node, url, journal) => {
      const file = url.slice('sqlite:'.length);
      const db = await openDb(url, 1);
      await db.run(`vacuum into '${file}.older'`);
      await db.close();
      const submitted = (): number => journal.right.get('submit') ?? 0;
      const pulse = (): number => readMarker(`${file}.pulse`)?.number ?? 0;
      const before = submitted();
      // The marker may follow the store by one.
      const copied = pulse();
      await until(() => submitted() >= before + 3 && pulse() >= copied + 2);
      await node.kill();
      // As if the disk had not kept its promise.
      for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
      renameSync(`${file}.older`, file);
      await expect(node.start()).rejects.toThrow(/has forgotten what was committed/);
      // The checks that follow must find what is lost, although an operator has accepted the older store.
      const env = { DATABASE_URL: url, TRAPEZA_SECRET: testSecret };
      const accepted = await runCommand(['store', 'accept', '--reason', 'planted'], { env });
      expect(accepted).toMatchObject({ code: 0 });
      await node.start();
    });
    expect(faults).toMatch(/is lost|expected 200 .*got 404|was acknowledged|is malformed/);
  });

  it('reads that come back empty', async () => {
    const faults = await faultsOf((_node, _url, journal) => until(() => journal.faults.length >= 5), {
      FAULTS_EMPTY_READS: '0.05',
    });
    expect(faults).toMatch(/got 40[349] (resource-not-found|consent-required|consent-not-valid)/);
  });

  it('a dropped event, a dropped booking', async () => {
    const faults = await faultsOf(
      without(
        // Of an application without a webhook: the event has no delivery.
        `delete from events where id =
           (select id from events where client_id = 'demo-budget-app' and kind = 'consent' order by position desc limit 1)`,
        // What was paid to another bank is pending.
        `delete from demo_holds where payment_id =
           (select h.payment_id from demo_holds h join payment_orders o on o.id = h.payment_id
            order by o.created_at desc limit 1)`,
      ),
    );
    expect(faults).toMatch(/instead of/);
    expect(faults).toMatch(/have gaps/);
    expect(faults).toMatch(/0 bookings/);
  });

  // Two nodes start for this one, which is too slow for `npm test`.
  const full = process.env.TEST_FAULTS === 'full' ? it.runIf(hasPostgresServer) : undefined;
  full?.('a PostgreSQL that acknowledges commits before they are written', async () => {
    const campaign = await runOnTwoNodes(
      ({ server }) => ({
        name: 'control: synchronous_commit off',
        count: 1,
        inject: async () => {
          await server().kill();
          await server().start();
          return 'database killed';
        },
      }),
      ['synchronous_commit=off', 'wal_writer_delay=10s'],
    );
    expect(campaign.journal.faults.join('\n')).toMatch(/is lost|got 404|was acknowledged/);
  });
});
