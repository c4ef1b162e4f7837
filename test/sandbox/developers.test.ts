/** Every developer has a sandbox of one's own. Two of them see nothing of each other, on whichever node they call. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR } from '../../src/lib/clock.js';
import { type Answer, done, send, slugOf, type Wanted } from '../support/client.js';
import { ATMS, FUNDS, fundsBody, ibanOf } from '../support/operations.js';
import { createDatabase, type Engine, engines, type Service, startService } from '../support/service.js';

const BASE_URL = 'http://127.0.0.1:1';
const PASSPHRASE = 'correct horse battery';

interface Made {
  readonly name: string;
  readonly baseUrl: string;
  readonly application: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly subscriptionKey: string;
  };
}

/** Two processes on one store. */
const useNodes = (engine: Engine) => {
  const nodes: Service[] = [];
  let drop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const database = await createDatabase(engine);
    drop = database.drop;
    const env = { BASE_URL, TRAPEZA_DEMO_MONTHS: '1' };
    for (const _ of [1, 2]) nodes.push(await startService({ databaseUrl: database.url, env }));
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
    await drop?.();
  });
  const node = (number: number): Service => {
    const found = nodes[number];
    if (!found) throw new Error('the nodes have not started');
    return found;
  };
  return node;
};

const signUp = (node: Service, name: string, passphrase = PASSPHRASE): Promise<Answer> =>
  send(node.app.listenUrl, { method: 'POST', path: '/sandbox/developers', body: { name, passphrase } });

const made = async (node: Service, name: string): Promise<Made> =>
  done(await signUp(node, name)).json as Made;

const pathOf = ({ baseUrl }: Made): string => new URL(baseUrl).pathname;

/** A call in the sandbox of this developer. */
const callIn = (node: Service, developer: Made, { path, ...wanted }: Wanted): Promise<Answer> =>
  send(node.app.listenUrl, { outsideContract: true, ...wanted, path: `${pathOf(developer)}${path}` });

const tokenIn = async (node: Service, developer: Made): Promise<string> => {
  const body = { application: developer.application.clientId };
  const answer = done(await callIn(node, developer, { method: 'POST', path: '/sandbox/tokens', body }));
  return (answer.json as { access_token: string }).access_token;
};

const headersOf = async (node: Service, developer: Made) => ({
  'Ocp-Apim-Subscription-Key': developer.application.subscriptionKey,
  Authorization: `Bearer ${await tokenIn(node, developer)}`,
  'X-Request-ID': randomUUID(),
});

const clockIn = async (node: Service, developer: Made): Promise<number> => {
  const { now } = done(await callIn(node, developer, { path: '/sandbox/clock' })).json as { now: string };
  return Date.parse(now);
};

describe.each(engines)('two developers on two nodes on %s', (engine) => {
  const node = useNodes(engine);
  let alice: Made;
  let boris: Made;
  beforeAll(async () => {
    alice = await made(node(0), 'alice');
    boris = await made(node(1), 'boris');
  });

  it('call with applications of their own on either node', async () => {
    for (const each of [alice, boris])
      for (const place of [0, 1]) {
        const answer = await callIn(node(place), each, {
          path: ATMS,
          headers: await headersOf(node(place), each),
        });
        expect(answer.status).toBe(200);
      }
  });

  it('have keys, tokens and consents that are nothing to each other and to the common sandbox', async () => {
    const headers = await headersOf(node(0), alice);
    const body = { account: { iban: ibanOf('eleni', 101) } };
    const asked = { method: 'POST', path: '/piis/psd2/v1/consents', headers, body };
    const { consentId } = done(await callIn(node(0), alice, asked)).json as { consentId: string };
    const status = `/piis/psd2/v1/consents/${consentId}/status`;
    const fresh = () => ({ ...headers, 'X-Request-ID': randomUUID() });
    expect((await callIn(node(1), alice, { path: status, headers: fresh() })).status).toBe(200);

    expect(slugOf(await callIn(node(1), boris, { path: status, headers: fresh() }))).toBe(
      'subscription-key-invalid',
    );
    expect(slugOf(await node(0).call({ path: ATMS, headers: fresh() }))).toBe('subscription-key-invalid');
    const own = await headersOf(node(1), boris);
    const foreignToken = { ...own, Authorization: headers.Authorization };
    expect(slugOf(await callIn(node(1), boris, { path: ATMS, headers: foreignToken }))).toBe('token-invalid');
    expect((await callIn(node(1), boris, { path: status, headers: own })).status).toBe(404);
    // The demo applications have the same ids and keys everywhere; their tokens are still of one sandbox.
    const demo = { ...own, 'Ocp-Apim-Subscription-Key': node(0).keyOf() };
    const common = await node(0).token();
    expect(
      slugOf(
        await callIn(node(0), boris, { path: ATMS, headers: { ...demo, Authorization: `Bearer ${common}` } }),
      ),
    ).toBe('token-invalid');
    const decision = {
      method: 'POST',
      path: `/sandbox/consents/${consentId}/decision`,
      body: { decision: 'approve' },
    };
    expect((await callIn(node(0), boris, decision)).status).toBe(404);
    done(await callIn(node(1), alice, decision));
    const funds = { method: 'POST', path: FUNDS, headers: fresh(), body: fundsBody() };
    expect((await callIn(node(0), alice, funds)).json).toEqual({ fundsAvailable: true });
  });

  it('move their clocks and reset for themselves alone', async () => {
    const before = await clockIn(node(0), boris);
    const leap = { method: 'PUT', path: '/sandbox/clock', body: { advance: 'P2D' } };
    done(await callIn(node(0), alice, leap));
    expect((await clockIn(node(1), alice)) - before).toBeGreaterThan(47 * HOUR);
    expect((await clockIn(node(0), boris)) - before).toBeLessThan(HOUR);

    done(await callIn(node(1), boris, { method: 'POST', path: '/sandbox/reset' }));
    expect((await clockIn(node(0), alice)) - before).toBeGreaterThan(47 * HOUR);
    done(await send(node(0).app.listenUrl, { method: 'POST', path: '/sandbox/reset' }));
    expect((await clockIn(node(0), alice)) - before).toBeGreaterThan(47 * HOUR);
    // Applications survive a reset, and so do the developers.
    for (const each of [alice, boris]) {
      const answer = await callIn(node(1), each, { path: ATMS, headers: await headersOf(node(1), each) });
      expect(answer.status).toBe(200);
    }
    const { text } = await send(node(0).app.listenUrl, { path: '/sandbox/credentials' });
    expect(text).not.toMatch(/alice|boris/);
  });

  it('answers unknown places and everything below them with 404, without opening anything', async () => {
    const guessed = pathOf(alice).replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    for (const path of [guessed, '/dev/alice', '/dev/alice/sandbox/reset', '/dev/', '/dev/%61', '/dev/../x'])
      for (const method of ['GET', 'POST'])
        expect((await send(node(0).app.listenUrl, { method, path, outsideContract: true })).status).toBe(404);
    expect((await signUp(node(1), 'alice')).status).toBe(409);
  });
});
