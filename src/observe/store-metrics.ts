/** What operators watch of the store: connections, statements, batches; of the embedded one its log and the disk under it. */
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Db, StoreWatch } from '../store/db.js';

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Handed to the store when it is opened. */
export const createStoreWatch = (registry: Registry): StoreWatch => {
  const registers = [registry];
  const statements = new Histogram({
    name: 'trapeza_store_statement_seconds',
    help: 'Time PostgreSQL took for a statement',
    buckets: BUCKETS,
    registers,
  });
  const batches = new Histogram({
    name: 'trapeza_store_batch_size',
    help: 'Reads of PostgreSQL that travelled as one statement',
    buckets: [1, 2, 4, 8, 16, 32],
    registers,
  });
  const commits = new Histogram({
    name: 'trapeza_store_commit_size',
    help: 'Records that were committed together',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 200],
    registers,
  });
  const errors = new Counter({
    name: 'trapeza_store_connection_errors_total',
    help: 'Connections to PostgreSQL that failed, were lost or given up',
    registers,
  });
  return {
    statement: (ms) => statements.observe(ms / 1000),
    batch: (size) => batches.observe(size),
    commit: (size) => commits.observe(size),
    connectionError: () => errors.inc(),
  };
};

const gauge = (registry: Registry, name: string, help: string, read: () => Promise<number>): void => {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await read());
    },
  });
};

/** The gauges of the store that is open, by its address. */
export const showStore = (registry: Registry, db: Db, url: string): void => {
  if (db.pool) {
    const { pool } = db;
    gauge(registry, 'trapeza_store_connections_in_use', 'Connections in use', async () => pool.inUse);
    gauge(registry, 'trapeza_store_connections_waiting', 'Calls that wait for one', async () => pool.waiting);
    return;
  }
  const file = url.slice('sqlite:'.length);
  gauge(registry, 'trapeza_store_wal_bytes', 'Size of the write-ahead log of SQLite', () =>
    stat(`${file}-wal`).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  gauge(registry, 'trapeza_store_disk_free_bytes', 'Free space on the disk of SQLite', () =>
    statfs(dirname(file)).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => 0,
    ),
  );
};
