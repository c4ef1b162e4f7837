/** The certificates that we show to others: whether their keys fit and how long they last. And those of the issuers we trust. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ListedTrust } from '../../certificate/lists/listed-trust.js';
import { lacksRevocation, NO_REVOCATION } from '../../certificate/open.js';
import { readTrustFolder } from '../../certificate/trust.js';
import type { Config } from '../../config/config.js';
import { settings } from '../../config/settings.js';
import { DAY, systemClock } from '../../lib/clock.js';
import type { Db } from '../../store/db.js';
import { type Finding, finding } from './finding.js';
import { unusable } from './reach.js';

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

const countOf = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`;

/** As the service reads them. Without an anchor that is in force today no third party can be recognised. */
export const checkAnchors = async ({ trustAnchors }: Config): Promise<Finding[]> => {
  if (trustAnchors === undefined) return [];
  const { variable } = settings.trustAnchors;
  const read = await readTrustFolder(trustAnchors).catch((error: unknown) => unusable(trustAnchors, error));
  if (typeof read !== 'object') return [finding(variable, 'failed', read ?? 'nothing was read')];
  const { anchors, intermediates, faults } = read;
  const now = systemClock.now();
  const inForce = anchors.filter(({ notAfter }) => notAfter > now);
  const facts = [
    `${countOf(inForce.length, 'anchor')} in force`,
    countOf(intermediates.length, 'intermediate certificate'),
    ...(inForce.length < anchors.length ? [`${anchors.length - inForce.length} expired`] : []),
    ...faults.map(({ file, reason }) => `${file} is not read (${reason})`),
  ].join(', ');
  if (inForce.length === 0)
    return [
      finding(
        variable,
        'failed',
        `${facts}: put the certificates of the trusted providers there, as .pem, .crt, .cer or .der`,
      ),
    ];
  const isClean = faults.length === 0 && inForce.length === anchors.length;
  return [finding(variable, isClean ? 'ok' : 'warning', facts)];
};

/** Trusted lists bring hosts of their own, also those that were imported by hand. */
export const checkRevocation = async (db: Db | undefined, config: Config): Promise<Finding[]> => {
  if (config.trustAnchors === undefined) return [];
  const { variable } = settings.revocationHosts;
  const listed = [...config.trustLists];
  if (db && listed.length === 0) {
    const lists = new ListedTrust(db, systemClock, () => undefined);
    await lists.refresh();
    listed.push(...lists.hosts());
  }
  if (lacksRevocation(config, listed)) return [finding(variable, 'failed', NO_REVOCATION)];
  return [finding(variable, 'ok', `revocation: ${config.revocation}`)];
};
