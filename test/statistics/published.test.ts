/**
 * From calls to what the bank publishes: real calls, recomputed from the request log by awk; a quarter that is frozen; the page and its
 * files.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../src/lib/clock.js';
import { dateAt, endOfDay } from '../../src/lib/day.js';
import { figuresOf } from '../../src/statistics/figures.js';
import { quarterAt, quarterOf, readQuarter } from '../../src/statistics/quarters.js';
import { parseChannels } from '../../src/statistics/read-channels.js';
import { openDb } from '../../src/store/open.js';
import { askForFunds } from '../account-pages/dashboard/support.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { engines } from '../support/engines.js';
import { FUNDS, fundsBody } from '../support/operations.js';
import { type Service, startService } from '../support/service.js';
import { withStore } from '../support/use-service.js';
import { ZONE } from './timeline.js';

/** Number of calls, mean of those that were answered in milliseconds, and error rate, of the operations with these names. */
const AWK = `
  /"msg":"request"/ {
    match($0, /"operation":"[^"]*"/); operation = substr($0, RSTART + 13, RLENGTH - 14)
    if (index(" " names " ", " " operation " ") == 0) next
    match($0, /"status":[0-9]+/); status = substr($0, RSTART + 9, RLENGTH - 9) + 0
    match($0, /"ms":[0-9.]+/); ms = substr($0, RSTART + 5, RLENGTH - 5) + 0
    calls++
    if (status > 0 && status < 400) { answered++; sum += ms }
    if (status >= 500 || (status == 408 && /processing-timeout/)) faults++
  }
  END { printf "%d %.1f %.2f", calls, answered ? sum / answered : 0, calls ? 100 * faults / calls : 0 }`;

describe.each(engines)('statistics on %s', (engine) => {
  let database: TestDatabase;
  let service: Service;
  let folder: string;
  const logs: string[] = [];
  let offset = 0;
  let day = '';

  const start = async (): Promise<void> => {
    service = await startService({ databaseUrl: database.url });
    service.clock.advance(offset);
  };
  const stop = async (): Promise<void> => {
    await service.close();
    logs.push(...service.logs);
  };
  const leap = (ms: number): void => {
    offset += ms;
    service.clock.advance(ms);
  };
  const noon = (): void =>
    leap(endOfDay(dateAt(service.clock.now(), ZONE), ZONE) + 12 * HOUR - service.clock.now());

  beforeAll(async () => {
    database = await createDatabase(engine);
    folder = mkdtempSync(join(tmpdir(), 'trapeza-statistics-'));
    await start();
    noon();
    day = dateAt(service.clock.now(), ZONE);
    const faulty = { 'Sandbox-Scenario': 'core-down' };
    const funds = { method: 'POST', path: FUNDS, body: fundsBody() } as const;
    for (let call = 0; call < 20; call += 1) await askForFunds(service, 5);
    for (let call = 0; call < 3; call += 1) await service.call({ ...funds, headers: faulty });
    await service.call({ ...funds, body: '{' });
    await service.call({ path: '/opendata/psd2/v1/atms' });
    // A second node after the first has gone: the figures go on.
    await stop();
    await start();
    for (let call = 0; call < 10; call += 1) await askForFunds(service, 5);
    await service.call({ path: '/ais/psd2/v1/accounts' });
    leap(DAY);
  });
  afterAll(async () => {
    await service?.close();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('equal what awk makes of the request log', async () => {
    await stop();
    const file = join(folder, 'log');
    writeFileSync(file, logs.join(''));
    const own = (area: string) =>
      service.app.operations.filter((each) => each.area === area).map(({ id }) => id);
    const by = (names: readonly string[]) =>
      execFileSync('awk', ['-v', `names=${names.join(' ')}`, AWK, file], { encoding: 'utf8' })
        .split(' ')
        .map(Number);
    const db = await openDb(database.url, 1);
    const [figures] = await figuresOf(db, [day], service.clock.now(), ZONE);
    await db.close();
    const { fundsConfirmation, accountInformation, errorPercent } = figures ?? {};
    expect([fundsConfirmation?.requests, fundsConfirmation?.meanMs]).toEqual(by(own('piis')).slice(0, 2));
    expect(fundsConfirmation?.requests).toBe(34);
    expect(accountInformation).toMatchObject({ requests: 1, meanMs: null });
    expect(errorPercent).toBe(by([...own('pis'), ...own('ais'), ...own('piis')])[2]);
    expect(errorPercent).toBe(8.57);
    await start();
  });

  it('of a quarter are frozen when they are published', async () => {
    const admin = () => service.app.admin.as({ actor: 'test', reason: 'quarter' });
    const quarter = quarterOf(day);
    const publish = () => admin().publishStatistics(quarter);
    await expect(publish()).rejects.toThrow(`${quarter} is not over`);
    const csv = `date,channel,uptimePercent\r\n${day},Web banking,99.95\r\n${day},Κινητό,100\r\n`;
    const take = (text: string) => admin().importStatistics({ file: parseChannels(text) });
    await expect(take('day,channel\n')).rejects.toThrow('line 1: the first line must be');
    await expect(take(`${csv}${day},Web banking,101\r\n2026-13-01,x,1\r\n`)).rejects.toThrow(
      /line 4: "101" is not a percentage.*\nline 5: "2026-13-01" is not a date.*\nline 4: .* stands in the file twice/s,
    );
    expect(await take(csv)).toBe(2);
    while (quarterAt(service.clock.now(), ZONE) === quarter) leap(DAY);
    const sha256 = await publish();
    await expect(publish()).rejects.toThrow('published already');
    await expect(take(csv)).rejects.toThrow('do not change any more');
    const read = () => withStore(service, (db) => readQuarter(db, quarter, service.clock.now(), ZONE));
    const before = await read();
    expect(before?.days.find(({ date }) => date === day)).toMatchObject({
      channels: {
        'Web banking': { uptimePercent: 99.95, downtimePercent: 0.05 },
        Κινητό: { downtimePercent: 0 },
      },
    });
    await withStore(service, (db) => db.run('update statistics_calls set calls = calls + 1, faults = 1'));
    expect(await read()).toEqual(before);
    const json = await (await fetch(`${service.url}/statistics.json?quarter=${quarter}`)).text();
    expect(createHash('sha256').update(json).digest('hex')).toBe(sha256);
  });

  it('are a page in both languages, with its files; other quarters are absent', async () => {
    const quarter = quarterOf(day);
    const get = (path: string, lang: string) =>
      fetch(`${service.url}${path}`, { headers: { 'Accept-Language': lang } });
    const shown = { el: 'Δημοσιεύθηκε στις', en: 'Published on' };
    for (const lang of ['el', 'en'] as const) {
      const page = await get(`/statistics?quarter=${quarter}`, lang);
      expect(page.status).toBe(200);
      const html = await page.text();
      expect(html).toContain(shown[lang]);
      expect(html).toContain('Web banking');
    }
    const csv = await get(`/statistics.csv?quarter=${quarter}`, 'el');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await csv.text()).toMatch(new RegExp(`\r\n${day};99,95;0,05;100,00;0,00;`));
    expect((await get('/statistics', 'en')).status).toBe(200);
    for (const path of ['/statistics', '/statistics.csv', '/statistics.json'])
      expect((await get(`${path}?quarter=1999Q1`, 'en')).status).toBe(404);
  });
});
