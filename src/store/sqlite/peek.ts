/** One look into a file of the embedded engine, without opening it for writing. On every version of Node the file is let go at once. */
import type { Reads } from '../db.js';
import { DETACH, openReader } from './connections.js';
import { queriesOn } from './sqlite.js';

const HAS_TABLE = `select name from store.sqlite_master where type = 'table' and name = ?`;

export interface Peek extends Reads {
  hasTable(name: string): Promise<boolean>;
}

export const peekInto = async <T>(path: string, work: (store: Peek) => Promise<T>): Promise<T> => {
  const prepared = openReader(path);
  const queries = queriesOn(prepared);
  try {
    return await work({
      ...queries,
      hasTable: async (name) => (await queries.one(HAS_TABLE, [name])) !== undefined,
    });
  } finally {
    prepared.connection.exec(DETACH);
    prepared.connection.close();
  }
};
