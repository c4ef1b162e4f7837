/**
 * A rolling upgrade: nodes of an older version, built from history, and of this one on one PostgreSQL database, under load all the
 * time.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { type RunningService, runCommand, startSandbox, tempFolder } from '../cli/program.js';
import { Campaign } from '../faults/campaign/campaign.js';
import type { Target } from '../faults/campaign/load/journal.js';
import { done, send } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { type Credentials, testSecret } from '../support/service.js';
import { startFront } from './front.js';
import { buildOlder } from './older.js';
import { reading, refreshing } from './people.js';

interface Node extends Target {
  readonly running: RunningService;
}

const nodeOf = (running: RunningService): Node => ({
  running,
  url: running.url,
  wasBroken: () => false,
  wasAdrift: () => false,
});

/** Nodes that share a database and an address. */
class Nodes {
  /** In turn now; callers look at it for each request. */
  readonly inTurn: Node[];
  readonly #env: Readonly<Record<string, string>>;

  constructor(inTurn: Node[], env: Readonly<Record<string, string>>) {
    this.inTurn = inTurn;
    this.#env = env;
  }

  async join(main?: string): Promise<Node> {
    const env = {
      TRAPEZA_SECRET: testSecret,
      TRAPEZA_LOG_LEVEL: 'error',
      TRAPEZA_DATABASE_POOL: '8',
      TRAPEZA_QUOTA_PER_MINUTE: '100000000',
      TRAPEZA_QUOTA_PER_DAY: '100000000',
      TRAPEZA_LOGINS_PER_ADDRESS: '100000000',
      TRAPEZA_AUTHORIZATIONS_PER_ADDRESS: '100000000',
      TRAPEZA_DRAIN_DELAY_MS: '2000',
      ...this.#env,
    };
    const node = nodeOf(await startSandbox({ cwd: tempFolder(), env, ...(main ? { main } : {}) }));
    this.inTurn.push(node);
    return node;
  }

  /** No new call comes to it, and it answers those it has. */
  async leave(node: Node): Promise<void> {
    this.inTurn.splice(this.inTurn.indexOf(node), 1);
    const { program } = node.running;
    const { code, stdout, stderr } = await program.stop('SIGTERM');
    const errors = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('"msg":'));
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
  }
}

/** The steps one after the other, with a time between them in which both versions serve. */
const upgrade = (nodes: Nodes, older: string, [first, second]: readonly [Node, Node], seconds: number) => {
  const serve = (share: number): Promise<void> => pause(share * seconds * 1000);
  let again: Node | undefined;
  const steps: (() => Promise<unknown>)[] = [
    () => serve(0.1),
    // It migrates, and the older ones go on.
    () => nodes.join(),
    () => serve(0.4),
    () => nodes.leave(first),
    // A node that is restarted meanwhile, or a rollback: the older version starts on the newer database.
    async () => {
      again = await nodes.join(older);
    },
    () => serve(0.4),
    () => nodes.leave(second),
    () => serve(0.2),
    () => nodes.join(),
    async () => again && nodes.leave(again),
    () => serve(0.1),
  ];
  return { name: 'upgrade', count: steps.length, inject: async () => String(await steps.shift()?.()) };
};

/** Throws at the first wrong answer of the people; the rest is in the journal. */
export const rollUpgrade = async (seconds: number): Promise<Campaign> => {
  const older = buildOlder();
  const database = await createDatabase('postgres');
  const campaign = new Campaign();
  const inTurn: Node[] = [];
  const front = await startFront(inTurn);
  const nodes = new Nodes(inTurn, { DATABASE_URL: database.url, BASE_URL: front.url });
  const first = await nodes.join(older);
  const pair = [first, await nodes.join(older)] as const;
  const credentials = done(await send(first.url, { path: '/sandbox/credentials' })).json as Credentials;
  const place = { url: front.url, credentials };
  let isOver = false;
  const people = Promise.all([refreshing(place), reading(place)].map((work) => work(() => isOver)));
  const steps = upgrade(nodes, older, pair, seconds);
  await Promise.race([campaign.run(inTurn, () => database.url, steps), people]);
  isOver = true;
  const [refreshes, pages] = await people;
  const env = { DATABASE_URL: database.url, TRAPEZA_SECRET: testSecret };
  const { code, stdout } = await runCommand(['audit', 'verify'], { env });
  if (code !== 0) campaign.journal.report(stdout);
  for (const node of [...inTurn]) await nodes.leave(node);
  await front.close();
  await database.drop();
  const { journal } = campaign;
  const listed = [...journal.right].map(([what, times]) => `${what} ${times}`).join(', ');
  console.log(
    `${journal.rightCount} calls (${listed}), ${refreshes} refreshed tokens used, ${pages} pages, slowest ${journal.slowestMs} ms`,
  );
  return campaign;
};
