/** PostgreSQL for tests, with room for many connections: one that is fast, and one for what outlives a kill. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RunningPostgres, startPostgresServer } from '../../../bench/postgres-server.js';
import { newFolder, type Place, places } from '../places.js';

export type { RunningPostgres };

const settings: Readonly<Record<Place, readonly string[]>> = { memory: ['fsync=off'], disk: [] };

export const startPostgres = (place: Place = 'memory'): Promise<RunningPostgres> =>
  startPostgresServer(
    ['max_connections=300', 'autovacuum=off', ...settings[place]],
    newFolder('postgres', place),
  );

interface PostgresDoor {
  /** Answers with the address of a PostgreSQL: below it, `/` and the place of its files. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL at the first request, because many runs are of files that need none. A run inside another one (test/mutants) shares
 * its server, which is that of `memory`.
 */
export const openPostgresDoor = async (shared: string | undefined): Promise<PostgresDoor> => {
  const running = new Map<Place, Promise<RunningPostgres>>();
  const find = async (place: Place): Promise<string> => {
    if (shared !== undefined) return shared;
    const server = running.get(place) ?? startPostgres(place);
    running.set(place, server);
    return (await server).url;
  };
  const door = createServer((request, response) => {
    const place = places.find((each) => request.url === `/${each}`) ?? 'memory';
    find(place).then(
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
      for (const server of running.values()) await (await server).stop();
    },
  };
};
