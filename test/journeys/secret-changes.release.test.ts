/**
 * TRAPEZA_SECRET is changed three times, in three steps each, node by node on two nodes behind a balancer that gives each request to the
 * next one. Meanwhile people log in, approve and read without pause: in every half-done state no journey fails.
 */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { freePort } from '../../bench/free-port.js';
import { runCommand } from '../cli/program.js';
import type { Place } from '../oauth/provider-journey.js';
import { addFundsConsent } from '../support/consents.js';
import { createDatabase } from '../support/database.js';
import { hasPostgres } from '../support/engines.js';
import { account } from '../support/operations.js';
import { type Service, startService, testSecret } from '../support/service.js';
import { until } from '../support/until.js';
import { startFront } from '../upgrade/front.js';
import { askByCard, CARD, enrol, logInToConsole, proveKey, readAccounts } from './secret-journey.js';

const JOURNEYS = Number(process.env.TEST_SECRET_JOURNEYS ?? 18);
const CHANGES = 3;
const STATES = CHANGES * 6;

interface Node {
  readonly service: Service;
  readonly url: string;
}

/** Two nodes under one address, and their consoles under another. */
class Pair {
  readonly nodes: Node[] = [];
  readonly consoles: { readonly url: string }[] = [];
  readonly databaseUrl: string;
  url = '';
  consoleUrl = '';
  #fronts: readonly { close(): Promise<void> }[] = [];

  constructor(databaseUrl: string) {
    this.databaseUrl = databaseUrl;
  }

  async open(): Promise<void> {
    const [front, consoles] = [await startFront(this.nodes), await startFront(this.consoles)];
    this.#fronts = [front, consoles];
    [this.url, this.consoleUrl] = [front.url, consoles.url];
  }

  async join(secrets: string, at = this.nodes.length): Promise<void> {
    const port = String(await freePort());
    const env = {
      BASE_URL: this.url,
      TRAPEZA_OPERATOR_URL: this.consoleUrl,
      TRAPEZA_OPERATOR_PORT: port,
      TRAPEZA_SECRET: secrets,
    };
    const service = await startService({ databaseUrl: this.databaseUrl, env });
    this.nodes.splice(at, 0, { service, url: service.app.listenUrl });
    this.consoles.splice(at, 0, { url: `http://127.0.0.1:${port}` });
  }

  /** The new node serves before the old one ends. */
  async replace(at: number, secrets: string): Promise<void> {
    await this.join(secrets, at);
    const [old] = this.nodes.splice(at + 1, 1);
    this.consoles.splice(at + 1, 1);
    await old?.service.close();
  }

  get first(): Service {
    const [node] = this.nodes;
    if (!node) throw new Error('no node serves');
    return node.service;
  }

  async close(): Promise<void> {
    for (const { service } of this.nodes.splice(0)) await service.close();
    for (const front of this.#fronts) await front.close();
  }
}

/** Journeys without pause, until the work is done; the work waits for some of them in each state. */
class Walkers {
  total = 0;
  readonly failures: string[] = [];
  readonly ids = new Map<string, Set<string>>();
  state = 'before';
  #running = 0;
  #isHeld = false;
  #isOver = false;

  async walk(journey: () => Promise<string>, name: string): Promise<void> {
    const ids = new Set<string>();
    this.ids.set(name, ids);
    while (!this.#isOver) {
      await until(() => !this.#isHeld || this.#isOver);
      if (this.#isOver) return;
      this.#running += 1;
      const { state } = this;
      try {
        ids.add(await journey());
      } catch (error) {
        this.failures.push(`${state}: ${error instanceof Error ? error.message : String(error)}`);
      }
      this.#running -= 1;
      this.total += 1;
    }
  }

  /** While nobody is under way. */
  async hold(work: () => Promise<void>): Promise<void> {
    this.#isHeld = true;
    await until(() => this.#running === 0);
    await work();
    this.#isHeld = false;
  }

  async more(count: number): Promise<void> {
    const wanted = this.total + count;
    await until(() => this.total >= wanted);
  }

  end(): void {
    this.#isOver = true;
  }
}

interface Status {
  readonly sealed: readonly { readonly kind: string; readonly state: string; readonly lastsMs?: number }[];
  readonly unopened: number;
  readonly verdict: string;
}

it.runIf(hasPostgres)('while the secret is changed three times on two nodes, no journey fails', async () => {
  const database = await createDatabase('postgres');
  const pair = new Pair(database.url);
  await pair.open();
  await pair.join(testSecret);
  await pair.join(testSecret);
  const place: Place = { url: pair.url, credentials: pair.first.credentials };
  const operators = [await enrol(pair, 'maria'), await enrol(pair, 'nikos')];
  const card = { psu: 'anna', status: 'Valid', accounts: [account('anna', 902)], cardNumber: CARD } as const;
  await addFundsConsent(pair.first, card);
  const walkers = new Walkers();
  const walks = ['eleni', 'vasilis'].map((psu, index) =>
    walkers.walk(async () => {
      const ids = await readAccounts(place, psu);
      await askByCard(place);
      await proveKey(place);
      const operator = operators[index];
      if (operator) await logInToConsole(pair, operator);
      return ids;
    }, psu),
  );
  const perState = Math.ceil(JOURNEYS / STATES);
  const command = async (args: readonly string[], secrets: string) => {
    const env = { DATABASE_URL: database.url, TRAPEZA_SECRET: secrets };
    return runCommand(args, { env });
  };
  const statusUnder = async (secrets: string): Promise<Status> =>
    JSON.parse((await command(['secret', 'status', '--json'], secrets)).stdout) as Status;
  let old = testSecret;
  try {
    await walkers.more(perState);
    for (let change = 1; change <= CHANGES; change += 1) {
      const next = randomBytes(32).toString('base64');
      const steps = [`${old},${next}`, `${next},${old}`, next];
      for (const [step, secrets] of steps.entries()) {
        for (const node of [0, 1]) {
          walkers.state = `change ${change}, step ${step + 1}, ${node + 1} of 2 nodes`;
          // What journeys hold ends within an hour, which nobody waits for here.
          if (step === 2) await walkers.hold(() => pair.replace(node, secrets));
          else await pair.replace(node, secrets);
          await walkers.more(perState);
        }
        if (step !== 1) continue;
        const before = await statusUnder(secrets);
        expect(before.sealed.some(({ state }) => state === 'listed')).toBe(true);
        expect((await command(['secret', 'reseal', '--reason', 'proof'], secrets)).code).toBe(0);
        const after = await statusUnder(secrets);
        const rest = after.sealed.filter(({ state, lastsMs }) => state !== 'first' && lastsMs === undefined);
        expect({ rest, unopened: after.unopened }).toEqual({ rest: [], unopened: 0 });
      }
      old = next;
    }
  } finally {
    walkers.end();
    await Promise.all(walks);
  }
  console.log(`${walkers.total} journeys, ${walkers.failures.length} failed`);
  expect(walkers.failures).toEqual([]);
  expect(walkers.total).toBeGreaterThanOrEqual(JOURNEYS);
  for (const [name, ids] of walkers.ids) expect([name, ids.size]).toEqual([name, 1]);
  expect((await statusUnder(old)).unopened).toBe(0);
  const doctor = await command(['doctor', '--sandbox'], old);
  expect(doctor.stdout).toMatch(/^ok +sealed values/m);
  expect((await command(['audit', 'verify'], old)).code).toBe(0);
  await pair.close();
  await database.drop();
});
