/**
 * The least that a durable answer needs on PostgreSQL: one row read by its key, one row written and committed, as any program with a pool of
 * connections does it. Nothing is checked.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

const READ = { name: 'read', text: 'select id, at from floor_rows where id = $1' };
const WRITE = { name: 'write', text: 'insert into floor_rows (id, at) values ($1, $2)' };
const TABLE = 'create table if not exists floor_rows (id text primary key, at bigint not null)';
const POOL_SIZE = 20;

const [connectionString] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: POOL_SIZE });
await pool.query(TABLE);

const answer = JSON.stringify({ fundsAvailable: true });
const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(answer),
};
const record = async (): Promise<void> => {
  const id = randomUUID();
  await pool.query({ ...READ, values: [id] });
  await pool.query({ ...WRITE, values: [id, Date.now()] });
};

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  request.resume().on('end', () => {
    void record().then(
      () => response.writeHead(200, headers).end(answer),
      () => response.writeHead(500).end(),
    );
  });
}).listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
