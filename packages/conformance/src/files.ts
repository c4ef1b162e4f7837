/** The file of the credentials and the PEM files that it names. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { type Credentials, credentialFaults } from './bank/credentials.js';
import type { Tls } from './bank/http.js';
import type { Seal } from './bank/seal.js';
import { Unusable } from './verdict.js';

const because = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Says of which member it could not be used. */
const usable = <T>(what: string, use: () => T): T => {
  try {
    return use();
  } catch (error) {
    throw new Unusable(`${what}: ${because(error)}`);
  }
};

export interface Given {
  readonly credentials: Credentials;
  readonly tls: Tls;
  readonly seal: Seal | undefined;
}

const readJson = (file: string): Credentials => {
  const text = usable('the credentials cannot be read', () => readFileSync(file, 'utf8'));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What the parser says quotes the file, which holds keys.
    throw new Unusable(`${file} is no JSON`);
  }
  const faults = credentialFaults(value);
  if (faults.length > 0) throw new Unusable(`${file}: ${faults.join('; ')}. See docs/conformance.md.`);
  return value as Credentials;
};

export const readGiven = (file: string): Given => {
  const credentials = readJson(file);
  const read = (place: string, name: string): string =>
    usable(place, () => readFileSync(resolve(dirname(file), name), 'utf8'));
  const { certificate, key, ca } = credentials.tls ?? {};
  const tls: Tls = {
    ...(certificate === undefined ? {} : { cert: read('tls.certificate', certificate) }),
    ...(key === undefined ? {} : { key: read('tls.key', key) }),
    ...(ca === undefined ? {} : { ca: read('tls.ca', ca) }),
  };
  usable('tls', () => createSecureContext(tls));
  const seal = credentials.seal && {
    certificate: read('seal.certificate', credentials.seal.certificate),
    key: read('seal.key', credentials.seal.key),
  };
  if (seal)
    usable('seal', () => {
      const isPair = new X509Certificate(seal.certificate).checkPrivateKey(createPrivateKey(seal.key));
      if (!isPair) throw new Error('the key is not that of the certificate');
    });
  return { credentials, tls, seal };
};

/** Reports name what a bank does wrong: no other user of the machine may read them. */
export const writeReport = (file: string, text: string): void =>
  usable('the report cannot be written', () => writeFileSync(file, text, { mode: 0o600 }));
