/** The service's own TLS listener: the certificates it asks for, and the tokens that are tied to them. */
import { connect } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/lib/hash.js';
import type { Identity } from '../../support/client.js';
import { BUDGET, FINANCE, FUNDS, fundsBody } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { authorize } from '../provider-journey.js';
import { fetchAs, type Holder, Pki, registrationOf, secure, told } from './support.js';

let pki: Pki;
beforeAll(async () => {
  pki = await Pki.open();
});
afterAll(() => pki?.close());

const funds = { method: 'POST', path: FUNDS, body: fundsBody() };

/** A handshake of its own; resolves with what it has led to. */
const handshake = (service: Service, options: ConnectionOptions = {}): Promise<TLSSocket | Error> =>
  new Promise((resolve) => {
    const { hostname: host, port } = new URL(service.url);
    const socket = connectTls({ host, port: Number(port), rejectUnauthorized: false, ...options });
    socket.once('secureConnect', () => resolve(socket.end()));
    socket.once('error', resolve);
  });

describe('the TLS listener that asks for a certificate', () => {
  let service: Service;
  let good: Holder;
  beforeAll(async () => {
    const patient = { TRAPEZA_HEADERS_TIMEOUT_MS: '3600000', TRAPEZA_REQUEST_TIMEOUT_MS: '3600000' };
    const env = { ...pki.tlsEnv, ...patient, TRAPEZA_TLS_CLIENT_CERTIFICATE: 'optional' };
    service = await startService({ env });
    good = pki.holder();
  });
  // Whoever has begun a handshake and says no more does not keep the service from ending.
  afterAll(async () => {
    const { hostname, port } = new URL(service.url);
    const silent = connect(Number(port), hostname);
    const isOver = new Promise((resolve) => silent.once('close', resolve));
    await new Promise((resolve) => silent.once('connect', resolve));
    await call();
    await service.close();
    await isOver;
  });

  const call = async (identity?: Identity): Promise<string> =>
    told(await service.call({ ...funds, ...(identity ? { identity } : {}) }));

  it('answers with and without one, on one connection as often as asked', async () => {
    expect(service.url).toMatch(/^https:/);
    expect(await call()).toBe('200');
    for (let count = 0; count < 3; count += 1) expect(await call(good)).toBe('200');
  });

  it('refuses a certificate that is not good for this call, with its reason', async () => {
    const now = pki.world.clock.now();
    const wrong: Record<string, [Holder, string]> = {
      expired: [pki.holder({}, (plan) => ({ ...plan, notAfter: now - 1000 })), 'CERTIFICATE_EXPIRED'],
      'not yet valid': [
        pki.holder({}, (plan) => ({ ...plan, notBefore: now + 3_600_000 })),
        'CERTIFICATE_INVALID',
      ],
      'of another third party': [pki.holder({ registration: registrationOf(BUDGET) }), 'CERTIFICATE_INVALID'],
      'for seals': [pki.holder({ use: 'seal' }), 'CERTIFICATE_INVALID'],
      'without the role': [pki.holder({ roles: ['PSP_AI'] }), 'ROLE_INVALID'],
      revoked: [pki.holder({}, undefined, now - 1000), 'CERTIFICATE_REVOKED'],
    };
    for (const [name, [holder, code]] of Object.entries(wrong))
      expect([name, await call(holder)]).toEqual([name, `401 certificate-invalid ${code}`]);
    expect(await call(good)).toBe('200');
  });

  it('refuses one whose issuer was not sent and is not known', async () => {
    const alone = pki.holder();
    const [cert = ''] = alone.cert.split('\n-----BEGIN');
    expect(await call({ ...alone, cert: `${cert}\n` })).toBe('401 certificate-invalid CERTIFICATE_INVALID');
  });

  it('believes no header about it, because nobody is a trusted proxy', async () => {
    const headers = { 'Client-Cert': ':garbage:' };
    expect(told(await service.call({ ...funds, headers }))).toBe('200');
  });

  it('speaks HTTP/1.1 over TLS 1.2 or later with strong ciphers, and nothing else', async () => {
    const { cipher, protocol, alpn } = await handshake(service, { ALPNProtocols: ['h2', 'http/1.1'] }).then(
      (socket) => {
        if (socket instanceof Error) throw socket;
        return { cipher: socket.getCipher().name, protocol: socket.getProtocol(), alpn: socket.alpnProtocol };
      },
    );
    expect({ protocol, alpn }).toEqual({ protocol: 'TLSv1.3', alpn: 'http/1.1' });
    expect(cipher).toMatch(/^TLS_/);
    const old = { ciphers: 'DEFAULT:@SECLEVEL=0' } as const;
    const refused: ConnectionOptions[] = [
      { ...old, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' },
      { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' },
      { ALPNProtocols: ['h2'] },
    ];
    for (const options of refused) expect(await handshake(service, options)).toBeInstanceOf(Error);
  });

  it('closes a connection that speaks no TLS without an answer', async () => {
    const { hostname, port } = new URL(service.url);
    const text = await new Promise<string>((resolve) => {
      let read = '';
      const socket = connect(Number(port), hostname, () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
      socket.on('data', (chunk) => {
        read += chunk.toString('latin1');
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(read));
    });
    expect(text).not.toContain('HTTP/1.1');
    expect(await call()).toBe('200');
  });

  it('presents a renewed certificate after the next look at its files, and keeps the old one while they do not fit', async () => {
    const serialOf = async (): Promise<bigint> => {
      const socket = await handshake(service);
      if (socket instanceof Error) throw socket;
      return BigInt(`0x${socket.getPeerCertificate().serialNumber}`);
    };
    const before = await serialOf();
    const after = pki.renewListener();
    expect(await serialOf()).toBe(before);
    await service.app.runJobs();
    expect(await serialOf()).toBe(after);
    pki.breakListener();
    await service.app.runJobs();
    expect(await serialOf()).toBe(after);
    expect(service.logs.join('')).toContain('TLS certificate: not renewed');
    expect(await call(good)).toBe('200');
  });

  it('binds the tokens of an application to its certificate, and takes them with no other', async () => {
    const configurationOf = async (identity?: Identity): Promise<client.Configuration> => {
      const { clientSecret = '' } =
        service.credentials.applications.find(({ clientId }) => clientId === FINANCE) ?? {};
      const configuration = await client.discovery(
        new URL(service.url),
        FINANCE,
        undefined,
        client.ClientSecretBasic(clientSecret),
        { algorithm: 'oauth2', [client.customFetch]: fetchAs(identity) },
      );
      return configuration;
    };
    await secure(service, FINANCE, { binding: 'certificate' });
    const configuration = await configurationOf(good);
    expect(configuration.serverMetadata()).toMatchObject({
      tls_client_certificate_bound_access_tokens: true,
    });
    const grant = async (by: client.Configuration) => {
      const { verifier, state, callback } = await authorize(service, by);
      return client.authorizationCodeGrant(by, callback, {
        pkceCodeVerifier: verifier,
        expectedState: state,
      });
    };
    await expect(grant(await configurationOf())).rejects.toMatchObject({ error: 'invalid_grant' });
    const foreign = pki.holder({ registration: registrationOf(BUDGET) });
    await expect(grant(await configurationOf(foreign))).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(configurationOf(pki.holder({ use: 'seal' })).then(grant)).rejects.toMatchObject({
      error: 'invalid_client',
    });

    const tokens = await grant(configuration);
    const thumbprint = sha256(good.der);
    expect(decodeJwt(tokens.access_token).cnf).toEqual({ 'x5t#S256': thumbprint });
    const introspected = await client.tokenIntrospection(configuration, tokens.access_token);
    expect(introspected).toMatchObject({ active: true, cnf: { 'x5t#S256': thumbprint } });
    const bound = async (identity?: Identity, scheme = 'Bearer'): Promise<string> =>
      told(
        await service.call({
          ...funds,
          headers: { Authorization: `${scheme} ${tokens.access_token}` },
          ...(identity ? { identity } : {}),
        }),
      );
    expect(await bound(good)).toBe('200');
    expect(await bound(pki.holder())).toBe('401 token-invalid TOKEN_INVALID');
    expect(await bound()).toBe('401 certificate-invalid CERTIFICATE_MISSING');
    expect(await bound(good, 'DPoP')).toBe('401 token-invalid TOKEN_INVALID');
    // A token of before, which is tied to nothing.
    expect(await call(good)).toBe('401 token-invalid TOKEN_INVALID');
    await secure(service, FINANCE, { binding: 'none' });
    expect(await bound()).toBe('401 token-invalid TOKEN_INVALID');
    expect(await bound(good)).toBe('200');
  });
});
