/**
 * Every way to confirm, walked as the person of the demo bank who has them all: in both languages, on a phone and a desktop, with and
 * without a script. `npm test` walks one of each, `npm run prove -- pages` all.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE } from '../../src/lib/clock.js';
import { hasBrowser, oneIn, useBrowser } from '../support/browser.js';
import type { Service } from '../support/service.js';
import { approve, localService, logIn, openDevice, shoot, typeCode } from './approve-browser.js';
import { addRequest, smallPayment, stored } from './approve-support.js';

const methods = ['app', 'passkey', 'sms', 'bank-login'] as const;
type MethodId = (typeof methods)[number];

interface Cell {
  readonly method: MethodId;
  readonly lang: 'el' | 'en';
  readonly width: 375 | 1280;
  readonly hasScript: boolean;
}

/** In an order in which one in seven has each way, language, width and script. */
const cells: readonly Cell[] = methods
  .flatMap((method) =>
    (['el', 'en'] as const).flatMap((lang) =>
      ([375, 1280] as const).flatMap((width) =>
        [true, false].map((hasScript) => ({ method, lang, width, hasScript })),
      ),
    ),
  )
  .filter(({ method, hasScript }) => method !== 'passkey' || hasScript);

describe.skipIf(!hasBrowser)('every way to confirm', () => {
  const browser = useBrowser();
  const thirdParty = createServer((_request, response) => response.end('third party'));
  const back = { redirectUri: '', nokRedirectUri: '' };
  let service: Service;
  let credential: object | undefined;
  let last: MethodId | undefined;

  beforeAll(async () => {
    service = await localService('sqlite');
    await new Promise<void>((resolve) => thirdParty.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(thirdParty.address() as AddressInfo).port}`;
    Object.assign(back, { redirectUri: `${origin}/done`, nokRedirectUri: `${origin}/sorry` });
  });
  afterAll(async () => {
    thirdParty.closeAllConnections();
    thirdParty.close();
    await service?.close();
  });

  const keepCredential = async ({ session, authenticatorId }: Device): Promise<void> => {
    [credential] = (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  };

  /** The device of this browser, with the passkey that was added in the first. */
  const withPasskey = async (page: Page): Promise<Device> => {
    const device = await openDevice(page);
    const { session, authenticatorId } = device;
    if (credential)
      await session.send('WebAuthn.addCredential', { authenticatorId, credential: credential as never });
    return device;
  };

  test('of which a passkey is added first', async () => {
    const context = await browser().newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    const device = await withPasskey(page);
    await page.goto(`${service.url}/dashboard`);
    await logIn(page, 'katerina');
    await page.locator('button[name=change][value=sms]').click();
    await typeCode(page);
    await page.locator('form.sections button.button').first().click();
    await page.locator('nav.tabs').waitFor();
    last = 'sms';
    await page.goto(`${service.url}/sandbox/devices`);
    await page.locator('input[data-request] ~ p button').click();
    await page.locator('button[name=remove]').waitFor();
    await keepCredential(device);
    await context.close();
  });

  const confirm: Readonly<Record<MethodId, (page: Page, name: string) => Promise<void>>> = {
    sms: async (page) => {
      await typeCode(page);
      await approve(page);
    },
    passkey: (page) => approve(page),
    app: async (page, name) => {
      await approve(page);
      await page.locator('a[href$="/sandbox/phone"]').waitFor();
      await shoot(page, `${name}-waiting`);
      const phone = await page.context().newPage();
      await phone.goto(`${service.url}/sandbox/phone`);
      await shoot(phone, `${name}-phone`);
      await phone.locator('button[value=right]').first().click();
      await phone.locator('.callout.good').waitFor();
      await phone.close();
    },
    'bank-login': async (page, name) => {
      await approve(page);
      await page.locator('input[name=asked]').waitFor({ state: 'attached' });
      await shoot(page, `${name}-bank`);
      await page.locator('button[value=right]').click();
    },
  };

  test.each(oneIn(7, cells))('$method in $lang at $width, script: $hasScript', async (cell) => {
    const { method, lang, width, hasScript } = cell;
    const name = `${method}-${lang}-${width}-${hasScript ? 'script' : 'plain'}`;
    const id = await addRequest(service, { ...back, psu: 'katerina', details: smallPayment });
    // How many codes a person is sent in a while is limited.
    service.clock.advance(16 * MINUTE);
    const viewport = { width, height: 800 };
    const context = await browser().newContext({ locale: lang, viewport, javaScriptEnabled: hasScript });
    const page = await context.newPage();
    const device = method === 'passkey' ? await withPasskey(page) : undefined;
    await page.goto(`${service.url}/authorise/${id}?lang=${lang}`);
    await logIn(page, 'katerina');
    const way = page.locator('input[name=method]');
    expect(await way.getAttribute('value')).toBe(last);
    if (method !== last) await page.locator(`button[name=change][value=${method}]`).click();
    await page.locator(`input[name=method][value=${method}]`).waitFor({ state: 'attached' });
    last = method;
    expect(await page.locator('button[name=change]').count()).toBe(methods.length - 1);
    expect(await page.locator('html').getAttribute('lang')).toBe(lang);
    await page.locator('.pick input').first().check();
    await shoot(page, name);
    await confirm[method](page, name);
    await page.waitForURL(`${back.redirectUri}?**result=approved`);
    expect((await stored(service, id)).steps).toEqual(['Received', 'Valid']);
    if (device) await keepCredential(device);
    await context.close();
  });
});

interface Device {
  readonly session: CDPSession;
  readonly authenticatorId: string;
}
