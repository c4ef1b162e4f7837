/** A core over HTTP that fails in every way: the caller gets the decided status, and never a wrong boolean. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slugOf } from '../../support/client.js';
import { fundsRecords } from '../../support/consents.js';
import {
  ATMS,
  account,
  askForReset,
  FUNDS,
  freshToken,
  fundsBody,
  moveBankClock,
} from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';
import { type Behaviour, behaves, fixture, funds, json, RawCore, type Seen } from './raw-core.js';

const TIMEOUT_MS = 800;
const LIMIT = 4096;
/** Appears in what the core answers, and must not in what we write. */
const MARK = 'a-word-of-the-core';

let core: RawCore;
let service: Service;
beforeAll(async () => {
  core = new RawCore(true);
  await core.up();
  service = await startService({
    env: {
      TRAPEZA_CORE_URL: core.url,
      TRAPEZA_CORE_TOKEN: 'token-of-the-core',
      TRAPEZA_CORE_CLIENT_CERTIFICATE: fixture('client'),
      TRAPEZA_CORE_CLIENT_KEY: fixture('client.key'),
      TRAPEZA_CORE_CA: fixture('ca'),
      TRAPEZA_CORE_TIMEOUT_MS: String(TIMEOUT_MS),
      TRAPEZA_CORE_RESPONSE_LIMIT: String(LIMIT),
    },
  });
  // From here on it is known for a minute who holds the account.
  await ask();
});
afterAll(async () => {
  await service.close();
  await core.down();
});

const ask = (requestId: string = randomUUID(), amount = 25.5) =>
  service.call({
    method: 'POST',
    path: FUNDS,
    headers: { 'X-Request-ID': requestId },
    body: fundsBody({ instructedAmount: { currency: 'EUR', amount } }),
  });

const status =
  (code: number): Behaviour =>
  (_seen, response) =>
    response.writeHead(code, { Location: '/core/accounts/x/funds' }).end(MARK);
const body =
  (text: string, type = 'application/json'): Behaviour =>
  (_seen, response) =>
    response.writeHead(200, { 'Content-Type': type }).end(text);
const answer =
  (changes: object): Behaviour =>
  (seen, response) =>
    json(response, funds(seen, changes));
/** A byte now and then: each is in time, all of them never arrive. */
const drip: Behaviour = (_seen, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};
const partial = (response: ServerResponse): void => {
  response.writeHead(200, { 'Content-Length': '1000' });
  response.write('{"accountId":"');
};

const unavailable = [503, 'dependency-unavailable'] as const;
const late = [408, 'processing-timeout'] as const;

const faults: readonly (readonly [string, readonly [number, string], string, Behaviour])[] = [
  ['garbage instead of JSON', unavailable, 'garbage', body(`{"${MARK}`)],
  ['a page of HTML', unavailable, 'garbage', body(`<html>${MARK}</html>`, 'text/html')],
  ['nothing', unavailable, 'garbage', body('')],
  ['bytes that are no text', unavailable, 'garbage', (_seen, r) => r.end(Buffer.from([0x22, 0xff, 0x22]))],
  ['null', unavailable, 'garbage', body('null')],
  ['a member twice', unavailable, 'garbage', body('{"fundsAvailable":false,"fundsAvailable":true}')],
  ['a member that nobody knows', unavailable, 'garbage', answer({ [MARK]: 1 })],
  ['a boolean in quotes', unavailable, 'garbage', answer({ fundsAvailable: 'false' })],
  ['no boolean', unavailable, 'garbage', answer({ fundsAvailable: undefined })],
  ['another currency', unavailable, 'wrong-currency', answer({ currency: 'USD', fundsAvailable: false })],
  ['another account', unavailable, 'wrong-echo', answer({ accountId: MARK, fundsAvailable: false })],
  ['a body without end', unavailable, 'too-large', body(`{"x":"${'x'.repeat(3 * LIMIT)}"}`)],
  ['a redirect', unavailable, 'status', status(307)],
  ['201 with an answer', unavailable, 'status', (s, r) => r.writeHead(201).end(JSON.stringify(funds(s)))],
  [
    '404 of an account that is listed',
    unavailable,
    'absent',
    (seen, r) => (seen.path.endsWith('/funds') ? r.writeHead(404).end(MARK) : behaves(seen, r)),
  ],
  ['400', unavailable, 'status', status(400)],
  ['429', unavailable, 'status', status(429)],
  ['500', unavailable, 'status', status(500)],
  ['502', unavailable, 'status', status(502)],
  ['503', unavailable, 'status', status(503)],
  [
    'an answer that breaks off',
    unavailable,
    'reset',
    (_seen, r) => partial(r) ?? setImmediate(() => core.cut()),
  ],
  ['a connection that is cut', unavailable, 'reset', () => core.cut()],
  ['silence', late, 'late', () => undefined],
  ['half an answer', late, 'late', (_seen, r) => partial(r)],
  ['a byte now and then', late, 'late', drip],
];

const outcomes = async (): Promise<string> => (await fetch(`${service.app.managementUrl}/metrics`)).text();
const counted = async (outcome: string): Promise<number> => {
  const line = (await outcomes()).match(
    new RegExp(`trapeza_core_calls_total\\{operation="hasFunds",outcome="${outcome}"\\} (\\d+)`),
  );
  return Number(line?.[1] ?? 0);
};

/** Recovery needs nothing but a core that behaves again. */
const expectRecovery = async (): Promise<void> => {
  core.behave = behaves;
  for (const _ of [1, 2]) expect((await ask()).json).toEqual({ fundsAvailable: true });
};

describe('a core over mutual TLS that answers with', () => {
  it.each(faults)('%s is %s, without a record of an answer', async (_name, [code, slug], kind, behave) => {
    const before = await counted(kind);
    core.behave = behave;
    const requestId = randomUUID();
    const told = await ask(requestId);
    expect([told.status, slugOf(told)]).toEqual([code, slug]);
    expect(await counted(kind)).toBe(before + 1);
    expect(await fundsRecords(service, requestId)).toEqual([]);
    await expectRecovery();
  });

  it('nothing at all, because nobody listens, is 503', async () => {
    await core.down();
    const before = await counted('refused');
    const told = await ask();
    expect([told.status, slugOf(told)]).toEqual(unavailable);
    expect(await counted('refused')).toBe(before + 1);
    expect((await service.call({ path: ATMS })).status).toBe(200);
    await core.up();
    await expectRecovery();
  });

  it('silence, and dies before the time is over, is 503', async () => {
    core.behave = () => setTimeout(() => core.cut(), 50);
    const told = await ask();
    expect([told.status, slugOf(told)]).toEqual(unavailable);
    await expectRecovery();
  });
});

/** Health is asked at any time, and by nobody's call. */
const last = (): Seen =>
  core.seen.filter(({ path }) => path !== '/core/health').at(-1) ?? expect.unreachable();

describe('a question to the core', () => {
  it('has the path of the contract, the token, a request id of its own, the consent and the bank time', async () => {
    const requestId = randomUUID();
    await moveBankClock(service, 'P3D');
    await ask(requestId, 1234.5);
    const { method, path, headers } = last();
    const accountId = account('eleni', 101).id;
    expect(`${method} ${path}`).toBe(`POST /core/accounts/${accountId}/funds`);
    expect(last().body).toEqual({ currency: 'EUR', amount: '1234.50' });
    expect(headers.authorization).toBe('Bearer token-of-the-core');
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['x-request-id']).not.toBe(requestId);
    const consents = service.credentials.consents.filter(({ type }) => type === 'ConfirmationOfFunds');
    expect(consents.map(({ id }) => id)).toContain(headers['consent-id']);
    const days = (Date.parse(String(headers['sandbox-time'])) - service.clock.now()) / 86_400_000;
    expect(days).toBeGreaterThan(2.9);
  });

  it('is clamped where the amount is more than the contract can name', async () => {
    core.behave = answer({ fundsAvailable: false });
    expect((await ask(randomUUID(), 1e20)).json).toEqual({ fundsAvailable: false });
    expect(last().body).toEqual({ currency: 'EUR', amount: '999999999999999.00' });
    core.behave = answer({ fundsAvailable: true });
    expect((await ask(randomUUID(), 1e20)).status).toBe(503);
    core.behave = behaves;
  });

  it('brings back what an earlier answer on the same consent wanted to be reminded of', async () => {
    const withNote =
      (note: string): Behaviour =>
      (seen, response) =>
        json(response, funds(seen), { 'Bank-Consent-Data': note });
    core.behave = withNote('session=1');
    await ask();
    expect(last().headers['bank-consent-data']).toBeUndefined();
    core.behave = withNote('session=2');
    await ask();
    expect(last().headers['bank-consent-data']).toBe('session=1');
    core.behave = behaves;
    await ask();
    expect(last().headers['bank-consent-data']).toBe('session=2');
    core.behave = withNote('x'.repeat(1025));
    expect((await ask()).status).toBe(503);
    core.behave = behaves;
    const kept = await withStore(service, (db) =>
      db.all<{ kind: string }>('select kind from consents where bank_data is not null'),
    );
    expect(kept).toEqual([{ kind: 'ConfirmationOfFunds' }]);
  });

  it('about balances is asked on behalf of its consent, and answered in minor units', async () => {
    const consent = service.consent('AccountAccess', 'Valid', { psu: 'eleni' });
    const headers = { 'Consent-ID': consent.id, 'PSU-IP-Address': '192.0.2.1' };
    const [row] = await withStore(service, (db) =>
      db.all<{ id: string }>('select resource_id as id from consent_accounts where consent_id = ?', [
        consent.id,
      ]),
    );
    const path = `/ais/psd2/v1/accounts/${row?.id}/balances`;
    core.behave = (seen, response) => {
      response.setHeader('Bank-Consent-Data', 'about-this-one');
      behaves(seen, response);
    };
    const told = await service.call({ path, headers });
    expect(last().headers['consent-id']).toBe(consent.id);
    expect(last().headers).toMatchObject({
      'application-id': 'demo-finance-app',
      'psu-ip-address': '192.0.2.1',
    });
    expect(told.json).toMatchObject({
      balances: [{ balanceType: 'interimBooked', balanceAmount: { currency: 'EUR', amount: -0.07 } }],
    });
    await service.call({ path, headers });
    expect(last().headers['bank-consent-data']).toBe('about-this-one');
    core.behave = behaves;
  });

  it('integrator S7: is counted by member and rule where an answer broke one', async () => {
    const written = await outcomes();
    for (const labels of [
      'operation="hasFunds",member="/fundsAvailable",rule="true or false expected"',
      'operation="hasFunds",member="/fundsAvailable",rule="missing"',
      'operation="hasFunds",member="",rule="no JSON"',
      'operation="hasFunds",member="/accountId",rule="not the one that was asked for"',
    ])
      expect(written).toMatch(new RegExp(`trapeza_core_wrong_answers_total\\{${labels}\\} [1-9]`));
    expect(written).not.toContain(MARK);
    expect(service.logs.join('')).toContain(
      '"reason":"the core: garbage (/fundsAvailable: true or false expected)"',
    );
  });

  it('is logged where it found no answer, without what was asked or answered', () => {
    const lines = service.logs.filter((line) => line.includes('"msg":"core"'));
    expect(lines.length).toBeGreaterThan(20);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ operation: 'hasFunds', outcome: 'garbage' });
    for (const word of [MARK, 'token-of-the-core', account('eleni', 101).id, 'session=1'])
      expect(service.logs.join('')).not.toContain(word);
  });
});

describe('a reset of the sandbox', () => {
  it('resets the simulator too, and needs none', async () => {
    expect((await askForReset(service)).status).toBe(204);
    expect(last()).toMatchObject({ method: 'POST', path: '/core/simulator/reset' });
    core.behave = status(500);
    expect((await askForReset(service)).status).toBe(503);
    core.behave = behaves;
    expect(await freshToken(service)).not.toBe('');
  });
});
