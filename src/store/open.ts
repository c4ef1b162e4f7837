/** Opens the store that a database URL names: `sqlite:path` or `postgres://…`. */
import { dirname } from 'node:path';
import type { Db } from './db.js';
import { makePrivateFile, makePrivateFolder } from './private-files.js';
import { openSqlite } from './sqlite/sqlite.js';

export const openDb = async (url: string, poolSize = 20): Promise<Db> => {
  if (/^postgres(ql)?:\/\//.test(url)) return (await import('./postgres.js')).openPostgres(url, poolSize);
  if (!url.startsWith('sqlite:')) throw new Error('a database URL starts with sqlite: or postgres://');
  const path = url.slice('sqlite:'.length);
  makePrivateFolder(dirname(path));
  // SQLite gives its other files (-wal, -shm) the mode of this one.
  makePrivateFile(path);
  return openSqlite(path);
};
