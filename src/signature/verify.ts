/**
 * Whether a request is signed as it must be: one walk from the headers to a list of checks with their verdicts, for the gate,
 * which stops at the first failure, and for the dry run, which shows all of them. The signature is verified over the digest that
 * the request claims; whether the body has it is looked at when the body is there.
 */
import type { CertificateChain } from '../certificate/certificate.js';
import { CertificateRefusal, type Reason } from '../certificate/reasons.js';
import type { CertificateReport } from '../certificate/report.js';
import type { CertificateVerifier } from '../certificate/verifier.js';
import type { Clock } from '../lib/clock.js';
import type { Eventual } from '../lib/turn.js';
import { algorithmNames, algorithmOf } from './algorithms.js';
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
  /** All of them where the look was thorough, else those that failed. */
  readonly checks: readonly SignatureCheck[];
  readonly failure: Failure | undefined;
  readonly signingString: string | undefined;
}

export interface Examined extends SealOwner, Demand {
  /** Goes on after a failure, as far as that makes sense. */
  readonly isThorough?: boolean;
}

class Ledger implements Examination {
  readonly checks: SignatureCheck[] = [];
  failure: Failure | undefined;
  signingString: string | undefined;
  readonly #isThorough: boolean;

  constructor(isThorough: boolean) {
    this.#isThorough = isThorough;
  }

  /** Nothing more needs to be looked at. */
  get isOver(): boolean {
    return this.failure !== undefined && !this.#isThorough;
  }

  /** The value that the look has led to, unless it failed or is not worth its while any more. */
  look<T>(check: string, words: string, work: () => T): T | undefined {
    if (this.isOver) return undefined;
    try {
      const value = work();
      if (this.#isThorough) this.checks.push({ name: check, verdict: 'passed', detail: words });
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

/** The address of the service as its callers know it, taken apart once. */
class Place {
  readonly #site: { readonly baseUrl: string };
  #seen = '';
  #origin = '';
  #prefix = '';

  constructor(site: { readonly baseUrl: string }) {
    this.#site = site;
  }

  #look(): void {
    const { baseUrl } = this.#site;
    if (baseUrl === this.#seen) return;
    const url = new URL(baseUrl);
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/, '');
    this.#seen = baseUrl;
  }

  get origin(): string {
    this.#look();
    return this.#origin;
  }

  /** The path below which callers find the service; a proxy in front of it has taken it away. */
  get prefix(): string {
    this.#look();
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

const isSigned = async (
  { scheme, algorithm, signature }: Claim,
  text: string,
  { certificate }: CertificateChain,
): Promise<boolean> => {
  try {
    const data = Buffer.from(text, 'latin1');
    const { publicKey } = certificate;
    return (await algorithmOf(scheme, algorithm, publicKey)?.verify(data, publicKey, signature)) ?? false;
  } catch {
    // OpenSSL refuses some signatures by an error of its own.
    return false;
  }
};

export interface SignatureVerifierParts {
  readonly certificates: Pick<CertificateVerifier, 'verify' | 'recall'>;
  readonly clock: Clock;
  readonly site: { readonly baseUrl: string };
}

export class SignatureVerifier {
  readonly #clock: Clock;
  readonly #seals: Seals;
  readonly #place: Place;

  constructor({ certificates, clock, site }: SignatureVerifierParts) {
    this.#clock = clock;
    this.#seals = new Seals(certificates, clock);
    this.#place = new Place(site);
  }

  /** A value where the headers alone tell it, else a promise. `target` is what the listener saw. */
  examine(sent: SignedRequest, wanted: Examined): Eventual<Examination> {
    const ledger = new Ledger(wanted.isThorough ?? false);
    const { prefix } = this.#place;
    const request = prefix === '' ? sent : { ...sent, target: `${prefix}${sent.target}` };
    const claim = ledger.look('format', 'The signature can be read.', () => this.#read(request));
    if (claim) this.#lookAtClaim(ledger, claim, request, wanted);
    const chain = ledger.look('certificate', 'The certificate can be read.', () =>
      this.#seals.read(headerOf(request, 'tpp-signature-certificate') ?? ''),
    );
    if (claim && chain) {
      ledger.look('key-id', 'It names the certificate.', () => checkKeyId(claim, chain));
      ledger.look('algorithm', 'It is accepted and fits the key.', () => checkAlgorithm(claim, chain));
    }
    if (!chain || ledger.isOver) return ledger;
    const report = this.#seals.verify(chain, wanted);
    return report instanceof Promise
      ? report.then((made) => this.#finish(ledger, made, claim, chain))
      : this.#finish(ledger, report, claim, chain);
  }

  #read(request: SignedRequest): Claim {
    return headerOf(request, 'signature-input') === undefined
      ? readCavage(request)
      : readMessageSignature(request, this.#place.origin);
  }

  #lookAtClaim(ledger: Ledger, claim: Claim, request: SignedRequest, demand: Demand): void {
    const now = this.#clock.now();
    ledger.look('date', 'Within five minutes, or not sent.', () => checkDate(request, now));
    ledger.look('coverage', 'Everything that must be signed is.', () =>
      checkCoverage(claim, request, demand),
    );
    ledger.look('time', 'Neither from the future nor too old.', () => checkTimes(claim, now));
    ledger.signingString = ledger.look('signing-string', 'Everything that is listed is there.', () =>
      claim.signingString(),
    );
  }

  async #finish(
    ledger: Ledger,
    report: CertificateReport,
    claim: Claim | undefined,
    chain: CertificateChain,
  ): Promise<Examination> {
    ledger.addReport(report);
    const { signingString } = ledger;
    if (!claim || signingString === undefined || ledger.isOver) {
      ledger.skip('signature');
      return ledger;
    }
    const isGood = await isSigned(claim, signingString, chain);
    ledger.look('signature', 'It is the one of this signing string and this key.', () => {
      if (isGood) return;
      throw new SignatureFault('The signature is not the one of this signing string and this key.');
    });
    return ledger;
  }
}
