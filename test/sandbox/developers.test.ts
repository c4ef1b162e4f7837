/** Every developer has a sandbox of one's own. Two of them see nothing of each other, on whichever node they call. */
import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as oauth from 'openid-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../src/lib/clock.js';
import { type Answer, done, send, slugOf } from '../support/client.js';
import { racingEngines } from '../support/engines.js';
import { formTokenIn, posted } from '../support/form.js';
import { ATMS, FUNDS, fundsBody, ibanOf } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { useService } from '../support/use-service.js';
import { callIn, type Made, made, PASSPHRASE, pathOf, signUp, useNodes } from './developers-support.js';

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

const engines = racingEngines(
  'a sandbox of a developer is a schema of PostgreSQL or a file of SQLite, and neither may show another one',
);

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

describe('sign-up and login on the pages', () => {
  const use = useService({ engine: 'sqlite', env: { TRAPEZA_DEMO_MONTHS: '1' } });
  const cookies = new Map<string, string>();

  /** As a browser: it keeps cookies and sends them back. */
  const visit = async (path: string, form?: Record<string, string>): Promise<Answer> => {
    const sent = posted(path, form ?? {});
    const answer = await send(use().app.listenUrl, {
      path: sent.path,
      outsideContract: true,
      method: form ? 'POST' : 'GET',
      headers: {
        'Accept-Language': 'en',
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(form ? { body: new URLSearchParams(sent.fields).toString() } : {}),
    });
    for (const set of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  const tokenOf = ({ text }: Answer): string => formTokenIn(text);
  const fieldOf = ({ text }: Answer, name: string): string =>
    new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? '';

  it('leads from a form to a 200 of an application of one’s own in two clicks', async () => {
    const form_token = tokenOf(await visit('/portal'));
    expect((await visit('/portal/sign-up', { name: 'eva', passphrase: PASSPHRASE })).status).toBe(403);
    const short = await visit('/portal/sign-up', { form_token, name: 'eva', passphrase: 'short' });
    expect([short.status, short.text]).toEqual([400, expect.stringContaining('8 to 256 characters')]);
    const ready = await visit('/portal/sign-up', { form_token, name: 'eva', passphrase: PASSPHRASE });
    expect([ready.status, ready.headers['cache-control']]).toEqual([201, 'no-store']);
    const fields = {
      form_token: tokenOf(ready),
      clientId: fieldOf(ready, 'clientId'),
      key: fieldOf(ready, 'key'),
    };
    const called = await visit('/portal/call', fields);
    expect(called.text).toContain('Your application was answered 200');
  });

  it('shows the portal of one’s own sandbox to its developer alone', async () => {
    const [, own = ''] = /href="[^"]*(\/dev\/eva-[^"/]+)\/portal"/.exec((await visit('/portal')).text) ?? [];
    expect((await visit(`${own}/portal`)).status).toBe(200);
    // Cookies of a page there have a name of their own.
    await visit(`${own}/dashboard`);
    expect([...cookies.keys()].filter((name) => name.startsWith('trapeza_form')).toSorted()).toEqual([
      'trapeza_form',
      `trapeza_form${own.replaceAll('/', '.')}`,
    ]);
    const other = await made(use(), 'other');
    const refused = await visit(`${pathOf(other)}/portal`);
    expect([refused.status, refused.headers.location]).toEqual([303, '/portal']);

    const session = cookies.get('trapeza_developer');
    expect((await visit('/portal/leave', { form_token: tokenOf(await visit('/portal')) })).status).toBe(303);
    cookies.set('trapeza_developer', session ?? '');
    expect((await visit(`${own}/portal`)).status).toBe(303);
  });

  it('lets a developer in again with the right passphrase, and counts wrong ones', async () => {
    const form_token = tokenOf(await visit('/portal'));
    const wrong = { form_token, name: 'eva', passphrase: 'wrong passphrase' };
    for (const name of ['eva', 'unknown', '<b>']) {
      const refused = await visit('/portal/login', { ...wrong, name });
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('is not right')]);
      expect(refused.text).not.toContain('<b>');
    }
    const entered = await visit('/portal/login', { ...wrong, passphrase: PASSPHRASE });
    expect([entered.status, entered.headers.location]).toEqual([
      303,
      expect.stringMatching(/\/dev\/eva-\w+\/portal$/),
    ]);
    for (let tries = 0; tries < 5; tries += 1) await visit('/portal/login', wrong);
    const waits = await visit('/portal/login', { ...wrong, passphrase: PASSPHRASE });
    expect([waits.status, waits.text]).toEqual([429, expect.stringContaining('in 15 minutes')]);
    expect(Number(waits.headers['retry-after'])).toBeGreaterThan(14 * 60);
    use().clock.advance(16 * MINUTE);
    expect((await visit('/portal/login', { ...wrong, passphrase: PASSPHRASE })).status).toBe(303);
  });

  it('is found by clients of OAuth as RFC 8414 says, and of OpenID', async () => {
    const { baseUrl, application } = await made(use(), 'finder');
    for (const algorithm of ['oauth2', 'oidc'] as const) {
      const options = { algorithm, execute: [oauth.allowInsecureRequests] };
      const found = await oauth.discovery(
        new URL(baseUrl),
        application.clientId,
        'secret',
        undefined,
        options,
      );
      expect(found.serverMetadata()).toMatchObject({
        issuer: baseUrl,
        token_endpoint: `${baseUrl}/oauth/token`,
      });
    }
    const { origin, pathname } = new URL(baseUrl);
    for (const path of ['', '/', '/dev', '/dev/', '/dev/nobody', `${pathname}/`, `${pathname}/x`]) {
      const { status } = await fetch(`${origin}/.well-known/oauth-authorization-server${path}`);
      expect([path, status]).toEqual([path, path === '' ? 200 : 404]);
    }
  });

  it('removes a sandbox with its store at its developer’s wish', async () => {
    const folder = `${use().databaseUrl.slice('sqlite:'.length)}.developers`;
    const files = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.db'));
    const [before, home] = [files(), await visit('/portal')];
    expect(before.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const [, own = ''] = /href="[^"]*(\/dev\/eva-[^"/]+)\/portal"/.exec(home.text) ?? [];
    expect((await visit('/portal/end', { form_token: 'x' })).status).toBe(303);
    expect(files()).toHaveLength(3);
    await visit('/portal/end', { form_token: tokenOf(home) });
    expect(files()).toHaveLength(2);
    expect((await visit(`${own}/sandbox/clock`)).status).toBe(404);
  });

  it('refuses an address that signs up too often, also after a reset, and a body that is wrong', async () => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 20; tries += 1) statuses.push((await signUp(use(), 'other')).status);
    expect(new Set(statuses)).toEqual(new Set([409, 429]));
    done(await send(use().app.listenUrl, { method: 'POST', path: '/sandbox/reset' }));
    const refused = await signUp(use(), 'another');
    expect([slugOf(refused), Number(refused.headers['retry-after'])]).toEqual([
      'rate-limited',
      expect.any(Number),
    ]);
    for (const name of ['A', '../x', 'x', `a${'b'.repeat(40)}`])
      expect((await signUp(use(), name)).status).toBe(400);
  });
});
