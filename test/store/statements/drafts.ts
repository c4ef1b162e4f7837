/** Statements and calls with one thing wrong, each on a line of a file that exists for the compiler alone, and what is said of them. */
import type { Engine } from '../../support/engines.js';

interface Draft {
  readonly title: string;
  readonly code: string;
  readonly fault?: RegExp;
  /** The other engine finds nothing wrong. */
  readonly seenBy?: Engine;
}

const HEAD = `import type { Queries } from './store/db.js';`;
const call = (code: string): string => `export const F = (db: Queries) => ${code};`;

const written: readonly Draft[] = [
  {
    title: 'with nothing wrong has no fault',
    code: `db.all<{ node: string; lastAt: number; end: number | null }>('select s.node, s.last_at as "lastAt", a.ends_at as "end" from statistics_spans s left join announcements a on a.id = s.node where s.last_at > ?', [1])`,
  },
  {
    title: 'that reads a column that was renamed',
    code: `db.all<{ node: string }>('select nodes as node from statistics_spans')`,
    fault: /nodes/,
  },
  {
    title: 'that gives a column another name than the row type',
    code: `db.all<{ from: number }>('select first_at as "since" from statistics_spans')`,
    fault: /no column is called from\n.*the row type has no since/,
  },
  {
    title: 'whose alias lacks its quotes, so that PostgreSQL makes it small',
    code: `db.all<{ firstAt: number }>('select first_at as firstAt from statistics_spans')`,
    fault: /no column is called firstAt/,
    seenBy: 'postgres',
  },
  {
    title: 'without an alias, so that each engine makes its own',
    code: `db.all<{ max: number | null }>('select max(last_at) from statistics_spans')`,
    fault: /no column is called max/,
    seenBy: 'sqlite',
  },
  {
    title: 'with a sum, which PostgreSQL answers as a text',
    code: `db.one<{ sum: number | null }>('select sum(calls) as sum from statistics_calls')`,
    fault: /sum is not the same on both engines/,
    seenBy: 'postgres',
  },
  {
    title: 'with a comparison, which SQLite answers as a number',
    code: `db.one<{ old: boolean }>('select last_at < 5 as old from statistics_spans')`,
    fault: /old is not the same on both engines/,
    seenBy: 'postgres',
  },
  {
    title: 'with a number that is read as a text',
    code: `db.all<{ lastAt: string }>('select last_at as "lastAt" from statistics_spans')`,
    fault: /lastAt is a number, the row type says string/,
  },
  {
    title: 'with a text that is read as a number',
    code: `db.all<{ node: number }>('select node from statistics_spans')`,
    fault: /node is a string, the row type says number/,
  },
  {
    title: 'with a column that may be null',
    code: `db.all<{ end: number }>('select ends_at as "end" from announcements')`,
    fault: /end may be null/,
    seenBy: 'postgres',
  },
  {
    title: 'with a column of an outer join',
    code: `db.all<{ id: string }>('select a.id from statistics_spans s left join announcements a on a.id = s.node')`,
    fault: /id may be null/,
    seenBy: 'postgres',
  },
  {
    title: 'with a column that nobody reads',
    code: `db.one<{ node: string }>('select node, kind from statistics_spans')`,
    fault: /the row type has no kind/,
  },
  {
    title: 'with a parameter too few',
    code: `db.run('delete from statistics_spans where last_at < ? and node = ?', [1])`,
    fault: /2 parameters, but 1 values/,
  },
  {
    title: 'of a batch with a parameter too many',
    code: `db && { sql: 'delete from statistics_spans where node = ?', params: ['a', 'b'] }`,
    fault: /1 parameters, but 2 values/,
  },
  {
    title: 'with a text for a number',
    code: `db.run('delete from statistics_spans where last_at < ?', ['1'])`,
    fault: /value 1 is a string, the statement takes a number/,
    seenBy: 'postgres',
  },
  {
    title: 'with a moment for four bytes',
    code: `db.run('delete from statistics_spans where last_at < 5 + cast(? as int)', [1])`,
    fault: /value 1 is a number, the statement takes another type/,
    seenBy: 'postgres',
  },
  {
    title: 'whose row is read without a row type',
    code: `db.one('select node from statistics_spans').then((row) => row?.node)`,
    fault: /the call has no row type/,
  },
  {
    title: 'with a conflict that no index finds',
    code: `db.run("insert into settings (name, value) values (?, '') on conflict (value) do nothing", ['a'])`,
    fault: /conflict/i,
  },
];

const path = 'src/draft.ts';
const lines = [HEAD, ...written.map(({ code }, index) => call(code).replace('F', `draft${index}`))];
/** What one of their texts is comes from outside. */
const LOST = [
  'export const lost = (db: Queries, sql: string) => db.run(sql);',
  `export const half = (db: Queries, sql: string) => db.run(sql === '' ? 'delete from settings' : sql);`,
];

export const drafts = {
  file: { path, text: [...lines, ...LOST].join('\n') },
  cases: written.map(({ title, fault, seenBy }, index) => ({ title, fault, seenBy, line: index + 2 })),
  lost: [lines.length + 1, lines.length + 2],
} as const;
