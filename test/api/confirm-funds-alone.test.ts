/** Operation 1 on PostgreSQL: a question that comes alone waits for the store and the bank, and for nothing else. */
import { describe, expect, it } from 'vitest';
import { hasPostgres } from '../support/engines.js';
import { FUNDS, fundsBody } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { useService } from '../support/use-service.js';

const QUESTIONS = 20;
/** How long calls wait for company at most, when there is some. */
const GATHERING_MS = 4;

/** The consent beside the bank's clock, the balance, the record. */
const STATEMENTS = 4;
/** Jobs make statements, too, but not all the time. */
const ROUNDS = 5;

const statements = async ({ app }: Service): Promise<number> =>
  Number(/^trapeza_store_statement_seconds_count(?:\{.*\})? (\d+)$/m.exec(await app.metrics())?.[1]);

/** The times for which anything waits meanwhile. */
const waitsOf = async (work: () => Promise<void>): Promise<number[]> => {
  const original = globalThis.setTimeout;
  const waits: number[] = [];
  const noted = (begin: () => void, ms?: number): NodeJS.Timeout => {
    waits.push(ms ?? 0);
    return original(begin, ms);
  };
  globalThis.setTimeout = Object.assign(noted, original);
  await work().finally(() => {
    globalThis.setTimeout = original;
  });
  return waits;
};

describe.runIf(hasPostgres)('questions one after the other on PostgreSQL', () => {
  const service = useService({ engine: 'postgres' });
  const ask = async (): Promise<void> => {
    const { status } = await service().call({ method: 'POST', path: FUNDS, body: fundsBody() });
    expect(status).toBe(200);
  };

  it('wait for no company', async () => {
    await ask();
    const waits = await waitsOf(async () => {
      for (let asked = 0; asked < QUESTIONS; asked += 1) await ask();
    });
    // The limits of their own statements, by which it is known that waits are seen.
    expect(waits.length).toBeGreaterThan(QUESTIONS);
    expect(waits.filter((ms) => ms > 0 && ms <= GATHERING_MS)).toEqual([]);
  });

  it('make no statement that they do not need', async () => {
    await ask();
    const made = async (questions: number): Promise<number> => {
      const before = await statements(service());
      for (let asked = 0; asked < questions; asked += 1) await ask();
      return (await statements(service())) - before;
    };
    const rounds: number[] = [];
    // Reading the metrics makes statements as well.
    for (let round = 0; round < ROUNDS; round += 1) rounds.push((await made(QUESTIONS)) - (await made(0)));
    expect(Math.min(...rounds)).toBeGreaterThan(0);
    // One more a question would be a whole one.
    expect(Math.min(...rounds)).toBeLessThan((STATEMENTS + 0.5) * QUESTIONS);
  });
});
