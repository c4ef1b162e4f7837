/**
 * Whatever an account holder does on the way, and however often: refused is refused, and one visit has one consent and one
 * code.
 */
import { describe, expect, test } from 'vitest';
import { forgetCodes, titleOf } from '../../account-pages/approve-support.js';
import { racingEngines } from '../../support/engines.js';
import type { Service } from '../../support/service.js';
import { useService } from '../../support/use-service.js';
import { Browser, discover, formOf } from '../provider-journey.js';
import {
  type Approving,
  accessDetail,
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

const statusOf = async (service: Service, { consentId }: Pick<Approving, 'consentId'>) =>
  (await begunConsents(service)).find(({ id }) => id === consentId)?.status;

const codeOf = (url: URL | undefined): string | null => url?.searchParams.get('code') ?? null;

const toPage = async (service: Service, details: object = accessDetail): Promise<Approving> =>
  toApproval(service, await discover(service), { details });

const engines = racingEngines(
  'twenty visits at once make one consent and one code: PostgreSQL runs them side by side, SQLite one after the other',
);

describe.each(engines)('with %s', (engine) => {
  const use = useService({ engine });

  test.each([accessDetail, fundsDetail, paymentDetail])(
    'a refused $type goes back as access_denied, and the consent is Rejected',
    async (details) => {
      const service = use();
      const approving = await toPage(service, details);
      const { leftTo } = await decide(approving, { decision: 'refuse' });
      expect(Object.fromEntries(leftTo?.searchParams ?? [])).toEqual({
        error: 'access_denied',
        error_description: expect.any(String),
        state: approving.state,
        iss: service.url,
      });
      expect(await statusOf(service, approving)).toBe('Rejected');
    },
  );

  test('five wrong codes are a pause: the consent stays open, and a refusal still goes back', async () => {
    const service = use();
    const approving = await toPage(service, paymentDetail);
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const { page: again } = await decide(approving, { code: '000000' });
      expect(again.status).toBe(400);
    }
    const { page: paused } = await decide(approving, { code: '000000' });
    expect(paused.status).toBe(429);
    expect(await statusOf(service, approving)).toBe('Received');
    const { leftTo } = await decide(approving, { decision: 'refuse' });
    expect(leftTo?.searchParams.get('error')).toBe('access_denied');
    expect(leftTo?.searchParams.get('state')).toBe(approving.state);
    await forgetCodes(service);
  });

  test('cancelled at the login, there is no consent', async () => {
    const service = use();
    const { url, state } = await ask(service, await discover(service), { details: accessDetail });
    const browser = new Browser(service.url);
    const { page } = await browser.visit(url.href);
    const before = await begunConsents(service);
    const { action, token } = formOf(page);
    const { leftTo } = await browser.visit(action, { form_token: token, cancel: 'yes' });
    expect(leftTo?.searchParams.get('error')).toBe('access_denied');
    expect(leftTo?.searchParams.get('state')).toBe(state);
    expect(await begunConsents(service)).toEqual(before);
  });

  test('approved four times at once: one approval, and one code', async () => {
    const service = use();
    const approving = await toPage(service, paymentDetail);
    const { browser, path } = approving;
    const page = await withCode(approving);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => browser.request(`${path}/decision`, decisionForm(page))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 303));
    const own = (await begunConsents(service)).find(({ id }) => id === approving.consentId);
    expect(own?.steps).toEqual(['Received', 'Valid']);
    // Each answer leads on; whoever follows first gets the code.
    const ends = await Promise.all(answers.map(({ headers }) => browser.visit(String(headers.location))));
    expect(ends.filter(({ leftTo }) => codeOf(leftTo) !== null)).toHaveLength(1);
    for (const { leftTo, page: end } of ends) if (!leftTo) expect(end.status).toBeLessThan(500);
  });

  test('resumed twenty times at once: one code, the others read that it is over', async () => {
    const service = use();
    const approving = await toPage(service);
    const { browser, path } = approving;
    const page = await withCode(approving);
    const decided = await browser.request(`${path}/decision`, decisionForm(page));
    const finished = await browser.request(String(decided.headers.location));
    const resume = String(finished.headers.location);
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.request(resume)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    for (const each of answers) if (each.status !== 303) expect(each.status).toBe(400);
  });

  test('logged in twenty times at once: one consent', async () => {
    const service = use();
    const { url } = await ask(service, await discover(service), { details: accessDetail });
    const browser = new Browser(service.url);
    const { page: login } = await browser.visit(url.href);
    const before = await begunConsents(service);
    await sendLogin(service, browser, login);
    // With the session, every look at the login page goes on to the consent.
    const { action } = formOf(login);
    const visits = await Promise.all(Array.from({ length: 20 }, () => browser.request(action)));
    const targets = new Set(visits.map(({ headers }) => headers.location));
    expect(targets.size).toBe(1);
    expect(await begunConsents(service)).toHaveLength(before.length + 1);
  });

  test('begun twenty times at once by who is logged in already: one consent', async () => {
    const service = use();
    const configuration = await discover(service);
    const { browser } = await toPage(service);
    const { url } = await ask(service, configuration, { details: fundsDetail });
    const toLogin = await browser.request(url.href);
    const before = await begunConsents(service);
    const visits = await Promise.all(
      Array.from({ length: 20 }, () => browser.request(String(toLogin.headers.location))),
    );
    expect(new Set(visits.map(({ headers }) => headers.location)).size).toBe(1);
    expect(await begunConsents(service)).toHaveLength(before.length + 1);
  });

  test('a reloaded page and the way back to the login lead to the same request', async () => {
    const service = use();
    const configuration = await discover(service);
    const { url } = await ask(service, configuration, { details: accessDetail });
    const browser = new Browser(service.url);
    const { page: login } = await browser.visit(url.href);
    const { page } = await sendLogin(service, browser, login);
    const { action } = formOf(login);
    expect((await browser.visit(page.path)).page.path).toBe(page.path);
    expect((await browser.visit(action)).page.path).toBe(page.path);
    // The old login form, sent again, even by somebody else.
    expect((await sendLogin(service, browser, login, 'vasilis')).page.path).toBe(page.path);
    const reloaded = await browser.visit(page.path);
    const { leftTo } = await decide({ browser, path: page.path, page: reloaded.page });
    expect(codeOf(leftTo)).not.toBeNull();
    // All of it is over now, and says so.
    expect((await browser.visit(action)).page.status).toBe(400);
    const after = await browser.visit(page.path);
    expect(after.leftTo).toBeUndefined();
    expect(titleOf(after.page)).toBe('Έχετε εγκρίνει το αίτημα');
  });

  test('a decision whose answer was lost still reaches the application', async () => {
    const service = use();
    const approving = await toPage(service);
    const { browser, path } = approving;
    await browser.request(`${path}/decision`, decisionForm(await withCode(approving)));
    const { leftTo } = await browser.visit(path);
    expect(codeOf(leftTo)).not.toBeNull();
  });
});
