/** Guessing one-time codes, and making the bank send them: per person, over everything that asks for a code, on all nodes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settings } from '../../../src/config/config.js';
import { MINUTE, SECOND } from '../../../src/lib/clock.js';
import {
  addRequest,
  demoCodeOf,
  hiddenFields,
  stored,
  Visitor,
} from '../../account-pages/approve-support.js';
import { DASHBOARD, DashboardVisitor } from '../../account-pages/dashboard/support.js';
import { addAccess } from '../../api/ais/support.js';
import { useSimulators } from '../../core-kit/simulator/use-simulator.js';
import type { Answer } from '../../support/client.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { bothEngines } from '../../support/engines.js';
import { account, psuId } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';
import { attackVolume } from '../volume.js';

const PER_PAGE = 5;
const pays = { account: account('eleni', 101).id };

/** How many codes of a person were judged, and how many were sent to them. */
const counts = (service: Service, person = 'eleni') =>
  withStore(service, async (db) => {
    const row = await db.one<{ judged: number; sent: number }>(
      `select coalesce(sum(attempts), 0) as judged, count(*) as sent from demo_challenges where psu_id = ?`,
      [psuId(person)],
    );
    return { judged: Number(row?.judged), sent: Number(row?.sent) };
  });

const guessOn = async (visitor: Visitor, id: string): Promise<void> => {
  const page = await visitor.askForCode(id, await visitor.get(`/authorise/${id}`), pays);
  const code = demoCodeOf(page.text) === '000000' ? '000001' : '000000';
  await Promise.all(Array.from({ length: PER_PAGE }, () => visitor.decide(id, page, { ...pays, code })));
};

const logIn = async (service: Service): Promise<Visitor> => {
  const visitor = new Visitor(service);
  await visitor.open(await addRequest(service));
  return visitor;
};

const engines = bothEngines(
  'guesses at once count on one row: on two nodes with PostgreSQL, through one writer with SQLite',
);

/** Two nodes in one process would wait for each other's locks in SQLite; there one of them has all the guesses. */
describe.each(engines)('codes on the nodes of one %s', (engine) => {
  let database: TestDatabase;
  let first: Service;
  let second: Service;
  let nodes: readonly Service[];
  beforeAll(async () => {
    database = await createDatabase(engine);
    first = await startService({ databaseUrl: database.url });
    const env = { BASE_URL: first.url };
    second = engine === 'sqlite' ? first : await startService({ databaseUrl: database.url, env });
    nodes = [...new Set([first, second])];
  });
  afterAll(async () => {
    for (const node of nodes.toReversed()) await node.close();
    await database.drop();
  });

  /** Payments, renewals that are asked for anew after each five, and the dashboard, on both nodes at once. */
  const attack = async (guesses: number, scope: string): Promise<void> => {
    const visitors = [await logIn(first), await logIn(second)];
    const rounds = Math.ceil(guesses / PER_PAGE / 4);
    const access = await addAccess(first, {});
    const path = `/ais/psd2/v1/consents/${access.id}/authorisations`;
    // A scope of its own gets a token of its own: that of before is over when the clock was moved.
    const as = { ...access.as, scope };
    for (let round = 0; round < rounds; round += 1) {
      expect((await first.call({ method: 'POST', path, as })).status).toBe(201);
      const dashboard = new DashboardVisitor(second);
      const page = await dashboard.logIn('eleni');
      const code = demoCodeOf(page.text) === '000000' ? '000001' : '000000';
      const payments = [await addRequest(first), await addRequest(first)];
      await Promise.all([
        ...visitors.map((visitor, index) => guessOn(visitor, payments[index] ?? '')),
        ...(visitors[0] ? [guessOn(visitors[0], access.id)] : []),
        ...Array.from({ length: PER_PAGE }, () => dashboard.tryCode(page, code)),
      ]);
    }
  };

  it('security F2: wrong codes over payments, renewals, the dashboard and two nodes: five are judged per pause', async () => {
    await attack(attackVolume(60, 500), 'ais');
    expect((await counts(first)).judged).toBe(5);
    const thief = await logIn(first);
    const payment = await addRequest(first);
    const page = await thief.askForCode(payment, await thief.get(`/authorise/${payment}`), pays);
    const answer = await thief.decide(payment, page, { ...pays, code: '123456' });
    expect([answer.status, (await stored(first, payment)).status]).toEqual([429, 'Received']);
    for (const { clock } of nodes) clock.advance(15 * MINUTE + SECOND);
    await attack(20, 'ais pis');
    expect((await counts(first)).judged).toBe(10);
  });

  it('security F2: a right code of the owner gives the thief no new attempts', async () => {
    for (const { clock } of nodes) clock.advance(15 * MINUTE + SECOND);
    const before = (await counts(first)).judged;
    const [owner, thief] = [await logIn(second), await logIn(first)];
    const right = async (): Promise<Answer> => {
      const id = await addRequest(second);
      return owner.decide(id, await owner.get(`/authorise/${id}`), pays);
    };
    const payment = await addRequest(first);
    const page = await thief.askForCode(payment, await thief.get(`/authorise/${payment}`), pays);
    const code = demoCodeOf(page.text) === '000000' ? '000001' : '000000';
    const wrong = () => thief.decide(payment, page, { ...pays, code });
    for (let times = 0; times < 4; times += 1) await wrong();
    expect((await right()).status).toBe(303);
    expect((await wrong()).status).toBe(429);
    expect((await wrong()).status).toBe(429);
    // Five of the thief, and the right one.
    expect((await counts(first)).judged).toBe(before + 6);
  });
});

describe('codes that are sent', () => {
  const known = 'codesPerPerson' in settings;
  let service: Service;
  beforeAll(async () => {
    service = await startService({ env: known ? { TRAPEZA_CODES_PER_PERSON: '5' } : {} });
  });
  afterAll(() => service.close());

  it('integrator S3: 41 views of one request send no code', async () => {
    const id = await addRequest(service);
    const visitor = new Visitor(service);
    await visitor.open(id);
    await Promise.all(Array.from({ length: 20 }, () => visitor.get(`/authorise/${id}`)));
    for (let view = 0; view < 20; view += 1)
      await visitor.get(`/authorise/${id}?lang=${view % 2 === 0 ? 'el' : 'en'}`);
    expect((await counts(service)).sent).toBe(0);
  });

  it('integrator S3: a code asked for twenty times at once in a new session is sent once', async () => {
    const before = (await counts(service, 'nikos')).sent;
    const visitor = new DashboardVisitor(service);
    const login = await visitor.get(DASHBOARD);
    const who = { username: 'nikos', password: 'nikos-demo' };
    await visitor.post(`${DASHBOARD}/login`, { ...hiddenFields(login.text), ...who });
    const page = await visitor.get(DASHBOARD);
    const pages = await Promise.all(Array.from({ length: 20 }, () => visitor.sendCode(page)));
    expect(new Set(pages.map(({ text }) => demoCodeOf(text))).size).toBe(1);
    expect((await counts(service, 'nikos')).sent).toBe(before + 1);
  });

  it('integrator S3: new logins and other requests send five in a quarter of an hour at most', async () => {
    const ask = async (): Promise<Answer> => {
      const visitor = new Visitor(service);
      const id = await addRequest(service);
      return visitor.askForCode(id, await visitor.open(id), pays);
    };
    for (let visit = 0; visit < 7; visit += 1) await ask();
    expect((await counts(service)).sent).toBe(5);
    expect((await ask()).text).toContain('Δεν στέλνουμε άλλον κωδικό μέχρι τις ');
    service.clock.advance(15 * MINUTE + SECOND);
    await ask();
    expect((await counts(service)).sent).toBe(6);
  });
});

describe('a core that is late with a code', () => {
  const simulators = useSimulators('sqlite');

  it('integrator S3: sends one all the same, and no look at the page sends the next', async () => {
    const { url, simulator } = await simulators().start({
      faults: [{ kind: 'late', operation: 'sendCode' }],
    });
    const service = await startService({ env: { TRAPEZA_CORE_URL: url, TRAPEZA_CORE_TIMEOUT_MS: '4000' } });
    const sent = async () =>
      (await simulators().db.one<{ n: number }>('select count(*) as n from demo_challenges'))?.n;
    const id = await addRequest(service);
    const visitor = new Visitor(service);
    const page = await visitor.askForCode(id, await visitor.open(id), pays);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Δεν ξέρουμε αν στάλθηκε ο κωδικός σας');
    for (let look = 0; look < 3; look += 1) await visitor.get(`/authorise/${id}`);
    expect(await sent()).toBe(1);
    service.clock.advance(30 * SECOND);
    await visitor.decide(id, page, { ...pays, decision: 'send' });
    expect(await sent()).toBe(2);
    await service.close();
    await simulator.close();
  });
});
