/** Issuers: wrong ones, broken chains, constraints, extensions; and what is revoked. */
import type { KeyObject } from 'node:crypto';
import { buildCertificate, type NamePlan, nameDer } from '../../../packages/sandbox/src/authority/build.js';
import {
  basicConstraints,
  type ExtensionPlan,
  hostNames,
  keyUsage,
} from '../../../packages/sandbox/src/authority/extensions.js';
import { certificateOf } from '../../../src/certificate/certificate.js';
import { OID } from '../../../src/certificate/der/oids.js';
import { implicit, integer, nothing, sequence, wrap } from '../../../src/certificate/der/write.js';
import type { Reason } from '../../../src/certificate/reasons.js';
import { buildCa, ec, linked, type World, withExtension, without } from '../world.js';
import { type Case, type Defect, defect, spoilt } from './defect.js';

const named = (value: string): NamePlan => [
  { oid: OID.country, value: 'GR' },
  { oid: OID.commonName, value },
];
const sub = named('Sub Authority');
const subKeys = ec();
const strangers = ec();

const ca = [basicConstraints(true), keyUsage('keyCertSign', 'crlSign')];

/** A good certificate below an intermediate of the trusted root, which has these extensions and is sent along. */
const belowSub = (
  world: World,
  extensions: readonly ExtensionPlan[],
  change: (plan: ReturnType<World['plan']>) => ReturnType<World['plan']> = (plan) => plan,
): Case => {
  const { rootName: issuer, rootKey: signer } = world.authority;
  const options = { name: sub, issuer, signer, keys: subKeys, now: world.clock.now(), extensions };
  const middle = buildCa({ ...options, crl: `${world.url}/root.crl` });
  const plan = change(linked(world.plan(), sub, subKeys.publicKey));
  return { ders: [buildCertificate(plan, subKeys.privateKey), middle] };
};

const subDefect = (
  name: string,
  reason: Reason,
  extensions: readonly ExtensionPlan[],
  change?: Parameters<typeof belowSub>[2],
): Defect => defect(name, reason, (world) => belowSub(world, extensions, change));

const constraints = (permitted: readonly Buffer[], excluded: readonly Buffer[] = []): ExtensionPlan => ({
  oid: OID.nameConstraints,
  isCritical: true,
  value: sequence(
    ...(permitted.length > 0 ? [wrap(0, ...permitted.map((each) => sequence(each)))] : []),
    ...(excluded.length > 0 ? [wrap(1, ...excluded.map((each) => sequence(each)))] : []),
  ),
});
const dns = (name: string): Buffer => implicit(2, Buffer.from(name));
const directory = (name: NamePlan): Buffer => wrap(4, nameDer(name));
const onHost = (plan: ReturnType<World['plan']>) => withExtension(plan, hostNames('api.tpp.example'));
const strange: ExtensionPlan = { oid: '1.3.6.1.4.1.99999.1', isCritical: true, value: nothing() };

const signedBy = (world: World, key: KeyObject): Case => ({ ders: [buildCertificate(world.plan(), key)] });

const flipped = (der: Buffer): Buffer => {
  const copy = Buffer.from(der);
  const at = copy.length - 1;
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};

/** The same length, so that only the signature tells. */
const renamed = (der: Buffer): Buffer =>
  Buffer.from(der.toString('latin1').replaceAll('PSDGR-BOG-54321', 'PSDGR-BOG-12345'), 'latin1');

export const chainDefects: readonly Defect[] = [
  defect('the bank has blocked it', 'blocked', (world) => {
    const der = world.good();
    world.blocked.add(certificateOf(der).fingerprint);
    return { ders: [der] };
  }),
  defect('another authority has issued it', 'not-anchored', (world) => {
    const plan = linked(world.plan(), named('Nobody'), strangers.publicKey);
    return { ders: [buildCertificate(plan, strangers.privateKey)] };
  }),
  defect('the bank trusts nobody yet', 'no-anchors', (world) => ({ ders: [world.good()], anchors: [] })),
  defect('another authority has issued it and is sent along', 'not-anchored', (world) => {
    const name = named('Nobody');
    const options = { name, issuer: name, signer: strangers.privateKey, keys: strangers };
    const root = buildCa({ ...options, now: world.clock.now() });
    const plan = linked(world.plan(), name, strangers.publicKey);
    return { ders: [buildCertificate(plan, strangers.privateKey), root] };
  }),
  defect('it has issued itself', 'not-anchored', (world) => {
    const keys = ec();
    const { subject } = world.plan();
    const plan = { ...world.plan({ publicKey: keys.publicKey }), issuer: subject };
    return { ders: [buildCertificate(plan, keys.privateKey)] };
  }),
  defect('the intermediate certificate is missing', 'not-anchored', (world) => {
    const { ders = [] } = belowSub(world, ca);
    return { ders: ders.slice(0, 1) };
  }),
  defect('only the root is trusted that another root is named like', 'broken-chain', (world) =>
    signedBy(world, strangers.privateKey),
  ),
  defect('a bit of the signature is wrong', 'broken-chain', (world) => ({ ders: [flipped(world.good())] })),
  defect('a letter of the subject was changed after signing', 'broken-chain', (world) => ({
    ders: [renamed(world.good({ registration: 'PSDGR-BOG-54321' }))],
  })),
  defect('a certificate of another third party has issued it', 'issuer-not-ca', (world) => {
    const keys = ec();
    const issuer = world.plan({ publicKey: keys.publicKey, name: 'Issuer' });
    const plan = linked(world.plan(), issuer.subject, keys.publicKey);
    return { ders: [buildCertificate(plan, keys.privateKey), world.build(issuer)] };
  }),
  subDefect('its issuer is no authority', 'issuer-not-ca', [basicConstraints(false), ca[1] ?? strange]),
  subDefect('its issuer does not say that it is an authority', 'issuer-not-ca', [keyUsage('keyCertSign')]),
  subDefect('its issuer may sign lists only', 'issuer-not-ca', [basicConstraints(true), keyUsage('crlSign')]),
  defect('the issuing authority has made another one below it', 'path-length', (world) => {
    const { issuingName: issuer, issuingKey: signer } = world.authority;
    const middle = buildCa({ name: sub, issuer, signer, keys: subKeys, now: world.clock.now() });
    const plan = linked(world.plan(), sub, subKeys.publicKey);
    return { ders: [buildCertificate(plan, subKeys.privateKey), middle] };
  }),
  subDefect(
    'its issuer is for other hosts',
    'name-constraint',
    [...ca, constraints([dns('bank.example')])],
    onHost,
  ),
  subDefect(
    'its issuer is for all hosts but this',
    'name-constraint',
    [...ca, constraints([], [dns('tpp.example')])],
    onHost,
  ),
  subDefect('its issuer is for organisations of another country', 'name-constraint', [
    ...ca,
    constraints([directory([{ oid: OID.country, value: 'CY' }])]),
  ]),
  subDefect('its issuer is not for organisations of this country', 'name-constraint', [
    ...ca,
    constraints([], [directory([{ oid: OID.country, value: 'GR' }])]),
  ]),
  subDefect(
    'it has a name of a kind that its issuer is limited in and nobody can compare',
    'name-constraint',
    [...ca, constraints([implicit(1, Buffer.from('tpp.example'))])],
    (plan) =>
      withExtension(plan, {
        oid: OID.subjectAltName,
        value: sequence(implicit(1, Buffer.from('someone@tpp.example'))),
      }),
  ),
  spoilt('it has a critical extension that nobody knows', 'unknown-critical-extension', (plan) =>
    withExtension(plan, strange),
  ),
  subDefect('its issuer has a critical extension that nobody knows', 'unknown-critical-extension', [
    ...ca,
    strange,
  ]),
  subDefect('its issuer demands a policy', 'unknown-critical-extension', [
    ...ca,
    { oid: '2.5.29.36', isCritical: true, value: sequence(implicit(0, integer(0).subarray(2))) },
  ]),
  defect('it was revoked, says OCSP', 'revoked', (world) => ({
    ders: [world.build(without(world.plan(), OID.crlDistributionPoints), world.clock.now())],
  })),
  defect('it was revoked, says the list', 'revoked', (world) => ({
    ders: [world.build(without(world.plan(), OID.authorityInfoAccess), world.clock.now())],
  })),
  spoilt('it names nobody who could say whether it was revoked', 'no-revocation-source', (plan) =>
    without(without(plan, OID.crlDistributionPoints), OID.authorityInfoAccess),
  ),
  defect('the responder does not know it, and there is no list', 'revocation-unknown', (world) => ({
    ders: [buildCertificate(without(world.plan(), OID.crlDistributionPoints), world.authority.issuingKey)],
  })),
  defect('it is an authority that the bank trusts', 'not-anchored', ({ authority }) => ({
    ders: [authority.root],
    anchors: [certificateOf(authority.root)],
  })),
];
