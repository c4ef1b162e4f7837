/** Where a statement and its call disagree, in words. */
import type { Call, Given } from './calls.js';
import { type Column, type Described, marksIn } from './engines.js';
import { COUNT } from './sent.js';
import type { Kinds, Shape } from './shapes.js';

const list = (names: Iterable<string>): string => [...names].join(', ');

/** A condition of the statement leaves out rows without a value, as far as its text tells. One of several does not. */
const isKept = (text: string, column: string): boolean => {
  const certain = text.replace(/\([^()]*\sor\s[^()]*\)/gi, '()');
  const condition = new RegExp(`\\b${column}\\s+(is not null|(=|<|<=|>|>=)\\s*\\?)`, 'i');
  return condition.test(certain) && !new RegExp(`\\b${column}\\s+is null`, 'i').test(certain);
};

const mayBeNull = ({ origin }: Column, text: string): boolean => {
  if (!origin) return false;
  if (new RegExp(`left join ${origin.table}\\b`, 'i').test(text)) return true;
  return origin.isNullable && !isKept(text, origin.column);
};

/** PostgreSQL takes a bare null for a text. */
const isBareNull = ({ name }: Column, text: string): boolean =>
  new RegExp(`\\bnull as "?${name}"?`, 'i').test(text);

const valueFaults = (column: Column, expected: Kinds, text: string): string[] => {
  const { name, kind } = column;
  const known = [...expected].filter((each) => each !== 'null' && each !== 'undefined');
  const isLie = kind !== undefined && (known.length !== 1 || known[0] !== kind);
  if (isBareNull(column, text))
    return expected.has('null') ? [] : [`${name} is null, the row type says ${list(known)}`];
  if (kind === 'boolean' || kind === 'other')
    return [`${name} is not the same on both engines: cast it to bigint or text`];
  if (isLie) return [`${name} is a ${kind}, the row type says ${list(known)}`];
  return mayBeNull(column, text) && !expected.has('null')
    ? [`${name} may be null, the row type says never`]
    : [];
};

const rowFaults = (columns: readonly Column[], row: Shape, text: string): string[] => {
  const names = columns.map(({ name }) => name);
  const missing = [...row].filter(([name, kinds]) => !names.includes(name) && !kinds.has('undefined'));
  return [
    ...(new Set(names).size < names.length ? ['two columns have one name'] : []),
    ...missing.map(([name]) => `no column is called ${name}`),
    ...columns.flatMap((column) => {
      const expected = row.get(column.name);
      return expected ? valueFaults(column, expected, text) : [`the row type has no ${column.name}`];
    }),
  ];
};

const givenFaults = (given: Given, params: Described['params'], text: string): string[] => {
  const marks = marksIn(text);
  const fixed = given.filter((kinds) => kinds !== 'rest').length;
  if (fixed < given.length ? fixed > marks : fixed !== marks)
    return [`${marks} parameters, but ${fixed} values`];
  const until = given.indexOf('rest');
  return given.slice(0, until < 0 ? undefined : until).flatMap((kinds, index) => {
    const wanted = params?.[index];
    const known = kinds === 'rest' ? [] : [...kinds].filter((kind) => kind !== 'null');
    const isWrong =
      known.length === 1 ? known[0] !== wanted : known.some((kind) => kind !== 'string' && kind !== 'number');
    return wanted !== undefined && isWrong
      ? [
          `value ${index + 1} is a ${list(known)}, the statement takes ${wanted === 'other' ? 'another type' : `a ${wanted}`}`,
        ]
      : [];
  });
};

/** The faults of a text on one engine. */
export const faultsOf = (call: Call, text: string, { columns, params }: Described): string[] => {
  const own = columns.filter(({ name }) => name !== COUNT);
  const perRow = call.rows.map((row) => rowFaults(own, row, text));
  const [fewest = []] = perRow.toSorted((one, other) => one.length - other.length);
  return [
    ...(call.lacksRow ? ['a row is read, but the call has no row type'] : []),
    ...fewest,
    ...givenFaults(call.given, params, text),
  ];
};
