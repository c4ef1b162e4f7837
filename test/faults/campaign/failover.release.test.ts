/**
 * A standby takes over that was behind: what was acknowledged and lost is noticed by every node, no withdrawn consent opens an account, and no
 * payment is made twice, submitted again by its third party or taken up from the core.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { attended } from '../../api/ais/support.js';
import { jsonOf, runCommand } from '../../cli/program.js';
import { addApproved } from '../../payment/nodes.js';
import { decide, orderIn, orderPath } from '../../payment/support.js';
import { type Answer, done, sandboxToken, send } from '../../support/client.js';
import { type Service, startService, testSecret } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';
import { FaultyProxy } from '../faulty-proxy.js';
import { faultVolume } from '../volume.js';
import { hasPostgresServer, PgServer, removeServers } from './break/pg-server.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(removeServers);

const PAYMENTS = faultVolume(100, 500);
const CONSENTS = 10;
const AT_ONCE = 20;
const patience = { timeout: 60_000 };

const inTurns = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const left = [...items];
  const next = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
};

const countBy = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const headersOf = (node: Service, token: string) => ({
  'Ocp-Apim-Subscription-Key': node.keyOf(),
  Authorization: `Bearer ${token}`,
  'X-Request-ID': randomUUID(),
});

describe.runIf(hasPostgresServer)('a failover to a standby that is behind', () => {
  it('is noticed by every node; nothing withdrawn is given, and nothing is paid twice', async () => {
    const primary = await PgServer.create();
    const proxy = await FaultyProxy.beforeUrl(primary.url);
    closers.push(() => proxy.close());
    const databaseUrl = proxy.through(primary.url);
    const first = await startService({ databaseUrl, core: 'simulator' });
    closers.push(() => first.close());
    const env = { TRAPEZA_CORE_URL: first.coreUrl ?? '', BASE_URL: first.url };
    const second = await startService({ databaseUrl, env });
    closers.push(() => second.close());
    const nodes = [first, second] as const;
    const nodeOf = (id: string): Service => (id < '8' ? first : second);

    const payments = await withStore(first, (db) => addApproved(db, PAYMENTS));
    const consents: string[] = [];
    for (let index = 0; index < CONSENTS; index += 1) {
      const made = await first.call({
        method: 'POST',
        path: '/ais/psd2/v1/consents',
        body: { permissions: ['AccountsDetail', 'Balances'], recurring: false },
      });
      const { consentId } = done(made).json as { consentId: string };
      done(await decide(first, consentId, 'approve'));
      consents.push(consentId);
    }
    await first.app.runJobs();
    const standby = await primary.addStandby('asynchronous');
    await standby.kill();

    // Acknowledged from here on, and lost.
    const ids = new Map<string, string>();
    await inTurns(payments, async (id) => {
      const answer = await nodeOf(id).call({ method: 'POST', path: orderPath(id) });
      ids.set(id, orderIn(done(answer)).paymentId);
    });
    for (const id of consents) done(await decide(first, id, 'revoke'));
    await first.app.runJobs();
    const executions = async (): Promise<number[]> => {
      const answer = await fetch(`${first.coreUrl}/simulator/payments`);
      const known = (await answer.json()) as { payments: { paymentId: string; executions: number }[] };
      return known.payments.map((each) => each.executions);
    };
    await expect.poll(async () => (await executions()).length, patience).toBe(PAYMENTS);

    await primary.kill();
    await standby.start();
    await standby.promote();
    proxy.retarget(standby.port);
    proxy.reset();
    for (const { app } of nodes)
      await expect.poll(() => app.readiness().reasons.store, patience).toBe('forgot');

    const read = async (id: string, node: Service, token: string): Promise<Answer> =>
      send(node.app.listenUrl, {
        path: '/ais/psd2/v1/accounts',
        headers: { ...headersOf(node, token), 'Consent-ID': id, ...attended },
      });
    const before = await first.token();
    expect(countBy(await Promise.all(consents.map((id) => read(id, nodeOf(id), before))))).toEqual({
      503: CONSENTS,
    });

    const lost = await standby.query<{ orders: number; valid: number }>(
      `select (select count(*)::int from payment_orders where id in ('${[...ids.values()].join("','")}')) as orders,
        (select count(*)::int from consents where id in ('${consents.join("','")}') and status = 'Valid') as valid`,
    );
    console.log('acknowledged', { payments: ids.size, withdrawn: CONSENTS }, 'found again', lost[0]);
    expect(lost).toEqual([{ orders: 0, valid: CONSENTS }]);

    // The core is asked about one half of the payments; the other half the third parties submit again.
    const again = payments.slice(0, PAYMENTS / 2);
    const ofOthers = (status: string): string =>
      `update consents set status = '${status}' where id in ('${again.join("','")}')`;
    await standby.query(ofOthers('Received'));
    const cli = {
      DATABASE_URL: standby.url,
      TRAPEZA_SECRET: testSecret,
      TRAPEZA_CORE_URL: first.coreUrl ?? '',
    };
    const found = jsonOf<{ payments: string[]; ended: string[]; unknown: string[] }>(
      await runCommand(['payments', 'reconcile', '--reason', 'failover', '--json'], { env: cli }),
    );
    await standby.query(ofOthers('Valid'));
    expect(found.ended.toSorted()).toEqual(consents.toSorted());
    expect(found.unknown).toEqual([]);
    const known = payments.slice(PAYMENTS / 2).map((id) => ids.get(id));
    expect(found.payments.toSorted()).toEqual(known.toSorted());
    jsonOf(await runCommand(['store', 'accept', '--reason', 'failover', '--json'], { env: cli }));
    for (const { app } of nodes) await expect.poll(() => app.readiness().ready, patience).toBe(true);
    const token = await sandboxToken(first.app.listenUrl, {});
    const after = countBy(await Promise.all(consents.map((id) => read(id, nodeOf(id), token))));
    expect(Object.keys(after)).not.toContain('200');
    const repeated: Answer[] = [];
    await inTurns(payments, async (id) => {
      const answer = await send(nodeOf(id).app.listenUrl, {
        method: 'POST',
        path: orderPath(id),
        headers: headersOf(nodeOf(id), token),
      });
      repeated.push(answer);
      if (answer.status === 201) expect(orderIn(answer).paymentId).toBe(ids.get(id));
    });
    expect(countBy(repeated)).toEqual({ 201: again.length, 409: PAYMENTS - again.length });
    await expect
      .poll(() => standby.query("select 1 as one from payment_orders where status = 'RCVD'"), patience)
      .toEqual([]);
    expect(await executions()).toEqual(Array.from({ length: PAYMENTS }, () => 1));
  });
});
