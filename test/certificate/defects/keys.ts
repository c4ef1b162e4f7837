/** Dates, keys and signature algorithms. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { buildCertificate, type NamePlan } from '../../../packages/sandbox/src/authority/build.js';
import { certificateOf } from '../../../src/certificate/certificate.js';
import { OID } from '../../../src/certificate/der/oids.js';
import { integer, nothing, oid, sequence, wrap } from '../../../src/certificate/der/write.js';
import { DAY, SECOND } from '../../../src/lib/clock.js';
import { buildCa, caPlan, ec, linked, rsa, signedAs, type World } from '../world.js';
import { type Case, type Defect, defect, spoilt } from './defect.js';

const year = 365 * DAY;

const dated = (name: string, reason: Defect['reason'], from: number, to: number): Defect =>
  spoilt(name, reason, (plan, { clock }) => ({
    ...plan,
    notBefore: clock.now() + from,
    notAfter: clock.now() + to,
  }));

const keyed = (name: string, publicKey: () => KeyObject): Defect =>
  spoilt(`the key is ${name}`, 'weak-key', (plan) => ({ ...plan, publicKey: publicKey() }));

const caName: NamePlan = [{ oid: OID.commonName, value: 'Another Authority' }];

/** A good certificate below an authority of its own, which is trusted and has something wrong. */
const below = (
  world: World,
  keys: { publicKey: KeyObject; privateKey: KeyObject },
  dates?: readonly [number, number],
): Case => {
  const now = world.clock.now();
  const ca = buildCa({
    name: caName,
    issuer: caName,
    signer: keys.privateKey,
    keys,
    now,
    ...(dates ? { dates } : {}),
  });
  const plan = linked(world.plan(), caName, keys.publicKey);
  return { ders: [buildCertificate(plan, keys.privateKey)], anchors: [certificateOf(ca)] };
};

const rsaIssuer = rsa(2048);

/** Signed by a trusted RSA authority, but as nobody should any more. */
const signedBadly = (name: string, algorithm: Buffer, hash: string): Defect =>
  defect(`it is signed with ${name}`, 'weak-signature', (world) => {
    const good = below(world, rsaIssuer);
    const plan = linked(world.plan(), caName, rsaIssuer.publicKey);
    return { ...good, ders: [signedAs(plan, rsaIssuer.privateKey, algorithm, hash)] };
  });

const rsaAlgorithm = (id: string): Buffer => sequence(oid(id), nothing());
const pss = (...parameters: Buffer[]): Buffer => sequence(oid(OID.rsaPss), sequence(...parameters));
const hashId = (id: string): Buffer => sequence(oid(id), nothing());
const mgf = (id: string): Buffer => wrap(1, sequence(oid('1.2.840.113549.1.1.8'), hashId(id)));

export const keyDefects: readonly Defect[] = [
  dated('it expired a second ago', 'expired', -year, -2 * SECOND),
  dated('it expired years ago', 'expired', -5 * year, -2 * year),
  dated('it becomes valid in a minute', 'not-yet-valid', 60 * SECOND, year),
  dated('it becomes valid in a year', 'not-yet-valid', year, 2 * year),
  dated('it ends before it begins', 'not-yet-valid', DAY, -DAY),
  defect('its issuer has expired', 'issuer-expired', (world) =>
    below(world, ec(), [world.clock.now() - year, world.clock.now() - DAY]),
  ),
  defect('its issuer is not valid yet', 'issuer-expired', (world) =>
    below(world, ec(), [world.clock.now() + DAY, world.clock.now() + year]),
  ),
  keyed('RSA of 1024 bits', () => rsa(1024).publicKey),
  keyed('RSA of 1536 bits', () => rsa(1536).publicKey),
  keyed('RSA with exponent 3', () => rsa(2048, 3).publicKey),
  keyed('on secp256k1', () => ec('secp256k1').publicKey),
  keyed('on brainpoolP256r1', () => ec('brainpoolP256r1').publicKey),
  keyed('on P-224', () => ec('secp224r1').publicKey),
  keyed('Ed25519', () => generateKeyPairSync('ed25519').publicKey),
  keyed('X25519', () => generateKeyPairSync('x25519').publicKey),
  defect('its issuer has an RSA key of 1024 bits', 'weak-key', (world) => below(world, rsa(1024))),
  defect('its issuer is on secp256k1', 'weak-key', (world) => below(world, ec('secp256k1'))),
  signedBadly('SHA-1 and RSA', rsaAlgorithm('1.2.840.113549.1.1.5'), 'sha1'),
  signedBadly('MD5 and RSA', rsaAlgorithm('1.2.840.113549.1.1.4'), 'md5'),
  signedBadly('SHA-224 and RSA', rsaAlgorithm('1.2.840.113549.1.1.14'), 'sha224'),
  signedBadly('PSS without parameters, which means SHA-1', pss(), 'sha1'),
  signedBadly(
    'PSS whose mask is made with SHA-1',
    pss(wrap(0, hashId(OID.sha256)), mgf(OID.sha1), wrap(2, integer(32))),
    'sha256',
  ),
  defect('it is signed with SHA-1 and ECDSA', 'weak-signature', (world) => ({
    ders: [signedAs(world.plan(), world.authority.issuingKey, sequence(oid('1.2.840.10045.4.1')), 'sha1')],
  })),
  defect('its issuer is signed with SHA-1', 'weak-signature', (world) => {
    const now = world.clock.now();
    const keys = ec();
    const root = below(world, rsaIssuer);
    const middle: NamePlan = [{ oid: OID.commonName, value: 'Middle' }];
    const ca = signedAs(
      caPlan({ name: middle, issuer: caName, signer: rsaIssuer.privateKey, keys, now }),
      rsaIssuer.privateKey,
      rsaAlgorithm('1.2.840.113549.1.1.5'),
      'sha1',
    );
    return {
      ...root,
      ders: [buildCertificate(linked(world.plan(), middle, keys.publicKey), keys.privateKey), ca],
    };
  }),
];
