/** PostgreSQL for tests: nothing is durable, and there is room for many connections. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RunningPostgres, startPostgresServer } from '../../../bench/postgres-server.js';

export type { RunningPostgres };

export const startPostgres = (): Promise<RunningPostgres> =>
  startPostgresServer(['max_connections=300', 'fsync=off', 'autovacuum=off']);

interface PostgresDoor {
  /** Answers with the address of a PostgreSQL. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts PostgreSQL at the first request, because many runs are of files that need none. A run inside another one (test/mutants) shares its server. */
export const openPostgresDoor = async (shared: string | undefined): Promise<PostgresDoor> => {
  let running: Promise<RunningPostgres> | undefined;
  const find = async (): Promise<string> => {
    if (shared !== undefined) return shared;
    running ??= startPostgres();
    return (await running).url;
  };
  const door = createServer((_request, response) => {
    find().then(
      // A connection that is kept might end just when it is used again.
      (url) => response.writeHead(200, { Connection: 'close' }).end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    stop: async () => {
      door.close();
      door.closeAllConnections();
      await (await running)?.stop();
    },
  };
};
