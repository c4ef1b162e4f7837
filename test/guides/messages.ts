/** Messages of HTTP that guides show, compared with real ones. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import { openReceiver } from '../events/receiver.js';
import { decide } from '../oauth/authorization-details/journey.js';
import { Browser, formOf } from '../oauth/provider-journey.js';
import { FINANCE, ibanOf } from '../support/operations.js';

export interface Message {
  /** The first line. */
  readonly start: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const post = async (address: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect(response.status, address).toBeLessThan(300);
  return (await response.json()) as Record<string, string>;
};

/** What an application receives when a consent of its own is approved. */
const notification = async (base: string): Promise<Message> => {
  const receiver = await openReceiver();
  const webhook = new URL('/events', receiver.url).href;
  const own = await post(`${base}/sandbox/applications`, { name: 'Webhook', webhook });
  const { access_token: token } = await post(`${base}/sandbox/tokens`, { application: own.clientId });
  const { consentId } = await post(
    `${base}/ais/psd2/v1/consents`,
    { permissions: ['AccountsBasic'], accounts: [{ iban: ibanOf('eleni', 101) }], recurring: true },
    {
      'Ocp-Apim-Subscription-Key': own.subscriptionKey ?? '',
      Authorization: `Bearer ${token}`,
      'X-Request-ID': randomUUID(),
    },
  );
  await post(`${base}/sandbox/consents/${consentId}/decision`, { decision: 'approve' });
  await receiver.until(({ length }) => length > 0);
  await receiver.close();
  const [received] = receiver.received;
  if (!received) throw new Error('nothing has come');
  const { method, targetUri, headers, body } = received;
  return { start: `${method} ${new URL(targetUri).pathname} HTTP/1.1`, headers, body };
};

/** Of the code challenge in the guide (RFC 7636, appendix B). */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const SECRET = 'demo-secret-8fkE9n6i9wFPDtUXdiTHAp-K';

/** The tokens of an account holder who has gone to this address, logged in and approved. */
const tokenResponse = async (base: string, address: string): Promise<Message> => {
  const browser = new Browser(base);
  const { action, token } = formOf((await browser.visit(address)).page);
  const login = { form_token: token, username: 'eleni', password: 'eleni-demo' };
  const { page } = await browser.visit(action, login);
  const { leftTo } = await decide({ browser, path: page.path, page });
  const response = await fetch(`${base}/oauth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${FINANCE}:${SECRET}`)}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: leftTo?.searchParams.get('code') ?? '',
      redirect_uri: `${base}/sandbox/return/${FINANCE}`,
      code_verifier: VERIFIER,
    }),
  });
  const start = `HTTP/1.1 ${response.status} ${response.statusText}`;
  return { start, headers: Object.fromEntries(response.headers), body: await response.text() };
};

/** By guide. The address is what the block before has printed. */
export const realMessages: Readonly<Record<string, (base: string, printed: string) => Promise<Message>>> = {
  notifications: notification,
  'one-redirect': tokenResponse,
};

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const INSTANT = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

/** Ids and times are of the example, `…` is anything. */
const alike = (text: string) => {
  const pattern = text
    .replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replace(/[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{8}-…/g, UUID)
    .replace(/\d{4}-\d\d-\d\dT[\d:]+\\\.\d{3}Z/g, INSTANT)
    .replaceAll('…', '.+');
  return expect.stringMatching(new RegExp(`^${pattern}$`));
};

const alikeJson = (value: unknown): unknown => {
  if (typeof value === 'string') return alike(value);
  if (Array.isArray(value)) return value.map(alikeJson);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'position' ? expect.any(Number) : alikeJson(each),
    ]),
  );
};

/** The real one may have more headers, and in the body nothing that is not shown. */
export const expectMessage = (real: Message, shown: string): void => {
  const [head = '', body = ''] = shown.split(/\n\n/, 2);
  const [start = '', ...lines] = head.split('\n');
  expect(real.start).toBe(start);
  for (const line of lines) {
    const [name = '', value = ''] = line.split(/: (.*)/);
    expect({ name, value: real.headers[name.toLowerCase()] }).toEqual({ name, value: alike(value) });
  }
  expect(JSON.parse(real.body)).toEqual(alikeJson(JSON.parse(body)));
};
