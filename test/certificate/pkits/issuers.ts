/** PKITS 4.5 to 4.7: self-issued certificates, basic constraints, key usage. */
import { buildCertificate } from '../../../packages/sandbox/src/authority/build.js';
import {
  basicConstraints,
  crlDistributionPoint,
  keyUsage,
} from '../../../packages/sandbox/src/authority/extensions.js';
import { buildCa, linked, ok, type World, withExtension } from '../world.js';
import {
  answering,
  below,
  type Chain,
  isAuthority,
  keysAt,
  listed,
  listOf,
  named,
  pointedAt,
  type Section,
  tests,
  vector,
} from './vector.js';

const rollover = named('Rollover');
const [first, second] = [keysAt(0), keysAt(1)];

/** One authority with two keys; the certificate is signed by one of them, the root has certified the other. */
const rolled =
  (isRevoked: boolean, [signing, certified] = [first, second]) =>
  (world: World): Chain => {
    const { rootName: issuer, rootKey: signer } = world.authority;
    const at = world.clock.now();
    const crl = `${world.url}/root.crl`;
    const old = buildCa({ name: rollover, issuer, signer, keys: certified, now: at, crl });
    const link = buildCa({
      name: rollover,
      issuer: rollover,
      signer: certified.privateKey,
      keys: signing,
      now: at + 1,
      crl: `${world.url}/old.crl`,
    });
    const plan = pointedAt(
      linked(world.plan(), rollover, signing.publicKey),
      crlDistributionPoint(`${world.url}/sub.crl`),
    );
    const lists = answering(world, {
      '/sub.crl': listOf(world, { name: rollover, keys: signing }, { isRevoked }, plan.serial),
      '/old.crl': listOf(world, { name: rollover, keys: certified }, {}, 0n),
    });
    return { ders: [buildCertificate(plan, signing.privateKey), link, old], lists };
  };

const otherKey = { name: named('Authority 1'), keys: keysAt(3) };

export const selfIssued: Section = {
  number: '4.5',
  title: 'Basic Self-Issued Certificates',
  tests: 8,
  vectors: [
    vector([1], 'the old key is certified by the new one', ok, rolled(false)),
    vector([2], 'and the certificate was revoked', 'revoked', rolled(true)),
    vector([3, 4], 'the new key is certified by the old one', ok, rolled(false, [second, first])),
    vector([5], 'and the certificate was revoked, too', 'revoked', rolled(true, [second, first])),
    vector(
      tests(6, 8),
      'a list that is signed with another key of the authority does not count, be it good or bad',
      'revocation-unknown',
      listed({ signer: otherKey }),
    ),
  ],
};

const ends = [basicConstraints(false), isAuthority[1]] as const;
const limited = (length: number) => [basicConstraints(true, length), isAuthority[1]] as const;
const asAuthority = (plan: Parameters<typeof withExtension>[0]) =>
  withExtension(withExtension(plan, basicConstraints(true)), keyUsage('keyCertSign'));
const lastName = named('Authority 1');

export const constraints: Section = {
  number: '4.6',
  title: 'Verifying Basic Constraints',
  tests: 17,
  vectors: [
    vector([1], 'the authority has none', 'issuer-not-ca', below([{ extensions: [isAuthority[1]] }])),
    vector([2, 3], 'the authority is none', 'issuer-not-ca', below([{ extensions: ends }])),
    vector(
      [4],
      'they need not be critical',
      ok,
      below([{ extensions: [{ ...basicConstraints(true), isCritical: false }, isAuthority[1]] }]),
    ),
    vector([5, 6], 'one authority too many', 'path-length', below([{ extensions: limited(0) }, {}])),
    vector([7], 'as many authorities as are allowed', ok, below([{ extensions: limited(0) }])),
    vector(
      [8, 14],
      'the last one is an authority, which must not call',
      'is-ca',
      below([{ extensions: limited(0) }], asAuthority),
    ),
    vector(
      [9, 10],
      'a limit further down is the narrower one',
      'path-length',
      below([{ extensions: limited(4) }, { extensions: limited(0) }, {}]),
    ),
    vector(
      [11, 12],
      'a limit further up counts, whatever stands below',
      'path-length',
      below([{ extensions: limited(1) }, { extensions: limited(4) }, {}]),
    ),
    vector(
      [13],
      'several limits that are all kept',
      ok,
      below([{ extensions: limited(3) }, { extensions: limited(2) }, { extensions: limited(1) }]),
    ),
    vector(
      [15],
      'a self-issued certificate is not counted',
      ok,
      below([{ extensions: limited(0) }, { name: lastName }]),
    ),
    vector(
      [16],
      'but what follows it is',
      'path-length',
      below([{ extensions: limited(0) }, { name: lastName }, {}]),
    ),
    vector(
      [17],
      'nor are two of them',
      ok,
      below([
        { extensions: limited(1) },
        { name: lastName },
        { name: named('Lower'), extensions: limited(0) },
        { name: named('Lower') },
      ]),
    ),
  ],
};

const softly = (each: 'crlSign' | 'keyCertSign') => ({ ...keyUsage(each), isCritical: false });

export const usage: Section = {
  number: '4.7',
  title: 'Key Usage',
  tests: 5,
  vectors: [
    vector(
      [1],
      'the authority may not issue',
      'issuer-not-ca',
      below([{ extensions: [basicConstraints(true), keyUsage('crlSign')] }]),
    ),
    vector(
      [2],
      'nor if that is not critical',
      'issuer-not-ca',
      below([{ extensions: [basicConstraints(true), softly('crlSign')] }]),
    ),
    vector(
      [3],
      'key usage need not be critical',
      ok,
      below([{ extensions: [basicConstraints(true), softly('keyCertSign')] }]),
    ),
    vector(
      [4],
      'the authority may not sign lists',
      'revocation-unknown',
      listed({}, { extensions: [basicConstraints(true), keyUsage('keyCertSign')] }),
    ),
    vector(
      [5],
      'nor lists, if that is not critical',
      'revocation-unknown',
      listed({}, { extensions: [basicConstraints(true), softly('keyCertSign')] }),
    ),
  ],
};
