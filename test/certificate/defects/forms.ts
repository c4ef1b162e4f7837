/** Certificates that cannot be read, or could be read in two ways. */

import { type CertificatePlan, certificateTbs } from '../../../packages/sandbox/src/authority/build.js';
import { basicConstraints } from '../../../packages/sandbox/src/authority/extensions.js';
import { OID } from '../../../src/certificate/der/oids.js';
import { bits, nothing, octets, oid, sequence, tagged } from '../../../src/certificate/der/write.js';
import type { World } from '../world.js';
import { type Defect, defect, spoilt } from './defect.js';

const ecdsa = sequence(oid(OID.ecdsaWithSha256));

/** Good bytes, changed on the way. */
const bytes = (name: string, change: (der: Buffer, world: World) => Buffer): Defect =>
  defect(name, 'unreadable', (world) => ({ ders: [change(world.good(), world)] }));

const text = (name: string, change: (base64: string) => string): Defect =>
  defect(name, 'unreadable', (world) => ({ text: change(world.good().toString('base64')) }));

const unreadable = (name: string, change: (plan: CertificatePlan) => CertificatePlan): Defect =>
  spoilt(name, 'unreadable', change);

/** Inside out: a good certificate whose signed part has one run of bytes replaced, signed anew. */
const resigned = (name: string, from: Buffer, to: Buffer): Defect =>
  defect(name, 'unreadable', (world) => {
    const tbs = certificateTbs(world.plan(), ecdsa).toString('latin1');
    if (!tbs.includes(from.toString('latin1'))) throw new Error('nothing to replace');
    const changed = Buffer.from(tbs.replace(from.toString('latin1'), to.toString('latin1')), 'latin1');
    return { ders: [sequence(changed, ecdsa, bits(Buffer.alloc(70, 1)))] };
  });

const deep = (levels: number): Buffer => (levels === 0 ? nothing() : sequence(deep(levels - 1)));

export const formDefects: readonly Defect[] = [
  bytes('something follows it', (der) => Buffer.concat([der, Buffer.from([0])])),
  bytes('its end is missing', (der) => der.subarray(0, -1)),
  bytes('nothing but its beginning is there', (der) => der.subarray(0, 4)),
  bytes('its length is written in more bytes than it needs', (der) =>
    Buffer.concat([Buffer.from([0x30, 0x83, 0]), der.subarray(2)]),
  ),
  bytes('it has no definite length', (der) =>
    Buffer.concat([Buffer.from([0x30, 0x80]), der.subarray(4), Buffer.from([0, 0])]),
  ),
  bytes('it is a key', (_der, world) => world.root.publicKey.export({ type: 'spki', format: 'der' })),
  bytes('it is nested without end', () => deep(40)),
  bytes('its two algorithms differ', (_der, world) => {
    const tbs = certificateTbs(world.plan(), ecdsa);
    return sequence(tbs, sequence(oid(OID.ecdsaWithSha384)), bits(Buffer.alloc(70, 1)));
  }),
  unreadable('its number is zero', (plan) => ({ ...plan, serial: 0n })),
  unreadable('its number has 21 bytes', (plan) => ({ ...plan, serial: 2n ** 161n })),
  unreadable('an extension comes twice', (plan) => ({
    ...plan,
    extensions: [...plan.extensions, basicConstraints(false)],
  })),
  unreadable('a known extension is noise', (plan) => ({
    ...plan,
    extensions: [
      ...plan.extensions.filter((each) => each.oid !== OID.keyUsage),
      { oid: OID.keyUsage, isCritical: true, value: octets(Buffer.from('noise')) },
    ],
  })),
  unreadable('a zero hides the end of its name', (plan) => ({
    ...plan,
    subject: [...plan.subject, { oid: OID.commonName, value: 'good\0bad' }],
  })),
  resigned('it has extensions, but is of version 1', Buffer.from('a003020102', 'hex'), Buffer.alloc(0)),
  resigned('its version does not exist', Buffer.from('a003020102', 'hex'), Buffer.from('a003020109', 'hex')),
  resigned(
    'a boolean is neither true nor false',
    tagged(1, Buffer.from([0xff])),
    tagged(1, Buffer.from([1])),
  ),
  text('a letter is not base64', (base64) => `${base64.slice(0, 40)}*${base64.slice(41)}`),
  text('it is base64 for addresses', (base64) => `${base64.slice(0, 40)}-_${base64.slice(42)}`),
  text('its base64 ends in the middle', (base64) => base64.replace(/=*$/, '').slice(0, -3)),
  text('it is empty', () => ''),
  text('it is larger than 8 KiB', (base64) => base64.repeat(20)),
  text('it is PEM without an end', (base64) => `-----BEGIN CERTIFICATE-----\n${base64}`),
  text(
    'it is PEM of something else',
    (base64) => `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----`,
  ),
  text('it is base64 of a sentence', () => Buffer.from('This is no certificate at all.').toString('base64')),
];
