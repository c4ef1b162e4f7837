/** A real PostgreSQL from npm, on the cores of the load, with everything that makes a commit durable left on. */
import pg from 'pg';
import { atEnd } from './endings.js';
import { startPostgresServer } from './postgres-server.js';

export interface Postgres {
  database(): Promise<string>;
}

const settings = ['max_connections=100', 'shared_buffers=512MB', 'max_wal_size=4GB'];

export const startPostgres = async (): Promise<Postgres> => {
  const { url, stop } = await startPostgresServer(settings);
  atEnd(stop);
  let count = 0;
  return {
    async database() {
      count += 1;
      const client = new pg.Client(url);
      await client.connect();
      await client.query(`create database bench_${count}`);
      await client.end();
      return url.replace(/postgres$/, `bench_${count}`);
    },
  };
};
