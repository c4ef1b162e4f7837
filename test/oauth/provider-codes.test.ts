/** Codes work once, for who began, in time; whoever uses one twice loses the grant. Refresh tokens live as long as they are used. */
import * as client from 'openid-client';
import { describe, expect, test } from 'vitest';
import { DAY, SECOND } from '../../src/lib/clock.js';
import type { Answer } from '../support/client.js';
import { engines, racingEngines } from '../support/engines.js';
import { ATMS, BUDGET } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';
import {
  authorize,
  Browser,
  discover,
  obtainTokens,
  postToken,
  redemptionOf,
  startAuthorization,
} from './provider-journey.js';

const errorOf = (answer: Answer): unknown => (answer.json as { error?: unknown }).error;
const tokensOf = (answer: Answer) => answer.json as { access_token: string; refresh_token: string };

/** What the gate says to the token once every node has read the list of revocations. */
const statusLater = async (service: Service, token: string): Promise<number> => {
  service.clock.advance(5 * SECOND);
  return (await service.call({ path: ATMS, headers: { Authorization: `Bearer ${token}` } })).status;
};

const refresh = (service: Service, token: string) =>
  postToken(service, { grant_type: 'refresh_token', refresh_token: token });

describe.each(engines)('with %s', (engine) => {
  const use = useService({ engine });

  test('unknown scopes are refused with the known ones, and every scope that is granted is named', async () => {
    const service = use();
    const configuration = await discover(service);
    const known = 'the known scopes are openid, piis, ais, pis';
    const { url } = await startAuthorization(service, configuration, { scope: 'ais banking' });
    const { leftTo } = await new Browser(service.url).visit(url.href);
    expect(Object.fromEntries(leftTo?.searchParams ?? [])).toMatchObject({
      error: 'invalid_scope',
      error_description: known,
    });
    await expect(
      startAuthorization(service, configuration, { scope: 'ais banking', withPar: true }),
    ).rejects.toMatchObject({ error: 'invalid_scope', error_description: known });
    const tokens = await obtainTokens(service, configuration, { scope: 'openid profile ais piis' });
    const renewed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
    for (const each of [tokens, renewed]) {
      expect(each.id_token).toBeDefined();
      expect(each.scope?.split(' ').toSorted()).toEqual(['ais', 'openid', 'piis']);
    }
    const plain = await obtainTokens(service, configuration, { scope: 'ais' });
    expect([plain.scope, plain.id_token]).toEqual(['ais', undefined]);
  });

  test('a request without PKCE, or with plain PKCE, goes back with an error', async () => {
    const service = use();
    const configuration = await discover(service);
    for (const more of [
      { code_challenge: '', code_challenge_method: '' },
      { code_challenge_method: 'plain' },
    ]) {
      const { url } = await startAuthorization(service, configuration, { more });
      for (const [name, value] of Object.entries(more)) if (value === '') url.searchParams.delete(name);
      const { leftTo } = await new Browser(service.url).visit(url.href);
      expect(leftTo?.searchParams.get('error')).toBe('invalid_request');
    }
  });

  test.each([
    ['a wrong verifier', { code_verifier: 'x'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['another redirect address', { redirect_uri: 'https://demo-budget-app.example/callback' }],
    ['an unknown code', { code: 'x'.repeat(43) }],
  ])('a code is not redeemed with %s', async (_name, change) => {
    const service = use();
    const form = { ...redemptionOf(service, await authorize(service, await discover(service))), ...change };
    const answer = await postToken(service, form);
    expect(answer.status).toBe(400);
    expect(errorOf(answer)).toBe('invalid_grant');
  });

  test('a code is not redeemed by another application', async () => {
    const service = use();
    const form = redemptionOf(service, await authorize(service, await discover(service)));
    const answer = await postToken(service, form, BUDGET);
    expect([answer.status, errorOf(answer)]).toEqual([400, 'invalid_grant']);
  });

  test('a code is refused when it is older than a minute', async () => {
    const service = use();
    const authorized = await authorize(service, await discover(service));
    service.clock.advance(61 * SECOND);
    const answer = await postToken(service, redemptionOf(service, authorized));
    expect([answer.status, errorOf(answer)]).toEqual([400, 'invalid_grant']);
  });

  test('a replayed code ends the grant: refresh token and access token are dead', async () => {
    const service = use();
    const form = redemptionOf(service, await authorize(service, await discover(service)));
    const first = tokensOf(await postToken(service, form));
    expect(await statusLater(service, first.access_token)).toBe(200);
    expect(errorOf(await postToken(service, form))).toBe('invalid_grant');
    expect(errorOf(await refresh(service, first.refresh_token))).toBe('invalid_grant');
    expect(await statusLater(service, first.access_token)).toBe(401);
  });

  test('a refresh token of another application is of no use', async () => {
    const service = use();
    const { refresh_token: token = '' } = await obtainTokens(service, await discover(service));
    const answer = await postToken(service, { grant_type: 'refresh_token', refresh_token: token }, BUDGET);
    expect([answer.status, errorOf(answer)]).toEqual([400, 'invalid_grant']);
    expect((await refresh(service, token)).status).toBe(200);
  });

  test('other grant types and response types do not exist', async () => {
    const service = use();
    for (const grantType of ['client_credentials', 'password', 'implicit']) {
      const answer = await postToken(service, { grant_type: grantType, username: 'eleni', password: 'x' });
      expect([answer.status, errorOf(answer)]).toEqual([400, 'unsupported_grant_type']);
    }
    const configuration = await discover(service);
    for (const type of ['token', 'id_token', 'code id_token']) {
      const { url } = await startAuthorization(service, configuration, { more: { response_type: type } });
      const { leftTo } = await new Browser(service.url).visit(url.href);
      const told = new URLSearchParams(leftTo?.hash.slice(1) || leftTo?.search);
      expect(told.get('error')).toMatch(/^(unsupported_response_type|invalid_request)$/);
      expect(told.get('code')).toBeNull();
    }
  });

  test('a grant lasts 400 days from its last use, and not a day longer', async () => {
    const service = use();
    const configuration = await discover(service);
    const first = await obtainTokens(service, configuration);
    const token = first.refresh_token ?? '';
    for (let round = 0; round < 2; round += 1) {
      service.clock.advance(399 * DAY);
      await service.app.runJobs();
      expect((await client.refreshTokenGrant(configuration, token)).refresh_token).toBe(token);
      // What the library itself would judge it by.
      const { exp = 0 } = await client.tokenIntrospection(configuration, token);
      expect(Math.round((exp * SECOND - service.clock.now()) / DAY)).toBe(400);
    }
    service.clock.advance(401 * DAY);
    await expect(client.refreshTokenGrant(configuration, token)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await service.app.runJobs();
    const left = await withStore(service, (db) => db.all('select kind from oidc_records'));
    expect(left).toEqual([]);
  });
});

const racing = racingEngines(
  'one code is redeemed many times at once: PostgreSQL decides by the row, SQLite by its one writer',
);

describe.each(racing)('at the same moment with %s', (engine) => {
  const use = useService({ engine });

  test('of a hundred redemptions at once, exactly one gets tokens, and they are taken back', async () => {
    const service = use();
    const form = redemptionOf(service, await authorize(service, await discover(service)));
    const answers = await Promise.all(Array.from({ length: 100 }, () => postToken(service, form)));
    const good = answers.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 200);
    expect(others.every((each) => each.status === 400 && errorOf(each) === 'invalid_grant')).toBe(true);
    const [winner] = good.map(tokensOf);
    expect(errorOf(await refresh(service, winner?.refresh_token ?? ''))).toBe('invalid_grant');
    expect(await statusLater(service, winner?.access_token ?? '')).toBe(401);
  });

  test('of fifty refreshes at once all get tokens, and the refresh token stays the same', async () => {
    const service = use();
    const { refresh_token: token = '' } = await obtainTokens(service, await discover(service));
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(service, token)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(new Set(answers.map((each) => tokensOf(each).refresh_token))).toEqual(new Set([token]));
  });
});
