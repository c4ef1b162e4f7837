/** Guessing passwords, and using the login to take the service down: per address, per name, and never at the cost of others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settings } from '../../../src/config/config.js';
import { MINUTE } from '../../../src/lib/clock.js';
import { hiddenFields, Visitor } from '../../account-pages/approve-support.js';
import { DASHBOARD, DashboardVisitor } from '../../account-pages/dashboard/support.js';
import { behaves, json, RawCore } from '../../bank/http/raw-core.js';
import { discover, startAuthorization } from '../../oauth/provider-journey.js';
import { type Answer, send } from '../../support/client.js';
import { FUNDS, fundsBody } from '../../support/operations.js';
import { type Service, type ServiceOptions, startService } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';
import { attackVolume } from '../volume.js';

/** Limits as they are without a setting; a program that does not have them yet gets none. */
const usual: Readonly<Record<string, string>> = {
  ...('loginsPerAddress' in settings ? { TRAPEZA_LOGINS_PER_ADDRESS: '60' } : {}),
  ...('authorizationsPerAddress' in settings ? { TRAPEZA_AUTHORIZATIONS_PER_ADDRESS: '120' } : {}),
};

const rowsOf = (service: Service, table: 'psu_sessions' | 'oidc_records'): Promise<number> =>
  withStore(service, async (db) => {
    const sql = {
      psu_sessions: 'select count(*) as n from psu_sessions',
      oidc_records: 'select count(*) as n from oidc_records',
    }[table];
    return (await db.one<{ n: number }>(sql))?.n ?? 0;
  });

/** Logins of one browser, all with another name unless one is given. */
const flood = async (service: Service, logins: number, name?: string): Promise<readonly Answer[]> => {
  const visitor = new DashboardVisitor(service);
  const fields = hiddenFields((await visitor.get(DASHBOARD)).text);
  const password = 'guessed';
  return Promise.all(
    Array.from({ length: logins }, (_none, index) =>
      visitor.post(`${DASHBOARD}/login`, { ...fields, username: name ?? `somebody-${index}`, password }),
    ),
  );
};

const withStatus = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

describe('a core with slow logins', () => {
  const core = new RawCore();
  const nobody = { recognised: false, psuId: null, name: null };
  const judged = () => core.seen.filter(({ path }) => path.endsWith('/logins')).length;
  beforeAll(async () => {
    await core.up();
    core.behave = (seen, response) =>
      seen.path.endsWith('/logins') ? setTimeout(() => json(response, nobody), 50) : behaves(seen, response);
  });
  afterAll(() => core.down());

  const start = (more: ServiceOptions['env'] = {}): Promise<Service> =>
    startService({ env: { TRAPEZA_CORE_URL: core.url, TRAPEZA_CORE_MAX_CALLS: '8', ...more } });

  /** Asks for funds until the flood is over. */
  const funds = async (service: Service, flooding: Promise<unknown>): Promise<readonly number[]> => {
    const statuses: number[] = [];
    let isOver = false;
    void flooding.finally(() => {
      isOver = true;
    });
    while (!isOver || statuses.length < 10)
      statuses.push((await service.call({ method: 'POST', path: FUNDS, body: fundsBody() })).status);
    return statuses;
  };

  it('security F3: of many logins of one address 60 are judged, and funds questions are answered meanwhile', async () => {
    const service = await start(usual);
    const total = attackVolume(300, 2000);
    const flooding = flood(service, total);
    const statuses = await funds(service, flooding);
    const answers = await flooding;
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(judged()).toBeLessThanOrEqual(60);
    expect(withStatus(answers, 429)).toBe(total - 60);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused?.text).toContain('Πάρα πολλές προσπάθειες');
    await service.close();
  });

  it('security F3: logins from many addresses take no turn of a funds question', async () => {
    const service = await start();
    const flooding = flood(service, attackVolume(150, 500));
    const statuses = await funds(service, flooding);
    const answers = await flooding;
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    // Who finds no turn reads a page that says so.
    const full = answers.filter(({ status }) => status === 503);
    expect(full.length).toBeGreaterThan(0);
    expect(full.every(({ text }) => text.includes('<h1>'))).toBe(true);
    await service.close();
  });
});

describe('on this machine', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  it('security F3: five failures under one name are followed by a pause, whether the name exists or not', async () => {
    const told = [];
    for (const name of ['petros', 'nobody-at-all']) {
      const answers: Answer[] = [];
      for (let attempt = 0; attempt < 7; attempt += 1)
        answers.push(...(await flood(service, 1, attempt % 2 === 0 ? name : ` ${name.toUpperCase()}`)));
      told.push(answers.map(({ status }) => status));
      expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(60);
    }
    expect(told[0]).toEqual([...Array.from({ length: 5 }, () => 400), 429, 429]);
    expect(told[1]).toEqual(told[0]);
    const visitor = new DashboardVisitor(service);
    expect((await visitor.logIn('petros')).text).toContain('id="username"');
  });

  it('security F3: password checks in this process are few at a time, and the rest is told to wait', async () => {
    const answers = await flood(service, attackVolume(60, 200));
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toEqual(new Set([400, 429]));
    expect((await service.call({ method: 'POST', path: FUNDS, body: fundsBody() })).status).toBe(200);
  });

  it('security F3: visits without a login write no session', async () => {
    const before = await rowsOf(service, 'psu_sessions');
    const visits = attackVolume(100, 1500);
    const paths = [DASHBOARD, '/authorise/3b241101-e2bb-4255-8caf-4136c566a962'];
    const pages = await Promise.all(
      Array.from({ length: visits }, (_none, index) => new Visitor(service).get(paths[index % 2] ?? '')),
    );
    expect(withStatus(pages, 200)).toBe(visits);
    expect(await rowsOf(service, 'psu_sessions')).toBe(before);
  });
});

describe('authorization requests', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ env: usual });
  });
  afterAll(() => service.close());

  it('security F3: each writes one row, 120 a minute of one address, and the rows are gone when they are over', async () => {
    const before = await rowsOf(service, 'oidc_records');
    const { url } = await startAuthorization(service, await discover(service));
    const total = attackVolume(150, 500);
    const ask = () => send(service.url, { path: `${url.pathname}${url.search}`, outsideContract: true });
    const answers = await Promise.all(Array.from({ length: total }, ask));
    expect(withStatus(answers, 303)).toBe(120);
    expect(await rowsOf(service, 'oidc_records')).toBe(before + 120);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.text).toContain('Πάρα πολλές προσπάθειες');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    const pushed = await send(service.url, {
      method: 'POST',
      path: '/oauth/par',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'client_id=x',
      outsideContract: true,
    });
    expect([pushed.status, pushed.json]).toEqual([
      429,
      { error: 'temporarily_unavailable', error_description: expect.any(String) },
    ]);
    service.clock.advance(15 * MINUTE + 1000);
    await service.app.runJobs();
    expect(await rowsOf(service, 'oidc_records')).toBe(before);
  });
});
