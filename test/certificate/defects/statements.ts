/** What the certificate says of itself: its use, its type, its roles, whose it is. */

import type { CertificatePlan } from '../../../packages/sandbox/src/authority/build.js';
import {
  basicConstraints,
  extKeyUsage,
  keyUsage,
  psd2Statement,
  qcCompliance,
  qcStatements,
  qcType,
} from '../../../packages/sandbox/src/authority/extensions.js';
import { OID } from '../../../src/certificate/der/oids.js';
import { namedBits, oid, printable, sequence, utf8 } from '../../../src/certificate/der/write.js';
import type { Reason } from '../../../src/certificate/reasons.js';
import type { PspRole } from '../../../src/certificate/x509/statements.js';
import type { Role } from '../../../src/model/caller.js';
import { goodCall, REGISTRATION, withExtension, without } from '../world.js';
import { type Defect, defect, spoilt } from './defect.js';

const greece = { ncaName: 'Bank of Greece', ncaId: 'GR-BOG' };
const good = psd2Statement(['PSP_AI'], greece);
const roleAi = sequence(oid(OID.pspAi), utf8('PSP_AI'));

const stated = (name: string, reason: Reason, ...statements: Buffer[]): Defect =>
  spoilt(name, reason, (plan) => withExtension(plan, qcStatements(...statements)));

/** The rest of the statements is right. */
const psd2 = (name: string, ...parts: Buffer[]): Defect =>
  stated(
    name,
    'malformed-statement',
    qcCompliance(),
    qcType('seal'),
    sequence(oid(OID.psd2Statement), ...parts),
  );

const info = (...parts: Buffer[]): Buffer => sequence(...parts);
const name = utf8(greece.ncaName);
const id = utf8(greece.ncaId);

/** With these roles, asked for that one. */
const roled = (what: string, roles: readonly PspRole[], role: Role): Defect =>
  defect(what, 'role-missing', (world) => ({ ders: [world.good({ roles })], call: { ...goodCall, role } }));

const subjectOf = (plan: CertificatePlan, ...registrations: string[]): CertificatePlan => ({
  ...plan,
  subject: [
    ...plan.subject.filter((each) => each.oid !== OID.organizationIdentifier),
    ...registrations.map((value) => ({ oid: OID.organizationIdentifier, value })),
  ],
});

const owned = (what: string, reason: Reason, ...registrations: string[]): Defect =>
  spoilt(what, reason, (plan) => subjectOf(plan, ...registrations));

export const statementDefects: readonly Defect[] = [
  spoilt('it is an authority itself', 'is-ca', (plan) => withExtension(plan, basicConstraints(true))),
  spoilt('it may sign certificates', 'is-ca', (plan) =>
    withExtension(plan, keyUsage('digitalSignature', 'keyCertSign')),
  ),
  defect('a QWAC signs', 'wrong-use', (world) => ({ ders: [world.good({ use: 'web' })] })),
  defect('a QSealC opens a connection', 'wrong-use', (world) => ({
    ders: [world.good()],
    call: { ...goodCall, use: 'web' },
  })),
  stated('it is for signatures of people', 'wrong-use', qcCompliance(), qcType('sign'), good),
  spoilt('its key is for encryption', 'wrong-use', (plan) =>
    withExtension(plan, { oid: OID.keyUsage, isCritical: true, value: namedBits([2]) }),
  ),
  defect('a QWAC is for servers only', 'wrong-use', (world) => ({
    ders: [world.build(withExtension(world.plan({ use: 'web' }), extKeyUsage(OID.serverAuth)))],
    call: { ...goodCall, use: 'web' },
  })),
  stated('it has no type', 'no-type', qcCompliance(), good),
  stated(
    'its type is one that nobody knows',
    'no-type',
    qcCompliance(),
    sequence(oid(OID.qcType), sequence(oid('0.4.0.1862.1.6.9'))),
    good,
  ),
  stated('it is not qualified', 'not-qualified', qcType('seal'), good),
  spoilt('it has no statements at all', 'not-qualified', (plan) => without(plan, OID.qcStatements)),
  stated('it has no PSD2 statement', 'no-psd2-statement', qcCompliance(), qcType('seal')),
  psd2('the PSD2 statement says nothing'),
  psd2('its list of roles is empty', info(sequence(), name, id)),
  psd2('its roles are no list', info(utf8('PSP_AI'), name, id)),
  psd2('a role has no name', info(sequence(sequence(oid(OID.pspAi))), name, id)),
  psd2('a role is a text', info(sequence(sequence(utf8(OID.pspAi), utf8('PSP_AI'))), name, id)),
  psd2(
    'a role has a third member',
    info(sequence(sequence(oid(OID.pspAi), utf8('PSP_AI'), utf8('x'))), name, id),
  ),
  psd2('the authority has no name', info(sequence(roleAi), id)),
  psd2('the name of the authority is empty', info(sequence(roleAi), utf8(''), id)),
  psd2('the name of the authority is endless', info(sequence(roleAi), utf8('x'.repeat(257)), id)),
  psd2('the authority has no id', info(sequence(roleAi), name)),
  psd2('the id of the authority is no id', info(sequence(roleAi), name, utf8('Bank of Greece'))),
  psd2('the id of the authority is in small letters', info(sequence(roleAi), name, utf8('gr-bog'))),
  psd2('its texts are of another type', info(sequence(roleAi), printable(greece.ncaName), id)),
  psd2('it has a member too many', info(sequence(roleAi), name, id, utf8('x'))),
  psd2('it is no sequence', utf8('PSP_AI')),
  stated('the PSD2 statement comes twice', 'malformed-statement', qcCompliance(), qcType('seal'), good, good),
  stated(
    'its list of types is empty',
    'malformed-statement',
    qcCompliance(),
    sequence(oid(OID.qcType), sequence()),
    good,
  ),
  spoilt('its statements are noise', 'malformed-statement', (plan) =>
    withExtension(plan, { oid: OID.qcStatements, value: Buffer.from('noise, not DER') }),
  ),
  spoilt('its statements have no definite length', 'malformed-statement', (plan) =>
    withExtension(plan, {
      oid: OID.qcStatements,
      value: Buffer.concat([Buffer.from([0x30, 0x80]), qcCompliance(), Buffer.from([0, 0])]),
    }),
  ),
  roled('card funds are asked with the role of account information', ['PSP_AI'], 'PSP_IC'),
  roled('accounts are read with the role of payment initiation', ['PSP_PI'], 'PSP_AI'),
  roled('a payment is made with the roles of reading', ['PSP_AI', 'PSP_IC'], 'PSP_PI'),
  roled('a bank that is no third party calls', ['PSP_AS'], 'PSP_AI'),
  stated(
    'the right name stands beside the number of another role',
    'role-missing',
    qcCompliance(),
    qcType('seal'),
    sequence(oid(OID.psd2Statement), info(sequence(sequence(oid(OID.pspIc), utf8('PSP_AI'))), name, id)),
  ),
  stated(
    'the right name stands beside a number that nobody knows',
    'role-missing',
    qcCompliance(),
    qcType('seal'),
    sequence(
      oid(OID.psd2Statement),
      info(sequence(sequence(oid('0.4.0.19495.1.9'), utf8('PSP_AI'))), name, id),
    ),
  ),
  owned('it belongs to another third party', 'wrong-organisation', 'PSDGR-BOG-99999'),
  owned('its registration is spelt otherwise', 'wrong-organisation', REGISTRATION.toLowerCase()),
  owned('its registration has something behind it', 'wrong-organisation', `${REGISTRATION}0`),
  owned('it has no registration', 'no-organisation'),
  owned('it has two registrations', 'no-organisation', 'PSDGR-BOG-99999', REGISTRATION),
  owned('its registration is blank', 'no-organisation', ' '),
];
