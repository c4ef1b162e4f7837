/** `trapeza payments open`: what is not final, and what the core was asked about it. */
import { afterAll, describe, expect, it } from 'vitest';
import { paymentsOfPeriod } from '../../../src/admin/payments.js';
import { dateAt } from '../../../src/lib/day.js';
import { cleanUp, jsonOf, runCommand } from '../../cli/program.js';
import { engines } from '../../support/engines.js';
import { FINANCE, moveBankClock } from '../../support/operations.js';
import { testSecret } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import { approved, orderIn, submit } from '../support.js';
import { TestCore } from './core.js';

afterAll(cleanUp);

describe.each(engines)('payments that are not final, on %s', (engine) => {
  const core = new TestCore();
  const use = useService({ engine, bank: core.bank });
  const run = (...args: string[]) => ask('open', ...args);
  const ask = (...args: string[]) =>
    runCommand(['payments', ...args], {
      env: { DATABASE_URL: use().databaseUrl, TRAPEZA_SECRET: testSecret },
    });
  const open = async (...args: string[]): Promise<object[]> => jsonOf(await run('--json', ...args));
  const later = async (): Promise<void> => {
    await moveBankClock(use(), 'PT20M');
    await use().app.runJobs();
  };

  it('are listed with the last question to the core and the next one, until they are final', async () => {
    core.breakDown();
    const consentId = await approved(use());
    const id = orderIn(await submit(use(), consentId)).paymentId;
    await use().app.runJobs();
    const facts = { id, consentId, clientId: FINANCE, amount: 10, currency: 'EUR', instant: false };
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    const times = { submitted: time, lastSent: time, lastAsked: time, nextQuestion: time };
    // On a busy machine the next question has been asked, too.
    const [attempts, lastQuestion] = [expect.any(Number), expect.stringMatching(/^(send|query)$/)];
    const sent = { status: 'RCVD', lastQuestion, fault: 'reset', attempts, unresolvedSince: null };
    const state = 'open';
    expect(await open()).toEqual([{ ...facts, ...times, ...sent, state }]);
    const asked = core.calls.length;
    await later();
    expect(await open()).toMatchObject([{ status: 'RCVD', lastQuestion: 'query' }]);
    expect(core.calls.length).toBeGreaterThan(asked);
    core.play({ status: 'PDNG', lookAgainAt: 0 }, { status: 'ACSC' });
    await later();
    expect(await open('--application', FINANCE)).toMatchObject([
      { id, status: 'PDNG', lastQuestion: 'query', fault: null, attempts: 0 },
    ]);
    expect([...(await open('--application', 'another')), ...(await open('--instant'))]).toEqual([]);
    expect((await run()).stdout).toContain(id);
    expect(JSON.stringify(await open())).not.toMatch(/GR\d\d|Βασίλης/);
    await later();
    expect((await run()).stdout).toBe('Every payment is final.\n');
  });

  it('of a period are listed with those that are settled, each once over all pages, with a row in the audit log', async () => {
    const list = async (...args: string[]) =>
      jsonOf<{ id: string; submitted: string }[]>(await ask('list', '--json', ...args));
    core.play();
    const [first] = await list('--from', '2020-01-01', '--to', '2040-01-01');
    const consentId = await approved(use());
    const id = orderIn(await submit(use(), consentId)).paymentId;
    await later();
    const all = await list('--from', '2020-01-01', '--to', '2040-01-01');
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(all.map((each) => each.id)).toEqual([first?.id, id]);
    expect(all[1]).toEqual({
      ...{ id, consentId, clientId: FINANCE, amount: 10, currency: 'EUR', status: 'ACSC' },
      ...{ reason: null, submitted: time, changed: time, unresolvedSince: null },
    });
    const at = all[1]?.submitted ?? '';
    expect(await list('--from', at, '--to', '2040-01-01')).toEqual([all[1]]);
    expect(await list('--from', '2020-01-01', '--to', at)).toEqual([all[0]]);
    const day = dateAt(Date.parse(at), 'Europe/Athens');
    expect(await list('--from', day, '--to', day, '--status', 'ACSC', '--application', FINANCE)).toEqual(
      expect.arrayContaining([all[1]]),
    );
    expect(await list('--from', '2020-01-01', '--to', '2040-01-01', '--status', 'RJCT,CANC')).toEqual([]);
    const table = (await ask('list', '--from', at, '--to', '2040-01-01', '--reason', 'compared')).stdout;
    expect(table).toContain(id);
    expect(table).not.toMatch(/GR\d\d|Βασίλης/);
    expect((await ask('list', '--from', '2020-01-01', '--to', '2020-01-01')).stdout).toMatch(/^No payment/);
    expect((await ask('list', '--from', at, '--to', at)).stderr).toContain('--to lies before --from');
    expect((await ask('list', '--from', '1.2.2026', '--to', at)).stderr).toContain('a date such as');
    expect((await ask('list', '--from', at, '--to', at, '--status', 'DONE')).stderr).toContain('RCVD, PDNG');
    const [row] = await use().app.admin.audit({ act: 'payment.list' }, 1);
    expect(row?.subject).toMatch(/^payments:/);
    const pages = await withStore(use(), async (db) => {
      const found: string[] = [];
      for await (const page of paymentsOfPeriod(db, { from: 0, to: Number.MAX_SAFE_INTEGER }, 1))
        found.push(...page.map((each) => each.id));
      return found;
    });
    expect(pages).toEqual(all.map((each) => each.id));
  });
});
