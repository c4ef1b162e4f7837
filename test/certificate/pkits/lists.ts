/** PKITS 4.4: revocation lists. */
import { buildCrl, listTimes } from '../../../packages/sandbox/src/authority/answers.js';
import {
  buildCertificate,
  extensionDer,
  nameDer,
  signed,
} from '../../../packages/sandbox/src/authority/build.js';
import { certificateOf } from '../../../src/certificate/certificate.js';
import { OID } from '../../../src/certificate/der/oids.js';
import { implicit, integer, sequence, time, wrap } from '../../../src/certificate/der/write.js';
import { DAY } from '../../../src/lib/clock.js';
import { linked, ok, type Verdict, type World } from '../world.js';
import {
  answering,
  belowRewritten,
  type Chain,
  climbDown,
  flipped,
  keysAt,
  type ListPlan,
  listed,
  listOf,
  named,
  pointedAt,
  type Section,
  strange,
  vector,
} from './vector.js';

const uncertain: Verdict = 'revocation-unknown';
const now = Date.now();
const other = { name: named('Somebody else'), keys: keysAt(4) };
const sameName = { name: named('Authority 1'), keys: keysAt(4) };
const otherName = { name: named('Somebody else'), keys: keysAt(0) };

/** The list of the root says that the authority was revoked. */
const revokedAuthority = (world: World): Chain => {
  const { ders, lists } = listed({})(world);
  const { rootName: name, rootKey: key } = world.authority;
  const at = world.clock.now();
  const { serial } = certificateOf(ders[1] ?? Buffer.alloc(0));
  const root = buildCrl({ name, key }, [{ serial, at: at - 60_000 }], listTimes(at));
  return {
    ders,
    lists: (request, response) =>
      request.url === '/root.crl' ? void response.end(root) : lists?.(request, response),
  };
};

/** Two addresses, of which the first leads to a list that does not count. */
const twoLists = (world: World): Chain => {
  const { issuer, ders } = climbDown(world, [{}]);
  const uris = ['/wrong.crl', '/sub.crl'].map((path) => implicit(6, Buffer.from(`${world.url}${path}`)));
  const points = { oid: OID.crlDistributionPoints, value: sequence(...uris.map(pointOf)) };
  const plan = pointedAt(linked(world.plan(), issuer.name, issuer.keys.publicKey), points);
  const lists = answering(world, {
    '/wrong.crl': listOf(world, issuer, { signer: sameName }, plan.serial),
    '/sub.crl': listOf(world, issuer, {}, plan.serial),
  });
  return { ders: [buildCertificate(plan, issuer.keys.privateKey), ...ders], lists };
};
const pointOf = (uri: Buffer): Buffer => sequence(wrap(0, wrap(0, uri)));

/** An entry of another certificate with a critical extension that nobody knows. */
const strangeEntry: ListPlan = {
  spoil: (_list, { name, keys }) => {
    const { thisUpdate, nextUpdate } = listTimes(Date.now());
    const entry = sequence(integer(7), time(thisUpdate), sequence(extensionDer(strange(true))));
    const head = [nameDer(name), time(thisUpdate), time(nextUpdate)];
    return signed(keys.privateKey, (algorithm) => sequence(integer(1), algorithm, ...head, sequence(entry)));
  },
};

const longSerial = (serial: bigint, isRevoked = false) =>
  listed({ isRevoked }, {}, undefined, (plan) => ({ ...plan, serial }));

export const basicLists: Section = {
  number: '4.4',
  title: 'Basic Certificate Revocation Tests',
  tests: 21,
  vectors: [
    vector([1], 'there is no list', uncertain, (world) => ({
      ...listed({})(world),
      lists: answering(world, {}),
    })),
    vector([2], 'the authority was revoked', 'revoked', revokedAuthority),
    vector([3], 'the certificate was revoked', 'revoked', listed({ isRevoked: true })),
    vector([4], 'the signature of the list is wrong', uncertain, listed({ spoil: flipped })),
    vector([5], 'the list names another issuer', uncertain, listed({ signer: otherName })),
    vector([6], 'it is the list of somebody else', uncertain, listed({ signer: other })),
    vector([7], 'of two lists one counts', ok, twoLists),
    vector([8], 'an entry has a critical extension that nobody knows', uncertain, listed(strangeEntry)),
    vector(
      [9, 10],
      'the list has a critical extension that nobody knows',
      uncertain,
      listed({ extensions: [strange(true)] }),
    ),
    vector(
      [11],
      'a newer list is due',
      uncertain,
      listed({ times: { thisUpdate: now - 3 * DAY, nextUpdate: now - 2 * DAY } }),
    ),
    vector(
      [12],
      'a newer list is due since the last century',
      uncertain,
      listed({ times: { thisUpdate: Date.UTC(1998, 0), nextUpdate: Date.UTC(1999, 0) } }),
    ),
    vector(
      [13],
      'the next list is due at a GeneralizedTime',
      ok,
      listed({ times: { nextUpdate: Date.UTC(2051, 0) } }),
    ),
    vector(
      [14, 15],
      'a serial number below zero cannot be read',
      'unreadable',
      belowRewritten([{}], (parts) => parts.map((part, at) => (at === 1 ? Buffer.from([2, 1, 0xff]) : part))),
    ),
    vector([16, 17], 'a serial number of twenty bytes', ok, longSerial(2n ** 158n + 1n)),
    vector(
      [18],
      'a serial number of twenty bytes that was revoked',
      'revoked',
      longSerial(2n ** 158n + 3n, true),
    ),
    vector(
      [19],
      'a list that is signed with a key for lists alone does not count',
      uncertain,
      listed({ signer: sameName }),
    ),
    vector(
      [20, 21],
      'nor if it says that the certificate was revoked',
      uncertain,
      listed({ signer: sameName, isRevoked: true }),
    ),
  ],
};
