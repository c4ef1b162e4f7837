/** Many nodes on one quota: over HTTP, and as a model in which nodes stall, die and disagree about the time. Never one call too many. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Quota } from '../../src/gate/limits/quotas.js';
import { SharedQuotas } from '../../src/gate/limits/shared-quotas.js';
import { type Clock, DAY, MINUTE, SECOND } from '../../src/lib/clock.js';
import { Problem } from '../../src/problem/problem.js';
import { beat } from '../../src/store/continuity/pulse.js';
import { type Db, StoreUnavailable } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { Random } from '../journeys/fuzz/random.js';
import { slugOf } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { hasPostgres } from '../support/engines.js';
import { ATMS } from '../support/operations.js';
import { notice, subscribe } from '../support/registry.js';
import { type Service, startService } from '../support/service.js';

describe.runIf(hasPostgres)('three nodes', () => {
  const nodes: Service[] = [];
  beforeAll(async () => {
    const first = await startService({ engine: 'postgres' });
    nodes.push(first);
    for (const _ of [2, 3]) nodes.push(await startService({ databaseUrl: first.databaseUrl }));
  });
  afterAll(async () => {
    for (const node of nodes.toReversed()) await node.close();
  });

  it('answer exactly 600 of 1,800 calls', async () => {
    const [first, ...others] = nodes;
    if (!first) throw new Error('the nodes have not started');
    const { key } = await subscribe(first, { quotaPerMinute: 600 });
    for (const node of others) notice(node);
    for (const node of nodes) await node.token();
    const verdicts = new Map<string, number>();
    const caller = async (node: Service): Promise<void> => {
      for (let call = 0; call < 300; call += 1) {
        const answer = await node.call({ path: ATMS, headers: { 'Ocp-Apim-Subscription-Key': key } });
        const verdict = answer.status === 200 ? '200' : `${answer.status} ${slugOf(answer)}`;
        verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
      }
    };
    await Promise.all(nodes.flatMap((node) => [caller(node), caller(node)]));
    expect(Object.fromEntries(verdicts)).toEqual({ '200': 600, '429 quota-exceeded': 1200 });
  });
});

const SEED = 20_261_119;
const NODES = 8;
const CALLERS = 3;
const KILLS = 200;
/** Nodes die one after the other, and answers are lost; then there is peace, in which not one call is wasted, and none may be too many. */
const STORM = 10;
const STORM_TURNS = 8;
const PEACE_TURNS = 160;

const quotas: readonly Quota[] = [
  { subject: 'minute', perMinute: 60, perDay: 1_000_000, name: 'minute' },
  { subject: 'day', perMinute: 100, perDay: 1200, name: 'minute' },
  { subject: 'large', perMinute: 250, perDay: 1_000_000, name: 'minute' },
  { subject: 'small', perMinute: 5, perDay: 1_000_000, name: 'minute' },
];

/** The store gives a statement up before a window could pass while it waits. */
const LONGEST_STATEMENT_MS = 20 * SECOND;

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Time passes for all at once, and differently on their wall clocks. */
class World {
  readonly random = new Random(SEED);
  readonly admitted = new Map<string, number[]>(quotas.map(({ subject }) => [subject, []]));
  /** Ends of the windows that PostgreSQL has answered with. */
  readonly minutes = new Map<string, Set<number>>(quotas.map(({ subject }) => [subject, new Set()]));
  readonly days = new Map<string, Set<number>>(quotas.map(({ subject }) => [subject, new Set()]));
  lost = 0;
  isPeace = true;
  /** Calls rush in or are rare, so that windows end with nothing left and with much. */
  isRush = true;
  #passed = 0;
  /** When the statements were sent that are under way. */
  readonly #sent = new Set<{ readonly at: number }>();

  now(): number {
    return Date.now() + this.#passed;
  }

  /** For so many turns of the event loop. */
  async last(turns: number): Promise<void> {
    for (let done = 0; done < turns; done += 1) {
      await turn();
      const oldest = Math.min(this.#passed, ...[...this.#sent].map(({ at }) => at));
      if (this.#passed - oldest < LONGEST_STATEMENT_MS)
        this.#passed += this.random.int(this.is(1) ? 20 * SECOND : SECOND / 2);
      if (this.is(3)) this.isRush = !this.isRush;
    }
  }

  clockOf(skewMs: number): Clock {
    const since = this.random.int(1_000_000);
    return {
      now: () => this.now() + skewMs,
      elapsed: () => performance.now() + this.#passed + since,
      moved: () => this.#passed,
    };
  }

  async send<T>(work: () => Promise<T>): Promise<T> {
    const sent = { at: this.#passed };
    this.#sent.add(sent);
    try {
      return await work();
    } finally {
      this.#sent.delete(sent);
    }
  }

  async stall(): Promise<void> {
    for (let turns = this.random.int(12); turns > 0; turns -= 1) await turn();
  }

  is(percent: number): boolean {
    return this.random.int(100) < percent;
  }
}

/** A store behind which statements are late, fail, or are carried out without an answer. */
const unreliable = (store: Db, world: World, isAlive: () => boolean): Db => {
  const faulty = <T>(work: () => Promise<T>): Promise<T> => world.send(() => attempt(work));
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    if (world.is(10)) await world.stall();
    if (!isAlive() || (!world.isPeace && world.is(5))) throw new StoreUnavailable(new Error('away'));
    const answer = await work();
    if (world.is(10)) await world.stall();
    if (!isAlive() || world.isPeace || !world.is(10)) return answer;
    world.lost += 1;
    throw new StoreUnavailable(new Error('lost'), true);
  };
  return {
    ...store,
    one: <T>(sql: string, params: readonly (string | number | null)[] = []) =>
      faulty(async () => {
        const row = await store.one<T>(sql, params);
        const { minuteEndsAt, dayEndsAt } = (row ?? {}) as { minuteEndsAt?: number; dayEndsAt?: number };
        if (minuteEndsAt !== undefined) world.minutes.get(String(params[0]))?.add(minuteEndsAt);
        if (dayEndsAt !== undefined) world.days.get(String(params[0]))?.add(dayEndsAt);
        return row;
      }),
    writeBatch: (writes) => faulty(() => store.writeBatch(writes)),
  };
};

class ModelNode {
  readonly #world: World;
  readonly #quotas: SharedQuotas;
  #isAlive = true;
  readonly #callers: Promise<void>;

  constructor(store: Db, world: World) {
    this.#world = world;
    const skewMs = world.random.int(10 * SECOND) - 5 * SECOND;
    const own = unreliable(store, world, () => this.#isAlive);
    this.#quotas = new SharedQuotas(own, world.clockOf(skewMs));
    this.#callers = Promise.all(Array.from({ length: CALLERS }, () => this.#call())).then(() => undefined);
  }

  /** What it holds is gone, and so is everything that is under way. */
  async kill(): Promise<void> {
    this.#isAlive = false;
    await this.#callers;
    await this.#quotas.close();
  }

  async #call(): Promise<void> {
    const { random, admitted } = this.#world;
    while (this.#isAlive) {
      await turn();
      if (this.#world.is(3)) await this.#quotas.giveBackIdle();
      if (!this.#world.isRush && !this.#world.is(10)) continue;
      const quota = random.pick(quotas);
      await this.#admits(quota).then((isAdmitted) => {
        if (isAdmitted) admitted.get(quota.subject)?.push(this.#world.now());
      });
    }
  }

  /** A node that was killed meanwhile answers nobody. */
  async #admits(quota: Quota): Promise<boolean> {
    try {
      await this.#quotas.spend(quota);
      return this.#isAlive;
    } catch (error) {
      if (error instanceof Problem || error instanceof StoreUnavailable) return false;
      throw error;
    }
  }
}

const countIn = (times: readonly number[], endsAt: number, ms: number): number =>
  times.filter((at) => at >= endsAt - ms && at < endsAt).length;

describe.runIf(hasPostgres)('eight nodes that stall, die and disagree about the time', () => {
  let database: TestDatabase;
  let store: Db;
  beforeAll(async () => {
    database = await createDatabase('postgres');
    store = await openDb(database.url, 12);
    await migrate(store, Date.now());
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  it('never admit one call too many', async () => {
    const world = new World();
    for (let node = 0; node < NODES; node += 1) await beat(store, `node ${node}`, DAY + world.now());
    const nodes = Array.from({ length: NODES }, () => new ModelNode(store, world));
    const replaceOne = async (): Promise<void> => {
      await world.last(STORM_TURNS);
      const index = world.random.int(NODES);
      await nodes[index]?.kill();
      nodes[index] = new ModelNode(store, world);
    };
    for (let kill = 0; kill < KILLS; kill += STORM) {
      world.isPeace = false;
      for (let killed = 0; killed < STORM; killed += 1) await replaceOne();
      world.isPeace = true;
      await world.last(PEACE_TURNS);
    }
    for (const node of nodes) await node.kill();
    expect(world.lost).toBeGreaterThan(50);
    for (const { subject, perMinute, perDay } of quotas) {
      const times = world.admitted.get(subject) ?? [];
      const minutes = [...(world.minutes.get(subject) ?? [])].map((end) => countIn(times, end, MINUTE));
      const days = [...(world.days.get(subject) ?? [])].map((end) => countIn(times, end, DAY));
      expect(minutes.length, subject).toBeGreaterThan(5);
      expect(Math.max(...minutes), subject).toBeLessThanOrEqual(perMinute);
      expect(Math.max(...days), subject).toBeLessThanOrEqual(perDay);
      // Else it would prove nothing.
      expect(Math.max(...minutes), subject).toBeGreaterThan(0.7 * perMinute);
    }
  });
});
