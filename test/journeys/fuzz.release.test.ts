/**
 * Requests without number, made by chance: with several rules broken at once, and with their bytes mutated. What breaks a single rule
 * is in fuzz-oracle.test.ts.
 * `npm run prove -- fuzz` sends very many; its COUNT says how many for each operation, its SEED repeats a run.
 */
import { describe, expect, it } from 'vitest';
import { statuses } from '../api/statuses.js';
import { bothEngines } from '../support/engines.js';
import { leaksIn } from '../support/leaks.js';
import { freshToken, goodRequest, type OperationId, operationIds } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { useService } from '../support/use-service.js';
import { checkAnswer, inParallel } from './fuzz/campaign.js';
import { rulesOf } from './fuzz/common-rules.js';
import { Random } from './fuzz/random.js';
import { goodDraft } from './fuzz/requests.js';
import { toBytes } from './fuzz/target.js';
import { targetOf } from './fuzz/targets.js';
import { type Ground, prepare, refresh, type World } from './fuzz/world.js';

const COUNT = Number(process.env.TEST_FUZZ ?? 200);
const SEED = Number(process.env.TEST_SEED ?? 1);
const BATCH = 5000;
/** Most run on the embedded store; the rest shows what only PostgreSQL would choke on. */
const share = { sqlite: 0.75, postgres: 0.25 } as const;

console.log(`fuzz: ${COUNT} requests for each operation, seed ${SEED}`);

const seedOf = (engine: string, id: OperationId, batch: number, index: number): number =>
  Math.imul(SEED + operationIds.indexOf(id) + engine.length * 31 + batch * 7919, 0x9e3779b1) + index * 0x85eb;

/** Of several broken rules the earliest check answers; which one that is, the test of the order says. */
const brokenRequests = (
  service: Service,
  world: World,
  id: OperationId,
  count: number,
  seed: (at: number) => number,
) =>
  inParallel(16, count, service.url, async (wire, index) => {
    const random = new Random(seed(index));
    const target = targetOf(id);
    const draft = goodDraft(world, random, target);
    const ours = rulesOf(target).filter(({ status }) => status < 500);
    const broken = random.some(ours, 2 + random.int(4));
    for (const { apply } of broken) apply(draft, random, world);
    const answer = await wire.exchange(toBytes(draft), draft.method === 'HEAD');
    const what = broken.map(({ name }) => name).join(' + ');
    if (!answer) return `${what}: no answer`;
    const isRefused = answer.status >= 400 && answer.status < 500;
    if (!isRefused || statuses[id][answer.status] !== 'tested')
      return `${what}: ${answer.status}\n${toBytes(draft).subarray(0, 3000)}\n${answer.body}`;
    const method = draft.method === 'HEAD' ? 'HEAD' : goodRequest(service, id).method;
    checkAnswer(answer, method, goodRequest(service, id).path);
    return undefined;
  });

const pieces = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  ':',
  '/',
  '%',
  '\r\n\r\n',
  'HTTP/1.1',
  '\xff',
  '{',
  '"',
  ';',
  ',',
];

/** One to ten small accidents. */
const mutated = (bytes: Buffer, random: Random): Buffer => {
  let made = bytes;
  for (let left = 1 + random.int(10); left > 0; left -= 1) {
    const at = random.int(made.length + 1);
    const to = Math.min(made.length, at + random.int(20));
    const piece = random.pick([Buffer.from(random.pick(pieces), 'latin1'), random.bytes(1 + random.int(4))]);
    const kept = random.pick([
      made.subarray(at),
      made.subarray(to),
      Buffer.concat([made.subarray(at, to), made.subarray(at)]),
    ]);
    made = Buffer.concat([made.subarray(0, at), ...(random.chance(0.6) ? [piece] : []), kept]);
    if (random.chance(0.02)) made = made.subarray(0, at);
  }
  return made;
};

const mutatedRequests = (
  service: Service,
  world: World,
  id: OperationId,
  count: number,
  seed: (at: number) => number,
) =>
  inParallel(128, count, service.url, async (wire, index) => {
    const random = new Random(~seed(index));
    const draft = goodDraft(world, random, targetOf(id));
    if (draft.method === 'HEAD') draft.method = 'GET';
    const bytes = mutated(toBytes(draft), random);
    // A connection of its own: what is left over belongs to nobody.
    const answer = await wire.exchange(bytes, false);
    wire.close();
    if (answer && (answer.status >= 500 || answer.status < 200))
      return `${answer.status}\n${bytes.toString('latin1')}`;
    // Off the paths of the interface, who prefers HTML gets a page.
    const isPage = answer?.headers['content-type']?.startsWith('text/html');
    if (answer && answer.status >= 400 && answer.body.length > 0 && !isPage) checkAnswer(answer, 'GET', '/');
    return undefined;
  });

/** Incomplete requests are given up soon, because many of the mutated ones are. */
const impatient = {
  TRAPEZA_HEADERS_TIMEOUT_MS: '300',
  TRAPEZA_REQUEST_TIMEOUT_MS: '300',
  TRAPEZA_KEEP_ALIVE_MS: '300',
};

/** Signatures of whole requests are made up: only what holds in every policy counts. */
const unverified = { TRAPEZA_SIGNATURE_POLICY: 'off' };

const expectCalm = async (service: Service): Promise<void> => {
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(leaksIn(service.logs.splice(0).join(''))).toEqual([]);
  for (const each of operationIds) {
    const headers = { Authorization: `Bearer ${await freshToken(service)}` };
    expect((await service.call({ ...goodRequest(service, each), headers })).status).toBe(200);
  }
};

const engines = bothEngines(
  'types: PostgreSQL refuses NUL characters and numbers beyond bigint, which SQLite stores',
);

describe.each(engines)('by chance, on %s', (engine) => {
  const service = useService({ engine, env: unverified });
  const hasty = useService({ engine, env: impatient });
  const total = Math.ceil(COUNT * share[engine]);
  let grounds: readonly [Ground, Ground] | undefined;
  let worlds: readonly [World, World] | undefined;

  it.each(operationIds)('%s keeps its rules and never fails', { timeout: 3_600_000 }, async (id) => {
    grounds ??= [await prepare(service(), 1), await prepare(hasty(), 1)];
    for (let done = 0; done < total; done += BATCH) {
      const count = Math.min(BATCH, total - done);
      const seed = (index: number): number => seedOf(engine, id, done, index);
      const whole = Math.ceil(count * 0.6);
      // Tokens are over after ten minutes.
      if (!worlds || done > 0)
        worlds = [await refresh(service(), grounds[0]), await refresh(hasty(), grounds[1])];
      // At once: while incomplete requests run out of time on one node, the other one works.
      const faults = await Promise.all([
        brokenRequests(service(), worlds[0], id, whole, seed),
        mutatedRequests(hasty(), worlds[1], id, count - whole, seed),
      ]);
      expect(faults.flat()).toEqual([]);
      await expectCalm(service());
      await expectCalm(hasty());
    }
  });
});
