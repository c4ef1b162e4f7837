/** A payment of unknown outcome that an operator has tried again: it stays unresolved until the core has answered. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/lib/clock.js';
import { cleanUp, jsonOf, runCommand } from '../../cli/program.js';
import { racingEngines } from '../../support/engines.js';
import { moveBankClock } from '../../support/operations.js';
import { testSecret } from '../../support/service.js';
import { useService } from '../../support/use-service.js';
import { approved, orderIn, readOrder, submit } from '../support.js';
import { TestCore } from './core.js';

afterAll(cleanUp);

const REJECTED = ['--rejected', '--reason', 'MS03', '--by', 'operator 7'];
const engines = racingEngines('a settlement by hand and the node that asks claim one row');

describe.each(engines)('a payment that is tried again, on %s', (engine) => {
  const core = new TestCore();
  const env = { TRAPEZA_DEADLINE_MS: String(30 * SECOND), TRAPEZA_PAYMENT_UNRESOLVED_MS: String(MINUTE) };
  const use = useService({ engine, bank: core.bank, env });
  const payments = (...args: string[]) =>
    runCommand(['payments', ...args], {
      env: { DATABASE_URL: use().databaseUrl, TRAPEZA_SECRET: testSecret, TRAPEZA_LOG_LEVEL: 'silent' },
    });
  const unresolved = async (): Promise<object[]> => jsonOf(await payments('unresolved', '--json'));
  /** By the clock of the service, which the test moves. */
  const retry = (id?: string): Promise<number> => use().app.admin.retryPayment(id ?? 'all');
  const gauge = async (): Promise<string> =>
    /^trapeza_payments_unresolved .*$/m.exec(await use().app.metrics())?.[0] ?? '';
  const later = async (): Promise<void> => {
    await moveBankClock(use(), 'PT20M');
    await use().app.runJobs();
  };
  const statusOf = async (consent: string): Promise<string> =>
    (await readOrder(use(), consent)).transactionStatus;

  let consent = '';
  let order = '';
  beforeEach(async () => {
    core.breakDown();
    consent = await approved(use());
    order = orderIn(await submit(use(), consent)).paymentId;
    await use().app.runJobs();
    expect((await payments('unresolved')).stdout).toMatch(
      /^No payment is unresolved\. 1 payment\(s\) are still/,
    );
    use().clock.advance(MINUTE + SECOND);
    await later();
    expect(await unresolved()).toMatchObject([{ id: order, state: 'unresolved' }]);
  });

  it('while the core is away is listed, counted and can be settled; nothing says that its outcome is known', async () => {
    const [before] = await unresolved();
    expect(await retry()).toBe(1);
    const asked = { id: order, state: 'unresolved, being asked again now' };
    const since = { unresolvedSince: (before as { unresolvedSince: string }).unresolvedSince };
    expect(await unresolved()).toMatchObject([{ ...asked, ...since }]);
    await use().app.runJobs();
    expect(core.calls.length).toBeGreaterThan(0);
    expect(await unresolved()).toMatchObject([{ ...asked, ...since, fault: 'reset' }]);
    expect(await gauge()).toBe('trapeza_payments_unresolved 1');
    expect((await payments('unresolved')).stdout).not.toMatch(/is known|No payment/);
    expect((await payments('settle', order, ...REJECTED)).code).toBe(0);
    expect(await statusOf(consent)).toBe('RJCT');
    expect((await payments('unresolved')).stdout).toBe('The outcome of every payment is known.\n');
  });

  it('is asked often at first, and waits for people again when its time is over', async () => {
    await retry(order);
    await use().app.runJobs();
    const calls = core.calls.length;
    await moveBankClock(use(), 'PT2S');
    await use().app.runJobs();
    expect(core.calls.length).toBeGreaterThan(calls);
    use().clock.advance(MINUTE + SECOND);
    await later();
    expect(await unresolved()).toMatchObject([{ id: order, state: 'unresolved' }]);
    core.play('absent');
    await later();
    expect(core.calls).toEqual(['find']);
    expect(await payments('settle', order, ...REJECTED)).toMatchObject({ code: 0 });
  });

  it('is resolved by the answer of the core alone', async () => {
    core.play('absent');
    await retry(order);
    await use().app.runJobs();
    expect(core.calls).toEqual(['find', 'execute']);
    expect([core.executed.get(order), await statusOf(consent)]).toEqual([1, 'ACSC']);
    expect([await unresolved(), await gauge()]).toEqual([[], 'trapeza_payments_unresolved 0']);
  });

  it('and reached the core meanwhile is not rejected by who looked before that', async () => {
    core.play('absent', 'silent', ...Array.from({ length: 100 }, () => 'refused' as const));
    await retry(order);
    await use().app.runJobs();
    expect(core.executed.get(order)).toBe(1);
    const refused = await payments('settle', order, ...REJECTED);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('sent to the core again')]);
    expect(await unresolved()).toMatchObject([{ id: order, state: 'unresolved' }]);
    core.play('absent');
    await later();
    expect(core.calls).toEqual(['find']);
    expect((await payments('settle', order, '--settled', '--by', 'operator 7')).code).toBe(0);
    expect(await statusOf(consent)).toBe('ACSC');
  });
});
