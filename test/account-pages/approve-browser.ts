/** A browser on the approval journey, and a third party that waits for its customers. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from '../../bench/free-port.js';
import { endOfDay } from '../../src/lib/day.js';
import { useBrowser } from '../support/browser.js';
import type { Engine } from '../support/engines.js';
import { account, ibanOf } from '../support/operations.js';
import { type Service, startService } from '../support/service.js';
import type { Use } from '../support/use-service.js';
import { addRequest, type WantedRequest } from './approve-support.js';

export const ZONE = 'Europe/Athens';

export const headingOf = (page: Page) => page.locator('h1').textContent();

export const logIn = async (page: Page, username = 'eleni', password = `${username}-demo`): Promise<void> => {
  await page.locator('#username').fill(username);
  await page.locator('#password').fill(password);
  await page.locator('.login-form button').click();
};

/** Asks for a code, unless one is there. */
export const askForCode = async (page: Page): Promise<void> => {
  const button = page.locator('button[value=begin]');
  await button.or(page.locator('.demo-code')).first().waitFor();
  if ((await button.count()) > 0) await button.click();
};

/** As the demo phone shows it, with the space in its middle. */
export const shownCode = async (page: Page): Promise<string> => {
  await askForCode(page);
  return (await page.locator('.demo-code').textContent()) ?? '';
};

export const typeCode = async (page: Page): Promise<void> =>
  page.locator('#code').fill(await shownCode(page));

export const approve = (page: Page) => page.locator('button[value=approve]').click();
export const refuse = (page: Page) => page.locator('button[value=refuse]').click();

const SHOTS = process.env.TEST_SHOTS;
export const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
};

/** At a host name, as passkeys need it. */
export const localService = async (
  engine: Engine,
  env: Readonly<Record<string, string>> = {},
): Promise<Service> => {
  const port = await freePort();
  return startService({ engine, env: { PORT: String(port), BASE_URL: `http://localhost:${port}`, ...env } });
};

/** A device with passkeys, which recognises its owner. */
export const openDevice = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, authenticatorId };
};

export interface Journey {
  readonly addresses: { readonly redirectUri: string; readonly nokRedirectUri: string };
  /** A request of the third party. */
  ask(wanted?: WantedRequest): Promise<string>;
  askForFunds(wanted?: WantedRequest): Promise<string>;
  /** Opens the page of a request. */
  visit(id: string, look: (page: Page) => Promise<void>, options?: BrowserContextOptions): Promise<void>;
}

export const useJourney = (service: Use): Journey => {
  const browser = useBrowser({ isFull: true });
  let thirdParty: Server | undefined;
  const addresses = { redirectUri: '', nokRedirectUri: '' };
  beforeAll(async () => {
    const server = createServer((_request, response) => response.end('third party'));
    thirdParty = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    addresses.redirectUri = `${origin}/callback`;
    addresses.nokRedirectUri = `${origin}/sorry?from=bank`;
  });
  afterAll(() => {
    thirdParty?.closeAllConnections();
    thirdParty?.close();
  });

  const ask: Journey['ask'] = (wanted = {}) => addRequest(service(), { ...addresses, ...wanted });
  return {
    addresses,
    ask,
    askForFunds: (wanted = {}) =>
      ask({
        kind: 'ConfirmationOfFunds',
        accounts: [account('eleni', 101)],
        details: { account: { iban: ibanOf('eleni', 101) } },
        expiresAt: endOfDay('2031-05-14', ZONE),
        ...wanted,
      }),
    visit: async (id, look, options = {}) => {
      const context = await browser().newContext({ locale: 'el-GR', ...options });
      try {
        const page = await context.newPage();
        await page.goto(`${service().url}/authorise/${id}`);
        await look(page);
      } finally {
        await context.close();
      }
    },
  };
};
