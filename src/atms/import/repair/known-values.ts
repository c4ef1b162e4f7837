/** Matches names with the contract's fixed lists. Case, blanks and underscores do not matter; anything else is unknown. */
import { quote } from '../show.js';
import type { Ledger } from './ledger.js';
import { tidy } from './text.js';

const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

export type KnownValues<T extends string> = ReadonlyMap<string, T>;

export const knownValues = <T extends string>(values: readonly T[]): KnownValues<T> =>
  new Map(values.map((value) => [plain(value), value]));

/** Keeps the values that the contract knows, in its spelling; drops and reports the rest. */
export const keepKnown = <T extends string>(
  items: readonly string[] | null | undefined,
  known: KnownValues<T>,
  field: string,
  ledger: Ledger,
): T[] | null | undefined => {
  if (items === undefined || items === null) return items;
  const kept = new Set<T>();
  for (const item of items) {
    const value = known.get(plain(item));
    if (value === undefined) ledger.change(field, `${quote(item)} is not a value of the contract; dropped`);
    else if (kept.has(value)) ledger.change(field, `names ${quote(value)} twice; once is enough`);
    else {
      if (value !== item) ledger.change(field, `${quote(item)} is written ${value}`);
      kept.add(value);
    }
  }
  return [...kept];
};

/** One value of an optional member that cannot be null: left out when the contract does not know it. */
export const oneKnown = <T extends string>(
  raw: unknown,
  known: KnownValues<T>,
  field: string,
  ledger: Ledger,
): T | undefined => {
  if (raw === undefined) return undefined;
  const text = raw === null ? '' : tidy(raw, field, ledger);
  if (text === undefined) return undefined;
  const value = known.get(plain(text));
  if (value === undefined) {
    ledger.change(
      field,
      text === '' ? 'has no value; left out' : `${quote(text)} is not a value of the contract; left out`,
    );
  } else if (value !== text) ledger.change(field, `${quote(text)} is written ${value}`);
  return value;
};
