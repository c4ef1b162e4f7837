/** How certificates of third parties are verified: by the configured anchors and those of extensions. */

import type { Certificate } from '../certificate/certificate.js';
import { ListedTrust } from '../certificate/lists/listed-trust.js';
import { ANCHORS_REMEDY, lacksAnchors, NO_ANCHORS, openVerifier } from '../certificate/open.js';
import { findPath } from '../certificate/path/find-path.js';
import type { CertificateVerifier, VerifierOptions } from '../certificate/verifier.js';
import { errorFields } from '../observe/log.js';
import type { Foundation } from './foundation.js';

export const openCertificates = (
  { config, clock, db, log, extensions }: Foundation,
  blocked: VerifierOptions['blocked'],
): Promise<CertificateVerifier> => {
  const trusted = extensions.flatMap(({ trust }) => trust ?? []);
  if (trusted.length === 0 && lacksAnchors(config)) log.warn({ remedy: ANCHORS_REMEDY }, NO_ANCHORS);
  return openVerifier({
    config,
    blocked,
    clock,
    log,
    listed: new ListedTrust(db, clock, (error) => log.warn(errorFields(error), 'trusted lists: not read')),
    trust: trusted.map(({ anchors }) => anchors),
    hosts: () => trusted.flatMap(({ hosts }) => hosts()),
  });
};

/** Whether the issuer of a verified certificate has checked whose it is: all do but those of a test authority. */
export const vouching =
  ({ clock, extensions }: Foundation) =>
  async (certificate: Certificate): Promise<boolean> => {
    for (const { trust } of extensions) {
      if (!trust?.issuesToAnybody) continue;
      const set = await trust.anchors.current();
      if ('path' in findPath(certificate, set, [], clock.now())) return false;
    }
    return true;
  };
