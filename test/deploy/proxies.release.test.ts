/** Behind the proxies of deploy/proxy the contract holds: with a node, without one, and with one that breaks off. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../bench/free-port.js';
import { pemOf } from '../../src/certificate/certificate.js';
import { cleanUp } from '../cli/program.js';
import { Pki, registrationOf, told } from '../oauth/binding/support.js';
import { type Answer, type Identity, send } from '../support/client.js';
import { hasPostgres } from '../support/engines.js';
import { BUDGET, FUNDS, fundsBody } from '../support/operations.js';
import { type Service, startService } from '../support/service.js';
import { isInstalled, type ProxyKind, startProxy } from './proxy.js';
import { rehearse } from './rehearsal.js';

const demanded: readonly ProxyKind[] = process.env.TEST_DEPLOY
  ? ['nginx', 'haproxy', 'caddy']
  : ['nginx', 'haproxy'];
const kinds = demanded.filter((kind) => {
  const isThere = Boolean(process.env.CI) || isInstalled(kind);
  if (!isThere) console.warn(`SKIPPED: ${kind} is not installed, so its sample is not tested`);
  return isThere;
});

let pki: Pki;
let service: Service;
let management: number;
/** Takes every request and ends the connection without an answer. */
let breaker: Server;
let breakerPort: number;

beforeAll(async () => {
  pki = await Pki.open();
  // A proxy passes on the certificate of the client alone.
  writeFileSync(join(pki.folder, 'anchors/intermediates/issuing.pem'), pemOf(pki.world.authority.issuing));
  service = await startService({
    env: {
      ...pki.trustEnv,
      TRAPEZA_TLS_CLIENT_CERTIFICATE: 'required',
      TRAPEZA_TRUSTED_PROXIES: '127.0.0.1',
    },
  });
  management = Number(new URL(service.app.managementUrl).port);
  breakerPort = await freePort();
  breaker = createServer((socket) =>
    socket.once('data', () => socket.destroy()).on('error', () => undefined),
  );
  await new Promise<void>((resolve) => breaker.listen(breakerPort, '127.0.0.1', resolve));
});
afterAll(async () => {
  await cleanUp();
  breaker?.close();
  await service?.close();
  await pki?.close();
});

const slugOfType = ({ json }: Answer): string => String((json as { type: string }).type);

/** `send` holds the answer against the schemas and headers of the interface. */
const bare = (url: string, headers: Record<string, string> = {}): Promise<Answer> =>
  send(url, { method: 'POST', path: FUNDS, body: fundsBody(), headers });

describe.each(kinds)('%s', (kind) => {
  it('passes on the certificate of the connection, and none that a header names', async () => {
    const node = { port: Number(new URL(service.url).port), management };
    const { url, program } = await startProxy(kind, [node, node], pki);
    const [token, good] = [await service.token(), pki.holder()];
    const stranger = pki.holder({ registration: registrationOf(BUDGET) });
    const call = async (identity?: Identity, headers: Record<string, string> = {}): Promise<string> => {
      const answer = await send(url, {
        method: 'POST',
        path: FUNDS,
        body: fundsBody(),
        headers: {
          'Content-Type': 'application/json',
          'Ocp-Apim-Subscription-Key': service.keyOf(),
          Authorization: `Bearer ${token}`,
          'X-Request-ID': randomUUID(),
          ...headers,
        },
        ...(identity ? { identity } : {}),
      });
      return told(answer);
    };
    const spoofed = { 'Client-Cert': `:${good.der.toString('base64')}:` };
    // As soon as it has seen that the node is ready.
    await expect.poll(() => call(good)).toBe('200');
    expect(await call()).toBe('401 certificate-invalid CERTIFICATE_MISSING');
    expect(await call(undefined, spoofed)).toBe('401 certificate-invalid CERTIFICATE_MISSING');
    expect(await call(stranger, spoofed)).toBe('401 certificate-invalid CERTIFICATE_INVALID');
    await program.stop('SIGTERM');
  });

  it('answers with the body of the interface if no node is there, whatever the request id is', async () => {
    const port = await freePort();
    const { url, program } = await startProxy(
      kind,
      [
        { port, management: port },
        { port, management: port },
      ],
      pki,
    );
    const id = randomUUID();
    const answer = await bare(url, { 'X-Request-ID': id });
    expect([answer.status, answer.headers['content-type'], answer.headers['x-request-id']]).toEqual([
      503,
      'application/json; charset=utf-8',
      id,
    ]);
    expect(answer.json).toMatchObject({
      instance: `urn:uuid:${id}`,
      extensions: { error: { advice: 'repeat' } },
    });
    expect(answer.headers['retry-after']).toBe('5');
    const hostile = ['"},"x":{"', `${id} `.repeat(9), '%[src]{http.request.remote}$host'];
    for (const { headers, json } of await Promise.all(
      hostile.map((text) => bare(url, { 'X-Request-ID': text })),
    )) {
      expect(headers['x-request-id']).toMatch(
        /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
      );
      expect(json).toMatchObject({ instance: `urn:uuid:${headers['x-request-id']}` });
    }
    await program.stop('SIGTERM');
  });

  it('says that the outcome is unknown if the node broke off', async () => {
    const node = { port: breakerPort, management };
    const { url, program } = await startProxy(kind, [node, node], pki);
    const outcome = async (): Promise<string> =>
      slugOfType(await bare(url, { 'X-Request-ID': randomUUID() }));
    await expect.poll(outcome).toBe('https://api.bank.example/problems/outcome-unknown');
    await program.stop('SIGTERM');
  });
});

// Minutes of processes: `npm run prove -- deploy` and no other.
if (process.env.TEST_DEPLOY)
  describe.runIf(hasPostgres).each(kinds.filter((kind) => kind !== 'caddy'))(
    'two nodes behind %s',
    (kind) => {
      it('lose no call while one is killed and both are replaced', async () => {
        const outcomes = await rehearse(kind, pki);
        console.log(`${kind}: ${[...outcomes].map(([what, many]) => `${many} × ${what}`).join(', ')}`);
        expect([...outcomes.keys()]).toEqual(['200']);
      }, 1_200_000);
    },
  );
