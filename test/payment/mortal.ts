/** Nodes that die like in a power failure while callers work, and are started again. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import type { Db } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { cleanUp, type Variables } from '../cli/program.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import type { Engine } from '../support/engines.js';
import { PaymentNode, STARTING_MS } from './nodes.js';

/** The embedded store has one process; on PostgreSQL one of two dies while the other goes on. */
const nodeCount = { sqlite: 1, postgres: 2 } as const;

/** For the tests of one `describe`: they run from its first test to its last. */
export const mortalNodes = (engine: Engine, env: Variables = {}) => {
  let database: TestDatabase | undefined;
  let db: Db | undefined;
  const nodes: PaymentNode[] = [];
  beforeAll(async () => {
    database = await createDatabase(engine, 'disk');
    for (let count = 0; count < nodeCount[engine]; count += 1)
      nodes.push(await PaymentNode.start(database.url, env));
    db = await openDb(database.url, 4);
  }, STARTING_MS);
  afterAll(async () => {
    await cleanUp();
    await db?.close();
    await database?.drop();
  });
  return { nodes, db: () => db as Db };
};

interface Deaths {
  readonly random: () => number;
  /** A node dies after about so many pieces of work. */
  readonly every: number;
  readonly done: () => number;
  readonly tally: { kills: number };
}

/** Until the callers have finished. The random numbers name the moments. */
export const whileNodesDie = async (
  nodes: readonly PaymentNode[],
  callers: readonly Promise<void>[],
  { random, every, done, tally }: Deaths,
): Promise<void> => {
  let isOver = false;
  const work = Promise.all(callers).finally(() => {
    isOver = true;
  });
  const killer = async (): Promise<void> => {
    for (let due = 1; !isOver; await setTimeout(5)) {
      if (done() < due) continue;
      await setTimeout(random() * 40);
      const victim = nodes[Math.floor(random() * nodes.length)];
      await victim?.kill();
      tally.kills += 1;
      await victim?.start();
      due = done() + Math.ceil(random() * 2 * every);
    }
  };
  await Promise.all([work, killer()]);
};
