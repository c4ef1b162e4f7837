/** A sandbox in front of a core that is no test system: nobody acts for its customers, and no page says that the money is play money. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/lib/clock.js';
import { addRequest, stored } from '../../account-pages/approve-support.js';
import { behaves, json, RawCore } from '../../bank/http/raw-core.js';
import { send, slugOf } from '../../support/client.js';
import { type Service, startService } from '../../support/service.js';

const core = new RawCore();
let isTest: boolean | undefined = true;
let service: Service;
beforeAll(async () => {
  await core.up();
  core.behave = (seen, response) =>
    seen.path === '/core/health'
      ? json(response, { status: 'ok', ...(isTest === undefined ? {} : { test: isTest }) })
      : behaves(seen, response);
  service = await startService({ env: { TRAPEZA_CORE_URL: core.url } });
});
afterAll(async () => {
  await service.close();
  await core.down();
});

const post = (path: string, body: object) => send(service.url, { method: 'POST', path, body });
const pages = [
  '/?lang=en',
  '/docs',
  '/authorise/88413019-90f6-4216-a615-c3042e30d761?lang=en',
  '/dashboard?lang=en',
];
const bannersOf = () =>
  Promise.all(
    pages.map(async (path) => {
      const { text } = await send(service.url, { path, outsideContract: true });
      return /class="environment"[\s\S]*?<\/aside>/.exec(text)?.[0] ?? '';
    }),
  );

describe('integrator S8: a sandbox in front of a core that does not say "test"', () => {
  it('integrator S8: does not start, and says why; nor before the core answers', async () => {
    for (const said of [undefined, false]) {
      isTest = said;
      await expect(startService({ env: { TRAPEZA_CORE_URL: core.url } })).rejects.toThrow(
        /does not say that it is a test system/,
      );
    }
    await expect(startService({ env: { TRAPEZA_CORE_URL: 'http://127.0.0.1:9' } })).rejects.toThrow(
      /does not answer GET \/health/,
    );
  });

  it('integrator S8: that stops saying so loses the controls within a minute', async () => {
    service.clock.advance(MINUTE);
    expect((await post('/sandbox/tokens', {})).status).toBe(404);
  });

  it('integrator S8: decides nothing and gives out no tokens, whatever the core says instead', async () => {
    for (const said of [undefined, false]) {
      isTest = said;
      const id = await addRequest(service);
      for (const decision of ['approve', 'reject', 'revoke']) {
        const answer = await post(`/sandbox/consents/${id}/decision`, { decision });
        expect([answer.status, slugOf(answer)]).toEqual([404, 'route-not-found']);
      }
      expect((await stored(service, id)).status).toBe('Received');
      const tokens = await post('/sandbox/tokens', {});
      expect([tokens.status, slugOf(tokens)]).toEqual([404, 'route-not-found']);
    }
  });

  it('integrator S8: lists neither people that the core does not have nor the consents of its own', async () => {
    const { json: credentials } = await send(service.url, { path: '/sandbox/credentials' });
    expect(credentials).toMatchObject({ psus: [], consents: [] });
  });

  it('integrator S8: says on no page that no real money is involved', async () => {
    for (const banner of await bannersOf()) {
      expect(banner).toContain('may be real');
      expect(banner).not.toContain('no real money');
    }
  });

  it('integrator S8: a test system has its controls, as soon as it says so and as long as it does', async () => {
    isTest = true;
    const id = await addRequest(service);
    expect((await post('/sandbox/tokens', {})).status).toBe(200);
    expect((await post(`/sandbox/consents/${id}/decision`, { decision: 'reject' })).status).toBe(200);
    for (const banner of await bannersOf()) expect(banner).toContain('no real money');
    isTest = false;
    service.clock.advance(MINUTE);
    expect((await post('/sandbox/tokens', {})).status).toBe(404);
    isTest = true;
    expect((await post('/sandbox/tokens', {})).status).toBe(200);
    // A core that does not answer says neither yes nor no. That is an outage.
    await core.down();
    service.clock.advance(MINUTE);
    const asked = [
      post('/sandbox/tokens', {}),
      post(`/sandbox/consents/${id}/decision`, { decision: 'revoke' }),
    ];
    for (const answer of await Promise.all(asked)) {
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    }
  });
});
