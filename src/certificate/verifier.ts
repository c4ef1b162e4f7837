/**
 * Whether a certificate may be used for this call: its dates, key, chain, statements and use, whose it is, and whether it was
 * revoked. What does not depend on the caller is remembered for a while, so that a certificate seen again costs a look into a map.
 */
import { type Clock, MINUTE } from '../lib/clock.js';
import { LruCache } from '../lib/lru-cache.js';
import type { Eventual } from '../lib/turn.js';
import type { Role } from '../model/caller.js';
import type { Certificate } from './certificate.js';
import {
  type CertificateUse,
  keyFault,
  organisationFault,
  roleFault,
  statementFault,
  useFault,
  validityFault,
} from './checks.js';
import { findPath, type Path } from './path/find-path.js';
import { type Reason, reasons } from './reasons.js';
import { type CertificateCheck, type CertificateReport, type CheckName, reportOf } from './report.js';
import type { Revocation, Standing } from './revocation/revocation.js';
import type { Trust, TrustSet } from './trust.js';

export type RevocationMode = 'off' | 'soft' | 'hard';

export interface VerifierOptions {
  readonly trust: Trust;
  /** The fingerprints that the bank refuses, at most some seconds old; rejects if they are unknown. */
  readonly blocked: () => Eventual<ReadonlySet<string>>;
  readonly clock: Clock;
  readonly revocation: Revocation;
  /** `soft` accepts a certificate if no source answers about it; `hard` does not. */
  readonly mode: RevocationMode;
}

export interface Verification {
  readonly use: CertificateUse;
  /** The role that the area demands; without one, any will do. */
  readonly role?: Role | undefined;
  /** The registration of the calling third party; undefined while it is being registered. */
  readonly registration?: string | undefined;
  /** Intermediate certificates that were sent along. */
  readonly extra?: readonly Certificate[];
  /** An OCSP answer that came with the TLS connection. */
  readonly stapled?: Buffer;
}

interface Remembered {
  readonly own: readonly CertificateCheck[];
  readonly revocation: CertificateCheck;
  /** The certificate and its issuers. */
  readonly fingerprints: readonly string[];
  readonly since: number;
  readonly until: number;
}

const REMEMBER_MS = 5 * MINUTE;
const REMEMBERED = 5000;

/** One check: its name, why it fails if it does, and the detail if it passes. */
type Look = readonly [name: CheckName, fault: () => Reason | undefined, passed: string];

const failed = (name: CheckName, reason: Reason): CertificateCheck => ({
  name,
  verdict: 'failed',
  detail: reasons[reason].detail,
  reason,
});
const passed = (name: CheckName, detail: string): CertificateCheck => ({ name, verdict: 'passed', detail });
const skipped = (name: CheckName, detail: string): CertificateCheck => ({ name, verdict: 'skipped', detail });

/** One after the other; what follows a failure would only repeat it in other words. */
const runLooks = (looks: readonly Look[], before: readonly CertificateCheck[] = []): CertificateCheck[] => {
  const checks: CertificateCheck[] = [];
  let isOver = hasFailed(before);
  for (const [name, fault, detail] of looks) {
    const reason = isOver ? undefined : fault();
    if (isOver) checks.push(skipped(name, 'Not looked at, because something before it failed.'));
    else checks.push(reason ? failed(name, reason) : passed(name, detail));
    isOver ||= reason !== undefined;
  }
  return checks;
};

/** What depends on who calls what. */
const callLooks = (certificate: Certificate, { role, registration }: Verification): readonly Look[] => [
  [
    'organisation',
    () => (registration === undefined ? undefined : organisationFault(certificate, registration)),
    registration === undefined ? 'Nobody in particular calls.' : 'It is the calling third party.',
  ],
  [
    'role',
    () => (role === undefined ? undefined : roleFault(certificate, role)),
    role === undefined ? 'No role is demanded.' : 'It has the role of the area.',
  ],
];

const hasFailed = (checks: readonly CertificateCheck[]): boolean =>
  checks.some(({ verdict }) => verdict === 'failed');

const keyOf = ({ version }: TrustSet, { fingerprint }: Certificate, { use }: Verification): string =>
  `${version} ${use} ${fingerprint}`;

export class CertificateVerifier {
  readonly #options: VerifierOptions;
  readonly #remembered = new LruCache<Remembered>(REMEMBERED);

  constructor(options: VerifierOptions) {
    this.#options = options;
  }

  /** Synchronous if the certificate was verified lately, else a promise, which rejects if the blocked ones are unknown. */
  verify(certificate: Certificate, wanted: Verification): Eventual<CertificateReport> {
    const { trust, blocked } = this.#options;
    const [known, refused] = [trust.current(), blocked()];
    return known instanceof Promise || refused instanceof Promise
      ? Promise.all([known, refused]).then(([set, prints]) =>
          this.#verifyIn(set, prints, certificate, wanted),
        )
      : this.#verifyIn(known, refused, certificate, wanted);
  }

  /** What is known without a query; starts none. */
  recall(certificate: Certificate, wanted: Verification): CertificateReport | undefined {
    const trust = this.#options.trust.current();
    if (trust instanceof Promise) {
      // The verification reports its failure.
      trust.catch(() => undefined);
      return undefined;
    }
    const blocked = this.#options.blocked();
    if (blocked instanceof Promise) {
      blocked.catch(() => undefined);
      return undefined;
    }
    return this.#recallIn(trust, blocked, certificate, wanted);
  }

  #recallIn(
    trust: TrustSet,
    blocked: ReadonlySet<string>,
    certificate: Certificate,
    wanted: Verification,
  ): CertificateReport | undefined {
    const now = this.#options.clock.now();
    const known = this.#remembered.get(keyOf(trust, certificate, wanted));
    // A revocation that arrives with the connection counts at once.
    if (!known || now < known.since || now >= known.until || wanted.stapled) return undefined;
    if (known.fingerprints.some((each) => blocked.has(each))) return undefined;
    return reportOf([...known.own, ...runLooks(callLooks(certificate, wanted)), known.revocation]);
  }

  #verifyIn(
    trust: TrustSet,
    blocked: ReadonlySet<string>,
    certificate: Certificate,
    wanted: Verification,
  ): Eventual<CertificateReport> {
    return (
      this.#recallIn(trust, blocked, certificate, wanted) ?? this.#verify(certificate, wanted, trust, blocked)
    );
  }

  async #verify(
    certificate: Certificate,
    wanted: Verification,
    trust: TrustSet,
    blocked: ReadonlySet<string>,
  ): Promise<CertificateReport> {
    const now = this.#options.clock.now();
    const key = keyOf(trust, certificate, wanted);
    let path: Path | undefined;
    const chainFault = (): Reason | undefined => {
      const found = findPath(certificate, trust, wanted.extra ?? [], now);
      if ('reason' in found) return found.reason;
      path = found.path;
      if (trust.uses.get(path.at(-1)?.fingerprint ?? '')?.has(wanted.use) === false) return 'not-anchored';
      return path.some(({ fingerprint }) => blocked.has(fingerprint)) ? 'blocked' : undefined;
    };
    const isBlocked = blocked.has(certificate.fingerprint);
    const own = runLooks([
      ['block', () => (isBlocked ? 'blocked' : undefined), 'Not blocked by the bank.'],
      ['validity', () => validityFault(certificate, now), 'Within its dates.'],
      ['key', () => keyFault(certificate), 'Key and signature are strong enough.'],
      ['chain', chainFault, 'Leads to a trusted provider.'],
      ['statement', () => statementFault(certificate), 'A qualified certificate with a PSD2 statement.'],
      ['use', () => useFault(certificate, wanted.use), 'Meant for this use.'],
    ]);
    const checks = [...own, ...runLooks(callLooks(certificate, wanted), own)];
    // Nothing inside it is fetched unless everything else is in order.
    if (!path || hasFailed(checks))
      return reportOf([...checks, skipped('revocation', 'Not asked, because something before it failed.')]);
    const { check: revocation, until } = await this.#revocationOf(path, wanted.stapled);
    if (revocation.verdict !== 'failed') {
      const ends = Math.min(until, now + REMEMBER_MS, ...path.map(({ notAfter }) => notAfter + 1));
      const fingerprints = path.map(({ fingerprint }) => fingerprint);
      this.#remembered.set(key, { own, revocation, fingerprints, since: now, until: ends });
    } else this.#remembered.delete(key);
    return reportOf([...checks, revocation]);
  }

  /** Of every certificate but the anchor, beginning with the one that was sent. */
  async #revocationOf(path: Path, stapled: Buffer | undefined) {
    const { mode, revocation } = this.#options;
    const name = 'revocation';
    if (mode === 'off') return { check: skipped(name, 'Switched off.'), until: Number.POSITIVE_INFINITY };
    let until = Number.POSITIVE_INFINITY;
    let unknown: CertificateCheck | undefined;
    for (const [index, certificate] of path.slice(0, -1).entries()) {
      const issuer = path[index + 1];
      if (!issuer) break;
      const own = index === 0 ? stapled : undefined;
      const isSilent = certificate.ocspUrls.length + certificate.crlUrls.length === 0 && !own;
      if (isSilent && mode === 'hard') return { check: failed(name, 'no-revocation-source'), until };
      const standing: Standing = await revocation.check(certificate, issuer, own);
      if (standing.status === 'revoked') return { check: failed(name, 'revoked'), until };
      if (standing.status === 'unclear') return { check: failed(name, 'revocation-unknown'), until };
      if (standing.status === 'silent') unknown ??= this.#silent(standing);
      until = Math.min(until, standing.until);
    }
    return { check: unknown ?? passed(name, 'Not revoked.'), until };
  }

  #silent({ detail }: Standing): CertificateCheck {
    if (this.#options.mode === 'hard') return failed('revocation', 'revocation-unknown');
    return { name: 'revocation', verdict: 'unknown', detail: `Let pass: ${detail}.` };
  }
}
