/** Access tokens: only a fresh one of the caller's own application opens. A forged one is told nothing about why. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/lib/clock.js';
import { type Answer, slugOf } from '../support/client.js';
import {
  ATMS,
  BUDGET,
  freshToken,
  goodRequest,
  type OperationId,
  operationIds,
} from '../support/operations.js';
import { notice } from '../support/registry.js';
import { startService } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';
import { type Forge, forgedTokens, openForge, signed } from './tables/forged-tokens.js';

const service = useService();
let trap: Server;
let connections = 0;
let forge: Forge;

beforeAll(async () => {
  trap = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  const address = trap.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  forge = await openForge(service(), `http://127.0.0.1:${port}/keys.json`);
});
afterAll(() => new Promise((resolve) => trap.close(resolve)));

const call = (id: OperationId, token: string): Promise<Answer> =>
  service().call({ ...goodRequest(service(), id), headers: { Authorization: `Bearer ${token}` } });

const verdict = (answer: Answer): string =>
  answer.status === 200 ? '200' : `${answer.status} ${slugOf(answer)}`;

describe('forged tokens', () => {
  it('are made by a hand that could make good ones', async () => {
    for (const id of operationIds) expect((await call(id, signed(forge))).status).toBe(200);
    const padded = signed(forge, { extra: 'x'.repeat(2000), aud: ['a', forge.issuer] });
    expect((await call('getAtms', padded)).status).toBe(200);
  });

  it('are many', () => {
    expect(new Set(forgedTokens.map(([name]) => name)).size).toBe(forgedTokens.length);
    expect(forgedTokens.length).toBeGreaterThanOrEqual(100);
  });

  /** What everybody can read in a token that the bank has signed: its end and its application. */
  const slugOfForged = (name: string): string => {
    if (/^exp (a minute ago|in 1970|negative)$/.test(name)) return 'token-expired';
    return /^client_id (of another|unknown|in capitals)/.test(name)
      ? 'token-of-another-application'
      : 'token-invalid';
  };

  it.each(forgedTokens)('%s: opens none of the four operations', async (name, make) => {
    const token = await make(forge);
    const answers = await Promise.all(operationIds.map((id) => call(id, token)));
    expect(answers.map(verdict)).toEqual(operationIds.map(() => `401 ${slugOfForged(name)}`));
    expect(answers.map((answer) => answer.headers['www-authenticate'])).toEqual(
      operationIds.map(() => 'Bearer realm="trapeza", error="invalid_token"'),
    );
  });

  it('make nobody ask the addresses they name', () => {
    expect(connections).toBe(0);
  });

  it('look the same, whatever is wrong with them', async () => {
    const bodies = new Set<string>();
    for (const [name, make] of forgedTokens) {
      if (slugOfForged(name) !== 'token-invalid') continue;
      const { text, headers } = await call('getPaymentConsent', await make(forge));
      bodies.add(text.replaceAll(String(headers['x-request-id']), ''));
    }
    expect(bodies.size).toBe(1);
  });
});

describe('tokens of applications', () => {
  it('open with a key of the same application only', async () => {
    const all = service().credentials.applications.map(({ clientId }) => clientId);
    for (const owner of all) {
      for (const bearer of all) {
        const headers = {
          'Ocp-Apim-Subscription-Key': service().keyOf(owner),
          Authorization: `Bearer ${await service().token({ application: bearer })}`,
        };
        const answer = await service().call({ path: ATMS, headers });
        expect([owner, bearer, verdict(answer)]).toEqual([
          owner,
          bearer,
          owner === bearer ? '200' : '401 token-of-another-application',
        ]);
      }
    }
  });

  it('of one service do not open another one', async () => {
    const other = await startService();
    try {
      const headers = { Authorization: `Bearer ${await service().token()}` };
      expect(verdict(await other.call({ path: ATMS, headers }))).toBe('401 token-invalid');
    } finally {
      await other.close();
    }
  });

  it('stay those of the account holder they were issued for', async () => {
    const path = goodRequest(service(), 'getPaymentConsent').path;
    expect((await service().call({ path, as: { psu: 'eleni' } })).status).toBe(200);
    expect(verdict(await service().call({ path, as: { psu: 'nikos' } }))).toBe('404 resource-not-found');
    expect(verdict(await service().call({ path, as: { application: BUDGET } }))).toBe(
      '404 resource-not-found',
    );
  });
});

describe('the life of a token', () => {
  it('ends after ten minutes and the skew allowed, also where it was seen before', async () => {
    const token = await freshToken(service());
    expect((await call('getAtms', token)).status).toBe(200);
    service().clock.advance(600 * SECOND);
    expect((await call('getAtms', token)).status).toBe(200);
    service().clock.advance(11 * SECOND);
    for (const id of operationIds) expect(verdict(await call(id, token))).toBe('401 token-expired');
  });

  it('is not prolonged by a key that was retired', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const now = service().clock.now();
    const add = (kid: string, retiredAt: number | null): Promise<number> =>
      withStore(service(), (db) =>
        db.run(
          `insert into signing_keys (kid, algorithm, public_jwk, private_jwk, created_at, active_from, retired_at)
           values (?, 'ES256', ?, 'none', ?, ?, ?)`,
          [kid, JSON.stringify(publicKey.export({ format: 'jwk' })), now - 1000, 1, retiredAt],
        ),
      );
    await add('retired', now - 1);
    await add('retiring', now + 60 * SECOND);
    notice(service());
    const nowSeconds = Math.floor(now / SECOND);
    const token = (kid: string): string => signed({ ...forge, key: privateKey, kid, nowSeconds });
    expect(verdict(await call('getAtms', token('retired')))).toBe('401 token-invalid');
    expect(verdict(await call('getAtms', token('retiring')))).toBe('200');
  });
});
