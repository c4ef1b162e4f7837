/** Opens the store that a database URL names: `sqlite:path` or `postgres://…`. */
import { dirname } from 'node:path';
import { SECOND } from '../lib/clock.js';
import type { Db, Reads, StoreWatch } from './db.js';
import { makePrivateFile, makePrivateFolder } from './private-files.js';
import { openSqlite } from './sqlite/sqlite.js';

export interface StoreOptions {
  /** Time a statement has, with the wait for its connection. Of PostgreSQL alone: the embedded engine answers at once. */
  readonly statementMs?: number;
  /** Of PostgreSQL alone. */
  readonly pooling?: 'session' | 'transaction';
  readonly watch?: StoreWatch;
  /** Of PostgreSQL alone: looks at what a new connection leads to, and throws if it is not to be used. */
  readonly checkConnection?: (reads: Reads) => Promise<void>;
}

const STATEMENT_MS = 30 * SECOND;

export const isPostgres = (url: string): boolean => /^postgres(ql)?:\/\//.test(url);

export const openDb = async (url: string, poolSize = 20, options: StoreOptions = {}): Promise<Db> => {
  if (isPostgres(url)) {
    const { openPostgres } = await import('./postgres/open.js');
    return openPostgres(url, { poolSize, statementMs: STATEMENT_MS, pooling: 'session', ...options });
  }
  if (!url.startsWith('sqlite:')) throw new Error('a database URL starts with sqlite: or postgres://');
  const path = url.slice('sqlite:'.length);
  makePrivateFolder(dirname(path));
  // SQLite gives its other files (-wal, -shm) the mode of this one.
  makePrivateFile(path);
  return openSqlite(path, options.watch);
};
