/**
 * The lifecycle under fire: random steps of third party, account holder and time, several at once, on two processes with one
 * PostgreSQL. Whatever happens, only edges of the table are stored or read, and each consent ends once.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, isFinal, mayMove } from '../../src/consent/lifecycle.js';
import type { ConsentStatus } from '../../src/consent/record.js';
import { cleanUp, type RunningService, startSandbox, tempFolder } from '../cli/program.js';
import { type Answer, done, send } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { hasPostgres } from '../support/engines.js';
import { type Service, startService, testSecret } from '../support/service.js';
import { withStore } from '../support/use-service.js';

const BASE_URL = 'http://lifecycle.example';
/** Both nodes share the quota of the application. */
const PLENTY = { TRAPEZA_QUOTA_PER_MINUTE: '1000000', TRAPEZA_QUOTA_PER_DAY: '1000000' };
const acts = ['approve', 'reject', 'revoke', 'delete', 'read'] as const;
type Act = (typeof acts)[number];

interface Step {
  /** Done at once, each on one of the two nodes. */
  readonly together: readonly { readonly act: Act; readonly node: 0 | 1 }[];
  /** Hours by which the bank's clock moves before. */
  readonly hours: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  together: fc.array(
    fc.record({ act: fc.constantFrom(...acts), node: fc.constantFrom(0 as const, 1 as const) }),
    { minLength: 1, maxLength: 5 },
  ),
  hours: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(1, 23, 25) },
  ),
});

interface HistoryRow {
  readonly from_status: ConsentStatus | null;
  readonly to_status: ConsentStatus;
  readonly changed_by: Actor;
}

describe.runIf(hasPostgres)('the lifecycle of a consent on two processes', () => {
  let database: TestDatabase;
  let first: Service;
  let second: RunningService;
  let urls: readonly [string, string];

  beforeAll(async () => {
    database = await createDatabase('postgres');
    first = await startService({
      databaseUrl: database.url,
      env: { ...PLENTY, BASE_URL, TRAPEZA_AUDIENCE: BASE_URL },
    });
    const env = {
      ...PLENTY,
      DATABASE_URL: database.url,
      TRAPEZA_SECRET: testSecret,
      BASE_URL,
      HOST: '127.0.0.1',
      TRAPEZA_LOG_LEVEL: 'info',
    };
    const program = await startSandboxOn(env);
    second = program;
    urls = [first.app.listenUrl, program.url];
  });
  afterAll(async () => {
    await cleanUp();
    await first?.close();
    await database?.drop();
  });

  const headers = async () => ({
    'Ocp-Apim-Subscription-Key': first.keyOf(),
    Authorization: `Bearer ${await first.token()}`,
    'X-Request-ID': randomUUID(),
  });
  const create = async (): Promise<string> => {
    const body = { permissions: ['AccountsBasic'], expirationDate: '2090-01-01' };
    const answer = await send(urls[0], {
      method: 'POST',
      path: '/ais/psd2/v1/consents',
      body,
      headers: await headers(),
    });
    return (answer.json as { consentId: string }).consentId;
  };
  const perform = async (id: string, act: Act, node: 0 | 1): Promise<Answer> => {
    const url = urls[node];
    if (act === 'read')
      return send(url, { path: `/ais/psd2/v1/consents/${id}/status`, headers: await headers() });
    if (act === 'delete')
      return send(url, { method: 'DELETE', path: `/ais/psd2/v1/consents/${id}`, headers: await headers() });
    return send(url, { method: 'POST', path: `/sandbox/consents/${id}/decision`, body: { decision: act } });
  };
  const historyOf = (id: string): Promise<HistoryRow[]> =>
    withStore(first, (db) =>
      db.all<HistoryRow>(
        'select from_status, to_status, changed_by from consent_history where consent_id = ? order by position',
        [id],
      ),
    );

  const checkHistory = (history: readonly HistoryRow[]): void => {
    history.forEach((row, index) => {
      const before = history[index - 1]?.to_status ?? null;
      expect(row.from_status).toBe(before);
      if (before !== null)
        expect(
          mayMove(before, row.to_status, row.changed_by),
          `${before} → ${row.to_status} by ${row.changed_by}`,
        ).toBe(true);
    });
    expect(history.filter(({ to_status }) => isFinal(to_status)).length).toBeLessThanOrEqual(1);
  };

  it('never stores or reads an illegal edge; of those who are too late, each is told', async () => {
    expect(second.url).not.toBe(urls[0]);
    let last = '';
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        // One at a time: an application may not pile up consents that wait for a person.
        if (last !== '') await perform(last, 'delete', 0);
        const id = await create();
        last = id;
        for (const { together, hours } of steps) {
          const body = { advance: `PT${hours}H` };
          if (hours > 0) done(await send(urls[0], { method: 'PUT', path: '/sandbox/clock', body }));
          const before = await historyOf(id);
          const answers = await Promise.all(together.map(({ act, node }) => perform(id, act, node)));
          const after = await historyOf(id);
          checkHistory(after);
          const decided = after.slice(before.length).filter(({ changed_by }) => changed_by === 'psu').length;
          const winners = answers.filter(
            ({ status }, index) => status === 200 && !['read', 'delete'].includes(together[index]?.act ?? ''),
          ).length;
          expect(winners).toBe(decided);
          for (const [index, { status, json }] of answers.entries()) {
            const act = together[index]?.act;
            if (act === 'read') expect(status).toBe(200);
            else if (act === 'delete') expect([204, 409]).toContain(status);
            else expect([200, 409]).toContain(status);
            if (act === 'read')
              expect([...after.map(({ to_status }) => to_status), 'Rejected', 'Expired']).toContain(
                (json as { status: string }).status,
              );
          }
        }
        const stored = await withStore(first, (db) =>
          db.one<{ status: string }>('select status from consents where id = ?', [id]),
        );
        expect(stored?.status).toBe((await historyOf(id)).at(-1)?.to_status);
      }),
      {
        numRuns: Number(process.env.TEST_LIFECYCLE ?? 25),
        ...(process.env.TEST_LIFECYCLE_SEED ? { seed: Number(process.env.TEST_LIFECYCLE_SEED) } : {}),
      },
    );
  });

  it('gives two nodes that create the same consent at once one consent and the same bytes', async () => {
    for (let round = 0; round < 10; round += 1) {
      const shared = { ...(await headers()), 'X-Request-ID': randomUUID() };
      const body = { permissions: ['AccountsBasic'] };
      const answers = await Promise.all(
        [0, 1, 0, 1].map((node) =>
          send(urls[node as 0 | 1], { method: 'POST', path: '/ais/psd2/v1/consents', body, headers: shared }),
        ),
      );
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(answers.every(({ status }) => status === 201)).toBe(true);
    }
  });
});

const startSandboxOn = (env: Readonly<Record<string, string>>): Promise<RunningService> =>
  startSandbox({ cwd: tempFolder(), env });
