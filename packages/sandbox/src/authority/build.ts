/** Writes certificates from a plan and signs them with Node's crypto. */
import { type KeyObject, randomBytes, sign } from 'node:crypto';
import {
  type Attribute,
  bits,
  boolean,
  type Hash,
  integer,
  nothing,
  OID,
  octets,
  oid,
  printable,
  sequence,
  set,
  time,
  utf8,
  wrap,
} from 'trapeza/certificates';
import type { ExtensionPlan } from './extensions.js';

/** Each attribute a set of its own, in this order. */
export type NamePlan = readonly Attribute[];

export interface CertificatePlan {
  readonly serial: bigint;
  readonly issuer: NamePlan;
  readonly subject: NamePlan;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly publicKey: KeyObject;
  readonly extensions: readonly ExtensionPlan[];
}

/** Positive and unguessable. */
export const newSerial = (): bigint => BigInt(`0x4${randomBytes(16).toString('hex').slice(1)}`);

export const nameDer = (name: NamePlan): Buffer =>
  sequence(
    ...name.map(({ oid: id, value }) =>
      set(sequence(oid(id), id === OID.country ? printable(value) : utf8(value))),
    ),
  );

export const extensionDer = ({ oid: id, isCritical = false, value }: ExtensionPlan): Buffer =>
  sequence(oid(id), ...(isCritical ? [boolean(true)] : []), octets(value));

const rsaAlgorithms: Readonly<Record<Hash, string>> = {
  sha256: OID.sha256WithRsa,
  sha384: OID.sha384WithRsa,
  sha512: OID.sha512WithRsa,
};
const ecAlgorithms: Readonly<Record<Hash, string>> = {
  sha256: OID.ecdsaWithSha256,
  sha384: OID.ecdsaWithSha384,
  sha512: OID.ecdsaWithSha512,
};

const algorithmDer = (key: KeyObject, hash: Hash): Buffer =>
  key.asymmetricKeyType === 'ec'
    ? sequence(oid(ecAlgorithms[hash]))
    : sequence(oid(rsaAlgorithms[hash]), nothing());

/** What is signed, its algorithm and the signature: the frame of certificates, lists and answers. */
export const signed = (
  key: KeyObject,
  tbs: (algorithm: Buffer) => Buffer,
  hash: Hash = 'sha256',
  more: readonly Buffer[] = [],
): Buffer => {
  const algorithm = algorithmDer(key, hash);
  const content = tbs(algorithm);
  return sequence(content, algorithm, bits(sign(hash, content, key)), ...more);
};

export const certificateTbs = (plan: CertificatePlan, algorithm: Buffer): Buffer =>
  sequence(
    wrap(0, integer(2)),
    integer(plan.serial),
    algorithm,
    nameDer(plan.issuer),
    sequence(time(plan.notBefore), time(plan.notAfter)),
    nameDer(plan.subject),
    plan.publicKey.export({ type: 'spki', format: 'der' }),
    ...(plan.extensions.length > 0 ? [wrap(3, sequence(...plan.extensions.map(extensionDer)))] : []),
  );

export const buildCertificate = (plan: CertificatePlan, signer: KeyObject, hash: Hash = 'sha256'): Buffer =>
  signed(signer, (algorithm) => certificateTbs(plan, algorithm), hash);
