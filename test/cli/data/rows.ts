/** Every row of every table of a store, in an order that does not depend on the engine. */
import { openDb } from '../../../src/store/open.js';
import { jsonOf, runCommand, type Variables } from '../program.js';

const SQLITE_TABLES = `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`;
/** Partitions are part of their table. */
const POSTGRES_TABLES = `select relname as name from pg_class
  where relnamespace = to_regnamespace(current_schema()) and relkind in ('r', 'p') and not relispartition`;

const shown = (row: object, without: readonly string[]): string =>
  JSON.stringify(
    Object.entries(row)
      .filter(([name]) => !without.includes(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** `without`: columns that one of the engines does not have, by their table. */
export const rowsOf = async (
  url: string,
  without: Readonly<Record<string, readonly string[]>> = {},
): Promise<Record<string, string[]>> => {
  const db = await openDb(url, 1);
  try {
    const tables = await db.all<{ name: string }>(db.engine === 'sqlite' ? SQLITE_TABLES : POSTGRES_TABLES);
    const found: Record<string, string[]> = {};
    for (const name of tables.map((row) => row.name).toSorted())
      found[name] = (await db.all<object>(`select * from ${name}`))
        .map((row) => shown(row, without[name] ?? []))
        .toSorted();
    return found;
  } finally {
    await db.close();
  }
};

interface Act {
  readonly act: string;
  readonly reason: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The audit log of a store, newest first; throws if its chain is broken. */
export const auditRows = async (env: Variables): Promise<readonly Act[]> => {
  jsonOf(await runCommand(['audit', 'verify', '--json'], { env }));
  return jsonOf<readonly Act[]>(await runCommand(['audit', 'list', '--json'], { env }));
};
