/**
 * What the two engines say of a statement without executing it. PostgreSQL also plans it, for parameters of which nothing is known: some of
 * what it refuses is found only then.
 */
import pg from 'pg';
import { type Connection, driver } from '../../../src/store/sqlite/driver.js';
import type { Kind } from './shapes.js';

/** The column of a table that is read as it is. */
export interface Origin {
  readonly table: string;
  readonly column: string;
  readonly isNullable: boolean;
}

export interface Column {
  readonly name: string;
  /** Undefined if the engine cannot tell before there is a value. */
  readonly kind: Kind | undefined;
  readonly origin: Origin | undefined;
}

export interface Described {
  readonly columns: readonly Column[];
  /** Undefined if the engine cannot tell. */
  readonly params: readonly Kind[] | undefined;
}

export const marksIn = (sql: string): number => sql.split('?').length - 1;

const numbered = (sql: string): string => {
  let count = 0;
  return sql.replace(/\?/g, () => {
    count += 1;
    return `$${count}`;
  });
};

/** What `src/store/postgres/open.ts` makes of a type. A numeric is of no kind: it arrives as a text, and on SQLite as a number. */
const kinds: Readonly<Record<number, Kind>> = {
  16: 'boolean',
  19: 'string',
  20: 'number',
  21: 'number',
  23: 'number',
  25: 'string',
  701: 'number',
  1043: 'string',
};
const kindOf = (id: number): Kind => kinds[id] ?? 'other';
const SHORT = [21, 23];

interface Field {
  readonly name: string;
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
}

class Description {
  readonly #text: string;
  readonly #settle: (error: Error | undefined) => void;
  fields: readonly Field[] = [];
  params: readonly number[] = [];

  constructor(text: string, settle: (error: Error | undefined) => void) {
    this.#text = text;
    this.#settle = settle;
  }

  submit(connection: pg.Connection): void {
    const text = numbered(this.#text);
    const onParams = ({ dataTypeIDs }: { readonly dataTypeIDs: readonly number[] }): void => {
      this.params = dataTypeIDs;
    };
    connection.removeAllListeners('parameterDescription').once('parameterDescription', onParams);
    connection.parse({ name: '', text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.bind({ values: Array.from({ length: new Set(text.match(/\$\d+/g)).size }, () => null) }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.fields = fields;
  }

  handleError(error: Error): void {
    this.#settle(error);
  }

  handleReadyForQuery(): void {
    this.#settle(undefined);
  }
}

export class Postgres {
  readonly #client: pg.Client;
  readonly #origins = new Map<string, Origin>();
  /** Columns of four bytes. */
  readonly #short: string[] = [];

  constructor(url: string) {
    this.#client = new pg.Client(url);
  }

  async open(): Promise<void> {
    await this.#client.connect();
    await this.#client.query('set plan_cache_mode = force_generic_plan');
    const { rows } = await this.#client.query<
      Origin & { readonly place: string; readonly isShort: boolean }
    >(`
      select a.attrelid || '.' || a.attnum as place, c.relname as table, a.attname as column, not a.attnotnull as "isNullable",
        a.atttypid in (21, 23) as "isShort"
      from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relkind in ('r', 'p')`);
    for (const { place, isShort, ...origin } of rows) {
      this.#origins.set(place, origin);
      if (isShort) this.#short.push(origin.column);
    }
  }

  async describe(sql: string): Promise<Described> {
    const { fields, params } = await new Promise<Description>((resolve, reject) => {
      const made: Description = new Description(sql, (error) => (error ? reject(error) : resolve(made)));
      this.#client.query(made);
    });
    // No moment and no amount fits into four bytes; SQLite knows no such limit.
    const hasShort = this.#short.some((column) => new RegExp(`\\b${column}\\b`).test(sql));
    return {
      columns: fields.map(({ name, tableID, columnID, dataTypeID }) => ({
        name,
        kind: kindOf(dataTypeID),
        origin: this.#origins.get(`${tableID}.${columnID}`),
      })),
      params: params.map((id) => (SHORT.includes(id) && !hasShort ? 'other' : kindOf(id))),
    };
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

interface SqliteColumn {
  readonly name: string;
  /** As the table declares it. */
  readonly type?: string | null;
}

const declaredKind = ({ type }: SqliteColumn): Kind | undefined => {
  if (type === null || type === undefined) return undefined;
  if (/int/i.test(type)) return 'number';
  return /^text$/i.test(type) ? 'string' : 'other';
};

export class Sqlite {
  readonly #connection: Connection;

  constructor(path: string) {
    this.#connection = new (driver())(path);
  }

  describe(sql: string): Described {
    const columns: readonly SqliteColumn[] = this.#connection.prepare(sql).columns();
    return {
      columns: columns.map((column) => ({
        name: column.name,
        kind: declaredKind(column),
        origin: undefined,
      })),
      params: undefined,
    };
  }

  close(): void {
    this.#connection.close();
  }
}
