/** Client certificates that a proxy passes on (RFC 9440): believed from the proxies that the bank has named, and from nobody else. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pemOf } from '../../../src/certificate/certificate.js';
import { send } from '../../support/client.js';
import { ACCOUNTS, ATMS, BUDGET, CARD, FINANCE, FUNDS, fundsBody } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { type Holder, Pki, registrationOf, secure, told } from './support.js';

let pki: Pki;
beforeAll(async () => {
  pki = await Pki.open();
});
afterAll(() => pki?.close());

const funds = { method: 'POST', path: FUNDS, body: fundsBody() };

describe('a service behind a proxy', () => {
  const headerOf = (der: Buffer): string => `:${der.toString('base64')}:`;
  const env = () => ({ ...pki.trustEnv, TRAPEZA_TLS_CLIENT_CERTIFICATE: 'required' });
  let trusting: Service;
  let wary: Service;
  let good: Holder;
  beforeAll(async () => {
    good = pki.holder();
    trusting = await startService({ env: { ...env(), TRAPEZA_TRUSTED_PROXIES: '127.0.0.0/8' } });
    wary = await startService({ env: { ...env(), TRAPEZA_TRUSTED_PROXIES: '10.0.0.1' } });
  });
  afterAll(async () => {
    await trusting?.close();
    await wary?.close();
  });

  const call = async (service: Service, headers: Readonly<Record<string, string>> = {}): Promise<string> =>
    told(await service.call({ ...funds, headers }));
  const chain = () => ({ 'Client-Cert-Chain': headerOf(pki.world.authority.issuing) });

  it('takes the certificate that its proxy passes on, verified like any other', async () => {
    expect(await call(trusting, { 'Client-Cert': headerOf(good.der), ...chain() })).toBe('200');
    const escaped = { 'Client-Cert': encodeURIComponent(pemOf(good.der)) };
    expect(await call(trusting, { ...escaped, ...chain() })).toBe('200');
    const foreign = pki.holder({ registration: registrationOf(BUDGET) });
    expect(await call(trusting, { 'Client-Cert': headerOf(foreign.der), ...chain() })).toBe(
      '401 certificate-invalid CERTIFICATE_INVALID',
    );
  });

  it('refuses what is no byte sequence with a certificate in it, and a call without one', async () => {
    const base64 = good.der.toString('base64');
    const pem = encodeURIComponent(pemOf(good.der));
    const spoilt = [pem.replace('%0A', '%00'), pem.replaceAll('%0A', '%'), `${pem}${pem}`, pem.slice(0, -3)];
    const broken = [
      ...spoilt,
      base64,
      `:${base64}`,
      `:${base64.slice(4)}:`,
      ':AAAA:',
      '::',
      `:${base64}:,:${base64}:`,
    ];
    for (const text of broken)
      expect(await call(trusting, { 'Client-Cert': text })).toBe(
        '401 certificate-invalid CERTIFICATE_INVALID',
      );
    const flood = Array.from({ length: 6 }, () => ':AAAA:').join();
    const long = { 'Client-Cert': headerOf(good.der), 'Client-Cert-Chain': flood };
    expect(await call(trusting, long)).toBe('401 certificate-invalid CERTIFICATE_INVALID');
    expect(await call(trusting)).toBe('401 certificate-invalid CERTIFICATE_MISSING');
    for (const path of ['/oauth/token', '/oauth/par', '/oauth/introspection']) {
      const answer = await send(trusting.url, {
        method: 'POST',
        path,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        outsideContract: true,
      });
      expect([path, answer.status, answer.json]).toMatchObject([path, 401, { error: 'invalid_client' }]);
    }
  });

  it('ignores the header of anybody who is not its proxy, however good the certificate in it', async () => {
    const spoofed = { 'Client-Cert': headerOf(good.der), ...chain() };
    expect(await call(wary, spoofed)).toBe('401 certificate-invalid CERTIFICATE_MISSING');
    expect(await call(wary, { ...spoofed, 'X-Forwarded-For': '10.0.0.1' })).toBe(
      '401 certificate-invalid CERTIFICATE_MISSING',
    );
  });

  it('ignores it also from its proxy where client certificates are off, and tells nobody that it knows them', async () => {
    const off = await startService({ env: { ...pki.trustEnv, TRAPEZA_TRUSTED_PROXIES: '127.0.0.1' } });
    try {
      expect(await call(off, { 'Client-Cert': ':garbage:' })).toBe('200');
      const metadataOf = async (service: Service) =>
        (
          await send(service.url, {
            path: '/.well-known/oauth-authorization-server',
            headers: { 'X-Request-ID': randomUUID() },
            outsideContract: true,
          })
        ).json as Record<string, unknown>;
      const [plain, mutual] = [await metadataOf(off), await metadataOf(trusting)];
      expect(plain).not.toHaveProperty('tls_client_certificate_bound_access_tokens');
      expect(plain.token_endpoint_auth_methods_supported).not.toContain('tls_client_auth');
      expect(mutual.tls_client_certificate_bound_access_tokens).toBe(true);
      expect(mutual.token_endpoint_auth_methods_supported).toContain('tls_client_auth');
      for (const each of [plain, mutual]) {
        expect(each.dpop_signing_alg_values_supported).toEqual(['ES256', 'PS256', 'EdDSA']);
        expect(each.authorization_response_iss_parameter_supported).toBe(true);
      }
      // An application that is bound to what cannot arrive is not let in unbound.
      await secure(off, FINANCE, { binding: 'certificate' });
      expect(await call(off)).toBe('401 certificate-invalid CERTIFICATE_MISSING');
    } finally {
      await off.close();
    }
  });

  it('asks for the certificate after the token and before the permission', async () => {
    const garbage = { Authorization: 'Bearer garbage' };
    expect(await call(trusting, garbage)).toBe('401 token-invalid TOKEN_INVALID');
    const forbidden = { ...funds, as: { scope: 'ais' } };
    expect(told(await trusting.call(forbidden))).toBe('401 certificate-invalid CERTIFICATE_MISSING');
    const headers = { 'Client-Cert': headerOf(good.der), ...chain() };
    expect(told(await trusting.call({ ...forbidden, headers }))).toBe(
      '403 insufficient-scope INSUFFICIENT_SCOPE',
    );
  });

  it('lets of all keys and certificates only those of one third party pass together', async () => {
    const applications = [FINANCE, BUDGET, CARD, ACCOUNTS];
    const holders = applications.map((each) => pki.holder({ registration: registrationOf(each) }));
    const passed: string[] = [];
    for (const [row, application] of applications.entries())
      for (const [column, { der }] of holders.entries()) {
        const headers = { 'Client-Cert': headerOf(der), ...chain() };
        const answer = await trusting.call({ path: ATMS, headers, as: { application } });
        if (answer.status === 200) passed.push(`${row} ${column}`);
        else expect(told(answer)).toBe('401 certificate-invalid CERTIFICATE_INVALID');
      }
    expect(passed).toEqual(applications.map((_, index) => `${index} ${index}`));
  });

  it('takes a certificate of the sandbox, whose authority it is itself', async () => {
    const body = { application: FINANCE, use: 'web', key: 'ec' };
    const made = await send(trusting.url, { method: 'POST', path: '/sandbox/pki/certificates', body });
    const { header } = made.json as { header: string };
    expect(await call(trusting, { 'Client-Cert': `:${header}:` })).toBe('200');
  });

  it('asks once about a certificate that comes again and again', async () => {
    const headers = { 'Client-Cert': headerOf(pki.holder().der), ...chain() };
    await call(trusting, headers);
    const before = pki.world.requests.length;
    for (let count = 0; count < 5; count += 1) expect(await call(trusting, headers)).toBe('200');
    expect(pki.world.requests.length).toBe(before);
  });
});
