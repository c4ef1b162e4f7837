/** The ATM pages over HTTP: list, filters, places, pages, map, details; foreign data are shown as text. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoAtms as makeAtms } from '../../packages/sandbox/src/atms/demo-atms.js';
import type { Atm } from '../../src/atms/atm.js';
import { htmlFaults, linksOf } from './html.js';
import { type PagesUnderTest, startPages } from './support.js';

const demoAtms = makeAtms();
const EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202E';

const atm = (number: number, changes: Partial<Atm> = {}): Atm => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  atmid: `M${number}`,
  address: {
    city: `Πόλη ${number % 700}`,
    street: `Οδός ${number}`,
    postalCode: `${10_000 + number}`,
    country: 'GR',
  },
  geographicLocation: `${(35 + ((number * 7) % 600) / 100).toFixed(2)},${(20 + ((number * 13) % 800) / 100).toFixed(2)}`,
  atmServices: number % 2 === 0 ? ['CashWithdrawal'] : ['CashWithdrawal', 'CashDeposits'],
  accessibilityFeatures: number % 5 === 0 ? ['WheelchairAccess'] : null,
  supportedLanguages: ['el', 'en'],
  currency: number === 4 ? ['EUR', 'USD'] : ['EUR'],
  telephoneNumber: null,
  ...changes,
});
const evil = atm(7, {
  name: EVIL,
  description: EVIL,
  address: { city: EVIL, street: EVIL, postalCode: EVIL, country: 'GR' },
  supportedLanguages: [EVIL, 'el'],
  currency: ['EUR'],
});
const many = [...Array.from({ length: 10_000 }, (_, index) => atm(index + 100)), evil];

let demo: PagesUnderTest;
let large: PagesUnderTest;
beforeAll(async () => {
  [demo, large] = await Promise.all([startPages(), startPages({ atms: many })]);
});
afterAll(() => Promise.all([demo, large].map((pages) => pages?.close())));

const open = async (pages: PagesUnderTest, path: string, lang = 'en') => {
  const response = await fetch(`${pages.url}${path}`, { headers: { 'Accept-Language': lang } });
  return { status: response.status, headers: response.headers, html: await response.text() };
};
const idsIn = (html: string): string[] =>
  linksOf(html).flatMap((link) => /^\/atms\/([0-9a-f-]{36})$/.exec(link)?.[1] ?? []);

describe('the list', () => {
  test.each(['el', 'en'])('is a well-formed page in %s, with every demo ATM on some page', async (lang) => {
    const seen = new Set<string>();
    let next: string | undefined = '/atms';
    while (next !== undefined) {
      const { status, headers, html } = await open(demo, next, lang);
      expect([status, headers.get('content-language')]).toEqual([200, lang]);
      expect(htmlFaults(html)).toEqual([]);
      expect(html).toContain(`<html lang="${lang}">`);
      for (const id of idsIn(html)) seen.add(id);
      next = /rel="next" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toEqual(new Set(demoAtms.map(({ id }) => id)));
  });

  test.each([
    ['service', 'CashDeposits', (each: Atm) => each.atmServices?.includes('CashDeposits')],
    ['access', 'WheelchairAccess', (each: Atm) => each.accessibilityFeatures?.includes('WheelchairAccess')],
    ['currency', 'USD', (each: Atm) => each.currency?.includes('USD')],
    ['language', 'de', (each: Atm) => each.supportedLanguages?.includes('de')],
  ] as const)('is filtered by %s', async (name, value, fits) => {
    const { status, html } = await open(demo, `/atms?${name}=${value}`);
    const wanted = demoAtms.filter(fits).map(({ id }) => id);
    expect(status).toBe(200);
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.length).toBeLessThan(demoAtms.length);
    expect(html).toContain(`${wanted.length} ATM`);
    expect(wanted).toEqual(expect.arrayContaining(idsIn(html)));
    expect(idsIn(html)).toHaveLength(Math.min(25, wanted.length));
  });

  const distancesIn = (html: string): number[] =>
    [...html.matchAll(/class="atm-distance"> ([\d.,]+)\s?(km|m)</g)].map(
      ([, number = '', unit]) => Number(number.replace(',', '')) * (unit === 'km' ? 1000 : 1),
    );

  test.each(['Θεσσαλονίκη', 'ΘΕΣΣΑΛΟΝΙΚΗ', 'θεσσαλονικ', '40.64, 22.94', '40.64;22.94'])(
    'near %s begins with the nearest, and says how far it is',
    async (near) => {
      const { status, html } = await open(demo, `/atms?near=${encodeURIComponent(near)}`);
      const [first = ''] = idsIn(html);
      expect(status).toBe(200);
      expect(demoAtms.find(({ id }) => id === first)?.address.city).toBe('Θεσσαλονίκη');
      const distances = distancesIn(html);
      expect(distances).toHaveLength(25);
      expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    },
  );

  test('near a postcode of the list', async () => {
    const wanted = demoAtms.find(({ address }) => address.postalCode) as Atm;
    const code = wanted.address.postalCode ?? '';
    const { html } = await open(demo, `/atms?near=${encodeURIComponent(code.replace(/\s/g, ''))}`);
    expect(demoAtms.find(({ id }) => id === idsIn(html)[0])?.address.postalCode).toBe(code);
  });

  test.each([
    ['near=Ατλαντίδα', 'atm-near', 'The list has no ATM with a location there'],
    ['near=91,200', 'atm-near', 'The list has no ATM with a location there'],
    ['service=Teleport', 'atm-service', 'Service: the list has no such value'],
    ['currency=<b>', 'atm-currency', 'Currency: the list has no such value'],
    ['page=0', 'atm-near', 'A page is a whole number from 1'],
    ['page=x', 'atm-near', 'A page is a whole number from 1'],
  ])('explains %s, and shows the list without it', async (query, field, words) => {
    const { status, html } = await open(demo, `/atms?${query}`);
    expect(status).toBe(400);
    expect(html).toContain(`href="#${field}">${words}`);
    expect(htmlFaults(html)).toEqual([]);
    expect(idsIn(html)).toHaveLength(25);
  });

  test('of 10,000 stays under 100 KB, with filters, place and map', async () => {
    for (const path of [
      '/atms',
      '/atms?near=37.98,23.73',
      '/atms?service=CashDeposits&page=150',
      '/atms?page=99999',
    ]) {
      const { status, html } = await open(large, path, 'el');
      expect([path, status]).toEqual([path, 200]);
      expect(Buffer.byteLength(html)).toBeLessThan(100_000);
      expect(html).toContain('class="atm-land"');
      expect(htmlFaults(html)).toEqual([]);
    }
  });
});

describe('an ATM', () => {
  test.each(['el', 'en'])('has its details and the JSON of the API in %s', async (lang) => {
    const wanted = demoAtms[3] as Atm;
    const { status, html } = await open(demo, `/atms/${wanted.id}`, lang);
    expect(status).toBe(200);
    expect(htmlFaults(html)).toEqual([]);
    const code = /<pre><code>([\s\S]*?)<\/code>/.exec(html)?.[1] ?? '';
    const text = code
      .replace(/<[^>]+>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    expect(JSON.parse(text)).toEqual(wanted);
  });

  test.each(['nowhere', '00000000-0000-4000-8000-000000000000', '__proto__'])(
    '%s does not exist',
    async (id) => {
      expect((await open(demo, `/atms/${id}`)).status).toBe(404);
    },
  );
});

test('foreign data are text wherever they are shown', async () => {
  const paths = [
    '/atms',
    `/atms/${evil.id}`,
    `/atms?near=${encodeURIComponent(EVIL)}`,
    `/atms?language=${encodeURIComponent(EVIL)}`,
  ];
  for (const path of paths) {
    const { html } = await open(large, path);
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<img src=x');
    // What a form sends back is not seen.
    expect(html.replace(/ value="[^"]*"/g, '')).not.toContain('\u202E');
    expect(htmlFaults(html)).toEqual([]);
  }
  const only = await startPages({ atms: [evil] });
  const { html } = await open(only, '/atms');
  await only.close();
  expect(html).toContain('&lt;script');
  expect(htmlFaults(html)).toEqual([]);
});

test('a list without places, or without ATMs, has no map', async () => {
  for (const atms of [[], [atm(1, { geographicLocation: null })]]) {
    const pages = await startPages({ atms });
    const { status, html } = await open(pages, '/atms');
    await pages.close();
    expect([status, html.includes('<svg')]).toEqual([200, false]);
    expect(htmlFaults(html)).toEqual([]);
  }
});
