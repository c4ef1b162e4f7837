/** The people who show one case each: over the API, without a browser, and on the pages. */
import { describe, expect, it } from 'vitest';
import { casePsus } from '../../packages/sandbox/src/bank/case-people.js';
import { addRequest, hiddenFields, stored, titleOf, Visitor } from '../account-pages/approve-support.js';
import { DASHBOARD, DashboardVisitor } from '../account-pages/dashboard/support.js';
import { faultsIn } from '../bank/books.js';
import { done, send, slugOf } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { engines } from '../support/engines.js';
import { ATMS, FUNDS, resetSandbox } from '../support/operations.js';
import { startService } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';

const DEADLINE_MS = 6000;

describe.each(engines)('on %s', (engine) => {
  const use = useService({
    engine,
    core: 'embedded',
    env: { TRAPEZA_DEADLINE_MS: String(DEADLINE_MS), TRAPEZA_DEMO_MONTHS: '0' },
  });

  const accountOf = (psu: string) => ({
    iban: use().credentials.psus.find(({ username }) => username === psu)?.accounts[0]?.iban ?? undefined,
  });
  const access = { permissions: ['AccountsDetail', 'Balances'], recurring: true };
  const asked = async (psu: string): Promise<string> => {
    const wanted = { method: 'POST', path: '/ais/psd2/v1/consents', as: { psu }, body: access };
    return (done(await use().call(wanted)).json as { consentId: string }).consentId;
  };
  const approve = (id: string) =>
    send(use().url, {
      method: 'POST',
      path: `/sandbox/consents/${id}/decision`,
      body: { decision: 'approve' },
    });
  const funds = (psu: string, amount: number) =>
    use().call({
      method: 'POST',
      path: FUNDS,
      as: { psu },
      body: { account: accountOf(psu), instructedAmount: { currency: 'EUR', amount } },
    });

  it('manolis refuses through the control and in his app, and has approved nothing before', async () => {
    expect((await approve(await asked('manolis'))).json).toEqual({ status: 'Rejected' });
    expect(slugOf(await funds('manolis', 1))).toBe('consent-required');
    const id = await addRequest(use(), { psu: 'manolis' });
    const visitor = new Visitor(use());
    const page = await visitor.open(id, 'manolis');
    const account = casePsus[0]?.accounts[0]?.id ?? '';
    const { headers } = await visitor.decide(id, page, { account });
    expect(headers.location).toContain(hiddenFields(page.text).shown);
    const refused = await visitor.get(headers.location ?? '');
    expect(refused.text).toContain('Απορρίψατε το αίτημα στην εφαρμογή της τράπεζας');
    expect((await stored(use(), id)).status).toBe('Received');
  });

  it('fani logs in and has nothing to approve for', async () => {
    const answer = await approve(await asked('fani'));
    expect([answer.status, slugOf(answer)]).toEqual([409, 'state-conflict']);
    const page = await new Visitor(use()).open(await addRequest(use(), { psu: 'fani' }), 'fani');
    expect(page.status).toBe(200);
    expect(titleOf(page)).toMatch(/δεν μπορεί να εγκριθεί$/);
    const visitor = new DashboardVisitor(use());
    await visitor.tryCode(await visitor.logIn('fani'));
    expect((await visitor.get(DASHBOARD)).text).toContain('Φανή Ρούσσου');
  });

  it('thanos logs in, never has funds and cannot approve for his blocked account', async () => {
    expect((await funds('thanos', 0.01)).json).toEqual({ fundsAvailable: false });
    expect((await approve(await asked('thanos'))).status).toBe(409);
    const visitor = new DashboardVisitor(use());
    await visitor.tryCode(await visitor.logIn('thanos'));
    expect((await visitor.get(DASHBOARD)).text).toContain('Θάνος Λαμπρόπουλος');
  });

  it('lefteris gets the usual answers late', async () => {
    const took = async (work: () => Promise<unknown>): Promise<number> => {
      const begun = performance.now();
      await work();
      return performance.now() - begun;
    };
    await use().token({ psu: 'lefteris' });
    const [late, other] = await Promise.all([
      took(async () => expect((await funds('lefteris', 900)).json).toEqual({ fundsAvailable: true })),
      took(async () => expect((await use().call({ path: ATMS, as: { psu: 'lefteris' } })).status).toBe(200)),
    ]);
    // A timer may fire a moment early.
    expect(Math.min(late, other)).toBeGreaterThan(DEADLINE_MS / 2 - 10);
  });

  it('are on the pages in words, and come again with a reset', async () => {
    await resetSandbox(use());
    const html = { Accept: 'text/html', 'Accept-Language': 'en' };
    for (const path of ['/sandbox/credentials', '/docs/scenarios']) {
      const { text } = await send(use().url, { path, headers: html, outsideContract: true });
      for (const { username, about } of casePsus)
        for (const shown of [username, about.en]) expect(text).toContain(shown);
    }
    const login = await new Visitor(use()).get(`/authorise/${await addRequest(use())}`);
    for (const { about } of casePsus) expect(login.text).toContain(about.el);
    await withStore(use(), async (db) => expect(await faultsIn(db)).toEqual([]));
  });
});

it('a store that was in use before there were such people gets them at the next start', async () => {
  const database = await createDatabase('sqlite');
  const start = () =>
    startService({ databaseUrl: database.url, core: 'embedded', env: { TRAPEZA_DEMO_MONTHS: '0' } });
  const before = await start();
  await withStore(before, async (db) => {
    await db.run("delete from demo_psus where username = 'fani'");
    await db.run("delete from settings where name = 'own-people'");
  });
  await before.close();
  const after = await start();
  const visitor = new DashboardVisitor(after);
  await visitor.tryCode(await visitor.logIn('fani'));
  expect((await visitor.get(DASHBOARD)).text).toContain('Φανή Ρούσσου');
  await after.close();
  await database.drop();
});
