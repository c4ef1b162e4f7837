/** The files that the configuration names for TLS with the core, read once. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { type Config, ConfigError } from '../../config/config.js';
import { settings } from '../../config/settings.js';
import type { CoreTls } from './client.js';

const fileOf = (config: Config, name: 'coreClientCertificate' | 'coreClientKey' | 'coreCa') => {
  const path = config[name];
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`${settings[name].variable} names a file that cannot be read (${code}).`]);
  }
};

export const coreTlsOf = (config: Config): CoreTls => {
  const tls = {
    certificate: fileOf(config, 'coreClientCertificate'),
    key: fileOf(config, 'coreClientKey'),
    ca: fileOf(config, 'coreCa'),
  };
  try {
    // What would fail with every connection is better said once, now.
    createSecureContext({ cert: tls.certificate, key: tls.key, ca: tls.ca });
  } catch {
    throw new ConfigError([
      'TRAPEZA_CORE_CLIENT_CERTIFICATE, TRAPEZA_CORE_CLIENT_KEY and TRAPEZA_CORE_CA must be PEM files, and the key that of the certificate.',
    ]);
  }
  return tls;
};
