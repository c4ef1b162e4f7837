/** What surprised clients at the door: parameters that were ignored, and a refusal without its challenge. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { stage } from '../../payment/support.js';
import { type Answer, slugOf } from '../../support/client.js';
import { openApi } from '../../support/openapi.js';
import { ATMS, EVENTS, FUNDS, fundsBody, goodRequest } from '../../support/operations.js';
import { useService } from '../../support/use-service.js';

const service = useService();
const errorsOf = (answer: Answer): unknown => (answer.json as { errors?: unknown }).errors;
const verdict = (answer: Answer): string =>
  answer.status < 300 ? String(answer.status) : `${answer.status} ${slugOf(answer)}`;

const { paths } = openApi as {
  paths: Record<string, Record<string, unknown>>;
};
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((method) => ['get', 'post', 'put', 'delete'].includes(method))
    .map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{[^}]+\}/g, randomUUID()) })),
);

describe('query parameters that an operation does not have', () => {
  it.each(operations)('mission 9: $method $path refuses them by name', async ({ method, path }) => {
    const headers = { 'Consent-ID': randomUUID() };
    for (const each of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
      const answer = await service().call({ method: each, path: `${path}?deltaList=true`, headers });
      if (each === 'HEAD') expect(answer.status).toBe(400);
      else
        expect([verdict(answer), Object.keys(errorsOf(answer) as object)]).toEqual([
          '400 invalid-query',
          ['query.deltaList'],
        ]);
    }
  });

  it('mission 9: the nearest parameter is named, and where none is near, all of them', async () => {
    const ask = async (path: string): Promise<unknown> =>
      errorsOf(await service().call({ path, headers: { 'Consent-ID': randomUUID() } }));
    const transactions = `/ais/psd2/v1/accounts/${randomUUID()}/transactions`;
    expect(await ask(`${transactions}?datefrom=2026-11-14&bookingstatus=both`)).toEqual({
      'query.datefrom': ['is not a parameter of this operation; did you mean dateFrom?'],
      'query.bookingstatus': ['is not a parameter of this operation; did you mean bookingStatus?'],
    });
    expect(await ask(`${ATMS}?If-Modified-Since=x&foo=1&foo=2`)).toEqual({
      'query.If-Modified-Since': ['is not a parameter of this operation; did you mean if_Modified_Since?'],
      'query.foo': ['is not a parameter of this operation; it has if_Modified_Since, if_None_Match'],
    });
    expect(await ask(`${EVENTS}?limt=1`)).toEqual({
      'query.limt': ['is not a parameter of this operation; did you mean limit?'],
    });
  });

  it('mission 9: names that could be anything are not repeated, and an empty query is none', async () => {
    const answer = await service().call({ path: `${ATMS}?%3Cscript%3E=1&${'x'.repeat(5000)}=1&__proto__=1` });
    expect(Object.keys(errorsOf(answer) as object).sort()).toEqual([
      'query.(unprintable name)',
      'query.__proto__',
    ]);
    for (const empty of ['?', '?&', '?&&'])
      expect([empty, (await service().call({ path: `${ATMS}${empty}` })).status]).toEqual([empty, 200]);
  });

  it('mission 9: the authorization server and pages ignore them, as RFC 6749 asks', async () => {
    for (const path of [
      '/?foo=1',
      '/docs?foo=1',
      '/.well-known/oauth-authorization-server?foo=1',
      '/oauth/jwks?foo=1',
    ])
      expect([path, (await service().call({ path, outsideContract: true })).status]).toEqual([path, 200]);
  });
});

describe('a token without the scope of the area', () => {
  it('mission 11: the refusal names the scope in WWW-Authenticate', async () => {
    const refused = await service().call({ ...goodRequest(service(), 'confirmFunds'), as: { scope: 'ais' } });
    expect([verdict(refused), refused.headers['www-authenticate']]).toEqual([
      '403 insufficient-scope',
      'Bearer realm="trapeza", error="insufficient_scope", scope="piis"',
    ]);
    const read = await service().call({
      ...goodRequest(service(), 'getConsentStatus'),
      as: { scope: 'pis' },
    });
    expect(read.headers['www-authenticate']).toContain('scope="ais"');
    const other = await service().call({
      method: 'POST',
      path: FUNDS,
      body: fundsBody({ account: { bban: 'NOBODYS1' } }),
    });
    expect([verdict(other), other.headers['www-authenticate']]).toEqual(['403 consent-required', undefined]);
  });
});

describe('an answer without body', () => {
  it('mission 14: is acceptable to who accepts problems', async () => {
    const { consentId } = (await stage(service())).json as { consentId: string };
    const wanted = { method: 'DELETE', path: `/pis/psd2/v1/${consentId}` };
    const html = await service().call({ ...wanted, headers: { Accept: 'text/html' } });
    expect(verdict(html)).toBe('406 not-acceptable');
    const problem = { Accept: 'application/problem+json' };
    expect((await service().call({ ...wanted, headers: problem })).status).toBe(204);
    const read = await service().call({ path: ATMS, headers: problem });
    expect(verdict(read)).toBe('406 not-acceptable');
  });
});
