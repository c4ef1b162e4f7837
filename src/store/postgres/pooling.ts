/**
 * Whether a pooler in front of PostgreSQL shares its sessions between transactions, such as PgBouncer with `pool_mode = transaction`. Named
 * statements and settings of a session would then meet those of other connections.
 */
import { SECOND } from '../../lib/clock.js';
import { Connection } from './connection.js';

const LIMIT_MS = 10 * SECOND;
const ROUNDS = 4;
const PROCESS = 'select pg_backend_pid() as pid';

/**
 * Asks two connections in turn which process of the server answers them. Each has one of its own, unless the pooler lends it for a
 * transaction: then a second connection gets the one that the first has just given back, or the first one gets another.
 */
export const sharesSessions = async (url: string): Promise<boolean> => {
  const config = { connectionString: url, application_name: 'trapeza' };
  const pair = [0, 1].map(() => new Connection(config, () => undefined));
  const seen = pair.map(() => new Set<number>());
  try {
    for (const each of pair) await each.open(LIMIT_MS);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [index, each] of pair.entries()) {
        const { rows } = await each.send({ text: PROCESS }, LIMIT_MS);
        const [row] = rows as readonly { readonly pid: number }[];
        if (row) seen[index]?.add(row.pid);
      }
  } finally {
    for (const each of pair) await each.close(SECOND);
  }
  const [first = new Set(), second = new Set()] = seen;
  return first.size > 1 || second.size > 1 || [...first].some((pid) => second.has(pid));
};
