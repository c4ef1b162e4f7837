/** The lists of operators, developers and everybody. */
import type { Visitor } from '../operator/visitor.js';
import { cellsOf, type List, linksIn, partsOf, type Row, type Seen, textOf } from './list.js';

type Get = List['get'];

const consoleGet =
  (visitor: Visitor): Get =>
  async (path) => {
    const { status, body } = await visitor.get(path);
    return { status, text: body };
  };

const FOUND = /^\/operator\/(?:parties|consents|people)\/[^/]+$/;

/** Third parties by their names, registrations and applications, payments and calls by their ids: as the console itself shows them. */
const foundByConsole = async (get: Get, calls: List, tppId: string): Promise<readonly Row[]> => {
  const parties = cellsOf((await get('/operator/parties')).text).map(async ([name = '', mark = '']) => {
    const [key = ''] = linksIn(name);
    const page = (await get(key)).text;
    const applications = cellsOf(page.slice(page.indexOf('id="applications"'))).map(([cell = '']) => cell);
    return { key, texts: { q: [name, mark, ...applications].map(textOf) } };
  });
  const payments = partsOf((await get('/operator/payments')).text, 'a', '/operator/consents/[^"]*"');
  const links = linksIn((await get('/operator/payments')).text).filter((link) => FOUND.test(link));
  const requestIds = calls.rowsOf((await calls.get(calls.path)).text).map(({ key }) => key);
  return [
    ...(await Promise.all(parties)).map((row) =>
      row.key.endsWith(tppId) ? { ...row, texts: { q: [...row.texts.q, ...requestIds.slice(0, 3)] } } : row,
    ),
    ...payments.map((id, index) => ({ key: links[index] ?? '', texts: { q: [textOf(id)] } })),
  ];
};

export const consoleLists = (visitor: Visitor, calls: List, tppId: string): readonly List[] => {
  const get = consoleGet(visitor);
  return [
    {
      name: 'search of the console',
      path: '/operator',
      get,
      form: 'src/operator/search.tsx',
      searches: ['q'],
      rowsOf: (html) =>
        cellsOf(html).flatMap((cells) =>
          linksIn(cells.join(''))
            .filter((link) => FOUND.test(link))
            .map((key) => ({ key })),
        ),
      overview: () => foundByConsole(get, calls, tppId),
    },
    {
      name: 'audit log',
      path: '/operator/audit',
      get,
      form: 'src/operator/audit.tsx',
      rowsOf: (html) =>
        cellsOf(html).map((cells) => {
          const [, actor = '', act = '', subject = ''] = cells.map(textOf);
          return {
            key: cells.map(textOf).join(' | '),
            texts: { actor: [actor], act: [act], subject: [subject] },
          };
        }),
    },
  ];
};

export const developerLists = (get: Get, clientId: string): List => ({
  name: 'request log',
  path: `/portal/applications/${clientId}/log`,
  get,
  form: 'src/portal/developer/calls.tsx',
  searches: ['id'],
  rowsOf: (html) =>
    partsOf(html, 'details', 'portal-call')
      .flatMap((call) => /<code>([\w-]{36})<\/code>/.exec(call)?.[1] ?? [])
      .map((key) => ({ key, texts: { id: [key] } })),
});

/** Of `Street 1, 153 42 Town, GR`, in capitals without accents. */
const townOf = (address: string): string =>
  (address.split(', ').at(-2) ?? '')
    .replace(/^[\d ]+/, '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase();

/** `2026-10-01` as `1 Oct`. */
const shortDay = (date: string): string =>
  new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export const publicLists = (get: (path: string) => Promise<Seen>): readonly List[] => [
  {
    name: 'ATMs',
    path: '/atms',
    get,
    form: 'src/portal/atms/atms-page.tsx',
    orders: 'near',
    rowsOf: (html) =>
      partsOf(html, 'li', 'class="card"').map((card) => ({
        key: linksIn(card)[0] ?? '',
        texts: { near: [townOf(textOf(partsOf(card, 'p')[0] ?? ''))] },
      })),
  },
  {
    name: 'statistics',
    path: '/statistics',
    get,
    rowsOf: (html) => cellsOf(html).map(([day = '']) => ({ key: textOf(day) })),
    keyInCsv: (record) => shortDay(record.Day ?? ''),
    keysInJson: (document) =>
      (document as { days: { date: string }[] }).days.map(({ date }) => shortDay(date)),
  },
];
