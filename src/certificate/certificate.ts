/**
 * Reads the certificates that third parties send (base64 of DER or of PEM) and that operators keep (PEM or DER). What was read
 * once is remembered, by its text and by its fingerprint.
 */
import { createHash } from 'node:crypto';
import { LruCache } from '../lib/lru-cache.js';
import { CertificateRefusal } from './reasons.js';
import { type Certificate, parseCertificate } from './x509/parse.js';

export type { Certificate };

/** A certificate, and those that its sender has put behind it. */
export interface CertificateChain {
  readonly certificate: Certificate;
  readonly extra: readonly Certificate[];
}

const MAX_TEXT = 8192;
const MAX_FILE = 65_536;
const MAX_CHAIN = 6;
const REMEMBERED = 500;

const byText = new LruCache<CertificateChain>(REMEMBERED);
const byFingerprint = new LruCache<Certificate>(REMEMBERED);

const BLOCK = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/g;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const refuse = (): never => {
  throw new CertificateRefusal('unreadable');
};

/** Strictly: one spelling, with or without line breaks. */
const fromBase64 = (text: string): Buffer => {
  const joined = text.replace(/\s+/g, '');
  if (!BASE64.test(joined)) return refuse();
  const bytes = Buffer.from(joined, 'base64');
  return bytes.toString('base64') === joined ? bytes : refuse();
};

const blocksIn = (text: string): Buffer[] => {
  const blocks = [...text.matchAll(BLOCK)].map(([, body = '']) => fromBase64(body));
  return blocks.length > 0 && blocks.length <= MAX_CHAIN ? blocks : refuse();
};

const isPem = (text: string): boolean => text.includes('-----BEGIN CERTIFICATE-----');

const dersIn = (text: string): Buffer[] => {
  if (isPem(text)) return blocksIn(text);
  const bytes = fromBase64(text);
  if (bytes[0] === 0x30) return [bytes];
  const inner = bytes.toString('latin1');
  return isPem(inner) ? blocksIn(inner) : refuse();
};

/** From the bytes of its DER form. */
export const certificateOf = (der: Buffer): Certificate => {
  const fingerprint = createHash('sha256').update(der).digest('hex');
  const known = byFingerprint.get(fingerprint);
  if (known) return known;
  try {
    const certificate = parseCertificate(der);
    byFingerprint.set(fingerprint, certificate);
    return certificate;
  } catch {
    // Neither our reader's words nor OpenSSL's are of use to the sender, and they might quote what it sent.
    return refuse();
  }
};

const chainOf = (ders: readonly Buffer[]): CertificateChain => {
  const [certificate, ...extra] = ders.map(certificateOf);
  return certificate ? { certificate, extra } : refuse();
};

/** The value of `TPP-Signature-Certificate`; throws `CertificateRefusal` and nothing else. */
export const readCertificateChain = (text: string): CertificateChain => {
  if (text.length > MAX_TEXT) return refuse();
  const known = byText.get(text);
  if (known) return known;
  const chain = chainOf(dersIn(text.trim()));
  byText.set(text, chain);
  return chain;
};

export const readCertificate = (text: string): Certificate => readCertificateChain(text).certificate;

/** A file of certificates in PEM or DER, as operators keep them. */
export const readCertificateFile = (bytes: Buffer): CertificateChain => {
  if (bytes.length > MAX_FILE) return refuse();
  return chainOf(bytes[0] === 0x30 ? [bytes] : dersIn(bytes.toString('latin1').trim()));
};

export const pemOf = (der: Buffer): string => {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
};
