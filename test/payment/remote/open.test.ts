/** `trapeza payments open`: what is not final, and what the core was asked about it. */
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, jsonOf, runCommand } from '../../cli/program.js';
import { engines } from '../../support/engines.js';
import { FINANCE, moveBankClock } from '../../support/operations.js';
import { testSecret } from '../../support/service.js';
import { useService } from '../../support/use-service.js';
import { approved, orderIn, submit } from '../support.js';
import { TestCore } from './core.js';

afterAll(cleanUp);

describe.each(engines)('payments that are not final, on %s', (engine) => {
  const core = new TestCore();
  const use = useService({ engine, bank: core.bank });
  const run = (...args: string[]) =>
    runCommand(['payments', 'open', ...args], {
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
    // Where the jobs take longer than a second, the next question has been asked, too.
    const attempts = core.calls.length;
    const lastQuestion = attempts === 1 ? 'send' : 'query';
    const sent = { status: 'RCVD', lastQuestion, fault: 'reset', attempts, unresolvedSince: null };
    expect(await open()).toEqual([{ ...facts, ...times, ...sent }]);
    await later();
    expect(await open()).toMatchObject([
      { status: 'RCVD', lastQuestion: 'query', attempts: core.calls.length },
    ]);
    expect(core.calls.length).toBeGreaterThan(attempts);
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
});
