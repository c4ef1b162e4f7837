/**
 * Requests without number, made by chance: good ones, with one rule broken, with many broken, and with their bytes mutated.
 * TEST_FUZZ sets how many for each operation, TEST_FUZZ_SEED repeats a run.
 */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { demoPsus } from '../../packages/sandbox/src/bank/people.js';
import { statuses } from '../api/statuses.js';
import { checkContract } from '../support/contract.js';
import { leaksIn } from '../support/leaks.js';
import {
  areaOf,
  BUDGET,
  freshToken,
  goodRequest,
  type OperationId,
  operationIds,
} from '../support/operations.js';
import { engines, type Service } from '../support/service.js';
import { useService } from '../support/use-service.js';
import { Random } from './fuzz/random.js';
import { type Draft, goodDraft, toBytes, type World } from './fuzz/requests.js';
import { breaksOf } from './fuzz/rules.js';
import { type Heard, Wire } from './fuzz/wire.js';

const COUNT = Number(process.env.TEST_FUZZ ?? 4_000);
const SEED = Number(process.env.TEST_FUZZ_SEED ?? Date.now() % 2 ** 31);
const BATCH = 5000;
/** Most run on the embedded store; the rest shows what only PostgreSQL would choke on. */
const share = { sqlite: 0.75, postgres: 0.25 } as const;

console.log(`fuzz: ${COUNT} requests for each operation, TEST_FUZZ_SEED=${SEED}`);

const readWorld = async (service: Service): Promise<World> => {
  const ids = (type: string, application?: string): string[] =>
    service.credentials.consents
      .filter((each) => each.type === type && (application === undefined) === (each.application !== BUDGET))
      .map(({ id }) => id);
  const tokens: Record<string, string> = {};
  for (const { username } of demoPsus) tokens[username] = await freshToken(service, { psu: username });
  const unscoped = async (id: OperationId): Promise<string> =>
    freshToken(service, { scope: areaOf[id] === 'piis' ? 'ais pis' : areaOf[id] === 'ais' ? 'pis' : 'ais' });
  const atms = await service.call({
    ...goodRequest(service, 'getAtms'),
    headers: { Authorization: `Bearer ${tokens.eleni}` },
  });
  return {
    keys: [service.keyOf()],
    tokens,
    unscoped: {
      confirmFunds: await unscoped('confirmFunds'),
      getAtms: '',
      getConsentStatus: await unscoped('getConsentStatus'),
      getPaymentConsent: await unscoped('getPaymentConsent'),
      getEvents: '',
    },
    foreignToken: await freshToken(service, { application: BUDGET }),
    accessIds: ids('AccountAccess'),
    paymentIds: ids('PaymentInitiation'),
    foreignIds: [
      ...ids('AccountAccess', BUDGET),
      ...ids('PaymentInitiation', BUDGET),
      ...ids('ConfirmationOfFunds'),
    ],
    etag: atms.headers.etag ?? '',
    lastModified: atms.headers['last-modified'] ?? '',
  };
};

/** Large bodies are read whole once; afterwards equal bytes are enough. */
const known = new Map<string, Buffer>();

const textOf = ({ headers, body }: Heard): string => {
  if (body.length === 0) return '';
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body).toString();
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
};

const check = (heard: Heard, method: string, path: string): void => {
  const { status, headers, body } = heard;
  const key = `${headers.etag}${headers['content-encoding']}${body.length}`;
  if (status === 200 && body.length > 0 && known.get(key)?.equals(body)) return;
  const text = textOf(heard);
  checkContract({ method, path, status, headers, text, json: text === '' ? undefined : JSON.parse(text) });
  if (headers.etag) known.set(key, Buffer.from(body));
};

interface Case {
  readonly draft: Draft;
  readonly what: string;
  readonly isExpected: (status: number) => boolean;
}

const oneOf =
  (...statuses: readonly number[]) =>
  (status: number): boolean =>
    statuses.includes(status);

const caseOf = (world: World, id: OperationId, random: Random): Case => {
  const draft = goodDraft(world, random, id);
  const kind = random.next();
  if (kind < 0.5) return { draft, what: 'good', isExpected: oneOf(200, ...(id === 'getAtms' ? [304] : [])) };
  const count = kind < 0.8 ? 1 : 2 + random.int(4);
  const broken = random.some(breaksOf(id), count);
  for (const { apply } of broken) apply(draft, random, world);
  const what = broken.map(({ name }) => name).join(' + ');
  const [first] = broken;
  // Of several the earliest check answers; which one that is, the test of the order says.
  return {
    draft,
    what,
    isExpected: count === 1 ? oneOf(first?.status ?? 0) : (status) => status >= 400 && status < 500,
  };
};

/** Runs the work for every index, so many at a time; returns what went wrong. */
const inParallel = async (
  width: number,
  count: number,
  work: (wire: Wire, index: number) => Promise<string | undefined>,
  url: string,
): Promise<string[]> => {
  const faults: string[] = [];
  let next = 0;
  const walk = async (): Promise<void> => {
    const wire = new Wire(url);
    while (next < count && faults.length < 5) {
      const index = next++;
      const fault = await work(wire, index).catch((error: unknown) => String(error));
      if (fault) faults.push(`request ${index}: ${fault}`);
    }
    wire.close();
  };
  await Promise.all(Array.from({ length: width }, walk));
  return faults;
};

const seedOf = (engine: string, id: OperationId, batch: number, index: number): number =>
  Math.imul(SEED + operationIds.indexOf(id) + engine.length * 31 + batch * 7919, 0x9e3779b1) + index * 0x85eb;

const wholeRequests = (
  service: Service,
  world: World,
  id: OperationId,
  count: number,
  seed: (at: number) => number,
) =>
  inParallel(
    16,
    count,
    async (wire, index) => {
      const { draft, what, isExpected } = caseOf(world, id, new Random(seed(index)));
      const heard = await wire.exchange(toBytes(draft), draft.method === 'HEAD');
      if (!heard) return `${what}: no answer`;
      if (!isExpected(heard.status) || statuses[id][heard.status] !== 'tested')
        return `${what}: ${heard.status}\n${toBytes(draft).subarray(0, 3000)}\n${heard.body}`;
      const method = draft.method === 'HEAD' ? 'HEAD' : goodRequest(service, id).method;
      check(heard, method, goodRequest(service, id).path);
      return undefined;
    },
    service.url,
  );

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
  inParallel(
    128,
    count,
    async (wire, index) => {
      const random = new Random(~seed(index));
      const draft = goodDraft(world, random, id);
      if (draft.method === 'HEAD') draft.method = 'GET';
      const bytes = mutated(toBytes(draft), random);
      // A connection of its own: what is left over belongs to nobody.
      const heard = await wire.exchange(bytes, false);
      wire.close();
      if (heard && (heard.status >= 500 || heard.status < 200))
        return `${heard.status}\n${bytes.toString('latin1')}`;
      // Off the paths of the interface, who prefers HTML gets a page.
      const isPage = heard?.headers['content-type']?.startsWith('text/html');
      if (heard && heard.status >= 400 && heard.body.length > 0 && !isPage) check(heard, 'GET', '/');
      return undefined;
    },
    service.url,
  );

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

describe.each(engines)('by chance, on %s', (engine) => {
  const service = useService({ engine, env: unverified });
  const hasty = useService({ engine, env: impatient });
  const total = Math.ceil(COUNT * share[engine]);

  it.each(operationIds)('%s keeps its rules and never fails', { timeout: 3_600_000 }, async (id) => {
    for (let done = 0; done < total; done += BATCH) {
      const count = Math.min(BATCH, total - done);
      const seed = (index: number): number => seedOf(engine, id, done, index);
      const whole = Math.ceil(count * 0.85);
      const [world, other] = [await readWorld(service()), await readWorld(hasty())];
      // At once: while incomplete requests run out of time on one node, the other one works.
      const faults = await Promise.all([
        wholeRequests(service(), world, id, whole, seed),
        mutatedRequests(hasty(), other, id, count - whole, seed),
      ]);
      expect(faults.flat()).toEqual([]);
      await expectCalm(service());
      await expectCalm(hasty());
    }
  });
});
