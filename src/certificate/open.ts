/** The verifier as it is configured: the folder of anchors, the hosts that may be asked, the grace. */
import type { Config } from '../config/config.js';
import { type Clock, HOUR, SECOND } from '../lib/clock.js';
import type { Log } from '../observe/log.js';
import type { ListedTrust } from './lists/listed-trust.js';
import { Fetcher } from './revocation/fetch.js';
import { Revocation } from './revocation/revocation.js';
import { joinedTrust, type Trust, TrustFolder } from './trust.js';
import { CertificateVerifier, type VerifierOptions } from './verifier.js';

export interface VerifierParts {
  readonly config: Pick<
    Config,
    | 'egressProxy'
    | 'trustAnchors'
    | 'revocation'
    | 'revocationGraceHours'
    | 'revocationMaxAge'
    | 'revocationHosts'
  >;
  readonly blocked: VerifierOptions['blocked'];
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** Beside the folder of anchors, with the hosts that may be asked about their certificates. */
  readonly trust?: readonly Trust[];
  /** The services of trusted lists. */
  readonly listed: ListedTrust;
  readonly hosts?: () => readonly string[];
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'no address');

export const NO_ANCHORS = 'nobody is trusted to issue certificates';

export const ANCHORS_REMEDY =
  'set TRAPEZA_TRUST_LISTS or TRAPEZA_TRUST_ANCHORS, or TRAPEZA_SIGNATURE_POLICY=off';

/** Where signatures are verified, but no certificate could pass. */
export const lacksAnchors = ({
  trustAnchors,
  trustLists,
  signaturePolicy,
}: Pick<Config, 'trustAnchors' | 'trustLists' | 'signaturePolicy'>): boolean =>
  trustAnchors === undefined && trustLists.length === 0 && signaturePolicy !== 'off';

export const NO_REVOCATION =
  'every certificate is refused with 503, because TRAPEZA_REVOCATION is hard and nobody may be asked about revocation: set TRAPEZA_REVOCATION_HOSTS to the hosts of the OCSP responders and lists that the certificates name';

/** Where certificates are trusted, but whether they are revoked cannot be found out. `listed`: hosts that trusted lists name. */
export const lacksRevocation = (
  {
    revocation,
    revocationHosts,
    trustAnchors,
  }: Pick<Config, 'revocation' | 'revocationHosts' | 'trustAnchors'>,
  listed: readonly string[],
): boolean =>
  trustAnchors !== undefined && revocation === 'hard' && revocationHosts.length === 0 && listed.length === 0;

export const openVerifier = async (parts: VerifierParts): Promise<CertificateVerifier> => {
  const { config, blocked, clock, log, trust = [], hosts, listed } = parts;
  await listed.refresh();
  const sources: Trust[] = [...trust, listed];
  if (config.trustAnchors !== undefined) {
    const folder = new TrustFolder(config.trustAnchors, clock, (file, reason) =>
      log.warn({ file, reason }, 'trust anchors: not read'),
    );
    await folder.refresh();
    sources.push(folder);
  }
  if (lacksRevocation(config, [...listed.hosts(), ...(hosts?.() ?? [])]))
    log.warn({}, 'revocation: nobody to ask');
  const fetcher = new Fetcher({
    clock,
    proxy: config.egressProxy,
    hosts: () => [...config.revocationHosts, ...listed.hosts(), ...(hosts?.() ?? [])],
  });
  const revocation = new Revocation({
    fetcher,
    clock,
    graceMs: config.revocationGraceHours * HOUR,
    maxAgeMs: config.revocationMaxAge * SECOND,
    onFault: (url, fault) => log.warn({ host: hostOf(url), fault }, 'revocation: no answer'),
  });
  return new CertificateVerifier({
    trust: joinedTrust(...sources),
    blocked,
    clock,
    revocation,
    mode: config.revocation,
  });
};
