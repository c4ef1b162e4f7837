/** Within one browser session no application gets a code by a mere redirect: a page names it first, and one button is enough. */
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/lib/clock.js';
import { titleOf } from '../../account-pages/approve-support.js';
import { accessDetail } from '../../oauth/authorization-details/journey.js';
import {
  authorize,
  Browser,
  discover,
  formOf,
  logIn,
  redeem,
  startAuthorization,
} from '../../oauth/provider-journey.js';
import { BUDGET, FINANCE } from '../../support/operations.js';
import { useService } from '../../support/use-service.js';

const use = useService();

const ask = async (browser: Browser, clientId: string, more: Readonly<Record<string, string>> = {}) => {
  const configuration = await discover(use(), clientId);
  const started = await startAuthorization(use(), configuration, { more });
  return { configuration, started, ...(await browser.visit(started.url.href)) };
};
/** Somebody who has just logged in for the first application. */
const loggedIn = async (): Promise<Browser> => (await authorize(use(), await discover(use()))).browser;

describe('security F9: silent sign-on', () => {
  it.each([BUDGET, FINANCE])('security F9: %s gets no code before a page has named it', async (clientId) => {
    const browser = await loggedIn();
    const { page, leftTo, configuration, started } = await ask(browser, clientId);
    expect([page.status, leftTo]).toEqual([200, undefined]);
    const { name } = use().credentials.applications.find((each) => each.clientId === clientId) ?? {};
    expect(titleOf(page)).toBe(`Συνέχεια στην εφαρμογή «${name}»;`);
    expect(page.text).toContain('Ελένη Παπαδοπούλου');
    expect(page.text).not.toContain('name="password"');
    expect(page.text).not.toMatch(/name="code"|value="begin"/);
    expect(page.text).not.toContain('<script');
    const again = await browser.visit(formOf(page).action);
    expect([again.page.status, again.leftTo]).toEqual([200, undefined]);
    const went = await browser.visit(formOf(page).action, { form_token: formOf(page).token, again: 'yes' });
    if (!went.leftTo) throw new Error(went.page.text.slice(0, 300));
    const tokens = await redeem(configuration, { ...started, callback: went.leftTo });
    expect(tokens.access_token).not.toBe('');
  });

  it('security F9: in English too, with a way out', async () => {
    const browser = await loggedIn();
    const { page, started } = await ask(browser, BUDGET);
    const { action, token } = formOf(page);
    const english = await browser.visit(`${action}?lang=en`);
    expect(titleOf(english.page)).toMatch(/^Continue to “.+”\?$/);
    const { leftTo } = await browser.visit(action, { form_token: token, cancel: 'yes' });
    expect(leftTo?.searchParams.get('error')).toBe('access_denied');
    expect(leftTo?.searchParams.get('state')).toBe(started.state);
  });

  it('security F9: another person can log in instead', async () => {
    const browser = await loggedIn();
    const { page } = await ask(browser, BUDGET);
    const { action, token } = formOf(page);
    const form = await browser.visit(action, { form_token: token, other: 'yes' });
    expect(form.page.text).toContain('name="password"');
    expect((await logIn(use(), browser, form.page, 'maria')).searchParams.get('code')).toBeTruthy();
  });

  it('security F9: the button works only with the token of this session, and only as long as that lasts', async () => {
    const browser = await loggedIn();
    const { page } = await ask(browser, BUDGET);
    const { action, token } = formOf(page);
    for (const form of [{ again: 'yes' }, { again: 'yes', form_token: 'x' }])
      expect((await browser.visit(action, form)).leftTo).toBeUndefined();
    use().clock.advance(6 * MINUTE);
    const late = await browser.visit(action, { again: 'yes', form_token: token });
    expect(late.leftTo).toBeUndefined();
    expect(late.page.text).toContain('name="password"');
  });

  it('security F9: a person who is not logged in cannot be continued, and a login that is demanded is not skipped', async () => {
    const stranger = new Browser(use().url);
    const { page } = await ask(stranger, BUDGET);
    const { action, token } = formOf(page);
    expect((await stranger.visit(action, { again: 'yes', form_token: token })).leftTo).toBeUndefined();
    const browser = await loggedIn();
    const demanded = await ask(browser, BUDGET, { prompt: 'login' });
    expect(demanded.page.text).toContain('name="password"');
    const skipped = { again: 'yes', form_token: formOf(demanded.page).token };
    expect((await browser.visit(formOf(demanded.page).action, skipped)).leftTo).toBeUndefined();
  });

  it('security F9: with a request for approval the approval page is that page', async () => {
    const browser = await loggedIn();
    const { page, leftTo } = await ask(browser, FINANCE, {
      authorization_details: JSON.stringify([accessDetail]),
    });
    expect(leftTo).toBeUndefined();
    expect(page.text).toContain('value="begin"');
    expect(page.text).toContain('Finance App');
  });
});
