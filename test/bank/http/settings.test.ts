/** The settings of a core over HTTP: what goes together, and what production demands. */
import { describe, expect, it } from 'vitest';
import { ConfigError, type Environment, productionFaults, readConfig } from '../../../src/config/config.js';
import { testSecret } from '../../support/service.js';

const faultsOf = (env: Environment): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};

const complete = {
  TRAPEZA_SECRET: testSecret,
  DATABASE_URL: 'postgres://host/name',
  BASE_URL: 'https://psd2.bank.example',
  TRAPEZA_ISSUER: 'https://id.bank.example',
  TRAPEZA_BANK_MODULE: './bank.js',
};
const faults = (env: Environment): string[] => productionFaults(readConfig(env), env);

describe('the configuration', () => {
  it('takes a core by its address instead of a module, without an identity provider', () => {
    const { TRAPEZA_BANK_MODULE, TRAPEZA_ISSUER, ...rest } = complete;
    const core = { ...rest, TRAPEZA_CORE_URL: 'https://core.bank.example' };
    expect(faults({ ...core, TRAPEZA_CORE_TOKEN: 'token' })).toEqual([]);
    expect(faults({ ...rest, TRAPEZA_CORE_URL: 'http://127.0.0.1:9000' })).toEqual([]);
    expect(faults(core)).toEqual([expect.stringMatching(/^TRAPEZA_CORE_TOKEN is missing: /)]);
    const plain = { ...core, TRAPEZA_CORE_TOKEN: 'token', TRAPEZA_CORE_URL: 'http://core.bank.example' };
    expect(faults(plain)).toEqual([expect.stringMatching(/^TRAPEZA_CORE_URL must be an https address/)]);
    expect(faults({ ...core, TRAPEZA_CORE_TOKEN: 'token', TRAPEZA_BANK_MODULE })).toEqual([
      expect.stringMatching(/^TRAPEZA_CORE_URL and TRAPEZA_BANK_MODULE/),
    ]);
  });

  it('refuses what could never reach a core', () => {
    const url = { TRAPEZA_CORE_URL: 'https://core.bank.example' };
    expect(faultsOf({ ...url, TRAPEZA_CORE_TOKEN: 'two words' })).toEqual([
      'TRAPEZA_CORE_TOKEN must be visible ASCII characters without blanks.',
    ]);
    expect(faultsOf({ ...url, TRAPEZA_CORE_CLIENT_CERTIFICATE: 'client.pem' })).toEqual([
      'TRAPEZA_CORE_CLIENT_CERTIFICATE and TRAPEZA_CORE_CLIENT_KEY must be set together.',
    ]);
    expect(faultsOf({ TRAPEZA_CORE_URL: 'http://127.0.0.1:9000', TRAPEZA_CORE_CA: 'ca.pem' })).toEqual([
      expect.stringContaining('need an https address'),
    ]);
    expect(faultsOf({ ...url, TRAPEZA_CORE_TIMEOUT_MS: '5000' })).toEqual([
      'TRAPEZA_CORE_TIMEOUT_MS must be less than TRAPEZA_DEADLINE_MS.',
    ]);
  });
});
