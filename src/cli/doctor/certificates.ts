/** The certificates that we show to others: whether their keys fit and how long they last. And those of the issuers we trust. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.js';
import { settings } from '../../config/settings.js';
import { DAY, systemClock } from '../../lib/clock.js';
import { type Finding, finding } from './finding.js';

/** Enough time to order a new one. */
const SOON_MS = 30 * DAY;

const pairs = [
  ['tlsCertificate', 'tlsKey'],
  ['coreClientCertificate', 'coreClientKey'],
] as const;

const dayOf = (text: string): string => new Date(text).toISOString().slice(0, 10);

const judge = (variable: string, certificate: X509Certificate, key: string | undefined): Finding => {
  const now = systemClock.now();
  const { validFrom, validTo } = certificate;
  if (Date.parse(validTo) <= now)
    return finding(variable, 'failed', `expired on ${dayOf(validTo)}: install a new certificate`);
  if (Date.parse(validFrom) > now)
    return finding(
      variable,
      'failed',
      `is not valid before ${dayOf(validFrom)}: check the clock and the file`,
    );
  if (key !== undefined && !certificate.checkPrivateKey(createPrivateKey(key)))
    return finding(
      variable,
      'failed',
      'does not belong to its private key: install both from the same order',
    );
  if (Date.parse(validTo) - SOON_MS <= now)
    return finding(variable, 'warning', `expires on ${dayOf(validTo)}: order a new one now`);
  return finding(variable, 'ok', `valid until ${dayOf(validTo)}`);
};

/** Named files that cannot be read are found by `checkPaths`. */
export const readIfThere = (path: string | undefined): string | undefined => {
  try {
    return path === undefined ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

export const checkCertificates = (config: Config): Finding[] =>
  pairs.flatMap(([certificateName, keyName]) => {
    const text = readIfThere(config[certificateName]);
    if (text === undefined) return [];
    const { variable } = settings[certificateName];
    try {
      return [judge(variable, new X509Certificate(text), readIfThere(config[keyName]))];
    } catch {
      return [finding(variable, 'failed', 'is not a certificate with a private key, both as PEM')];
    }
  });

/** Without an anchor that is in force today no third party can be recognised. */
export const checkAnchors = ({ trustAnchors }: Config): Finding[] => {
  if (trustAnchors === undefined) return [];
  const { variable } = settings.trustAnchors;
  const entries = (() => {
    try {
      return readdirSync(trustAnchors, { withFileTypes: true }).filter((entry) => entry.isFile());
    } catch {
      return undefined;
    }
  })();
  if (entries === undefined) return [];
  const inForce = entries.filter(({ name }) => {
    try {
      return (
        Date.parse(new X509Certificate(readFileSync(join(trustAnchors, name))).validTo) > systemClock.now()
      );
    } catch {
      return false;
    }
  });
  const detail = `${inForce.length} of ${entries.length} file(s) are certificates in force`;
  if (inForce.length === 0)
    return [finding(variable, 'failed', `${detail}: put those of the trusted providers there`)];
  return [finding(variable, inForce.length === entries.length ? 'ok' : 'warning', detail)];
};
