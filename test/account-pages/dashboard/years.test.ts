/**
 * The dashboard of a person with years of use beside those of people with ten permissions: every page answers, and none is too large.
 * `npm run prove -- dashboard` builds a person with 2,000 permissions and 100,000 records and compares how long each page takes. A page is
 * compared with one that shows as many rows: each filter has its own person with ten permissions, which it finds.
 */
import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { bothEngines, engines } from '../../support/engines.js';
import type { Service } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import { forgetCodes } from '../approve-support.js';
import { DASHBOARD, type DashboardVisitor, enter } from './support.js';
import { addApplications, addPast, type Known, type Past } from './years-seed.js';

const isFull = process.env.TEST_YEARS !== undefined;
const many = isFull
  ? { permissions: 2000, payments: 500, records: 100_000 }
  : { permissions: 60, payments: 25, records: 300 };
const APPS = 11;
const ROUNDS = Number(process.env.TEST_YEARS ?? 1);
const AT_MOST = 1.5;

const statuses = ['Received', 'Valid', 'Rejected', 'RevokedByPsu', 'Expired', 'TerminatedByTpp'];
const paid = ['waiting', 'approved', 'underWay', 'paid', 'notPaid', 'cancelled'];

const pagesOf = ({
  busyApp,
  rareApp,
  busyPermission,
  rarePermission,
  payment,
  account,
}: Known): Record<string, string> => ({
  overview: '',
  'overview, page 2': '?page=2',
  ...Object.fromEntries(statuses.map((state) => [`state ${state}`, `?state=${state}`])),
  'kind AccountAccess': '?kind=AccountAccess',
  'search, many found': '?q=εφαρμογη',
  'search, account': `?q=${account}`,
  'search, none found': '?q=xyzzy',
  'busy app': `/apps/${busyApp}`,
  'rarely used app': `/apps/${rareApp}`,
  'busy permission': `/permissions/${busyPermission}`,
  'rarely used permission': `/permissions/${rarePermission}`,
  payments: '/payments',
  ...Object.fromEntries(paid.map((state) => [`payments ${state}`, `/payments?paid=${state}`])),
  'payments, search': '/payments?q=1120,50',
  'payments, none found': '/payments?q=xyzzy',
  payment: `/permissions/${payment}`,
  ...Object.fromEntries(
    (['funds', 'accesses'] as const).flatMap((list) => [
      [list, `/${list}`],
      [`${list}, busy app`, `/${list}?app=${busyApp}`],
      [`${list}, rarely used app`, `/${list}?app=${rareApp}`],
      [`${list}, days`, `/${list}?from=2026-01-01&to=2026-12-31`],
    ]),
  ),
  'funds of a busy permission': `/funds?permission=${busyPermission}`,
  'funds of a rarely used permission': `/funds?permission=${rarePermission}`,
  ...Object.fromEntries(
    ['permissions', 'payments', 'funds', 'accesses', 'everything'].map((list) => [
      `CSV ${list}`,
      `/export/${list}.csv`,
    ]),
  ),
});

interface Taken {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
  readonly cpuMs: number;
}

/** A file counts until its first byte. */
const take = (url: string, { cookies }: DashboardVisitor, path: string): Promise<Taken> =>
  new Promise((resolve, reject) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const from = performance.now();
    const used = process.cpuUsage();
    const request = get(
      `${url}${DASHBOARD}${encodeURI(path)}`,
      { headers: { cookie }, agent: false },
      (response) => {
        let text = '';
        const end = () => {
          const { user, system } = process.cpuUsage(used);
          const ms = performance.now() - from;
          resolve({ status: response.statusCode ?? 0, text, ms, cpuMs: (user + system) / 1000 });
        };
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
          if (!path.startsWith('/export/')) return;
          end();
          response.destroy();
        });
        response.on('end', end);
      },
    );
    request.on('error', reject);
  });

/** What a page takes while the machine does little else. */
const quickest = (measured: readonly Measured[]): number => Math.min(...measured.map(({ ms }) => ms));

const rowsIn = (text: string): number => text.match(/<li class="row"|<tr/g)?.length ?? 0;

const few = { permissions: 10, payments: 10, records: 150 };
/** People with ten permissions, by the pages that each is for; the first for all others. */
const tens: readonly (Past & { readonly pages: RegExp })[] = [
  { psu: 'petros', account: 901, ...few, pages: /./ },
  {
    psu: 'anna',
    account: 902,
    ...few,
    alike: { status: 'Rejected', kind: 'ConfirmationOfFunds' },
    pages: /Rejected|^busy app|^funds, busy|busy permission/,
  },
  {
    psu: 'dimitris',
    account: 601,
    ...few,
    records: 300,
    alike: { status: 'RevokedByPsu', kind: 'AccountAccess' },
    pages: /RevokedByPsu|AccountAccess|accesses, busy/,
  },
  {
    psu: 'giorgos',
    account: 401,
    ...few,
    alike: { status: 'Expired', kind: 'AccountAccess' },
    pages: /Expired/,
  },
  {
    psu: 'nikos',
    account: 202,
    ...few,
    alike: { status: 'TerminatedByTpp', kind: 'AccountAccess' },
    pages: /TerminatedByTpp/,
  },
];

interface Visit {
  readonly visitor: DashboardVisitor;
  readonly pages: Record<string, string>;
}

const visit = async (service: Service, past: Past, apps: readonly string[]): Promise<Visit> => ({
  pages: pagesOf(await addPast(service, past, apps)),
  visitor: await enter(service, past.psu),
});

interface Measured {
  readonly rows: number;
  readonly ms: number;
}

const measure = async (service: Service, { visitor, pages }: Visit, name: string, into: Measured[]) => {
  const path = pages[name] ?? '';
  const { status, text, ms, cpuMs } = await take(service.url, visitor, path);
  expect([name, status]).toEqual([name, 200]);
  if (!path.startsWith('/export/')) expect(Buffer.byteLength(text)).toBeLessThan(100_000);
  // With the embedded store all the work is done by this process, and its own time is not that of a busy machine.
  into.push({ rows: rowsIn(text), ms: service.databaseUrl.startsWith('sqlite') ? cpuMs : ms });
};

const places = isFull ? bothEngines('the plan decides what a page of many records costs') : engines;

describe.each(places)('on %s', (engine) => {
  const service = useService({ engine });

  test('years of use keep every page readable and as quick', { timeout: 600_000 }, async () => {
    const apps = await addApplications(service(), APPS);
    const large = await visit(service(), { psu: 'kostas', account: 801, ...many }, apps);
    const small: Visit[] = [];
    for (const past of isFull ? tens : tens.slice(0, 1)) small.push(await visit(service(), past, apps));
    await forgetCodes(service());
    if (engine === 'postgres') await withStore(service(), (db) => db.run('analyze'));
    const rows = [];
    for (const name of Object.keys(large.pages)) {
      const ten = small[tens.findLastIndex(({ pages }) => pages.test(name))] ?? small[0];
      const [ofMany, ofTen]: [Measured[], Measured[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        await measure(service(), large, name, ofMany);
        if (ten) await measure(service(), ten, name, ofTen);
      }
      const [time = 0, tenTime = 1] = [ofMany, ofTen].map(quickest);
      rows.push({
        page: name,
        rows: `${ofMany[0]?.rows} | ${ofTen[0]?.rows}`,
        many: time.toFixed(1),
        ten: tenTime.toFixed(1),
        ratio: Number((time / tenTime).toFixed(2)),
      });
    }
    if (!isFull) return;
    console.table(rows);
    expect(rows.filter(({ ratio }) => ratio > AT_MOST)).toEqual([]);
  });
});
