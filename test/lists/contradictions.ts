/** What must hold for every list; each breach is told in a line. */
import { addressOf, type Filter, filesOf, filtersOf, type List, type Query, type Row, walk } from './list.js';

const keysOf = (rows: readonly Row[]): readonly string[] => rows.map(({ key }) => key).toSorted();

const product = (filters: readonly Filter[]): readonly Query[] =>
  filters.reduce<readonly Query[]>(
    (queries, { name, values }) =>
      queries.flatMap((query) => [query, ...values.map((value) => ({ ...query, [name]: value }))]),
    [{}],
  );

/**
 * Each filter is left out or has one of its values; of more than `most` combinations each value is tried alone, and one of each filter
 * with the others. Those of few filters come first.
 */
const combinationsOf = (filters: readonly Filter[], most: number): readonly Query[] => {
  const all = product(filters);
  const firsts = filters.map(({ name, values }) => ({ name, values: values.slice(0, 1) }));
  const alone = filters.flatMap(({ name, values }) => values.slice(1).map((value) => ({ [name]: value })));
  const chosen = all.length > most ? [...product(firsts), ...alone] : all;
  return chosen.toSorted((a, b) => Object.keys(a).length - Object.keys(b).length);
};

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each, index) => each === others[index]);

/** Two filters find what each of them finds, and a file has what its page shows. */
const ofFilters = async (
  list: List,
  filters: readonly Filter[],
  most: number,
): Promise<readonly string[]> => {
  const found: string[] = [];
  const alone = new Map<string, readonly string[]>();
  const size = { all: 0 };
  for (const query of combinationsOf(filters, most)) {
    const { rows, firstPage } = await walk(list, query);
    const shown = keysOf(rows);
    const where = addressOf(list.path, query);
    const names = Object.keys(query);
    if (new Set(shown).size < shown.length) found.push(`${where} shows a row twice`);
    if (names.length === 0) size.all = shown.length;
    if (names.length === 1) alone.set(JSON.stringify(query), shown);
    if (names.length > 1) {
      const each = Object.entries(query).map(([name, value]) => alone.get(JSON.stringify({ [name]: value })));
      const both = each[0]?.filter((key) => each.every((keys) => keys?.includes(key))) ?? [];
      if (!isSame(both, shown))
        found.push(`${where} shows ${shown.length}, its filters share ${both.length}`);
    }
    for (const [link, keys] of await filesOf(list, firstPage, names.length < 2))
      if (!isSame(keys.toSorted(), shown))
        found.push(`${where} shows ${shown.length}, ${link} has ${keys.length}`);
  }
  for (const { name, values } of filters) {
    const counts = values.map((value) => alone.get(JSON.stringify({ [name]: value }))?.length ?? 0);
    if (name !== list.orders && values.length > 0 && !counts.some((count) => count > 0 && count < size.all))
      found.push(`${list.path}: no value of ${name} narrows its ${size.all} rows`);
  }
  return found;
};

const bare = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');

const greek = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const latin = 'ABEZHIKMNOPTYX';
/** As on a keyboard of the other alphabet, as far as capitals look the same there. */
const lookAlike = (capitals: string): string =>
  [...capitals]
    .map((letter) => latin[greek.indexOf(letter)] ?? greek[latin.indexOf(letter)] ?? letter)
    .join('');

/**
 * The beginning in capitals without accents, which may end within a word, in both alphabets; and all of it with accents elsewhere. An id
 * stays whole.
 */
const retyped = (word: string): readonly string[] => {
  const capitals = bare(word).toUpperCase();
  if (/\d/.test(word)) return [word, capitals];
  const accented = bare(word).replace(/[αεηιουωaeiou]/gi, '$&\u0301');
  const beginning = capitals.length > 5 ? capitals.slice(0, -3) : capitals;
  return [beginning, lookAlike(beginning), accented.normalize('NFC').toLowerCase()];
};

/** A text as it is shown, and its words typed otherwise. */
const waysToType = (text: string): readonly string[] => {
  const words = text.split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
  return [text, ...words.flatMap(retyped)];
};

/** Each row is found by what it shows. */
const ofSearch = async (list: List, rows: readonly Row[], field: string): Promise<readonly string[]> => {
  const found: string[] = [];
  const wanted = new Map<string, Set<string>>();
  for (const { key, texts } of rows)
    for (const text of texts?.[field] ?? [])
      for (const way of waysToType(text))
        if (way.length > 1) wanted.set(way, (wanted.get(way) ?? new Set()).add(key));
  for (const [way, keys] of wanted) {
    const hits = new Set(keysOf((await walk(list, { [field]: way })).rows));
    const missing = [...keys].filter((key) => !hits.has(key)).length;
    if (missing > 0) found.push(`${list.path}: ${field} ${way} misses ${missing} of ${keys.size} rows`);
  }
  return found;
};

export const contradictionsOf = async (list: List, most: number): Promise<readonly string[]> => {
  const { rows, firstPage } = await walk(list, {});
  const filters = filtersOf(list, firstPage, rows);
  const found = [...(await ofFilters(list, filters, most))];
  if (!list.searches) return found;
  const shown = [...rows];
  for (const lang of ['en', 'el']) shown.push(...(await walk(list, { lang })).rows);
  for (const field of list.searches) found.push(...(await ofSearch(list, shown, field)));
  return found;
};
