/** The login page: what it says, whom it lets through, and what it never gives away. */
import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../src/lib/clock.js';
import { send } from '../support/client.js';
import { useService } from '../support/use-service.js';
import {
  applicationOf,
  authorize,
  Browser,
  discover,
  formOf,
  logIn,
  passwordOf,
  startAuthorization,
} from './provider-journey.js';

const use = useService();

const openLogin = async (more: Readonly<Record<string, string>> = {}, browser = new Browser(use().url)) => {
  const started = await startAuthorization(use(), await discover(use()), { more });
  const { page, leftTo } = await browser.visit(started.url.href);
  return { browser, page, leftTo, started };
};

describe('the page', () => {
  test('names the application, the third party and what is asked, in Greek by default', async () => {
    const { page } = await openLogin();
    expect(page.status).toBe(200);
    expect(page.text).toContain('<html lang="el">');
    expect(page.text).toContain('Finance App');
    expect(page.text).toContain('Agora Finance');
    expect(page.text).toContain('πληρωμές');
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.headers['content-security-policy']).toContain(`form-action 'self' ${use().url}`);
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  test('speaks English when asked to, and remembers it', async () => {
    const { browser, page } = await openLogin();
    const english = await browser.request(`${formOf(page).action}?lang=en`);
    expect(english.text).toContain('<html lang="en">');
    expect((await browser.request(formOf(page).action)).text).toContain('<html lang="en">');
  });

  test('names only the scopes that are asked for', async () => {
    const started = await startAuthorization(use(), await discover(use()), { scope: 'piis' });
    const { page } = await new Browser(use().url).visit(started.url.href);
    expect(page.text).toContain('διαθέσιμο ένα ποσό');
    expect(page.text).not.toContain('έγκριση για πληρωμές');
  });

  test('is gone in another browser and for an unknown id', async () => {
    const { page } = await openLogin();
    const other = await new Browser(use().url).request(formOf(page).action);
    expect(other.status).toBe(400);
    expect(other.text).not.toContain('form_token');
    expect((await new Browser(use().url).request('/oauth/login/unknown')).status).toBe(400);
  });
});

describe('a login', () => {
  test('ends at the application with code, state and issuer', async () => {
    const { callback, state } = await authorize(use(), await discover(use()));
    expect(callback.origin + callback.pathname).toBe(applicationOf(use()).redirectUri);
    expect([...callback.searchParams.keys()].toSorted()).toEqual(['code', 'iss', 'state']);
    expect(callback.searchParams.get('iss')).toBe(use().url);
    expect(callback.searchParams.get('state')).toBe(state);
  });

  test('opens a new session, never that of a planted cookie', async () => {
    const { browser, page } = await openLogin();
    const before = browser.cookie('trapeza_session');
    await logIn(use(), browser, page);
    const after = browser.cookie('trapeza_session');
    expect(after).toBeDefined();
    expect(after).not.toBe(before);
  });

  test('fails with one message for unknown users and wrong passwords, also when it must wait', async () => {
    const { browser, page } = await openLogin();
    const { action, token } = formOf(page);
    const attempt = async (username: string, password: string, status = 400): Promise<string> => {
      const answer = await browser.request(action, { form_token: token, username, password });
      expect(answer.status).toBe(status);
      return answer.text.replaceAll(`value="${username}"`, '');
    };
    const unknown = await attempt('nobody', 'wrong');
    const wrong = await attempt('nikos', 'wrong');
    expect(wrong).toBe(unknown);
    for (const name of ['nikos', 'nobody'])
      for (let count = 0; count < 4; count += 1) await attempt(name, 'wrong');
    const waits = await attempt('nikos', passwordOf(use(), 'nikos'), 429);
    expect(await attempt('nobody', 'wrong', 429)).toBe(waits);
  });

  test('never shows the password again, and shows the name as text', async () => {
    const { browser, page } = await openLogin();
    const { action, token } = formOf(page);
    const username = '"><script>alert(1)</script>';
    const answer = await browser.request(action, { form_token: token, username, password: 'secret-pass' });
    expect(answer.text).not.toContain('secret-pass');
    expect(answer.text).not.toContain('<script');
  });

  test.each(['', 'wrong'])('is refused with the form token "%s"', async (formToken) => {
    const { browser, page } = await openLogin();
    const form = { form_token: formToken, username: 'eleni', password: passwordOf(use(), 'eleni') };
    const { page: answer, leftTo } = await browser.visit(formOf(page).action, form);
    expect([answer.status, leftTo]).toEqual([400, undefined]);
  });

  test('cannot be posted from another site', async () => {
    const { page } = await openLogin();
    const answer = await send(use().url, {
      method: 'POST',
      path: formOf(page).action,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://evil.example' },
      body: 'username=eleni',
      outsideContract: true,
    });
    expect(answer.status).toBe(403);
  });

  test('that is cancelled tells the application that access was denied', async () => {
    const { browser, page, started } = await openLogin();
    const { action, token } = formOf(page);
    const { leftTo } = await browser.visit(action, { form_token: token, cancel: 'yes' });
    expect(leftTo?.searchParams.get('error')).toBe('access_denied');
    expect(leftTo?.searchParams.get('state')).toBe(started.state);
    expect(leftTo?.searchParams.get('iss')).toBe(use().url);
  });
});

describe('who is logged in already', () => {
  test('goes on with one button, until the session is over', async () => {
    const { browser } = await authorize(use(), await discover(use()));
    const again = await openLogin({}, browser);
    expect(again.leftTo).toBeUndefined();
    const { action, token } = formOf(again.page);
    const { leftTo } = await browser.visit(action, { form_token: token, again: 'yes' });
    expect(leftTo?.searchParams.get('code')).toBeTruthy();
    use().clock.advance(6 * MINUTE);
    const later = await openLogin({}, browser);
    expect(later.leftTo).toBeUndefined();
    expect(later.page.text).toContain('name="password"');
  });

  test('logs in anew where the application demands it', async () => {
    const { browser } = await authorize(use(), await discover(use()));
    const { page, leftTo } = await openLogin({ prompt: 'login' }, browser);
    expect(leftTo).toBeUndefined();
    const callback = await logIn(use(), browser, page, 'maria');
    expect(callback.searchParams.get('code')).toBeTruthy();
  });

  test('is told apart from nobody where no page may be shown', async () => {
    const { leftTo } = await openLogin({ prompt: 'none' });
    expect(leftTo?.searchParams.get('error')).toBe('login_required');
  });
});
