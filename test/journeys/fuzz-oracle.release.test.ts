/**
 * An oracle of the interface: of every operation, page and OAuth endpoint it knows the rules, breaks one of them and predicts the
 * answer. It shares no code with the service. `npm run prove -- fuzz` sends very many: its COUNT says how many requests
 * each specified operation gets (the others a twentieth), its SEED repeats a run.
 */
import { describe, expect, it } from 'vitest';
import { rawProblem, sendRaw } from '../support/client.js';
import { leaksIn } from '../support/leaks.js';
import { openApi } from '../support/openapi.js';
import { resetSandbox } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { Coverage, runBatch } from './fuzz/campaign.js';
import { rulesOf } from './fuzz/common-rules.js';
import { Random } from './fuzz/random.js';
import { goodDraft } from './fuzz/requests.js';
import { setHeader, type Target, toBytes } from './fuzz/target.js';
import { specified, targets } from './fuzz/targets.js';
import { Wire } from './fuzz/wire.js';
import { type Ground, prepare, refresh, type World } from './fuzz/world.js';

const FULL = Number(process.env.TEST_FUZZ ?? 0);
const SEED = Number(process.env.TEST_SEED ?? 1);
const BATCH = 5000;
/** Beside each rule once; more if a good request can be answered in several ways. */
const sampleFor = ({ success }: Target): number => (success.length > 1 ? 60 : 10);
const ONCE = FULL > 0 ? 200 : 4;

console.log(`oracle: ${FULL || 'few'} requests for each specified operation, seed ${SEED}`);

const countFor = (target: Target): number => {
  const least = rulesOf(target).length + 1;
  return Math.max(
    least,
    FULL === 0 ? least + sampleFor(target) : specified.includes(target.id) ? FULL : FULL / 20,
  );
};

/** Signatures are made up: only what holds in every policy counts. */
const service = useService({ env: { TRAPEZA_SIGNATURE_POLICY: 'off' } });
const hasty = useService({
  env: {
    TRAPEZA_SIGNATURE_POLICY: 'off',
    TRAPEZA_DEADLINE_MS: '1500',
    TRAPEZA_REQUEST_TIMEOUT_MS: '600',
    TRAPEZA_HEADERS_TIMEOUT_MS: '600',
  },
});
const coverage = new Coverage();
let ground: Ground | undefined;
let world: World | undefined;
let sent = 0;

/** Tokens and logins of so many requests ago may be over. */
const freshWorld = async (): Promise<World> => {
  ground ??= await prepare(service(), ONCE);
  if (!world || sent >= BATCH) {
    world = await refresh(service(), ground);
    sent = 0;
  }
  return world;
};

describe('the oracle', () => {
  it.each(targets)('predicts every answer of $id', { timeout: 3_600_000 }, async (target) => {
    const total = countFor(target);
    const seedOf = (index: number): number =>
      Math.imul(SEED + targets.indexOf(target) * 7919, 0x9e3779b1) + index * 0x85eb;
    for (let from = 0; from < total; from += BATCH) {
      const fresh = await freshWorld();
      const count = Math.min(BATCH, total - from);
      expect(await runBatch(service(), fresh, coverage, { target, from, count, seedOf })).toEqual([]);
      sent += count;
      expect(leaksIn(service().logs.splice(0).join(''))).toEqual([]);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

/** A good request that meets a core which never answers. */
const askLate = async (target: Target, late: World): Promise<number> => {
  const draft = goodDraft(late, new Random(SEED), target);
  setHeader(draft, 'Sandbox-Scenario', 'core-timeout');
  const wire = new Wire(hasty().url);
  const answer = await wire.exchange(toBytes(draft), draft.method === 'HEAD');
  wire.close();
  return answer?.status ?? 0;
};

const iro = { username: 'iro', password: 'only-for-tests', name: 'Ηρώ' };

/** A request that never becomes whole. */
const askHalf = async (target: Target, late: World) => {
  const draft = goodDraft(late, new Random(SEED), target);
  const head = `${draft.method} ${draft.path} HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\n{`;
  return rawProblem(await sendRaw(hasty().url, head)).status;
};

interface Document {
  readonly paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
}

/** A registration needs a certificate that nobody else has: test/api/registration asks it. */
const documented = Object.entries((openApi as Document).paths)
  .filter(([path]) => !path.startsWith('/registration'))
  .flatMap(([, place]) => Object.values(place))
  .map(({ operationId, responses }) => ({ id: operationId, statuses: Object.keys(responses).map(Number) }));

/** Why a documented status cannot be provoked; undefined if it can be. */
const impossible = (
  { id, kind, method, rules = [], success }: Target,
  status: number,
): string | undefined => {
  const conflicts = success.includes(409) || rules.some((rule) => rule.status === 409);
  if (status === 409 && !conflicts && (method === 'GET' || kind === 'control')) return `${id} is in no state`;
  if (kind !== 'control') return undefined;
  if (status === 401 || status === 403) return 'the controls need no credentials';
  if (status === 429) return 'the controls have no quota';
  if (status === 500) return 'a bug, and none is rehearsed for the controls';
  // Decided before the path is looked at: drain.test.ts, store-down.test.ts.
  if (status === 503) return 'load and shutdown do not depend on the path';
  return undefined;
};

/** How many sign-ups of one address are under way at once is a matter of time. */
const isLuck = (id: string, status: number): boolean => id === 'createSandboxDeveloper' && status === 429;

describe('every documented status', () => {
  it('is provoked once the time of a request is over', { timeout: 180_000 }, async () => {
    const late = await refresh(hasty(), await prepare(hasty(), 1));
    const operations = targets.filter(({ kind }) => kind === 'operation');
    const controls = targets.filter(({ kind }) => kind === 'control');
    const statuses = await Promise.all([
      ...operations.map((target) => askLate(target, late)),
      ...controls.map((target) => askHalf(target, late)),
    ]);
    expect([...new Set(statuses)]).toEqual([408]);
    for (const { id } of [...operations, ...controls]) coverage.add(id, 408);
  });

  it('is provoked by what ends all data of the sandbox', async () => {
    const people = { path: '/sandbox/people', body: { people: [{ ...iro, accounts: [] }] } };
    const ends = {
      putSandboxPeople: await service().call({ ...people, method: 'PUT' }),
      deleteSandboxPeople: await service().call({ path: people.path, method: 'DELETE' }),
      resetSandbox: await resetSandbox(service()),
    };
    for (const [id, { status }] of Object.entries(ends)) {
      coverage.add(id, status);
      expect(status, id).toBe(204);
    }
  });

  it('is provoked by some request, or the reason why not is known', () => {
    console.log(`requests by target and status:\n${coverage.lines().join('\n')}`);
    expect(documented.map(({ id }) => id).toSorted()).toEqual(
      targets
        .filter(({ kind }) => kind === 'operation' || kind === 'control')
        .map(({ id }) => id)
        .toSorted(),
    );
    const wrong = documented.flatMap(({ id, statuses }) => {
      const target = targets.find((each) => each.id === id);
      return statuses
        .filter((status) => !isLuck(id, status))
        .filter((status) => coverage.has(id, status) === (target && impossible(target, status) !== undefined))
        .map((status) => `${id} ${status}`);
    });
    expect(wrong).toEqual([]);
  });
});
