/** What production demands beyond a readable configuration. */
import { describe, expect, it } from 'vitest';
import type { Environment } from '../../src/config/config.js';
import { productionFaults, readConfig } from '../../src/index.js';
import { faultsOf } from '../lib/setting-cases.js';
import { testSecret } from '../support/service.js';

describe('production', () => {
  const complete = {
    TRAPEZA_SECRET: testSecret,
    DATABASE_URL: 'postgres://host/name',
    BASE_URL: 'https://psd2.bank.example',
    TRAPEZA_ISSUER: 'https://id.bank.example',
    TRAPEZA_BANK_MODULE: './bank.js',
  };
  const faults = (env: Environment): string[] => productionFaults(readConfig(env), env);

  it('is content with a complete configuration', () => {
    expect(faults(complete)).toEqual([]);
  });

  it('names everything that is missing, at once', () => {
    const missing = faults({});
    expect(missing.map((fault) => fault.split(' ')[0]).toSorted()).toEqual(
      ['BASE_URL', 'DATABASE_URL', 'TRAPEZA_CORE_URL', 'TRAPEZA_SECRET'].toSorted(),
    );
    for (const fault of missing) expect(fault).toMatch(/ is missing: .+/);
  });

  it('refuses a whole request that has less time than its headers', () => {
    expect(faultsOf({ TRAPEZA_REQUEST_TIMEOUT_MS: '9999' })).toEqual([
      'TRAPEZA_REQUEST_TIMEOUT_MS must not be less than TRAPEZA_HEADERS_TIMEOUT_MS.',
    ]);
  });

  it.each(['TRAPEZA_SECRET', 'DATABASE_URL', 'BASE_URL'] as const)('demands %s', (variable) => {
    const found = faults({ ...complete, [variable]: undefined });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`${variable} is missing`);
  });

  it('names both ways to a core, and nothing that only one of them needs', () => {
    const found = faults({ ...complete, TRAPEZA_BANK_MODULE: undefined, TRAPEZA_ISSUER: undefined });
    expect(found).toEqual([
      expect.stringMatching(/^TRAPEZA_CORE_URL is missing: .* Or TRAPEZA_BANK_MODULE: /),
    ]);
  });

  it.each([
    'http://psd2.bank.example',
    'http://10.0.0.1:8080',
    'http://localhost.example',
    'http://127.evil.example',
  ])('refuses the plain address %s', (address) => {
    expect(faults({ ...complete, BASE_URL: address })).toEqual([
      'BASE_URL must be an https address (plain http is accepted for a loopback address only).',
    ]);
  });

  const loopback = ['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'];
  it.each(loopback)('takes %s for a trial', (address) => {
    expect(faults({ ...complete, BASE_URL: address })).toEqual([]);
  });

  it('refuses half of a TLS listener, and client certificates that cannot arrive or that nobody could judge', () => {
    expect(faultsOf({ TRAPEZA_TLS_KEY: 'tls.key' })).toEqual([
      'TRAPEZA_TLS_CERTIFICATE and TRAPEZA_TLS_KEY must be set together.',
    ]);
    const asked = { TRAPEZA_TLS_CLIENT_CERTIFICATE: 'optional' };
    expect(faultsOf(asked)).toEqual([
      expect.stringMatching(/^TRAPEZA_TLS_CLIENT_CERTIFICATE needs a listener/),
    ]);
    const behindProxy = { ...complete, ...asked, TRAPEZA_TRUSTED_PROXIES: '10.0.0.1' };
    expect(faults(behindProxy)).toEqual([expect.stringMatching(/^TRAPEZA_TRUST_ANCHORS is missing/)]);
    expect(faults({ ...behindProxy, TRAPEZA_TRUST_ANCHORS: 'anchors' })).toEqual([]);
  });

  it('refuses an operator console in clear on a network', () => {
    const host = { TRAPEZA_OPERATOR_HOST: '0.0.0.0' };
    const refused = [expect.stringMatching(/^TRAPEZA_OPERATOR_HOST is not a loopback address/)];
    expect(faultsOf(host)).toEqual(refused);
    expect(faultsOf({ ...host, TRAPEZA_OPERATOR_URL: 'http://console.bank.example' })).toEqual(refused);
    const pair = { TRAPEZA_OPERATOR_TLS_CERTIFICATE: 'tls.pem', TRAPEZA_OPERATOR_TLS_KEY: 'tls.key' };
    for (const safe of [pair, { TRAPEZA_OPERATOR_URL: 'https://console.bank.example' }])
      expect(faultsOf({ ...host, ...safe })).toEqual([]);
    for (const address of ['127.0.0.1', '::1', 'localhost'])
      expect(faultsOf({ TRAPEZA_OPERATOR_HOST: address })).toEqual([]);
    expect(faultsOf({ TRAPEZA_OPERATOR_TLS_KEY: 'tls.key' })).toEqual([
      'TRAPEZA_OPERATOR_TLS_CERTIFICATE and TRAPEZA_OPERATOR_TLS_KEY must be set together.',
    ]);
  });

  it('gives the console any free port if the node has a management port of its own', () => {
    expect(readConfig({}).operatorPort).toBe(8082);
    expect(readConfig({ TRAPEZA_MANAGEMENT_PORT: '9081' }).operatorPort).toBe(0);
    expect(readConfig({ TRAPEZA_MANAGEMENT_PORT: '9081', TRAPEZA_OPERATOR_PORT: '9082' }).operatorPort).toBe(
      9082,
    );
  });

  it('refuses to log traces', () => {
    expect(faults({ ...complete, TRAPEZA_LOG_LEVEL: 'trace' })).toEqual([
      'TRAPEZA_LOG_LEVEL=trace is not for production.',
    ]);
  });
});
