/** A test PKI with a listener that answers about revocation, a verifier that trusts it, and certificates with one thing spoilt. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type AuthorityRecord,
  createAuthority,
  TestAuthority,
  type Wish,
} from '../../packages/sandbox/src/authority/authority.js';
import {
  buildCertificate,
  type CertificatePlan,
  certificateTbs,
  type NamePlan,
} from '../../packages/sandbox/src/authority/build.js';
import {
  authorityKeyId,
  basicConstraints,
  crlDistributionPoint,
  type ExtensionPlan,
  keyUsage,
  subjectKeyId,
} from '../../packages/sandbox/src/authority/extensions.js';
import { createResponder, type IssuedState } from '../../packages/sandbox/src/authority/responder.js';
import { type Certificate, certificateOf, readCertificateChain } from '../../src/certificate/certificate.js';
import { bits, sequence } from '../../src/certificate/der/write.js';
import { CertificateRefusal, type Reason } from '../../src/certificate/reasons.js';
import type { CertificateReport } from '../../src/certificate/report.js';
import { Fetcher } from '../../src/certificate/revocation/fetch.js';
import { Revocation } from '../../src/certificate/revocation/revocation.js';
import { type Trust, trustSet } from '../../src/certificate/trust.js';
import {
  CertificateVerifier,
  type RevocationMode,
  type Verification,
} from '../../src/certificate/verifier.js';
import { DAY, HOUR } from '../../src/lib/clock.js';
import type { Resolve } from '../../src/lib/net/checked-connect.js';

export const REGISTRATION = 'PSDGR-BOG-12345';

export const ec = (namedCurve = 'P-256') => generateKeyPairSync('ec', { namedCurve });
const rsaKeys = new Map<string, ReturnType<typeof ec>>();
/** Made once, because that takes long. */
export const rsa = (modulusLength: number, publicExponent = 65_537): ReturnType<typeof ec> => {
  const name = `${modulusLength} ${publicExponent}`;
  const known = rsaKeys.get(name) ?? generateKeyPairSync('rsa', { modulusLength, publicExponent });
  rsaKeys.set(name, known);
  return known;
};

export const leafKeys = ec();

export const goodWish: Wish = {
  use: 'seal',
  name: 'Δοκιμή Πληρωμών ΑΕ',
  registration: REGISTRATION,
  roles: ['PSP_AI', 'PSP_PI', 'PSP_IC'],
  publicKey: leafKeys.publicKey,
};

export const goodCall: Verification = { use: 'seal', role: 'PSP_AI', registration: REGISTRATION };

/** Replaces the extension of the same kind, or adds it. */
export const withExtension = (plan: CertificatePlan, extension: ExtensionPlan): CertificatePlan => ({
  ...plan,
  extensions: [...plan.extensions.filter(({ oid }) => oid !== extension.oid), extension],
});

export const without = (plan: CertificatePlan, oid: string): CertificatePlan => ({
  ...plan,
  extensions: plan.extensions.filter((each) => each.oid !== oid),
});

/** Signed with an algorithm that nobody should use any more. */
export const signedAs = (plan: CertificatePlan, key: KeyObject, algorithm: Buffer, hash: string): Buffer => {
  const tbs = certificateTbs(plan, algorithm);
  return sequence(tbs, algorithm, bits(sign(hash, tbs, key)));
};

export interface CaOptions {
  readonly name: NamePlan;
  readonly issuer: NamePlan;
  readonly signer: KeyObject;
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly now: number;
  readonly extensions?: readonly ExtensionPlan[];
  readonly dates?: readonly [number, number];
  readonly crl?: string;
}

export const caPlan = ({ name, issuer, keys, now, extensions, dates, crl }: CaOptions): CertificatePlan => ({
  serial: BigInt(Math.trunc(now)) + BigInt(name.length),
  issuer,
  subject: name,
  notBefore: dates?.[0] ?? now - DAY,
  notAfter: dates?.[1] ?? now + 100 * DAY,
  publicKey: keys.publicKey,
  extensions: [
    ...(extensions ?? [basicConstraints(true), keyUsage('keyCertSign', 'crlSign')]),
    subjectKeyId(keys.publicKey),
    ...(crl ? [crlDistributionPoint(crl)] : []),
  ],
});

export const buildCa = (options: CaOptions): Buffer => buildCertificate(caPlan(options), options.signer);

export class World {
  readonly authority: TestAuthority;
  readonly issued: IssuedState[] = [];
  /** Fingerprints that the bank has blocked. */
  readonly blocked = new Set<string>();
  /** Set by a test to answer in another way. */
  answer: RequestListener | undefined;
  connections = 0;
  requests: string[] = [];
  offset = 0;
  readonly #server: Server;
  readonly clock = { now: () => Date.now() + this.offset, elapsed: () => performance.now() + this.offset };

  private constructor(record: AuthorityRecord, server: Server) {
    this.authority = new TestAuthority(record);
    this.#server = server;
  }

  static async open(): Promise<World> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const world = new World(await createAuthority(baseUrl, Date.now()), server);
    const { serve } = createResponder({
      authority: async () => world.authority,
      issued: async () => world.issued,
      clock: world.clock,
      prefix: '',
    });
    server.on('connection', () => {
      world.connections += 1;
    });
    server.on('request', (request, response) => {
      world.requests.push(`${request.method} ${request.url}`);
      (world.answer ?? serve)(request, response);
    });
    return world;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return this.authority.baseUrl;
  }

  get host(): string {
    return new URL(this.url).host;
  }

  get root(): Certificate {
    return certificateOf(this.authority.root);
  }

  get issuing(): Certificate {
    return certificateOf(this.authority.issuing);
  }

  plan(wish: Partial<Wish> = {}): CertificatePlan {
    return this.authority.plan({ ...goodWish, ...wish }, this.clock.now());
  }

  /** Signed by the issuing authority and known to its responder. */
  build(plan: CertificatePlan, revokedAt?: number): Buffer {
    this.issued.push({ serial: plan.serial, revokedAt });
    return buildCertificate(plan, this.authority.issuingKey);
  }

  good(wish: Partial<Wish> = {}): Buffer {
    return this.build(this.plan(wish));
  }

  verifier(
    options: {
      mode?: RevocationMode;
      anchors?: readonly Certificate[];
      intermediates?: readonly Certificate[];
      trust?: Trust;
      hosts?: readonly string[];
      resolve?: Resolve;
      faults?: string[];
    } = {},
  ): CertificateVerifier {
    const { mode = 'hard', anchors = [this.root], intermediates = [this.issuing], faults } = options;
    const set = trustSet(anchors, intermediates);
    const { resolve } = options;
    const fetcher = new Fetcher({
      clock: this.clock,
      hosts: () => options.hosts ?? [this.host],
      ...(resolve ? { resolve } : {}),
    });
    const revocation = new Revocation({
      fetcher,
      clock: this.clock,
      graceMs: 24 * HOUR,
      maxAgeMs: HOUR,
      onFault: (_url, fault) => void faults?.push(fault),
    });
    const { blocked } = this;
    return new CertificateVerifier({
      trust: options.trust ?? { current: () => set },
      blocked: () => blocked,
      clock: this.clock,
      revocation,
      mode,
    });
  }
}

export const ok = 'accepted';
export type Verdict = Reason | typeof ok;

/** As the gate will do it: from the header's text to a reason. */
export const verdictOn = async (
  verifier: CertificateVerifier,
  text: string,
  call: Verification = goodCall,
): Promise<{ verdict: Verdict; report?: CertificateReport }> => {
  try {
    const { certificate, extra } = readCertificateChain(text);
    const report = await verifier.verify(certificate, { extra, ...call });
    return { verdict: report.reason ?? ok, report };
  } catch (error) {
    if (error instanceof CertificateRefusal) return { verdict: error.reason };
    throw error;
  }
};

export const linked = (plan: CertificatePlan, name: NamePlan, key: KeyObject): CertificatePlan =>
  withExtension({ ...plan, issuer: name }, authorityKeyId(key));
