/** The lists of an account holder. */
import {
  paymentFilterOf,
  permissionFilterOf,
  useFilterOf,
} from '../../src/account-pages/dashboard/filters.js';
import { DASHBOARD, type DashboardVisitor } from '../account-pages/dashboard/support.js';
import { type List, linksIn, partsOf, type Row, textOf, walk } from './list.js';

const FORM = 'src/account-pages/dashboard/view/filter-form.tsx';
const ZONE = 'Europe/Athens';
const PERMISSION = /^\/dashboard\/permissions\/([\w-]{36})$/;

/** What the hint of the field says that it finds: names, the end of an account number, payee, amount; and the purpose. */
const searchable = (row: string): string[] => {
  const [what = ''] = partsOf(row, 'a').map((link) => textOf(link.replace(/<span.*/s, '')));
  const facts = partsOf(row, 'p', 'class="quiet small"').flatMap((line) => textOf(line).split(' · '));
  const payment = /^(.*\d.*) (?:προς|to) (.+)$/.exec(what)?.slice(1) ?? [];
  const names = facts.flatMap((fact) => /^(.+) \((.+)\)$/.exec(fact)?.slice(1) ?? []);
  const accounts = facts.flatMap((fact) => /^…\d{4}/.exec(fact) ?? []);
  return [...names, ...payment, ...accounts, ...partsOf(row, 'q').map(textOf)];
};

const rowsOf = (html: string): Row[] =>
  partsOf(html, 'li', 'class="row"').flatMap((row) =>
    linksIn(row)
      .flatMap((link) => PERMISSION.exec(link)?.[1] ?? [])
      .map((key) => ({ key, texts: { q: searchable(row) } })),
  );

const ofPermissions = {
  form: FORM,
  searches: ['q'],
  rowsOf,
  keyInCsv: (record) => record['Αριθμός άδειας'] ?? '',
  keysInJson: (document) =>
    Object.values(document as Record<string, { id: string }[]>).flatMap((rows) => rows.map(({ id }) => id)),
} satisfies Partial<List>;

const stamp = (instant: string): string => new Date(instant).toLocaleString('sv-SE', { timeZone: ZONE });

/** Each was at a moment of its own. */
const ofUses = {
  form: FORM,
  rowsOf: (html) =>
    [...html.matchAll(/<time datetime="([^"]+)"/gi)].map(([, instant = '']) => ({ key: stamp(instant) })),
  keyInCsv: (record) => record.Ώρα ?? '',
  keysInJson: (document) =>
    Object.values(document as Record<string, { askedAt?: string; accessedAt?: string }[]>).flatMap((rows) =>
      rows.map(({ askedAt, accessedAt }) => stamp(askedAt ?? accessedAt ?? '')),
    ),
  known: Object.keys(useFilterOf({})),
} satisfies Partial<List>;

export interface Holder {
  readonly visitor: DashboardVisitor;
  readonly day: string;
  readonly clientId: string;
  /** Of each list of uses, a permission that was used. */
  readonly used: Readonly<Record<'funds' | 'accesses', string>>;
}

export const dashboardLists = ({ visitor, day, clientId, used }: Holder): readonly List[] => {
  const get = (path: string) => visitor.get(path);
  const ofApp = (path: string): List => ({
    name: 'permissions of one app',
    path,
    get,
    ...ofPermissions,
    known: Object.keys(permissionFilterOf({})),
    // In its path.
    others: { app: [] },
  });
  /** The overview has the newest of each app, and leads to the others. */
  const overview = async (): Promise<readonly Row[]> => {
    const apps = linksIn((await get(DASHBOARD)).text).filter((link) => link.startsWith(`${DASHBOARD}/apps/`));
    const walks = await Promise.all([...new Set(apps)].map((path) => walk(ofApp(path), {})));
    return walks.flatMap(({ rows, firstPage }) => {
      const names = [...partsOf(firstPage, 'h1'), ...partsOf(firstPage, 'p', 'class="lead"')].map(textOf);
      return rows.map(({ key, texts }) => ({ key, texts: { q: [...(texts?.q ?? []), ...names] } }));
    });
  };
  return [
    {
      ...ofApp(DASHBOARD),
      name: 'permissions of all apps',
      others: { app: [clientId] },
      overview,
    },
    ofApp(`${DASHBOARD}/apps/${clientId}`),
    {
      name: 'payments',
      path: `${DASHBOARD}/payments`,
      get,
      ...ofPermissions,
      day,
      known: Object.keys(paymentFilterOf({})),
    },
    ...(['funds', 'accesses'] as const).map((name) => ({
      name,
      path: `${DASHBOARD}/${name}`,
      get,
      ...ofUses,
      day,
      others: { permission: [used[name]] },
    })),
  ];
};
