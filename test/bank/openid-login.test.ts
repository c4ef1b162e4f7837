/** Account holders of a bank with its own OpenID provider: they log in there, and approve here. Another sandbox plays the provider. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../bench/free-port.js';
import { createApplication, createTpp } from '../../src/tpp/registry.js';
import { Browser, discover, formOf, passwordOf, startAuthorization } from '../oauth/provider-journey.js';
import { BUDGET } from '../support/operations.js';
import { type Service, startService } from '../support/service.js';
import { withStore } from '../support/use-service.js';
import { RawCore } from './http/raw-core.js';

let provider: Service;
let bank: Service;

beforeAll(async () => {
  provider = await startService();
  const port = await freePort();
  const client = await withStore(provider, (db) =>
    db.transaction(async (tx) => {
      const tpp = { name: 'The bank itself', registration: 'PSDGR-BOG-OWN', roles: ['PSP_AI'] };
      const tppId = await createTpp(tx, tpp, 0);
      const redirectUris = [`http://127.0.0.1:${port}/login/callback`];
      return createApplication(tx, { tppId, name: 'Bank login', redirectUris }, 0);
    }),
  );
  bank = await startService({
    env: {
      PORT: String(port),
      TRAPEZA_LOGIN_ISSUER: provider.url,
      TRAPEZA_LOGIN_CLIENT_ID: client.clientId,
      TRAPEZA_LOGIN_CLIENT_SECRET: client.clientSecret,
    },
  });
});
afterAll(async () => {
  await bank?.close();
  await provider?.close();
});

const askedPath = (): string => `/authorise/${bank.consent('AccountAccess', 'Received').id}`;
const linkOf = (html: string): string =>
  /href="([^"]*login\/start[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';

/** From our page to the provider, through its login, and to the address with which it sends the browser back. */
const logInThere = async (ours: Browser, username: string, path = askedPath()): Promise<URL> => {
  const { page, leftTo: straight } = await ours.visit(path);
  const away = straight ?? (await ours.visit(linkOf(page.text))).leftTo;
  const theirs = new Browser(provider.url);
  const login = await theirs.visit(String(away));
  const { action, token } = formOf(login.page);
  const form = { form_token: token, username, password: passwordOf(provider, username) };
  const { leftTo } = await theirs.visit(action, form);
  if (!leftTo) throw new Error('the provider did not send the browser back');
  return leftTo;
};

describe("the login at the bank's own OpenID provider", () => {
  it('takes the place of our form', async () => {
    const { leftTo } = await new Browser(bank.url).visit(askedPath());
    expect(leftTo?.origin).toBe(provider.url);
    // A person who has logged out is not sent there at once.
    const { page } = await new Browser(bank.url).visit(`${askedPath()}?ended=yes`);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('type="password"');
    expect(linkOf(page.text)).toContain('/login/start?to=%2Fauthorise%2F');
  });

  it('leads back to the request, which the account holder then sees', async () => {
    const browser = new Browser(bank.url);
    const back = await logInThere(browser, 'eleni');
    expect(back.origin).toBe(bank.url);
    const { page } = await browser.visit(back.href);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Finance App');
    expect(page.text).toContain('value="begin"');
  });

  it('leads to the dashboard too, which still asks for the code', async () => {
    const browser = new Browser(bank.url);
    const { page } = await browser.visit((await logInThere(browser, 'eleni', '/dashboard')).href);
    expect(page.status).toBe(200);
    expect(page.text).toContain('value="begin"');
    expect(page.text).not.toContain('Finance App');
  });

  it('goes straight on within an authorization, whose page has named the application, and asks for the next one', async () => {
    const browser = new Browser(bank.url);
    const started = await startAuthorization(bank, await discover(bank));
    const { page } = await browser.visit(started.url.href);
    expect(page.text).toContain('Finance App');
    const back = await logInThere(browser, 'eleni', page.path);
    expect((await browser.visit(back.href)).leftTo?.searchParams.get('code')).toBeTruthy();
    const other = await browser.visit(
      (await startAuthorization(bank, await discover(bank, BUDGET))).url.href,
    );
    expect(other.leftTo).toBeUndefined();
    expect(other.page.text).toContain('name="again"');
  });

  it('shows another account holder nothing', async () => {
    const browser = new Browser(bank.url);
    const { page } = await browser.visit((await logInThere(browser, 'nikos')).href);
    expect(page.status).toBe(404);
  });

  it('is refused in another browser, with another state, or a second time', async () => {
    const browser = new Browser(bank.url);
    const back = await logInThere(browser, 'eleni');
    const stranger = await new Browser(bank.url).visit(back.href);
    expect(stranger.page.status).toBe(400);
    const forged = new URL(back);
    forged.searchParams.set('state', 'another');
    expect((await browser.visit(forged.href)).page.status).toBe(400);
    expect((await browser.visit(back.href)).page.status).toBe(200);
    expect((await browser.visit(back.href)).page.status).toBe(400);
  });

  it('is over after ten minutes', async () => {
    const browser = new Browser(bank.url);
    const back = await logInThere(browser, 'eleni');
    bank.clock.advance(600_000);
    expect((await browser.visit(back.href)).page.status).toBe(400);
  });

  it.each(['https://evil.example/', '//evil.example', '/authorise/../docs', '/docs', '/dashboard/funds', ''])(
    'never returns to %j',
    async (to) => {
      const { page, leftTo } = await new Browser(bank.url).visit(`/login/start?to=${encodeURIComponent(to)}`);
      expect([page.status, leftTo]).toEqual([400, undefined]);
    },
  );

  it('leaves no way in by password', async () => {
    const browser = new Browser(bank.url);
    await browser.visit(askedPath());
    const { page } = await browser.visit(`${askedPath()}/login`, {
      form_token: 'x',
      username: 'eleni',
      password: passwordOf(bank, 'eleni'),
    });
    expect([400, 403]).toContain(page.status);
  });

  it('tells that it cannot be reached, and works again when it can', async () => {
    const lonely = await startService({
      env: {
        TRAPEZA_LOGIN_ISSUER: `http://127.0.0.1:${await freePort()}`,
        TRAPEZA_LOGIN_CLIENT_ID: 'x',
        TRAPEZA_LOGIN_CLIENT_SECRET: 'y',
      },
    });
    const { id } = lonely.consent('AccountAccess', 'Received');
    const { page } = await new Browser(lonely.url).visit(`/login/start?to=/authorise/${id}`);
    expect(page.status).toBe(503);
    expect(page.text).not.toContain('συντήρησης');
    await lonely.close();
  });

  it('tells how long it is under maintenance, if it says so', async () => {
    const closed = new RawCore();
    closed.behave = (_seen, response) => response.writeHead(503, { 'Retry-After': '600' }).end();
    await closed.up();
    const maintained = await startService({
      env: {
        TRAPEZA_LOGIN_ISSUER: new URL(closed.url).origin,
        TRAPEZA_LOGIN_CLIENT_ID: 'x',
        TRAPEZA_LOGIN_CLIENT_SECRET: 'y',
      },
    });
    const { id } = maintained.consent('AccountAccess', 'Received');
    for (const [lang, words] of [
      ['el', 'Γίνονται εργασίες συντήρησης. Η τράπεζα θα είναι ξανά διαθέσιμη σε 10 λεπτά.'],
      ['en', 'Maintenance work is under way. The bank answers again in 10 minutes.'],
    ] as const) {
      const start = `/login/start?to=/authorise/${id}&lang=${lang}`;
      const { page } = await new Browser(maintained.url).visit(start);
      expect(page.status).toBe(503);
      expect(page.text).toContain(words);
    }
    await maintained.close();
    await closed.down();
  });
});
