/** Who asked for funds and who read data, on the page and in the files: the very answers that were given, row for row. */
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { DAY } from '../../../src/lib/clock.js';
import { dateAt } from '../../../src/lib/day.js';
import { send } from '../../support/client.js';
import { engines, racingEngines } from '../../support/engines.js';
import { BUDGET, FINANCE, ibanOf } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { useService } from '../../support/use-service.js';
import { htmlFaults, linksOf } from '../../web/html.js';
import { accessDetails, addRequest } from '../approve-support.js';
import { addAccess, askForFunds, DASHBOARD, type DashboardVisitor, enter } from './support.js';

const ZONE = 'Europe/Athens';
const appNames: Readonly<Record<string, string>> = { [FINANCE]: 'Finance App', [BUDGET]: 'Budget App' };

/** What was asked and answered, as text that can be compared and sorted. */
interface Asked {
  readonly app: string;
  readonly amount: string;
  readonly isAvailable: boolean;
  readonly payee: string;
}
const told = ({ app, amount, isAvailable, payee }: Asked): string =>
  `${app}|${amount}|${isAvailable ? 'yes' : 'no'}|${payee}`;

/** Amounts around the 2,330.25 that are available, spread by a fixed rule: no two runs differ. */
const amountOf = (index: number): number => (((index * 7919 + 13) % 460_000) + 1) / 100;

const run = async (service: Service, count: number): Promise<string[]> => {
  const ask = async (index: number): Promise<string> => {
    const application = index % 2 === 0 ? FINANCE : BUDGET;
    const payee = index % 5 === 0 ? '' : `Κατάστημα ${index % 7}`;
    const amount = amountOf(index);
    const wanted = { application, ...(payee ? { payee } : {}) };
    const { status, json } = await askForFunds(service, amount, wanted);
    expect(status).toBe(200);
    const isAvailable = (json as { fundsAvailable: boolean }).fundsAvailable;
    return told({ app: appNames[application] ?? '', amount: String(amount), isAvailable, payee });
  };
  return Promise.all(Array.from({ length: count }, (_, index) => ask(index)));
};

const cellsOf = (row: string): string[] =>
  [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell.replace(/<[^>]+>/g, '|'));

/** The rows of all pages, as people read them. */
const shownRows = async (visitor: DashboardVisitor, query = ''): Promise<string[]> => {
  const rows: string[] = [];
  let path: string | undefined = `${DASHBOARD}/funds${query}`;
  while (path !== undefined) {
    const { text } = await visitor.get(path);
    const body = /<tbody>(.*)<\/tbody>/s.exec(text)?.[1] ?? '';
    for (const [row] of body.matchAll(/<tr>.*?<\/tr>/gs)) {
      const [, who = '', payee = '', money = '', , answer = ''] = cellsOf(row).map((each) =>
        each.replace(/\|+/g, '|').replace(/^\||\|$/g, ''),
      );
      const amount = money.replace(/[^\d,]/g, '').replace(',', '.');
      rows.push(
        told({
          app: who.split('|')[0] ?? '',
          amount: String(Number(amount)),
          isAvailable: /^(✓\|)?Διαθέσιμο$/.test(answer),
          payee: payee === 'Δεν αναφέρθηκε' ? '' : payee,
        }),
      );
    }
    path = linksOf(text)
      .map((link) => link.replaceAll('&amp;', '&'))
      .find((link) => link.includes('after='));
  }
  return rows;
};

const csvRows = (text: string): Record<string, string>[] => {
  expect(text.startsWith('\ufeff')).toBe(true);
  const delimiter = /[,;]/.exec(text)?.[0] ?? '';
  return parse(text, { bom: true, columns: true, record_delimiter: '\r\n', delimiter }) as Record<
    string,
    string
  >[];
};

interface FundsObject {
  readonly askedAt: string;
  readonly application: { readonly name: string };
  readonly payee: string | null;
  readonly amount: string;
  readonly fundsAvailable: boolean;
  readonly account: string;
}
const objectsIn = (json: unknown): FundsObject[] =>
  (json as { fundsConfirmations: FundsObject[] }).fundsConfirmations;

const ofRecords = racingEngines(
  'PostgreSQL keeps funds records in partitions by month, SQLite in one table with other indexes',
);

describe.each(ofRecords)('questions about funds on %s', (engine) => {
  const service = useService({ engine });
  let answers: string[] = [];

  test('are on the page exactly as they were answered, after hundreds at once by two applications', async () => {
    answers = (await run(service(), 300)).toSorted();
    expect(answers.filter((each) => each.includes('|yes|')).length).toBeGreaterThan(50);
    expect(answers.filter((each) => each.includes('|no|')).length).toBeGreaterThan(50);
    const visitor = await enter(service());
    expect((await shownRows(visitor)).toSorted()).toEqual(answers);
  });

  test('are in the CSV and JSON files exactly so, newest first', async () => {
    const visitor = await enter(service());
    const csv = await visitor.get(`${DASHBOARD}/export/funds.csv`);
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.headers['content-disposition']).toBe('attachment; filename="funds.csv"');
    expect(csv.headers['cache-control']).toBe('no-store');
    const rows = csvRows(csv.text);
    const tellRow = (row: Record<string, string>): string =>
      told({
        app: row.Εφαρμογή ?? '',
        amount: (row.Ποσό ?? '').replace(',', '.'),
        isAvailable: row.Απάντηση === 'Διαθέσιμο',
        payee: row.Δικαιούχος ?? '',
      });
    expect(rows.map(tellRow).toSorted()).toEqual(answers);
    // As Excel reads it in Greece: columns by semicolons, decimals by commas.
    expect(csv.text.split('\r\n', 1)[0]?.split(';')).toHaveLength(Object.keys(rows[0] ?? {}).length);
    expect(rows.some((row) => /^\d+,\d/.test(row.Ποσό ?? ''))).toBe(true);
    expect(rows.every((row) => /^GR\d+$/.test(row.Λογαριασμός ?? '') && !row.Ποσό?.includes('.'))).toBe(true);
    expect(rows.map((row) => row.Ώρα ?? '')).toEqual(
      rows
        .map((row) => row.Ώρα ?? '')
        .toSorted()
        .reverse(),
    );
    const json = await visitor.get(`${DASHBOARD}/export/funds.json`);
    expect(json.headers['content-disposition']).toBe('attachment; filename="funds.json"');
    const objects = objectsIn(json.json);
    const tellObject = ({ application, amount, fundsAvailable, payee }: FundsObject): string =>
      told({ app: application.name, amount, isAvailable: fundsAvailable, payee: payee ?? '' });
    expect(objects.map(tellObject).toSorted()).toEqual(answers);
    expect(objects.map(tellObject)).toEqual(rows.map(tellRow));
    expect(new Set(objects.map(({ account }) => account))).toEqual(new Set([ibanOf('eleni', 101)]));
  });

  test('are nobody else’s', async () => {
    const visitor = await enter(service(), 'nikos');
    expect(await shownRows(visitor)).toEqual([]);
    expect(csvRows((await visitor.get(`${DASHBOARD}/export/funds.csv`)).text)).toEqual([]);
    const { text, json } = await visitor.get(`${DASHBOARD}/export/everything.json`);
    expect(objectsIn(json)).toEqual([]);
    expect(text).not.toContain(ibanOf('eleni', 101));
  });

  test('can be narrowed by app and days, on the page and in the files alike', async () => {
    const visitor = await enter(service());
    const today = dateAt(service().clock.now(), ZONE);
    const tomorrow = dateAt(service().clock.now() + DAY, ZONE);
    for (const [query, count] of [
      [`?app=${BUDGET}`, 150],
      [`?app=${BUDGET}&from=${dateAt(service().clock.now() - DAY, ZONE)}&to=${today}`, 150],
      [`?to=2020-01-01`, 0],
      [`?from=${tomorrow}`, 0],
      ['?from=nonsense&app=', 300],
    ] as const) {
      expect(await shownRows(visitor, query)).toHaveLength(count);
      expect(csvRows((await visitor.get(`${DASHBOARD}/export/funds.csv${query}`)).text)).toHaveLength(count);
      expect(objectsIn((await visitor.get(`${DASHBOARD}/export/funds.json${query}`)).json)).toHaveLength(
        count,
      );
    }
  });
});

describe.each(engines)('the files on %s', (engine) => {
  const service = useService({ engine });

  test('of everything have all permissions, questions and accesses', async () => {
    await askForFunds(service(), 1);
    const consentId = service().consent('AccountAccess').id;
    for (const isAttended of [true, false])
      await addAccess(service(), {
        consentId,
        kind: 'transactions',
        at: service().clock.now(),
        isAttended,
        isOfAll: !isAttended,
      });
    const visitor = await enter(service());
    const { json } = await visitor.get(`${DASHBOARD}/export/everything.json`);
    const document = json as Record<
      'permissions' | 'fundsConfirmations' | 'accesses',
      Record<string, unknown>[]
    >;
    const own = service().credentials.consents.filter(({ psu }) => psu === 'eleni');
    expect(document.permissions.map(({ id, status }) => ({ id, status })).toSorted(byId)).toEqual(
      own.map(({ id, status }) => ({ id, status })).toSorted(byId),
    );
    expect(document.fundsConfirmations).toHaveLength(1);
    expect(
      document.accesses.map(({ data, attended, permission }) => ({ data, attended, permission })),
    ).toEqual(
      expect.arrayContaining([
        { data: 'transactions', attended: true, permission: consentId },
        { data: 'transactions', attended: false, permission: consentId },
      ]),
    );
    const rows = csvRows((await visitor.get(`${DASHBOARD}/export/everything.csv?lang=en`)).text);
    expect(rows).toHaveLength(own.length + 3);
    expect(new Set(rows.map((row) => row.List))).toEqual(
      new Set(['Permission', 'Balance check', 'Access to data']),
    );
    const page = await visitor.get(`${DASHBOARD}/accesses`);
    expect(page.text).toContain('While you used the app');
    expect(page.text).toContain('All accounts of the permission');
    expect(htmlFaults(page.text)).toEqual([]);
  });

  test('never hold a cell that a spreadsheet would run, nor one that breaks its line', async () => {
    const names = ['=HYPERLINK("http://evil.example")', '+1+1', '-2', '@SUM(A1)', 'a "quoted", name\r\n=x'];
    for (const [index, payee] of names.entries()) await askForFunds(service(), index + 50, { payee });
    const visitor = await enter(service());
    const { text } = await visitor.get(`${DASHBOARD}/export/funds.csv?lang=en`);
    const rows = csvRows(text);
    expect(rows.every((row) => Object.keys(row).length === 9)).toBe(true);
    const payees = rows.map((row) => row.Payee ?? '').filter((payee) => payee !== '');
    expect(payees).toHaveLength(names.length);
    expect(payees.filter((payee) => /^[=+\-@\t\r]/.test(payee))).toEqual([]);
    expect(payees).toContain('\'=HYPERLINK("http://evil.example")');
  });

  test('of permissions are narrowed as the page is', async () => {
    await addRequest(service(), { kind: 'AccountAccess', details: accessDetails, psu: 'nikos' });
    const visitor = await enter(service(), 'nikos');
    const rows = csvRows((await visitor.get(`${DASHBOARD}/export/permissions.csv?state=Received`)).text);
    expect(rows.map((row) => row.Κατάσταση)).toEqual(['Σε αναμονή']);
    const { json } = await visitor.get(`${DASHBOARD}/export/permissions.json?kind=AccountAccess`);
    expect((json as { permissions: unknown[] }).permissions).toHaveLength(1);
  });

  test('are announced by HEAD without their content', async () => {
    const visitor = await enter(service());
    const answer = await send(service().url, {
      method: 'HEAD',
      path: `${DASHBOARD}/export/everything.csv`,
      headers: { Cookie: `trapeza_session=${visitor.cookies.get('trapeza_session')}` },
      outsideContract: true,
    });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers['content-disposition']).toContain('attachment');
  });

  test('have these names only', async () => {
    const visitor = await enter(service());
    for (const file of ['x.csv', 'funds.xml', 'funds', 'FUNDS.CSV', '__proto__.csv'])
      expect((await visitor.get(`${DASHBOARD}/export/${file}`)).status).toBe(404);
  });
});

const byId = (a: { id?: unknown }, b: { id?: unknown }): number => String(a.id).localeCompare(String(b.id));
