/** PKITS 4.14 to 4.16: distribution points, delta lists, private extensions. */
import { nameDer } from '../../../packages/sandbox/src/authority/build.js';
import {
  crlDistributionPoint,
  type ExtensionPlan,
} from '../../../packages/sandbox/src/authority/extensions.js';
import { OID } from '../../../src/certificate/der/oids.js';
import { implicit, integer, sequence, wrap } from '../../../src/certificate/der/write.js';
import { ok, type Verdict, type World, withExtension } from '../world.js';
import {
  authorityWith,
  below,
  type Chain,
  type ListPlan,
  listAddress,
  listed,
  named,
  type Section,
  strange,
  tests,
  vector,
} from './vector.js';

const uncertain: Verdict = 'revocation-unknown';

/** The distribution point of a list: its names and what else it says. */
const scope = (names: readonly Buffer[], ...more: readonly Buffer[]): ExtensionPlan => ({
  oid: OID.issuingDistributionPoint,
  isCritical: true,
  value: sequence(...(names.length > 0 ? [wrap(0, wrap(0, ...names))] : []), ...more),
});
const yes = (number: number): Buffer => implicit(number, Buffer.from([0xff]));
const someReasons = implicit(3, Buffer.from([5, 0x60]));
const uri = (address: string): Buffer => implicit(6, Buffer.from(address));

/** A list that says of itself where it lies; the addresses are known once the world is open. */
const placed =
  (names: (address: string) => readonly Buffer[], plan: ListPlan = {}, ...more: readonly Buffer[]) =>
  (world: World): Chain =>
    listed({ ...plan, extensions: [scope(names(listAddress(world)), ...more)] })(world);

/** A point in a certificate with reasons, another issuer of lists, or a name that is no address. */
const pointed = (...members: readonly Buffer[]) =>
  listed({}, {}, () => ({ oid: OID.crlDistributionPoints, value: sequence(sequence(...members)) }));
const relative = wrap(0, wrap(1, nameDer([{ oid: OID.commonName, value: 'List' }])));
const ofSomebodyElse = wrap(2, wrap(4, nameDer(named('Somebody else'))));
const whole = (world: World): ExtensionPlan => crlDistributionPoint(listAddress(world));
const silent: Verdict = 'no-revocation-source';

export const points: Section = {
  number: '4.14',
  title: 'Distribution Points',
  tests: 35,
  vectors: [
    vector(
      [1, 4, 7],
      'the list lies where the certificate says',
      ok,
      placed((address) => [uri(address)]),
    ),
    vector(
      [5],
      'and has several names',
      ok,
      placed((address) => [uri('ldap://x/'), uri(address)]),
    ),
    vector(
      [2],
      'the certificate was revoked',
      'revoked',
      placed((address) => [uri(address)], { isRevoked: true }),
    ),
    vector(
      [3, 6, 8, 9],
      'the list is the one of another place',
      uncertain,
      placed((address) => [uri(`${address}.other`)]),
    ),
    vector(
      [3, 9],
      'the list is named by a directory',
      uncertain,
      placed(() => [wrap(4, nameDer(named('List')))]),
    ),
    vector([10], 'the list says nothing about itself', ok, listed({}, {}, whole)),
    vector(
      [11],
      'a list of authorities for a certificate that is none',
      uncertain,
      placed(() => [], {}, yes(2)),
    ),
    vector(
      [12, 13],
      'a list of certificates that are no authorities',
      ok,
      placed(() => [], {}, yes(1)),
    ),
    vector(
      [14],
      'a list of attribute certificates',
      uncertain,
      placed(() => [], {}, yes(5)),
    ),
    vector(
      tests(15, 21),
      'a list of some reasons does not count',
      uncertain,
      placed(() => [], {}, someReasons),
    ),
    vector(
      tests(22, 26),
      'an indirect list does not count',
      uncertain,
      placed(() => [], {}, yes(4)),
    ),
    vector(
      [15, 20, 21],
      'a point for some reasons is not used',
      silent,
      pointed(implicit(1, Buffer.from([5, 0x60]))),
    ),
    vector(tests(27, 35), 'a point of another issuer of lists is not used', silent, pointed(ofSomebodyElse)),
    vector([8, 9], 'a point with a relative name is not used', silent, pointed(relative)),
  ],
};

const deltaOf = (base: number): ExtensionPlan => ({
  oid: '2.5.29.27',
  isCritical: true,
  value: integer(base),
});
const freshest = (world: World): ExtensionPlan => ({
  oid: '2.5.29.46',
  value: crlDistributionPoint(`${world.url}/delta.crl`).value,
});

export const deltas: Section = {
  number: '4.15',
  title: 'Delta-CRLs',
  tests: 10,
  vectors: [
    vector(
      [1, 3, 4, 6, 10],
      'a delta list alone does not count',
      uncertain,
      listed({ extensions: [deltaOf(1)] }),
    ),
    vector(
      [2, 5, 7, 8],
      'a delta list is not asked for, the whole list decides',
      ok,
      listed({}, {}, whole, (plan, world) => withExtension(plan, freshest(world))),
    ),
    vector(
      [9],
      'the whole list says that it was revoked',
      'revoked',
      listed({ isRevoked: true }, {}, whole, (plan, world) => withExtension(plan, freshest(world))),
    ),
  ],
};

export const privateExtensions: Section = {
  number: '4.16',
  title: 'Private Certificate Extensions',
  tests: 2,
  vectors: [
    vector(
      [1],
      'an extension that nobody knows',
      ok,
      below([{}], (plan) => withExtension(plan, strange(false))),
    ),
    vector(
      [2],
      'a critical extension that nobody knows',
      'unknown-critical-extension',
      below([{}], (plan) => withExtension(plan, strange(true))),
    ),
    vector(
      [2],
      'an authority with such an extension',
      'unknown-critical-extension',
      below([{ extensions: authorityWith(strange(true)) }]),
    ),
  ],
};
