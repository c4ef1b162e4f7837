/** Confirmations that are not typed, in a real browser: with a passkey, and at the bank's OpenID provider. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OpenIdProvider } from '../bank/authentication/openid-provider.js';
import { hasBrowser, useBrowser } from '../support/browser.js';
import { engines } from '../support/engines.js';
import { psuId } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { localService, logIn, openDevice, approve as press, shoot, typeCode } from './approve-browser.js';
import { addRequest, stored } from './approve-support.js';

/** With the first account. */
const approve = async (page: Page): Promise<void> => {
  await page.locator('.pick input').first().check();
  await press(page);
};

const back = { redirectUri: '', nokRedirectUri: '' };
const thirdParty = createServer((_request, response) => response.end('third party'));
beforeAll(async () => {
  await new Promise<void>((resolve) => thirdParty.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(thirdParty.address() as AddressInfo).port}`;
  Object.assign(back, { redirectUri: `${origin}/done`, nokRedirectUri: `${origin}/sorry` });
});
afterAll(() => {
  thirdParty.closeAllConnections();
  thirdParty.close();
});

const phone = { viewport: { width: 375, height: 800 } };

describe.skipIf(!hasBrowser)('a passkey', () => {
  const browser = useBrowser();
  let service: Service;
  beforeAll(async () => {
    service = await localService(engines.at(-1) ?? 'sqlite');
  });
  afterAll(() => service?.close());

  const isAtThirdParty = (page: Page) => page.waitForURL(`${back.redirectUri}?**`);
  const device = async (page: Page) => {
    const { session, authenticatorId } = await openDevice(page);
    return (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  };

  test('is added after an authentication, confirms what is shown, and no longer once it is removed', async () => {
    const context = await browser().newContext({ locale: 'el-GR' });
    const page = await context.newPage();
    const recognise = await device(page);
    await page.goto(`${service.url}/sandbox/devices`);
    expect(await page.locator('main').textContent()).toContain('Log in to your overview');
    await page.goto(`${service.url}/dashboard`);
    await logIn(page);
    await typeCode(page);
    await page.locator('form.sections button.button').first().click();
    await page.goto(`${service.url}/sandbox/devices`);
    await page.getByText('Add a passkey').click();
    await page.getByText('Remove passkey').waitFor();
    await shoot(page, 'devices');

    const id = await addRequest(service, back);
    await page.goto(`${service.url}/authorise/${id}`);
    await page.locator('input[data-request]').waitFor({ state: 'attached' });
    await shoot(page, 'passkey-el-1280');
    await recognise(false);
    await approve(page);
    await page.getByText('Η συσκευή σας δεν έδωσε επιβεβαίωση').waitFor();
    await shoot(page, 'passkey-el-failed');
    await recognise(true);
    await approve(page);
    await isAtThirdParty(page);
    expect((await stored(service, id)).status).toBe('Valid');

    await page.setViewportSize(phone.viewport);
    const other = await addRequest(service, back);
    await page.goto(`${service.url}/authorise/${other}?lang=en`);
    await shoot(page, 'passkey-en-375');
    expect(await page.locator('h2#way-heading').textContent()).toBe('Confirm with your passkey');
    await approve(page);
    await isAtThirdParty(page);
    expect((await stored(service, other)).status).toBe('Valid');

    await page.goto(`${service.url}/sandbox/devices`);
    await page.getByText('Remove passkey').click();
    await page.getByText('has no passkey yet').waitFor();
    const third = await addRequest(service, back);
    await page.goto(`${service.url}/authorise/${third}`);
    await page.locator('#code').waitFor();
    expect(await page.locator('input[data-request]').count()).toBe(0);
    await context.close();
  });

  test('is told to need a script, and another way is offered', async () => {
    const context = await browser().newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await device(page);
    await page.goto(`${service.url}/dashboard`);
    await logIn(page, 'nikos');
    await typeCode(page);
    await page.locator('form.sections button.button').first().click();
    await page.goto(`${service.url}/sandbox/devices`);
    await page.getByText('Add a passkey').click();
    await page.getByText('Remove passkey').waitFor();
    await context.close();

    const plain = await browser().newContext({ locale: 'en-GB', javaScriptEnabled: false, ...phone });
    const without = await plain.newPage();
    const id = await addRequest(service, { ...back, psu: 'nikos' });
    await without.goto(`${service.url}/authorise/${id}`);
    await logIn(without, 'nikos');
    await shoot(without, 'passkey-en-noscript');
    expect(await without.locator('noscript').textContent()).toContain('This way needs JavaScript.');
    await approve(without);
    expect(await without.locator('[role=alert] a').first().textContent()).toContain('no confirmation');
    await without.getByRole('button', { name: /Code by message/ }).click();
    await typeCode(without);
    await approve(without);
    await isAtThirdParty(without);
    expect((await stored(service, id)).status).toBe('Valid');
    await plain.close();
  });
});

describe.skipIf(!hasBrowser)('a step-up', () => {
  const browser = useBrowser();
  const provider = new OpenIdProvider();
  let service: Service;
  beforeAll(async () => {
    await provider.up();
    service = await localService('sqlite', {
      TRAPEZA_LOGIN_ISSUER: provider.issuer,
      TRAPEZA_LOGIN_CLIENT_ID: 'trapeza',
      TRAPEZA_LOGIN_CLIENT_SECRET: 'secret',
      TRAPEZA_LOGIN_ACR_VALUES: 'urn:bank:two-factors',
    });
  });
  afterAll(async () => {
    await service?.close();
    await provider.down();
  });

  test.each([
    ['el', 1280, true],
    ['en', 375, false],
  ] as const)(
    'in %s at %i: a refusal changes nothing, a confirmation approves',
    async (lang, width, hasScript) => {
      const id = await addRequest(service, back);
      const psu = psuId('eleni');
      const context = await browser().newContext({
        locale: lang,
        viewport: { width, height: 800 },
        javaScriptEnabled: hasScript,
      });
      const page = await context.newPage();
      provider.visit = { sub: psu };
      await page.goto(`${service.url}/authorise/${id}?lang=${lang}`);
      const theirs = page.locator('button[name=change]');
      if ((await theirs.getAttribute('value')) === 'step-up') await theirs.click();
      await page.locator('h2#way-heading').waitFor();
      await shoot(page, `step-up-${lang}-${width}`);
      provider.visit = { sub: psu, claims: { acr: 'urn:bank:password' } };
      await approve(page);
      await page.locator('[role=alert] a').first().waitFor();
      await shoot(page, `step-up-refused-${lang}-${width}`);
      expect((await stored(service, id)).status).toBe('Received');
      service.clock.advance(31_000);
      await page.locator('button[value=send]').click();
      await page.locator('h2#way-heading').waitFor();
      provider.visit = { sub: psu, claims: { auth_time: Math.floor(service.clock.now() / 1000) } };
      await approve(page);
      await page.waitForURL(`${back.redirectUri}?**`);
      expect((await stored(service, id)).status).toBe('Valid');
      await context.close();
    },
  );
});
