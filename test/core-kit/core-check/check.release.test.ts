/** The check of a bank's core: a good one passes every case, and one that misbehaves is told from it. */
import { describe, expect, it } from 'vitest';
import { cases } from '../../../packages/core-kit/src/core-check/cases.js';
import { CoreClient } from '../../../packages/core-kit/src/core-check/client.js';
import { isGood, type Result, runCases } from '../../../packages/core-kit/src/core-check/run.js';
import { demoSubject, type Subject } from '../../../packages/core-kit/src/core-check/subject.js';
import { coreOperations } from '../../../src/bank/http/contract/operations.js';
import { hasPostgres } from '../../support/engines.js';
import { useSimulators, type Wanted } from '../simulator/use-simulator.js';

interface Trying {
  readonly subject?: Subject;
  readonly payments?: boolean;
  readonly token?: string;
  readonly only?: RegExp;
}

const idsOf = (results: readonly Result[], verdict: Result['verdict']): string[] =>
  results.filter((each) => each.verdict === verdict).map(({ id }) => id);

const use = useSimulators('sqlite');

const tryCore = async (url: string, trying: Trying = {}): Promise<readonly Result[]> => {
  const { subject = demoSubject(), payments = true, token, only = /./ } = trying;
  const core = new CoreClient({ url, timeoutMs: 20_000, ...(token ? { token } : {}) });
  const options = { core, subject, allowsPayments: payments, now: () => use().clock.now() };
  return runCases(
    cases.filter(({ id }) => only.test(id)),
    options,
  );
};

const tryOn = async (wanted: Wanted, trying?: Trying): Promise<readonly Result[]> => {
  // All of them share one store, and each run leaves a person paused.
  await use().db.run('delete from recent_times');
  const { url, simulator } = await use().start(wanted);
  const results = await tryCore(url, trying);
  await simulator.close();
  return results;
};

describe('the cases', () => {
  it('are about every operation of the contract, each with a hint and a name of its own', () => {
    expect(new Set(cases.map(({ operation }) => operation))).toEqual(new Set(Object.keys(coreOperations)));
    expect(cases.length).toBeGreaterThan(70);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
    for (const { hint, title } of cases) expect(Math.min(hint.length, title.length)).toBeGreaterThan(10);
  });

  it('are all passed by the simulator, which demands a token', async () => {
    const results = await tryOn({ token: 'right' }, { token: 'right' });
    expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
    expect(results).toHaveLength(cases.length);
    expect(isGood(results)).toBe(true);
    expect(use().told).toEqual([]);
  });

  it('are skipped with a reason, and never passed, where there is nothing to try them on', async () => {
    const results = await tryOn({}, { subject: {}, payments: false });
    const skipped = results.filter(({ verdict }) => verdict === 'skipped');
    expect(skipped.length).toBeGreaterThan(55);
    for (const { reason } of skipped)
      expect(reason).toMatch(/^the subject has no |^no token and no certificate was given/);
    expect(idsOf(results, 'passed')).toContain('accounts-of-stranger');
    expect(isGood(results)).toBe(true);
    expect(isGood(skipped)).toBe(false);
  });

  it('move no money unless that is wanted', async () => {
    const [before] = await use().db.all('select count(*) as n from simulator_payments');
    const results = await tryOn({}, { payments: false });
    expect(await use().db.all('select count(*) as n from simulator_payments')).toEqual([before]);
    const kept = results.filter(({ reason }) => reason === 'it moves money (--payments)').map(({ id }) => id);
    expect(kept).toEqual(cases.filter(({ movesMoney }) => movesMoney).map(({ id }) => id));
    expect(kept.length).toBeGreaterThan(8);
  });
});

describe.runIf(hasPostgres)('the cases on PostgreSQL', () => {
  const useOther = useSimulators('postgres');

  it('about transactions and payments are passed by the simulator', async () => {
    const { url } = await useOther().start();
    const results = await tryCore(url, { only: /^(transaction|cursor|statement|payment|balances)/ });
    expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
    expect(results.length).toBeGreaterThan(35);
    expect(useOther().told).toEqual([]);
  });
});

describe('a core that misbehaves', () => {
  it.each([
    ['html', 'application/json from ping'],
    ['garbage', 'JSON in UTF-8 from ping'],
    ['status-503', '200 from ping'],
    ['refuse', 'an answer'],
    ['wrong-type', 'an answer of ping that fits the contract'],
  ] as const)('by %s gives no answer, and the case says so', async (kind, expected) => {
    const results = await tryOn({ faults: [{ kind }] }, { only: /^ping-ok$/ });
    expect(results).toMatchObject([{ id: 'ping-ok', verdict: 'failed', expected }]);
  });

  it('by silence fails the case when the time is over, and by endless bytes when there are too many', async () => {
    const { url, simulator } = await use().start({
      faults: [{ kind: 'half-open', operation: 'ping' }, { kind: 'huge' }],
    });
    const core = new CoreClient({ url, timeoutMs: 50 });
    await expect(core.answer('ping')).rejects.toMatchObject({
      expected: 'an answer within 50 ms',
      seen: 'none',
    });
    const patient = new CoreClient({ url, timeoutMs: 30_000 });
    await expect(patient.answer('findAccounts', { params: { psuId: 'x' } })).rejects.toMatchObject({
      expected: 'an answer of at most 4 MB',
      operation: 'findAccounts',
    });
    await simulator.close();
  });

  it('by one operation blocks the cases of others that need it, and fails one of its own', async () => {
    const results = await tryOn(
      { faults: [{ kind: 'status-500', operation: 'readBalances' }] },
      { payments: false, only: /^(funds|balances)/ },
    );
    expect(idsOf(results, 'failed')).toEqual(['balances-once', 'balances-of-another-person']);
    expect(idsOf(results, 'blocked')).toContain('funds-available');
    expect(results.find(({ id }) => id === 'funds-available')?.reason).toContain(
      'it needs readBalances: expected 200',
    );
    expect(isGood(results)).toBe(false);
  });

  it('by demanding no token fails the case about it', async () => {
    const results = await tryOn({}, { token: 'any', only: /^token/ });
    expect(results).toMatchObject([
      {
        id: 'token-demanded',
        verdict: 'failed',
        seen: 'status 200 for no token; status 200 for a wrong token',
      },
    ]);
  });
});
