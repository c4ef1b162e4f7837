/** What the client does beside sending: ids, repetitions, tokens, problems, and the way to a token. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type ClientOptions,
  createClient,
  OAuth,
  type OAuthError,
  ProblemError,
} from '../../packages/client/src/index.js';
import { applicationOf, Browser, logIn } from '../oauth/provider-journey.js';
import { ibanOf } from '../support/operations.js';
import { useService } from '../support/use-service.js';

const body = { account: { iban: ibanOf('eleni', 101) }, instructedAmount: { currency: 'EUR', amount: 1 } };

/** What happens to one request. */
type Turn = (response: ServerResponse, request: IncomingMessage) => void;

interface Seen {
  readonly id: unknown;
  readonly text: string;
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A bank that does what it is told, turn by turn, and a client whose pauses are noted instead of slept. */
const told = async (turns: Turn[], options: Partial<ClientOptions> = {}) => {
  const seen: Seen[] = [];
  const pauses: number[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      seen.push({ id: request.headers['x-request-id'], text });
      (turns[seen.length - 1] ?? fine)(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bank/`;
  const clock = { now: () => 0, sleep: async (ms: number) => void pauses.push(ms) };
  return { client: createClient({ baseUrl, subscriptionKey: 'k', clock, ...options }), seen, pauses };
};

const json =
  (status: number, value: object, headers: Record<string, string> = {}): Turn =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(value));
const fine = json(200, { fundsAvailable: true });
const problem = (status: number, retryable: boolean, seconds?: number): Turn =>
  json(
    status,
    {
      type: 'https://b/problems/some-problem',
      extensions: { error: { code: 'C', retryable, advice: 'wait' } },
    },
    seconds === undefined ? {} : { 'Retry-After': String(seconds) },
  );
const refusal = (work: Promise<unknown>): Promise<ProblemError> =>
  work.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => error as ProblemError,
  );

describe('repetitions', () => {
  it('have the same id and the same bytes, until there is an answer', async () => {
    const { client, seen, pauses } = await told([
      (_response, request) => request.socket.destroy(),
      (response) => response.writeHead(200, { 'Content-Length': '100' }).write('{', () => response.destroy()),
      problem(503, true, 7),
      fine,
    ]);
    expect((await client.confirmFunds({ body })).body).toEqual({ fundsAvailable: true });
    expect(seen).toHaveLength(4);
    expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(seen[0]?.text).toBe(JSON.stringify(body));
    const [first = 0, second = 0, third] = pauses;
    expect(first >= 125 && first < 375 && second >= 250 && second < 750).toBe(true);
    expect(third).toBe(7000);
    await client.confirmFunds({ body, requestId: 'mine' });
    expect(seen[4]?.id).toBe('mine');
  });

  it.each([
    ['a refusal that stays', problem(403, false), 'some-problem'],
    ['a pause of hours', problem(429, true, 7200), 'some-problem'],
    ['429 without a time', problem(429, true), 'some-problem'],
    ['a page of somebody else', (response: ServerResponse) => response.writeHead(404).end('<p>'), undefined],
  ] as const)('are not made for %s', async (_what, turn, slug) => {
    const { client, seen } = await told([turn, fine]);
    expect(await refusal(client.confirmFunds({ body }))).toMatchObject({ name: 'ProblemError', slug });
    expect(seen).toHaveLength(1);
  });

  it('end', async () => {
    const { client, seen } = await told(Array.from({ length: 9 }, () => problem(503, true, 1)));
    expect(await refusal(client.confirmFunds({ body }))).toMatchObject({ status: 503, retryAfterSeconds: 1 });
    expect(seen).toHaveLength(4);
    const gone = createClient({ baseUrl: 'http://127.0.0.1:1', subscriptionKey: 'k', retries: 0 });
    await expect(gone.getAtms()).rejects.toThrow(TypeError);
  });
});

describe('at the bank', () => {
  const service = useService();
  const client = (token: ClientOptions['token']) =>
    createClient({ baseUrl: service().url, subscriptionKey: service().keyOf(), ...(token ? { token } : {}) });

  it('a problem says what to do', async () => {
    const { url } = service();
    const error = await refusal(createClient({ baseUrl: url, subscriptionKey: 'wrong' }).getAtms());
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({
      status: 401,
      slug: 'subscription-key-invalid',
      code: 'SUBSCRIPTION_KEY_INVALID',
      advice: 'fix-request',
      remedy: expect.stringMatching(/^Stop and alert a developer/),
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      retryable: false,
    });
  });

  it('a refused token is replaced once', async () => {
    const asked: (string | undefined)[] = [];
    const renewing = client(async (refused) => {
      asked.push(refused);
      return refused === undefined ? 'over' : service().token();
    });
    expect((await renewing.getEvents()).status).toBe(200);
    expect(asked).toEqual([undefined, 'over']);
    const given: string[] = [];
    const hopeless = client(async () => `bad-${given.push('')}`);
    expect(await refusal(hopeless.getEvents())).toMatchObject({ slug: 'token-invalid' });
    expect(given).toHaveLength(2);
    expect(await refusal(client('bad').getEvents())).toMatchObject({ slug: 'token-invalid' });
  });

  it('the code grant gives a token that renews itself; what does not fit is refused', async () => {
    const { clientId, clientSecret, redirectUri } = applicationOf(service());
    const { url: baseUrl, clock } = service();
    const pausing = { now: () => clock.now(), sleep: async () => undefined };
    const oauth = new OAuth({ baseUrl, clientId, clientSecret, redirectUri, clock: pausing });
    const started = await oauth.authorize({ scope: 'ais' });
    expect(started.url).toContain('request_uri=');
    const browser = new Browser(baseUrl);
    const { page } = await browser.visit(started.url);
    const callback = await logIn(service(), browser, page);
    const error = (work: Promise<unknown>) => refusal(work) as unknown as Promise<OAuthError>;
    expect((await error(oauth.redeem(callback, { ...started, state: 'x' }))).error).toBe('state_mismatch');
    const foreign = new URL(callback);
    foreign.searchParams.set('iss', 'https://other.example');
    expect((await error(oauth.redeem(foreign, started))).error).toBe('issuer_mismatch');
    foreign.searchParams.delete('iss');
    expect((await error(oauth.redeem(foreign, started))).error).toBe('issuer_mismatch');
    const refused = `${redirectUri}?${new URLSearchParams({ error: 'access_denied', state: started.state, iss: service().url })}`;
    expect((await error(oauth.redeem(refused, started))).error).toBe('access_denied');
    const tokens = await oauth.redeem(callback, started);

    const renewed: string[] = [];
    const source = oauth.tokenSource(tokens, async ({ accessToken }) => void renewed.push(accessToken));
    expect(await source()).toBe(tokens.accessToken);
    clock.advance(tokens.goodUntil - clock.now());
    const [one, other] = await Promise.all([source(), source()]);
    expect(renewed).toEqual([one]);
    expect(other).toBe(one);
    expect((await client(source).getEvents()).status).toBe(200);
    // A code that comes twice ends everything it gave.
    expect((await error(oauth.redeem(callback, started))).error).toBe('invalid_grant');
  });
});
