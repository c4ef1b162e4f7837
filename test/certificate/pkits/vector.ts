/** A vector: a chain, and what must become of it. Named by the tests of NIST PKITS whose ground it covers. */
import { type KeyObject, sign } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { buildCrl, listTimes, type Times } from '../../../packages/sandbox/src/authority/answers.js';
import {
  buildCertificate,
  type CertificatePlan,
  certificateTbs,
  type NamePlan,
} from '../../../packages/sandbox/src/authority/build.js';
import {
  basicConstraints,
  crlDistributionPoint,
  type ExtensionPlan,
  keyUsage,
} from '../../../packages/sandbox/src/authority/extensions.js';
import { OID } from '../../../src/certificate/der/oids.js';
import { readDer } from '../../../src/certificate/der/read.js';
import { bits, nothing, oid, sequence } from '../../../src/certificate/der/write.js';
import { buildCa, ec, linked, type Verdict, type World, withExtension, without } from '../world.js';

export interface Chain {
  /** The certificate and those that are sent behind it. */
  readonly ders: readonly Buffer[];
  /** What the addresses of revocation lists answer; without it revocation is switched off. */
  readonly lists?: RequestListener;
}

export interface Vector {
  /** The tests of the section of PKITS. */
  readonly covers: readonly number[];
  readonly name: string;
  readonly verdict: Verdict;
  readonly make: (world: World) => Chain;
}

export interface Section {
  readonly number: string;
  readonly title: string;
  /** How many tests the section of PKITS has. */
  readonly tests: number;
  readonly vectors: readonly Vector[];
}

export const vector = (
  covers: readonly number[],
  name: string,
  verdict: Verdict,
  make: Vector['make'],
): Vector => ({ covers, name, verdict, make });

/** From 3 to 5: 3, 4, 5. */
export const tests = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** With a bit of its signature wrong. */
export const flipped = (der: Buffer): Buffer => {
  const copy = Buffer.from(der);
  copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 1;
  return copy;
};

/** An extension that nobody knows. */
export const strange = (isCritical: boolean): ExtensionPlan => ({
  oid: '2.16.840.1.101.2.1.12.2',
  isCritical,
  value: nothing(),
});

export interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export const named = (value: string, country = 'GR'): NamePlan => [
  { oid: OID.country, value: country },
  { oid: OID.commonName, value },
];

export const isAuthority = [basicConstraints(true), keyUsage('keyCertSign', 'crlSign')] as const;
export const authorityWith = (...more: readonly ExtensionPlan[]): readonly ExtensionPlan[] => [
  ...isAuthority,
  ...more,
];

/** An authority of a chain, with what is not as usual. */
export interface Step {
  readonly name?: NamePlan;
  readonly keys?: Keys;
  readonly extensions?: readonly ExtensionPlan[];
  readonly dates?: readonly [number, number];
  /** Changes the finished certificate. */
  readonly spoil?: (der: Buffer) => Buffer;
}

export interface Authority {
  readonly name: NamePlan;
  readonly keys: Keys;
}

const spare = [ec(), ec(), ec(), ec(), ec()];
export const keysAt = (at: number): Keys => spare[at] as Keys;

/** The authorities below the trusted root, and the one that issues the certificate. */
export const climbDown = (
  world: World,
  steps: readonly Step[],
): { readonly issuer: Authority; readonly ders: readonly Buffer[] } => {
  const { rootName, rootKey } = world.authority;
  let above: { name: NamePlan; privateKey: KeyObject } = { name: rootName, privateKey: rootKey };
  let issuer: Authority = { name: rootName, keys: keysAt(0) };
  const ders: Buffer[] = [];
  for (const [at, step] of steps.entries()) {
    const { name = named(`Authority ${at + 1}`), keys = keysAt(at), dates, spoil = (der) => der } = step;
    const der = buildCa({
      name,
      issuer: above.name,
      signer: above.privateKey,
      keys,
      now: world.clock.now() + at,
      extensions: step.extensions ?? isAuthority,
      ...(dates ? { dates } : {}),
      crl: `${world.url}/root.crl`,
    });
    ders.unshift(spoil(der));
    above = { name, privateKey: keys.privateKey };
    issuer = { name, keys };
  }
  return { issuer, ders };
};

export type Change = (plan: CertificatePlan, world: World) => CertificatePlan;

/** A good certificate below these authorities. */
export const below =
  (steps: readonly Step[], change: Change = (plan) => plan) =>
  (world: World): Chain => {
    const { issuer, ders } = climbDown(world, steps);
    const plan = change(linked(world.plan(), issuer.name, issuer.keys.publicKey), world);
    return { ders: [buildCertificate(plan, issuer.keys.privateKey), ...ders] };
  };

/** The parts of a certificate's content, in their order. */
export const PART = { version: 0, issuer: 3, validity: 4, extensions: 7 } as const;

/** Signed after a part of its content was written anew: for what the test PKI would never write. */
export const rewritten = (
  plan: CertificatePlan,
  { privateKey }: Keys,
  change: (parts: Buffer[]) => Buffer[],
): Buffer => {
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const parts = readDer(certificateTbs(plan, algorithm)).children.map(({ raw }) => raw);
  const tbs = sequence(...change(parts));
  return sequence(tbs, algorithm, bits(sign('sha256', tbs, privateKey)));
};

/** A certificate below these authorities, with a part written anew. */
export const belowRewritten =
  (steps: readonly Step[], change: (parts: Buffer[], plan: CertificatePlan) => Buffer[]) =>
  (world: World): Chain => {
    const { issuer, ders } = climbDown(world, steps);
    const plan = linked(world.plan(), issuer.name, issuer.keys.publicKey);
    return { ders: [rewritten(plan, issuer.keys, (parts) => change(parts, plan)), ...ders] };
  };

export interface ListPlan {
  readonly signer?: Authority;
  readonly isRevoked?: boolean;
  readonly times?: Partial<Times>;
  readonly extensions?: readonly ExtensionPlan[];
  /** Changes the finished list. */
  readonly spoil?: (list: Buffer, issuer: Authority) => Buffer;
}

/** Where the list of the authority that has issued the certificate lies. */
export const listAddress = (world: World): string => `${world.url}/sub.crl`;

/** Answers with lists by their path; that of the root says that everything is fine. */
export const answering =
  (world: World, lists: Readonly<Record<string, Buffer>>): RequestListener =>
  (request, response) => {
    const { rootName: name, rootKey: key } = world.authority;
    const fine = () => buildCrl({ name, key }, [], listTimes(world.clock.now()));
    const list = lists[request.url ?? ''] ?? (request.url === '/root.crl' ? fine() : undefined);
    response.writeHead(list ? 200 : 404);
    response.end(list);
  };

export const listOf = (world: World, issuer: Authority, plan: ListPlan, serial: bigint): Buffer => {
  const { signer = issuer, isRevoked = false, times, extensions, spoil = (list) => list } = plan;
  const now = world.clock.now();
  const made = buildCrl(
    { name: signer.name, key: signer.keys.privateKey },
    isRevoked ? [{ serial, at: now - 60_000 }] : [],
    { ...listTimes(now), ...times },
    extensions,
  );
  return spoil(made, issuer);
};

/** A certificate with this distribution point and no other source. */
export const pointedAt = (plan: CertificatePlan, point: ExtensionPlan): CertificatePlan =>
  withExtension(without(plan, OID.authorityInfoAccess), point);

/** A certificate below one authority, about which only that authority's list can say anything. */
export const listed =
  (
    list: ListPlan,
    step: Step = {},
    point?: (world: World) => ExtensionPlan,
    change: Change = (plan) => plan,
  ) =>
  (world: World): Chain => {
    const { issuer, ders } = climbDown(world, [step]);
    const at = point?.(world) ?? crlDistributionPoint(listAddress(world));
    const plan = change(pointedAt(linked(world.plan(), issuer.name, issuer.keys.publicKey), at), world);
    const lists = answering(world, { '/sub.crl': listOf(world, issuer, list, plan.serial) });
    return { ders: [buildCertificate(plan, issuer.keys.privateKey), ...ders], lists };
  };
