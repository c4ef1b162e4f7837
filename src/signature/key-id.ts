/**
 * Whether a `keyId` (`SN=…,CA=…`) names a certificate. Serials are compared as numbers, issuers as sets of attributes, because
 * signers write them in hexadecimal or decimal, forwards or backwards, with the escapes of RFC 2253 and 4514 or as in addresses.
 */
import type { Certificate } from '../certificate/certificate.js';
import { readDer } from '../certificate/der/read.js';
import { derText } from '../certificate/der/values.js';
import { type Attribute, attributeNames, rdnKey } from '../certificate/x509/name.js';
import { LruCache } from '../lib/lru-cache.js';

const FORM = /^\s*SN=([^,]*),\s*CA=(.*)$/is;
const MAX_LENGTH = 2048;

const otherNames: Readonly<Record<string, string>> = {
  s: '2.5.4.8',
  surname: '2.5.4.4',
  givenname: '2.5.4.42',
  g: '2.5.4.42',
  e: '1.2.840.113549.1.9.1',
  email: '1.2.840.113549.1.9.1',
  postalcode: '2.5.4.17',
};

const oids: ReadonlyMap<string, string> = new Map([
  ...Object.entries(otherNames),
  ...Object.entries(attributeNames).map(([oid, name]) => [name.toLowerCase(), oid] as const),
]);

/** Both numbers that the text can stand for. */
const isSerial = (text: string, serial: bigint): boolean => {
  const digits = text.trim().replace(/^0x/i, '').replace(/:/g, '');
  if (!/^[0-9a-f]{1,64}$/i.test(digits)) return false;
  return BigInt(`0x${digits}`) === serial || (/^\d+$/.test(digits) && BigInt(digits) === serial);
};

/** No two neighbours of it take the same character, so that a mismatch is found in linear time. */
const ATTRIBUTE =
  /\s*([A-Za-z][A-Za-z0-9-]*|(?:OID\.)?\d+(?:\.\d+)+)\s*=(?:"((?:[^"\\]|\\.)*)"\s*|(#[0-9a-f]+)\s*|((?:[^",;+\\]|\\.)*))([,;+]|$)/isy;

/** `\,` is a comma, `\C3\A4` are bytes. */
const unescaped = (text: string): string => {
  const bytes = text.replace(/((?:\\[0-9a-f]{2})+)/gi, (run) =>
    Buffer.from(run.replace(/\\/g, ''), 'hex').toString('utf8'),
  );
  return bytes.replace(/\\(.)/gs, '$1');
};

const plainValue = (quoted: string | undefined, hex: string | undefined, plain: string): string => {
  if (hex !== undefined) return derText(readDer(Buffer.from(hex.slice(1), 'hex')));
  // A blank at the end counts only if it is escaped; those around a name do not, and names are compared without them.
  return unescaped(quoted ?? plain);
};

const attributesIn = (text: string): Attribute[] | undefined => {
  const found: Attribute[] = [];
  let at = 0;
  let end: string | undefined = ',';
  while (end !== '') {
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(text);
    if (!match) return undefined;
    const [whole, name = '', quoted, hex, plain = ''] = match;
    const oid = oids.get(name.toLowerCase()) ?? name.replace(/^OID\./i, '');
    found.push({ oid, value: plainValue(quoted, hex, plain) });
    at += whole.length;
    end = match[5];
  }
  return found;
};

const setOf = (attributes: readonly Attribute[]): string =>
  attributes
    .map((each) => rdnKey([each]))
    .toSorted()
    .join();

const isIssuer = (text: string, { issuer }: Certificate): boolean => {
  try {
    const attributes = attributesIn(text);
    return attributes !== undefined && setOf(attributes) === setOf(issuer.flat());
  } catch {
    return false;
  }
};

/** As the bytes say, and as they would stand in an address. */
const readings = (text: string): string[] => {
  const plain = Buffer.from(text, 'latin1').toString('utf8');
  if (!plain.includes('%')) return [plain];
  try {
    return [plain, decodeURIComponent(plain)];
  } catch {
    return [plain];
  }
};

const compare = (keyId: string, certificate: Certificate): boolean =>
  readings(keyId).some((text) => {
    const [, serial = '', issuer = ''] = FORM.exec(text) ?? [];
    return isSerial(serial, certificate.serial) && isIssuer(issuer, certificate);
  });

/** Signers repeat themselves; only what was right is remembered. */
const known = new LruCache<true>(1000);

export const namesCertificate = (keyId: string, certificate: Certificate): boolean => {
  if (keyId.length > MAX_LENGTH) return false;
  const key = `${certificate.fingerprint} ${keyId}`;
  if (known.get(key)) return true;
  if (!compare(keyId, certificate)) return false;
  known.set(key, true);
  return true;
};
