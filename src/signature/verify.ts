/**
 * Verifies the signature of a request. The result is a list of checks: the gate stops at the first failure, the dry run shows all.
 * The signature is verified over the digest that the request claims; the gate compares that digest with the body later.
 */
import type { CertificateChain } from '../certificate/certificate.js';
import { CertificateRefusal, type Reason } from '../certificate/reasons.js';
import type { CertificateReport } from '../certificate/report.js';
import type { CertificateVerifier } from '../certificate/verifier.js';
import type { Clock } from '../lib/clock.js';
import type { Eventual } from '../lib/turn.js';
import { algorithmNames, algorithmOf } from './algorithms.js';
import { Arithmetic } from './arithmetic.js';
import { readCavage } from './cavage.js';
import { type Claim, headerOf, SignatureFault, type SignedRequest } from './claim.js';
import { checkCoverage, checkDate, checkTimes, type Demand } from './coverage.js';
import { namesCertificate } from './key-id.js';
import { readMessageSignature } from './message-signature.js';
import { type SealOwner, Seals } from './seals.js';

export interface SignatureCheck {
  readonly name: string;
  readonly verdict: 'passed' | 'failed' | 'unknown' | 'skipped';
  readonly detail: string;
}

/** The first check that failed, and why. */
export interface Failure {
  readonly check: string;
  readonly fault: SignatureFault | Reason;
}

export interface Examination {
  /** All checks if `isThorough`, else those that failed. */
  readonly checks: readonly SignatureCheck[];
  readonly failure: Failure | undefined;
  readonly signingString: string | undefined;
}

export interface Examined extends SealOwner, Demand {
  /** Continues after a failure with the checks that do not depend on it. */
  readonly isThorough?: boolean;
}

class CheckList implements Examination {
  readonly checks: SignatureCheck[] = [];
  failure: Failure | undefined;
  signingString: string | undefined;
  readonly #isThorough: boolean;

  constructor(isThorough: boolean) {
    this.#isThorough = isThorough;
  }

  /** No further check is needed. */
  get isOver(): boolean {
    return this.failure !== undefined && !this.#isThorough;
  }

  /** Runs a check. Returns its value; undefined if it failed or was skipped after an earlier failure. */
  run<T>(check: string, detail: string, work: () => T): T | undefined {
    if (this.isOver) return undefined;
    try {
      const value = work();
      if (this.#isThorough) this.checks.push({ name: check, verdict: 'passed', detail });
      return value;
    } catch (error) {
      if (error instanceof SignatureFault) this.#fail(check, error, error.message, error.more);
      else if (error instanceof CertificateRefusal) this.#fail(check, error.reason, error.message);
      else throw error;
      return undefined;
    }
  }

  #fail(check: string, fault: Failure['fault'], detail: string, more?: string): void {
    this.failure ??= { check, fault };
    this.checks.push({
      name: check,
      verdict: 'failed',
      detail: more === undefined ? detail : `${detail} (${more})`,
    });
  }

  skip(check: string): void {
    if (!this.isOver)
      this.checks.push({ name: check, verdict: 'skipped', detail: 'Something before it has failed.' });
  }

  addReport({ checks, reason }: CertificateReport): void {
    if (reason) {
      const failed = checks.find(({ verdict }) => verdict === 'failed');
      this.failure ??= { check: `certificate-${failed?.name}`, fault: reason };
    }
    if (!this.#isThorough) return;
    for (const { name, verdict, detail } of checks)
      this.checks.push({ name: `certificate-${name}`, verdict, detail });
  }
}

/** The address of the service as its callers know it, parsed once. */
class PublicAddress {
  readonly #site: { readonly baseUrl: string };
  #seen = '';
  #origin = '';
  #prefix = '';

  constructor(site: { readonly baseUrl: string }) {
    this.#site = site;
  }

  #parse(): void {
    const { baseUrl } = this.#site;
    if (baseUrl === this.#seen) return;
    const url = new URL(baseUrl);
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/, '');
    this.#seen = baseUrl;
  }

  get origin(): string {
    this.#parse();
    return this.#origin;
  }

  /** The public path prefix that a proxy in front of the service removes. */
  get prefix(): string {
    this.#parse();
    return this.#prefix;
  }
}

const checkAlgorithm = ({ scheme, algorithm }: Claim, { certificate }: CertificateChain): void => {
  const found = algorithmOf(scheme, algorithm, certificate.publicKey);
  if (!found && algorithm === undefined)
    throw new SignatureFault('Signature-Input has no parameter alg, and the key alone does not decide it.');
  if (!found) throw new SignatureFault(`The algorithm must be one of ${algorithmNames(scheme)}.`);
  if (!found.fits(certificate.publicKey))
    throw new SignatureFault('The algorithm does not fit the key of the certificate.');
};

const checkKeyId = ({ scheme, keyId }: Claim, { certificate }: CertificateChain): void => {
  if (keyId === undefined && scheme === 'rfc9421') return;
  if (!namesCertificate(keyId ?? '', certificate))
    throw new SignatureFault('The keyId must be SN=<serial>,CA=<issuer> of the certificate sent along.');
};

export interface SignatureVerifierParts {
  readonly certificates: Pick<CertificateVerifier, 'verify' | 'recall'>;
  readonly clock: Clock;
  readonly site: { readonly baseUrl: string };
}

export class SignatureVerifier {
  readonly #clock: Clock;
  readonly #seals: Seals;
  readonly #address: PublicAddress;
  readonly #arithmetic = new Arithmetic();

  constructor({ certificates, clock, site }: SignatureVerifierParts) {
    this.#clock = clock;
    this.#seals = new Seals(certificates, clock);
    this.#address = new PublicAddress(site);
  }

  /** Synchronous if the headers alone decide, else a promise. `target` is the path that the listener received. */
  examine(sent: SignedRequest, wanted: Examined): Eventual<Examination> {
    const list = new CheckList(wanted.isThorough ?? false);
    const { prefix } = this.#address;
    const request = prefix === '' ? sent : { ...sent, target: `${prefix}${sent.target}` };
    const claim = list.run('format', 'The signature can be read.', () => this.#read(request));
    if (claim) this.#checkClaim(list, claim, request, wanted);
    const chain = list.run('certificate', 'The certificate can be read.', () =>
      this.#seals.read(headerOf(request, 'tpp-signature-certificate') ?? ''),
    );
    if (claim && chain) {
      list.run('key-id', 'It names the certificate.', () => checkKeyId(claim, chain));
      list.run('algorithm', 'It is accepted and fits the key.', () => checkAlgorithm(claim, chain));
    }
    if (!chain || list.isOver) return list;
    const report = this.#seals.verify(chain, wanted);
    return report instanceof Promise
      ? report.then((made) => this.#finish(list, made, claim, chain))
      : this.#finish(list, report, claim, chain);
  }

  /** What the listener receives of a target that is sent; undefined if it is not below the public address. */
  received(sent: string): string | undefined {
    const { prefix } = this.#address;
    return sent.startsWith(`${prefix}/`) ? sent.slice(prefix.length) : undefined;
  }

  close(): Promise<void> {
    return this.#arithmetic.close();
  }

  #read(request: SignedRequest): Claim {
    return headerOf(request, 'signature-input') === undefined
      ? readCavage(request)
      : readMessageSignature(request, this.#address.origin);
  }

  #checkClaim(list: CheckList, claim: Claim, request: SignedRequest, demand: Demand): void {
    const now = this.#clock.now();
    list.run('date', 'Within five minutes, or not sent.', () => checkDate(request, now));
    list.run('coverage', 'Everything that must be signed is.', () => checkCoverage(claim, request, demand));
    list.run('time', 'Neither from the future nor too old.', () => checkTimes(claim, now));
    list.signingString = list.run('signing-string', 'Everything that is listed is there.', () =>
      claim.signingString(),
    );
  }

  async #finish(
    list: CheckList,
    report: CertificateReport,
    claim: Claim | undefined,
    chain: CertificateChain,
  ): Promise<Examination> {
    list.addReport(report);
    const { signingString } = list;
    if (!claim || signingString === undefined || list.isOver) {
      list.skip('signature');
      return list;
    }
    const isGood = await this.#arithmetic.isSigned(claim, signingString, chain.certificate.publicKey);
    list.run('signature', 'It is the one of this signing string and this key.', () => {
      if (isGood) return;
      throw new SignatureFault('The signature is not the one of this signing string and this key.');
    });
    return list;
  }
}
