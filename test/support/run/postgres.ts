/** PostgreSQL for tests: nothing is durable, and there is room for many connections. */
import { type RunningPostgres, startPostgresServer } from '../../../bench/postgres-server.js';

export type { RunningPostgres };

export const startPostgres = (): Promise<RunningPostgres> =>
  startPostgresServer(['max_connections=300', 'fsync=off']);
