/** PKITS 4.1 to 4.3: signatures, validity periods, chaining of names. */
import { generateKeyPairSync } from 'node:crypto';
import type { NamePlan } from '../../../packages/sandbox/src/authority/build.js';
import { OID } from '../../../src/certificate/der/oids.js';
import {
  generalizedTime,
  implicit,
  oid,
  printable,
  sequence,
  set,
  time,
} from '../../../src/certificate/der/write.js';
import { DAY } from '../../../src/lib/clock.js';
import { linked, ok, signedAs, type World } from '../world.js';
import {
  below,
  belowRewritten,
  type Chain,
  climbDown,
  flipped,
  named,
  PART,
  type Section,
  type Step,
  tests,
  vector,
} from './vector.js';

const now = Date.now();
const early: Step['dates'] = [now + DAY, now + 2 * DAY];
const over: Step['dates'] = [now - 2 * DAY, now - DAY];

const replaced = (at: number, part: Buffer) => (parts: Buffer[]) =>
  parts.map((each, index) => (index === at ? part : each));

/** Signed by an authority with a DSA key, as it was once usual. */
const signedByDsa = (world: World): Chain => {
  const keys = generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 });
  const { issuer, ders } = climbDown(world, [{ keys }]);
  const algorithm = sequence(oid('2.16.840.1.101.3.4.3.2'));
  const plan = linked(world.plan(), issuer.name, issuer.keys.publicKey);
  return { ders: [signedAs(plan, keys.privateKey, algorithm, 'sha256'), ...ders] };
};

export const signatures: Section = {
  number: '4.1',
  title: 'Signature Verification',
  tests: 6,
  vectors: [
    vector([1], 'all signatures are good', ok, below([{}])),
    vector([2], 'the signature of the authority is wrong', 'broken-chain', below([{ spoil: flipped }])),
    vector([3], 'the signature of the certificate is wrong', 'broken-chain', (world) => {
      const { ders } = below([{}])(world);
      return { ders: ders.map((der, at) => (at === 0 ? flipped(der) : der)) };
    }),
    vector(tests(4, 6), 'DSA is refused, whatever its parameters', 'weak-signature', signedByDsa),
  ],
};

export const validity: Section = {
  number: '4.2',
  title: 'Validity Periods',
  tests: 8,
  vectors: [
    vector([1], 'the authority is not valid yet', 'issuer-expired', below([{ dates: early }])),
    vector(
      [2],
      'the certificate is not valid yet',
      'not-yet-valid',
      below([{}], (plan) => ({ ...plan, notBefore: now + DAY })),
    ),
    vector(
      [3],
      'it is valid since the last century, in two digits',
      ok,
      below([{}], (plan) => ({ ...plan, notBefore: Date.UTC(1995, 0) })),
    ),
    vector(
      [4],
      'it is valid since a GeneralizedTime',
      ok,
      belowRewritten([{}], (parts, { notAfter }) =>
        replaced(PART.validity, sequence(generalizedTime(Date.UTC(2002, 0)), time(notAfter)))(parts),
      ),
    ),
    vector([5], 'the authority has expired', 'issuer-expired', below([{ dates: over }])),
    vector(
      [6],
      'the certificate has expired',
      'expired',
      below([{}], (plan) => ({ ...plan, notAfter: now - DAY })),
    ),
    vector(
      [7],
      'it ended in the last century, in two digits',
      'expired',
      below([{}], (plan) => ({ ...plan, notBefore: Date.UTC(1995, 0), notAfter: Date.UTC(1999, 0) })),
    ),
    vector(
      [8],
      'it lasts until a GeneralizedTime',
      ok,
      below([{}], (plan) => ({ ...plan, notAfter: Date.UTC(2051, 0) })),
    ),
  ],
};

const organisation = (value: string): NamePlan => [
  { oid: OID.country, value: 'GR' },
  { oid: OID.organization, value },
  { oid: OID.commonName, value: 'Authority' },
];

/** The certificate names its issuer in another way than that names itself. */
const spelled = (name: NamePlan, spelling: NamePlan) =>
  below([{ name }], (plan) => ({ ...plan, issuer: spelling }));

const attributes = (...oids: readonly string[]): NamePlan => [
  ...named('Many'),
  ...oids.map((each) => ({ oid: each, value: 'Test' })),
];

const asPrintable = (name: NamePlan): Buffer =>
  sequence(...name.map(({ oid: id, value }) => set(sequence(oid(id), printable(value)))));

export const nameChaining: Section = {
  number: '4.3',
  title: 'Verifying Name Chaining',
  tests: 11,
  vectors: [
    vector([1], 'its issuer has another name', 'not-anchored', spelled(named('One'), named('Two'))),
    vector(
      [2],
      'its issuer has the same attributes in another order',
      'not-anchored',
      spelled(organisation('Bank'), organisation('Bank').toReversed()),
    ),
    vector([3, 4], 'blanks do not count', ok, spelled(organisation('A Bank'), organisation('  A   Bank '))),
    vector([5], 'capitals do not count', ok, spelled(organisation('Bank'), organisation('BANK'))),
    vector(
      [6],
      'it has unique identifiers of issuer and subject',
      ok,
      belowRewritten([{}], (parts) => [
        ...parts.slice(0, PART.extensions),
        implicit(1, Buffer.from([0, 0xa5])),
        implicit(2, Buffer.from([0, 0x5a])),
        ...parts.slice(PART.extensions),
      ]),
    ),
    vector(
      [7],
      'names with every attribute that must be known',
      ok,
      below([
        { name: attributes('2.5.4.11', '2.5.4.46', '2.5.4.8', '2.5.4.5', '0.9.2342.19200300.100.1.25') },
      ]),
    ),
    vector(
      [8],
      'names with every attribute that should be known',
      ok,
      below([
        {
          name: attributes('2.5.4.7', '2.5.4.12', '2.5.4.4', '2.5.4.42', '2.5.4.43', '2.5.4.65', '2.5.4.44'),
        },
      ]),
    ),
    vector([9], 'names in UTF8String', ok, below([{ name: organisation('Τράπεζα') }])),
    vector(
      [10],
      'the issuer is a PrintableString in one certificate and a UTF8String in the other',
      ok,
      belowRewritten(
        [{ name: organisation('Bank') }],
        replaced(PART.issuer, asPrintable(organisation('Bank'))),
      ),
    ),
    vector(
      [11],
      'capitals of other scripts do not count',
      ok,
      spelled(organisation('Τράπεζα'), organisation('ΤΡΆΠΕΖΑ')),
    ),
  ],
};
