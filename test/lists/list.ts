/** A list on a page, read as a visitor does: the filters that its form offers, its rows over all its pages, the files that it links to. */
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { tagsOf } from '../web/html.js';

/** A row by what tells it from others, and the texts of it that each field of the form finds. */
export interface Row {
  readonly key: string;
  readonly texts?: Readonly<Record<string, readonly string[]>>;
}

export interface Seen {
  readonly status: number;
  readonly text: string;
}

export interface List {
  readonly name: string;
  readonly path: string;
  readonly get: (path: string) => Promise<Seen>;
  readonly rowsOf: (html: string) => readonly Row[];
  /** The source of its form, and the fields of it that search: accents and case do not matter there. */
  readonly form?: string;
  readonly searches?: readonly string[];
  /** A field that leaves all rows there, and puts the nearest first. */
  readonly orders?: string;
  /** Filters that its addresses know and its form does not offer. */
  readonly others?: Readonly<Record<string, readonly string[]>>;
  /** The names of all its filters, as the code reads them. */
  readonly known?: readonly string[];
  /** What a date field is filled with. */
  readonly day?: string;
  /** All rows, if the page without a filter is an overview that leads to them. */
  readonly overview?: () => Promise<readonly Row[]>;
  /** A row of a file, by the same key. */
  readonly keyInCsv?: (record: Readonly<Record<string, string>>) => string;
  readonly keysInJson?: (document: unknown) => readonly string[];
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decoded = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '');

export const textOf = (html: string): string => decoded(html.replace(/<[^>]+>/g, ''));

/** What stands between each occurrence of a tag with these attributes and its end. */
export const partsOf = (html: string, tag: string, attributes = ''): string[] =>
  [...html.matchAll(new RegExp(`<${tag}\\b[^>]*${attributes}[^>]*>(.*?)</${tag}>`, 'gs'))].map(
    ([, inside = '']) => inside,
  );

/** The cells of each row of the first table. */
export const cellsOf = (html: string): string[][] =>
  partsOf(partsOf(html, 'tbody')[0] ?? '', 'tr').map((row) =>
    [...row.matchAll(/<t[hd]\b[^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell),
  );

export const linksIn = (html: string): string[] =>
  tagsOf(html).flatMap(({ name, attributes }) => (name === 'a' ? decoded(attributes.get('href') ?? '') : []));

export type Query = Readonly<Record<string, string>>;

export const addressOf = (path: string, query: Query): string => {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
};

/** The next page, or the way on of a search that has looked back so far. */
const nextOf = (html: string): string | undefined =>
  tagsOf(html)
    .filter(({ name }) => name === 'a')
    .map(({ attributes }) => ({ rel: attributes.get('rel'), href: decoded(attributes.get('href') ?? '') }))
    .find(({ rel, href }) => rel === 'next' || /[?&]after=/.test(href))?.href;

const open = async ({ get }: List, path: string): Promise<string> => {
  const { status, text } = await get(path);
  expect([path, status]).toEqual([path, 200]);
  return text;
};

export interface Walk {
  readonly rows: readonly Row[];
  readonly firstPage: string;
}

/** The rows on all pages. */
export const walk = async (list: List, query: Query): Promise<Walk> => {
  const firstPage = await open(list, addressOf(list.path, query));
  if (list.overview && Object.keys(query).length === 0) return { rows: await list.overview(), firstPage };
  const rows = [...list.rowsOf(firstPage)];
  for (let next = nextOf(firstPage); next !== undefined; ) {
    const page = await open(list, next);
    rows.push(...list.rowsOf(page));
    next = nextOf(page);
  }
  return { rows, firstPage };
};

/** Of this list: the file of everything is no list, and what stands at the end of every page is not of this one. */
const fileLinks = (html: string): string[] =>
  linksIn(partsOf(html, 'main').join('')).filter(
    (link) => /\.(csv|json)(\?|$)/.test(link) && !link.includes('/everything.'),
  );

/** The keys in each file that the page links to. Both forms of a file are written from the same rows, so one of them will often do. */
export const filesOf = async (
  list: List,
  page: string,
  isInBothForms: boolean,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const files = new Map<string, readonly string[]>();
  for (const link of fileLinks(page)) {
    if (!isInBothForms && link.includes('.json')) continue;
    const { keyInCsv, keysInJson } = list;
    if (!keyInCsv || !keysInJson) throw new Error(`${list.name} links to ${link}: say how it is read`);
    const text = await open(list, link);
    if (link.includes('.json')) files.set(link, keysInJson(JSON.parse(text)));
    else {
      const delimiter = /[,;]/.exec(text)?.[0] ?? '';
      const records = parse(text, { bom: true, columns: true, record_delimiter: '\r\n', delimiter });
      files.set(link, (records as Record<string, string>[]).map(keyInCsv));
    }
  }
  return files;
};

export interface Filter {
  readonly name: string;
  readonly values: readonly string[];
}

/** One value for a field that is typed into: what a row in the middle shows. */
const typed = (list: List, rows: readonly Row[], name: string, type: string): readonly string[] => {
  if (type === 'date' && list.day !== undefined) return [list.day];
  const [text] = rows[Math.floor(rows.length / 2)]?.texts?.[name] ?? [];
  if (text === undefined) throw new Error(`${list.name}: nothing to fill into the field ${name} (${type})`);
  return [text];
};

/** Every field of the form, with every choice that it offers. */
export const filtersOf = (list: List, page: string, rows: readonly Row[]): readonly Filter[] => {
  const form = [...page.matchAll(/<form\b[^>]*method="get"[^>]*>.*?<\/form>/gs)]
    .map(([html]) => html)
    .find((html) => html.includes(`action="${list.path}"`));
  if ((form === undefined) !== (list.form === undefined)) throw new Error(`${list.name}: is there a form?`);
  const selects = [...(form ?? '').matchAll(/<select\b[^>]*name="(\w+)"[^>]*>(.*?)<\/select>/gs)];
  const chosen = selects.map(([, name = '', options = '']) => ({
    name,
    values: tagsOf(options).flatMap(({ attributes }) => decoded(attributes.get('value') ?? '') || []),
  }));
  const inputs = tagsOf(form ?? '')
    .filter(({ name }) => name === 'input')
    .map(({ attributes }) => [attributes.get('name') ?? '', attributes.get('type') ?? 'text'] as const)
    .map(([name, type]) => ({ name, values: typed(list, rows, name, type) }));
  const others = Object.entries(list.others ?? {}).map(([name, values]) => ({ name, values }));
  const filters = [...chosen, ...inputs, ...others];
  const names = filters.map(({ name }) => name);
  if (list.known) expect(names.toSorted(), list.name).toEqual(list.known.toSorted());
  return filters;
};
