/** A request within an authorization is decided by its own account holder, in the browser that began it, and in time. */
import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/lib/clock.js';
import { hiddenFields, titleOf } from '../../account-pages/approve-support.js';
import { hasPostgres } from '../../support/engines.js';
import { BUDGET, FINANCE, moveBankClock, psuId } from '../../support/operations.js';
import { suspend } from '../../support/registry.js';
import { type Service, startService } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import { applicationOf, Browser, discover, redeem } from '../provider-journey.js';
import {
  type Approving,
  accessDetail,
  approve,
  ask,
  begunConsents,
  decide,
  decisionForm,
  fundsDetail,
  paymentDetail,
  sendLogin,
  toApproval,
  withCode,
} from './journey.js';

const ofConsent = async (service: Service, { consentId }: Pick<Approving, 'consentId'>) =>
  (await begunConsents(service)).find(({ id }) => id === consentId);

const toPage = async (service: Service, details: object = accessDetail): Promise<Approving> =>
  toApproval(service, await discover(service), { details });

/** Another browser on the page of a request, after a login there. */
const openElsewhere = async (service: Service, { path }: Approving, psu = 'eleni') => {
  const browser = new Browser(service.url);
  const { page: login } = await browser.visit(path);
  return { browser, ...(await sendLogin(service, browser, login, psu)) };
};

const ELSEWHERE = 'Συνεχίστε εκεί όπου ξεκινήσατε';
const OVER = 'Το αίτημα έληξε';

describe('a request within an authorization', () => {
  const use = useService();

  test('is shown in no other browser, not even to its own account holder', async () => {
    const service = use();
    const approving = await toPage(service);
    const { page } = await openElsewhere(service, approving);
    expect(page.status).toBe(409);
    expect(titleOf(page)).toBe(ELSEWHERE);
    expect(page.text).not.toContain('name="decision"');
  });

  test.each(['approve', 'refuse'])('cannot be decided there by a form either (%s)', async (decision) => {
    const service = use();
    const approving = await toPage(service);
    const { browser } = await openElsewhere(service, approving);
    // A journey of its own gives that browser a form token of its session.
    const { url } = await ask(service, await discover(service), { details: fundsDetail });
    const { form_token: token = '' } = hiddenFields((await browser.visit(url.href)).page.text);
    const form = decisionForm(approving.page, { form_token: token, decision });
    const { page, leftTo } = await browser.visit(`${approving.path}/decision`, form);
    expect(leftTo).toBeUndefined();
    expect(titleOf(page)).toBe(ELSEWHERE);
    expect((await ofConsent(service, approving))?.steps).toEqual(['Received']);
    await approve(approving);
  });

  test('shows its outcome anywhere, once it is decided', async () => {
    const service = use();
    const approving = await toPage(service, paymentDetail);
    await approve(approving);
    const { page, leftTo } = await openElsewhere(service, approving);
    expect(leftTo).toBeUndefined();
    expect(titleOf(page)).toBe('Έχετε εγκρίνει την πληρωμή');
  });

  test('is nothing for somebody else who logs in meanwhile, in the same browser or another', async () => {
    const service = use();
    const approving = await toPage(service);
    const { browser, path, page } = approving;
    expect((await openElsewhere(service, approving, 'vasilis')).page.status).toBe(404);
    const { page: login } = await browser.visit(`${path}/logout`, {
      form_token: hiddenFields(page.text).form_token ?? '',
    });
    const { page: stranger } = await sendLogin(service, browser, login, 'vasilis');
    expect(stranger.status).toBe(404);
    const { page: out } = await browser.visit(`${path}/logout`, {
      form_token: hiddenFields(stranger.text).form_token ?? '',
    });
    const { page: again } = await sendLogin(service, browser, out, 'eleni');
    const { leftTo } = await decide({ browser, path, page: again });
    const tokens = await redeem(await discover(service), { ...approving, callback: leftTo ?? new URL('x:') });
    expect(tokens.authorization_details).toMatchObject([{ consentId: approving.consentId }]);
    expect(await ofConsent(service, approving)).toMatchObject({ psu_id: psuId('eleni'), status: 'Valid' });
  });

  test('stays the one of who logged in first, where two log in within one authorization', async () => {
    const service = use();
    const { url } = await ask(service, await discover(service), { details: accessDetail });
    const browser = new Browser(service.url);
    const { page: login } = await browser.visit(url.href);
    const before = (await begunConsents(service)).length;
    const ends = await Promise.all([
      sendLogin(service, browser, login, 'eleni'),
      sendLogin(service, browser, login, 'vasilis'),
    ]);
    expect(ends.every(({ page, leftTo }) => page.status < 500 && leftTo === undefined)).toBe(true);
    expect(await begunConsents(service)).toHaveLength(before + 1);
  });

  test('waits in several windows of one browser', async () => {
    const service = use();
    const configuration = await discover(service);
    const first = await toPage(service);
    const { browser } = first;
    const pages = [first];
    for (const details of [fundsDetail, paymentDetail]) {
      const started = await ask(service, configuration, { details });
      const { page } = await browser.visit(started.url.href);
      const consentId = page.path.split('/').at(-1) ?? '';
      pages.push({ ...started, browser, page, path: page.path, consentId });
    }
    for (const each of pages) {
      const tokens = await redeem(configuration, await approve(each));
      expect(tokens.authorization_details).toMatchObject([{ consentId: each.consentId }]);
    }
  });

  test('can be approved after a new login, where the session was idle for too long', async () => {
    const service = use();
    const approving = await toPage(service);
    service.clock.advance(6 * MINUTE);
    const { page: login } = await approving.browser.visit(approving.path);
    const { page } = await sendLogin(service, approving.browser, login);
    const { leftTo } = await decide({ ...approving, page });
    expect(leftTo?.searchParams.get('code')).toBeTruthy();
  });

  test('of a suspended application cannot be approved', async () => {
    const service = use();
    const approving = await toApproval(service, await discover(service, BUDGET), { details: accessDetail });
    await suspend(service, 'application', BUDGET);
    const { page, leftTo } = await decide(approving);
    await suspend(service, 'application', BUDGET, false);
    expect(leftTo).toBeUndefined();
    expect(titleOf(page)).toBe('Η εφαρμογή δεν είναι διαθέσιμη τώρα');
    expect((await ofConsent(service, approving))?.status).toBe('Received');
  });

  test('names the application’s origin as the only other end of its form', async () => {
    const service = use();
    const { page } = await toPage(service);
    const { origin } = new URL(applicationOf(service).redirectUri);
    expect(page.headers['content-security-policy']).toContain(`form-action 'self' ${origin};`);
  });

  test('is in the store without the id of its authorization', async () => {
    const service = use();
    const { browser } = await toPage(service);
    const uid = browser.cookie('trapeza_begun') ?? '';
    expect(uid).toMatch(/^[\w-]{20,}$/);
    const dump = await withStore(service, async (db) =>
      JSON.stringify([await db.all('select * from consents'), await db.all('select * from oidc_records')]),
    );
    expect(dump).not.toContain(uid);
  });
});

describe('an authorization that took too long', () => {
  const use = useService();

  test('says so, approves nothing, and its consent is rejected after a day', async () => {
    const service = use();
    const approving = await toPage(service);
    service.clock.advance(15 * MINUTE + SECOND);
    const { browser, path } = approving;
    const { page: login } = await browser.visit(path);
    const { page } = await sendLogin(service, browser, login);
    expect(page.status).toBe(409);
    expect(titleOf(page)).toBe(OVER);
    const { page: late } = await browser.visit(`${path}/decision`, decisionForm(approving.page));
    expect(late.status).not.toBe(303);
    expect((await ofConsent(service, approving))?.status).toBe('Received');
    await moveBankClock(service, 'P2D');
    await service.app.runJobs();
    expect((await ofConsent(service, approving))?.status).toBe('Rejected');
  });
});

describe('a core that is down at the login', () => {
  const use = useService();

  test('is a page, leaves no consent, and the same visit works once it is back', async () => {
    const service = use();
    const rename = (from: string, to: string) =>
      withStore(service, (db) => db.script(`alter table ${from} rename to ${to}`));
    const { url } = await ask(service, await discover(service), { details: fundsDetail });
    const browser = new Browser(service.url);
    const { page: login } = await browser.visit(url.href);
    await rename('demo_accounts', 'away');
    const { page: down, leftTo } = await sendLogin(service, browser, login);
    await rename('away', 'demo_accounts');
    expect(leftTo).toBeUndefined();
    expect(down.status).toBe(503);
    expect(titleOf(down)).toBe('Η υπηρεσία δεν είναι διαθέσιμη');
    expect(await begunConsents(service)).toEqual([]);
    const { page } = await browser.visit(login.path);
    const end = await decide({ browser, page, path: page.path });
    expect(end.leftTo?.searchParams.get('code')).toBeTruthy();
  });
});

describe.runIf(hasPostgres)('two nodes on one PostgreSQL', () => {
  const use = useService({ engine: 'postgres' });

  test('share a journey: login on one, approval on the other, code on the first, tokens on the second', async () => {
    const first = use();
    const second = await startService({ databaseUrl: first.databaseUrl, env: { BASE_URL: first.url } });
    try {
      const approving = await toApproval(first, await discover(first, FINANCE), {
        details: paymentDetail,
        withPar: true,
      });
      const { browser, path } = approving;
      browser.node = second.app.listenUrl;
      const page = await withCode(approving);
      const answers = await Promise.all(
        [first.url, second.app.listenUrl].map((node) => {
          browser.node = node;
          return browser.request(`${path}/decision`, decisionForm(page));
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual([303, 303]);
      browser.node = second.app.listenUrl;
      const { leftTo } = await browser.visit(path);
      const tokens = await redeem(await discover(first), { ...approving, callback: leftTo ?? new URL('x:') });
      expect(tokens.authorization_details).toMatchObject([
        { consentId: approving.consentId, consentStatus: 'Valid' },
      ]);
      expect((await ofConsent(first, approving))?.steps).toEqual(['Received', 'Valid']);
    } finally {
      await second.close();
    }
  });
});
