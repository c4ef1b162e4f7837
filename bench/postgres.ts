/** A real PostgreSQL from npm, on the cores of the load, with everything that makes a commit durable left on. */
import pg from 'pg';
import { atEnd } from './endings.js';
import { startPostgresServer } from './postgres-server.js';

export interface Postgres {
  database(): Promise<string>;
}

const settings = ['max_connections=400', 'shared_buffers=512MB', 'min_wal_size=1GB', 'max_wal_size=4GB'];

/**
 * As a server that has run for a while, which uses the files of its log again. A new one makes each when it needs it, and every commit
 * waits meanwhile, for 50 to 100 ms.
 */
const MAKE_LOG_FILES = `
  do $$ begin
    for number in 1..60 loop
      perform pg_logical_emit_message(true, 'bench', '');
      perform pg_switch_wal();
    end loop;
  end $$`;

export const startPostgres = async (): Promise<Postgres> => {
  const { url, stop } = await startPostgresServer(settings);
  atEnd(stop);
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await run(MAKE_LOG_FILES);
  await run('checkpoint');
  let count = 0;
  return {
    async database() {
      count += 1;
      await run(`create database bench_${count}`);
      return url.replace(/postgres$/, `bench_${count}`);
    },
  };
};
