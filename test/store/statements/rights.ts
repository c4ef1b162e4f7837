/** Which rights on which tables the statements of a running service need, read from their texts. */
import pg from 'pg';
import type { Right } from '../../../src/store/grants.js';
import { createServingRole } from '../../support/serving-role.js';
import type { Asked } from './asked.js';
import { marksIn } from './engines.js';
import { sentText } from './sent.js';

/** Of the role that migrates and moves stores, or of test systems alone. */
const OF_OTHERS = /^(packages\/|src\/store\/(move|migrate)\.ts|src\/store\/sqlite\/)/;
/** Empties every table before the sandbox is filled again. */
const EMPTIES = /^\s*delete from \w+\s*$/;

const WORDS = /\b(insert into|update|delete from|from|join)\s+(\w+)/g;
const BY_WORD: Readonly<Record<string, Right>> = {
  'insert into': 'insert',
  update: 'update',
  'delete from': 'delete',
};

const rightsIn = (sql: string): (readonly [string, Right])[] => {
  const text = sql.replaceAll(/\s+/g, ' ');
  const found = [...text.matchAll(WORDS)].flatMap(
    ([, word = '', table = '']): (readonly [string, Right])[] =>
      table === 'set' || table === 'of' ? [] : [[table, BY_WORD[word] ?? 'select']],
  );
  const inserted = /insert into (\w+)/.exec(text)?.[1];
  const read = /\b(?:from|join) (\w+)/.exec(text)?.[1];
  return [
    ...found,
    ...(inserted && /do update/.test(text) ? [[inserted, 'update'] as const] : []),
    ...(inserted && /on conflict \(|returning/.test(text) ? [[inserted, 'select'] as const] : []),
    ...(read && /for (update|share|no key update)\b/.test(text) ? [[read, 'update'] as const] : []),
    ...found
      .filter(([, right]) => right === 'update' || right === 'delete')
      .map(([table]) => [table, 'select'] as const),
  ];
};

export const isOfService = ({ call, text }: Asked): boolean =>
  !OF_OTHERS.test(call.place) && !EMPTIES.test(text);

/** Tables that are none, such as the names of a `with`, are left out by `known`. */
export const rightsOf = (asked: readonly Asked[], known: ReadonlySet<string>): Record<string, Right[]> => {
  const sets = new Map<string, Set<Right>>();
  for (const { text } of asked.filter(isOfService))
    for (const [table, right] of rightsIn(text))
      if (known.has(table)) sets.set(table, (sets.get(table) ?? new Set()).add(right));
  return Object.fromEntries([...sets].toSorted().map(([table, rights]) => [table, [...rights].toSorted()]));
};

const numbered = (sql: string): string => {
  let count = 0;
  return sql.replaceAll('?', () => {
    count += 1;
    return `$${count}`;
  });
};

const NO_RIGHT = '42501';

/** Planned as the role of a service, which is when PostgreSQL looks at its rights. */
export const refusedToRole = async (asked: readonly Asked[]): Promise<string[]> => {
  const role = await createServingRole();
  const client = new pg.Client(role.url);
  await client.connect();
  const refused: string[] = [];
  try {
    for (const { call, text } of asked) {
      const sql = await sentText(call, text);
      const nulls = Array.from({ length: marksIn(sql) }, () => 'null').join(', ');
      await client.query(`prepare tried as ${numbered(sql)}`);
      await client
        .query(`explain execute tried${nulls === '' ? '' : `(${nulls})`}`)
        .catch((error: { code?: string; message: string }) => {
          if (error.code === NO_RIGHT) refused.push(`${call.place}: ${error.message}`);
          else throw error;
        });
      await client.query('deallocate tried');
    }
  } finally {
    await client.end();
    await role.drop();
  }
  return refused;
};
