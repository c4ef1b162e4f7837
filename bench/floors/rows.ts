/** Rows by group commit: what comes while a commit is under way goes into the next one. As durable as the records of the service. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';

type Commit = (rows: readonly string[]) => Promise<void>;

const TABLE = 'create table if not exists floor_rows (id text primary key, body text not null)';
const INSERT_ALL = {
  name: 'insert',
  text: 'insert into floor_rows (id, body) select * from unnest($1::text[], $2::text[])',
};

const openPostgres = async (url: string): Promise<Commit> => {
  const client = new pg.Client(url);
  // The server may go first at the end of a run.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(TABLE);
  return async (rows) => {
    await client.query({ ...INSERT_ALL, values: [rows.map(() => randomUUID()), [...rows]] });
  };
};

const openSqlite = async (path: string): Promise<Commit> => {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const db = new DatabaseSync(path);
  db.exec(`pragma journal_mode = wal; pragma synchronous = full; ${TABLE}`);
  const insert = db.prepare('insert into floor_rows (id, body) values (?, ?)');
  return async (rows) => {
    db.exec('begin immediate');
    for (const body of rows) insert.run(randomUUID(), body);
    db.exec('commit');
  };
};

interface Row {
  readonly body: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Opened once; the returned function ends when its row is on disk. */
export const openRows = async (databaseUrl: string): Promise<(body: string) => Promise<void>> => {
  const commit = await (databaseUrl.startsWith('sqlite:')
    ? openSqlite(databaseUrl.slice('sqlite:'.length))
    : openPostgres(databaseUrl));
  let waiting: Row[] = [];
  let isCommitting = false;
  const commitAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await commit(batch.map(({ body }) => body));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isCommitting = false;
  };
  return (body) =>
    new Promise((resolve, reject) => {
      waiting.push({ body, resolve, reject });
      if (isCommitting) return;
      isCommitting = true;
      setImmediate(() => void commitAll());
    });
};
