/** The way into the dashboard: two factors, a new session after each, and nothing shown before both. */
import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/lib/clock.js';
import { engines } from '../../support/engines.js';
import { account, psuId } from '../../support/operations.js';
import { useService, withStore } from '../../support/use-service.js';
import { htmlFaults } from '../../web/html.js';
import {
  addRequest,
  cardValues,
  challenges,
  demoCodeOf,
  forgetCodes,
  hiddenFields,
  stored,
  titleOf,
  Visitor,
} from '../approve-support.js';
import { DASHBOARD, DashboardVisitor, enter } from './support.js';

const wrong = (code: string) => (code === '111111' ? '222222' : '111111');
const PAUSED = 'Δεν δεχόμαστε κωδικούς μέχρι τις ';
const COOKIE = 'trapeza_session';
const inside = ['/funds', '/accesses', '/export/everything.json', '/export/funds.csv', '/permissions'];

describe.each(engines)('the way in on %s', (engine) => {
  const service = useService({ engine });

  test('both factors show the permissions, and every page on the way is well-formed', async () => {
    const visitor = new DashboardVisitor(service());
    const pages = [await visitor.get(DASHBOARD), await visitor.logIn()];
    await visitor.tryCode(pages[1] ?? (await visitor.logIn()));
    pages.push(await visitor.get(DASHBOARD));
    expect(pages.map(titleOf)).toEqual(['Οι άδειές σας', 'Επιβεβαιώστε ότι είστε εσείς', 'Οι άδειές σας']);
    for (const page of pages) {
      expect(page.status).toBe(200);
      expect(htmlFaults(page.text)).toEqual([]);
      expect(page.headers['cache-control']).toBe('no-store');
      expect(page.headers['content-security-policy']).not.toContain('script-src');
    }
    expect(pages[2]?.text).toContain('Finance App');
  });

  test('the first factor alone shows no list, no permission and no file', async () => {
    const visitor = new DashboardVisitor(service());
    const page = await visitor.logIn();
    expect(page.text).not.toContain('Finance App');
    const id = service().consent('ConfirmationOfFunds').id;
    for (const path of [...inside, `/permissions/${id}`, `/permissions/${id}/withdraw`]) {
      const answer = await visitor.get(`${DASHBOARD}${path}`);
      expect([path, answer.status, answer.headers.location]).toEqual([path, 303, DASHBOARD]);
      expect(answer.text).toBe('');
    }
    const fields = hiddenFields(page.text);
    const answer = await visitor.post(`${DASHBOARD}/permissions/${id}/withdraw`, fields);
    expect(answer.status).toBe(403);
    expect((await stored(service(), id)).status).toBe('Valid');
  });

  test('who has logged in to decide about a request is asked for the code alone', async () => {
    const visitor = new DashboardVisitor(service());
    await visitor.open(await addRequest(service()));
    const page = await visitor.sendCode(await visitor.get(DASHBOARD));
    expect(titleOf(page)).toBe('Επιβεβαιώστε ότι είστε εσείς');
    expect((await visitor.tryCode(page)).headers.location).toBe(DASHBOARD);
    expect(titleOf(await visitor.get(DASHBOARD))).toBe('Οι άδειές σας');
  });

  test('a right code gets a new session, and the one of before opens nothing more', async () => {
    const visitor = new DashboardVisitor(service());
    const page = await visitor.logIn();
    const before = visitor.cookies.get(COOKIE) ?? '';
    await visitor.tryCode(page);
    expect(visitor.cookies.get(COOKIE)).not.toBe(before);
    const thief = new DashboardVisitor(service());
    thief.cookies.set(COOKIE, before);
    expect((await thief.get(DASHBOARD)).text).toContain('id="username"');
    const again = await thief.tryCode(page);
    expect(again.status).toBe(403);
  });

  test('a planted cookie never becomes an authenticated one', async () => {
    const thief = new DashboardVisitor(service());
    await thief.logIn('nikos');
    const planted = thief.cookies.get(COOKIE) ?? '';
    await thief.post(`${DASHBOARD}/logout`, hiddenFields((await thief.get(DASHBOARD)).text));
    thief.cookies.set(COOKIE, planted);
    const victim = new DashboardVisitor(service());
    for (const [name, value] of thief.cookies) victim.cookies.set(name, value);
    expect(titleOf(await victim.enter())).toBe('Οι άδειές σας');
    expect(victim.cookies.get(COOKIE)).not.toBe(planted);
    expect((await thief.get(DASHBOARD)).text).toContain('id="username"');
    expect((await thief.get(`${DASHBOARD}/funds`)).headers.location).toBe(DASHBOARD);
  });

  test('five wrong codes close the dashboard for a quarter of an hour, however often one logs in', async () => {
    const visitor = new DashboardVisitor(service());
    let page = await visitor.logIn('kostas');
    for (const left of ['4 προσπάθειες', '3 προσπάθειες', '2 προσπάθειες', '1 προσπάθεια']) {
      const answer = await visitor.tryCode(page, wrong(demoCodeOf(page.text)));
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(left);
      expect(demoCodeOf(answer.text)).toBe(demoCodeOf(page.text));
      page = left.startsWith('2') ? await visitor.logIn('kostas') : answer;
    }
    const good = demoCodeOf(page.text);
    for (const code of [wrong(good), good]) {
      const last = await visitor.tryCode(page, code);
      expect(last.status).toBe(429);
      expect(last.text).toContain(PAUSED);
    }
    const other = new DashboardVisitor(service());
    const locked = await other.logIn('kostas');
    expect(locked.text).toContain(PAUSED);
    expect(htmlFaults(locked.text)).toEqual([]);
    expect(locked.text).not.toContain('name="code"');
    service().clock.advance(15 * MINUTE + SECOND);
    expect(titleOf(await other.enter('kostas'))).toBe('Οι άδειές σας');
  });

  test('guesses at the same time share the five', async () => {
    const visitor = new DashboardVisitor(service());
    const page = await visitor.logIn('sofia');
    const bad = wrong(demoCodeOf(page.text));
    const answers = await Promise.all(Array.from({ length: 12 }, () => visitor.tryCode(page, bad)));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(8);
    await forgetCodes(service());
  });

  test('looks share one code; another one is sent by the button, after half a minute', async () => {
    const visitor = new DashboardVisitor(service());
    const before = await challenges(service());
    const page = await visitor.logIn();
    const code = demoCodeOf(page.text);
    for (let look = 0; look < 3; look += 1)
      expect(demoCodeOf((await visitor.get(`${DASHBOARD}?lang=${look % 2 ? 'en' : 'el'}`)).text)).toBe(code);
    const send = () => visitor.post(`${DASHBOARD}/code`, { ...hiddenFields(page.text), send: 'yes' });
    expect((await send()).status).toBe(429);
    expect(await challenges(service())).toBe(before + 1);
    service().clock.advance(30 * SECOND);
    const sent = await send();
    expect([sent.status, await challenges(service())]).toEqual([200, before + 2]);
    expect(htmlFaults(sent.text)).toEqual([]);
    expect((await visitor.tryCode(sent)).status).toBe(303);
  });

  test('a code that is too old costs no attempt, and its page sends no other by itself', async () => {
    const visitor = new DashboardVisitor(service());
    const page = await visitor.logIn();
    await withStore(service(), (db) =>
      db.run('update demo_challenges set expires_at = 0 where psu_id = ?', [psuId('eleni')]),
    );
    const before = await challenges(service());
    const answer = await visitor.tryCode(page);
    expect(answer.text).toContain('Αυτός ο κωδικός δεν ισχύει πια');
    expect((await visitor.get(DASHBOARD)).text).not.toContain('name="code"');
    expect(await challenges(service())).toBe(before);
  });

  test('the code of the dashboard approves nothing, and the step-up does not spare the code of an approval', async () => {
    const id = await addRequest(service());
    const visitor = new DashboardVisitor(service());
    const codes = await visitor.logIn();
    const page = await visitor.get(`/authorise/${id}`);
    const fields = { account: account('eleni', 101).id };
    const swapped = { ...fields, code: demoCodeOf(codes.text) };
    expect((await visitor.decide(id, page, swapped)).status).toBe(400);
    await visitor.enter();
    const again = await visitor.askForCode(id, await visitor.get(`/authorise/${id}`), fields);
    expect(cardValues(again.text)).toHaveLength(2);
    expect((await visitor.decide(id, again, { ...fields, code: '' })).status).toBe(400);
    expect((await stored(service(), id)).status).toBe('Received');
  });
});

describe('a session of the dashboard', () => {
  const service = useService();

  test.each([
    ['five minutes without a sign', [5 * MINUTE + SECOND]],
    ['twenty minutes', [4, 4, 4, 4, 4.1].map((minutes) => minutes * MINUTE)],
  ])('is over after %s', async (_what, steps) => {
    const visitor = await enter(service());
    for (const [index, ms] of steps.entries()) {
      if (index > 0) expect((await visitor.get(`${DASHBOARD}/funds`)).status).toBe(200);
      service().clock.advance(ms);
    }
    expect((await visitor.get(`${DASHBOARD}/funds`)).headers.location).toBe(DASHBOARD);
    const page = await visitor.get(DASHBOARD);
    expect(page.text).toContain('Η σελίδα έμεινε ανοιχτή για πολλή ώρα');
  });

  test('ends with the button, and only with the button of its own page', async () => {
    const visitor = await enter(service());
    const page = await visitor.get(DASHBOARD);
    const cookie = visitor.cookies.get(COOKIE) ?? '';
    const foreign = await visitor.post(`${DASHBOARD}/logout`, hiddenFields(page.text), {
      Origin: 'https://evil.example',
    });
    expect(foreign.status).toBe(403);
    await visitor.post(`${DASHBOARD}/logout`, { form_token: 'x' });
    visitor.cookies.set(COOKIE, cookie);
    expect((await visitor.get(`${DASHBOARD}/funds`)).status).toBe(200);
    await visitor.post(`${DASHBOARD}/logout`, hiddenFields(page.text));
    visitor.cookies.set(COOKIE, cookie);
    expect((await visitor.get(`${DASHBOARD}/funds`)).status).toBe(303);
  });

  test('of somebody who logs in again elsewhere has lost the second factor', async () => {
    const visitor = await enter(service());
    const id = await addRequest(service());
    const page = await visitor.get(`/authorise/${id}`);
    await visitor.post(`/authorise/${id}/logout`, hiddenFields(page.text));
    await new Visitor(service()).open(id);
    await visitor.open(id);
    expect(titleOf(await visitor.get(DASHBOARD))).toBe('Επιβεβαιώστε ότι είστε εσείς');
  });

  test('the addresses of the forms lead to the dashboard when they are opened', async () => {
    for (const step of ['login', 'logout', 'code', 'permissions'])
      expect((await new Visitor(service()).get(`${DASHBOARD}/${step}`)).headers.location).toBe(DASHBOARD);
  });
});
