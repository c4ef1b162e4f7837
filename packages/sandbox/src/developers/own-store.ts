/** The store of a developer's own sandbox: a file beside the one of the sandbox, or a schema in its database. */
import { rmSync } from 'node:fs';
import { type Clock, type Db, SECOND } from 'trapeza/base';

const schemaOf = (id: string): string => `developer_${id.replaceAll('-', '')}`;

const fileOf = (databaseUrl: string, id: string): string =>
  `${databaseUrl.slice('sqlite:'.length)}.developers/${id}.db`;

const isFile = (databaseUrl: string): boolean => databaseUrl.startsWith('sqlite:');

export const ownStoreUrl = (databaseUrl: string, id: string): string => {
  if (isFile(databaseUrl)) return `sqlite:${fileOf(databaseUrl, id)}`;
  const url = new URL(databaseUrl);
  const options = [url.searchParams.get('options'), `-c search_path=${schemaOf(id)}`].filter(Boolean);
  url.searchParams.set('options', options.join(' '));
  return url.href;
};

const MIB = 1_048_576;
/** A new one has 3 MiB, in a file as in a schema. */
export const MOST_MIB = 20;
/** The rest is for what reads record. */
const FOR_WRITES_MIB = 16;

const USED = {
  sqlite: `
  select (c.page_count - f.freelist_count) * s.page_size as bytes
  from pragma_page_count() c, pragma_freelist_count() f, pragma_page_size() s`,
  postgres: `
  select cast(coalesce(sum(pg_total_relation_size(oid)), 0) as bigint) as bytes from pg_class
  where relnamespace = to_regnamespace(current_schema()) and relkind = 'r'`,
} as const;

const usedBytes = async (db: Db): Promise<number> =>
  Number((await db.one<{ bytes: number }>(USED[db.engine]))?.bytes ?? 0);

const KNOWN_MS = 2 * SECOND;

/** How full a store is, so that one developer cannot fill the disk of all. */
export class StoreSize {
  readonly #db: Db;
  readonly #clock: Pick<Clock, 'elapsed'>;
  #bytes = 0;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(db: Db, clock: Pick<Clock, 'elapsed'>) {
    this.#db = db;
    this.#clock = clock;
  }

  async isFull(isWrite: boolean): Promise<boolean> {
    const now = this.#clock.elapsed();
    if (now - this.#askedAt >= KNOWN_MS) {
      this.#askedAt = now;
      this.#bytes = await usedBytes(this.#db);
    }
    return this.#bytes > (isWrite ? FOR_WRITES_MIB : MOST_MIB) * MIB;
  }
}

/** A file is made when it is opened. */
export const makeOwnStore = async (db: Db, id: string): Promise<void> => {
  if (db.engine === 'postgres') await db.script(['create schema if not exists', schemaOf(id)].join(' '));
};

export const removeOwnStore = async (db: Db, databaseUrl: string, id: string): Promise<void> => {
  if (db.engine === 'postgres') await db.script(['drop schema if exists', schemaOf(id), 'cascade'].join(' '));
  else for (const part of ['', '-wal', '-shm']) rmSync(`${fileOf(databaseUrl, id)}${part}`, { force: true });
};
