/**
 * The dashboard of a person with years of use beside that of a person with ten permissions: every page answers, and none is too large.
 * `npm run bench:dashboard` builds a person with 2,000 permissions and 100,000 records and compares how long each page takes.
 */
import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { engines } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import { forgetCodes } from '../approve-support.js';
import { DASHBOARD, type DashboardVisitor, enter } from './support.js';
import { addApplications, addPast, type Known } from './years-seed.js';

const isFull = process.env.TEST_YEARS !== undefined;
const many = isFull
  ? { permissions: 2000, payments: 500, records: 100_000 }
  : { permissions: 60, payments: 25, records: 300 };
const few = { permissions: 10, payments: 10, records: 30 };
const APPS = 11;
const ROUNDS = Number(process.env.TEST_YEARS ?? 1);
/** A page of ten rows beside one of a row or two, and room for a busy machine: what grows with the records is ten times this. */
const AT_MOST = 5;

const statuses = ['Received', 'Valid', 'Rejected', 'RevokedByPsu', 'Expired', 'TerminatedByTpp'];
const paid = ['waiting', 'approved', 'underWay', 'paid', 'notPaid', 'cancelled'];

const pagesOf = ({
  busyApp,
  rareApp,
  busyPermission,
  rarePermission,
  payment,
}: Known): Record<string, string> => ({
  overview: '',
  'overview, page 2': '?page=2',
  ...Object.fromEntries(statuses.map((state) => [`state ${state}`, `?state=${state}`])),
  'kind AccountAccess': '?kind=AccountAccess',
  'search, many found': '?q=εφαρμογη',
  'search, account': '?q=01',
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
    ['permissions', 'funds', 'accesses', 'everything'].map((list) => [`CSV ${list}`, `/export/${list}.csv`]),
  ),
});

interface Taken {
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
}

/** A file counts until its first byte. */
const take = (url: string, { cookies }: DashboardVisitor, path: string): Promise<Taken> =>
  new Promise((resolve, reject) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const from = performance.now();
    const request = get(
      `${url}${DASHBOARD}${encodeURI(path)}`,
      { headers: { cookie }, agent: false },
      (response) => {
        let bytes = 0;
        const end = () => resolve({ status: response.statusCode ?? 0, bytes, ms: performance.now() - from });
        response.on('data', (part: Buffer) => {
          bytes += part.length;
          if (!path.startsWith('/export/')) return;
          end();
          response.destroy();
        });
        response.on('end', end);
      },
    );
    request.on('error', reject);
  });

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

describe.each(isFull ? engines : (['sqlite'] as const))('on %s', (engine) => {
  const service = useService({ engine });

  test('years of use keep every page readable and as quick', { timeout: 600_000 }, async () => {
    const apps = await addApplications(service(), APPS);
    const people = [
      { psu: 'kostas', account: 801, ...many },
      { psu: 'petros', account: 901, ...few },
    ];
    const visits: {
      readonly visitor: DashboardVisitor;
      readonly pages: Record<string, string>;
      readonly times: Map<string, number[]>;
    }[] = [];
    for (const past of people) {
      const pages = pagesOf(await addPast(service(), past, apps));
      visits.push({ visitor: await enter(service(), past.psu), pages, times: new Map() });
    }
    await forgetCodes(service());
    if (engine === 'postgres') await withStore(service(), (db) => db.run('analyze'));
    const names = Object.keys(visits[0]?.pages ?? {});
    for (let round = 0; round < ROUNDS; round += 1)
      for (const name of names)
        for (const { visitor, pages, times } of visits) {
          const path = pages[name] ?? '';
          const { status, bytes, ms } = await take(service().url, visitor, path);
          expect([name, status]).toEqual([name, 200]);
          if (!path.startsWith('/export/')) expect(bytes).toBeLessThan(100_000);
          times.set(name, [...(times.get(name) ?? []), ms]);
        }
    if (!isFull) return;
    const rows = names.map((name) => {
      const [large = 0, small = 1] = visits.map(({ times }) => median(times.get(name) ?? []));
      return {
        page: name,
        many: large.toFixed(1),
        ten: small.toFixed(1),
        ratio: Number((large / small).toFixed(2)),
      };
    });
    console.table(rows);
    expect(rows.filter(({ ratio }) => ratio > AT_MOST)).toEqual([]);
  });
});
