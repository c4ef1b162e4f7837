/** What responders and lists may say: the truth, lies, and nothing at all. */
import type { KeyObject } from 'node:crypto';
import type { RequestListener } from 'node:http';
import {
  type AnswerPlan,
  answerOcsp,
  answerTimes,
  buildCrl,
  listTimes,
} from '../../packages/sandbox/src/authority/answers.js';
import { buildCertificate } from '../../packages/sandbox/src/authority/build.js';
import { type ExtensionPlan, extKeyUsage } from '../../packages/sandbox/src/authority/extensions.js';
import { certificateOf } from '../../src/certificate/certificate.js';
import { OID } from '../../src/certificate/der/oids.js';
import {
  boolean,
  enumerated,
  implicit,
  integer,
  nothing,
  sequence,
} from '../../src/certificate/der/write.js';
import { ocspQuestion } from '../../src/certificate/revocation/ocsp.js';
import { readBody } from '../../src/http/body.js';
import { DAY, HOUR } from '../../src/lib/clock.js';
import { ec, type World } from './world.js';

export const strangers = ec();

/** Questions are answered with these changes. */
export const ocsp =
  (world: World, change: (plan: AnswerPlan) => AnswerPlan, askedFor?: Buffer): RequestListener =>
  (request, response) => {
    const { issuingName: name, issuingKey: key } = world.authority;
    const times = answerTimes(world.clock.now());
    const plan = change({ name, key, times, statusOf: () => ({ kind: 'good' }) });
    Promise.resolve(readBody(request, 4096))
      .then((body) => answerOcsp(askedFor ?? body, plan))
      .then((bytes) => response.end(bytes))
      .catch(() => response.destroy());
  };
const bytes =
  (body: Buffer, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status);
    response.end(body);
  };

export const delegate = (
  world: World,
  extensions: readonly ExtensionPlan[],
  signer: KeyObject,
  dates?: [number, number],
) => {
  const keys = ec();
  const plan = { ...world.plan({ name: 'Responder', publicKey: keys.publicKey }), extensions };
  const [notBefore, notAfter] = dates ?? [plan.notBefore, plan.notAfter];
  return { key: keys.privateKey, certificate: buildCertificate({ ...plan, notBefore, notAfter }, signer) };
};
export const forOcsp = extKeyUsage(OID.ocspSigning);

/** The list of the root, which says that the issuing authority is fine, stays as it is. */
export const onlyFor =
  (world: World, path: string, answer: RequestListener): RequestListener =>
  (request, response) => {
    if (request.url === path) return answer(request, response);
    const { rootName: name, rootKey: key } = world.authority;
    response.end(buildCrl({ name, key }, [], listTimes(world.clock.now())));
  };

const long = { thisUpdate: Date.now() - 10 * DAY, nextUpdate: Date.now() - DAY };
const soon = { thisUpdate: Date.now() + HOUR, nextUpdate: Date.now() + 2 * HOUR };
export const lies: readonly [string, (world: World) => RequestListener][] = [
  ['signed by a stranger', (world) => ocsp(world, (plan) => ({ ...plan, key: strangers.privateKey }))],
  [
    'signed by a certificate that is for something else',
    (world) =>
      ocsp(world, (plan) => ({
        ...plan,
        delegate: delegate(world, [extKeyUsage(OID.clientAuth)], world.authority.issuingKey),
      })),
  ],
  [
    'signed by a certificate without a purpose',
    (world) =>
      ocsp(world, (plan) => ({ ...plan, delegate: delegate(world, [], world.authority.issuingKey) })),
  ],
  [
    'signed by a responder that the issuer has not named',
    (world) =>
      ocsp(world, (plan) => ({ ...plan, delegate: delegate(world, [forOcsp], strangers.privateKey) })),
  ],
  [
    'signed by a responder whose time is over',
    (world) =>
      ocsp(world, (plan) => ({
        ...plan,
        delegate: delegate(world, [forOcsp], world.authority.issuingKey, [long.thisUpdate, long.nextUpdate]),
      })),
  ],
  ['that is old', (world) => ocsp(world, (plan) => ({ ...plan, times: long }))],
  ['from the future', (world) => ocsp(world, (plan) => ({ ...plan, times: soon }))],
  [
    'about another certificate',
    (world) => {
      const other = { certificate: certificateOf(world.good()), issuer: world.issuing };
      return ocsp(world, (plan) => plan, ocspQuestion(other, Buffer.alloc(16)));
    },
  ],
  [
    'to an older question',
    (world) => {
      const [last] = world.issued.slice(-1);
      const certificate = { ...certificateOf(world.root.raw), serial: last?.serial ?? 0n };
      return ocsp(
        world,
        (plan) => plan,
        ocspQuestion({ certificate, issuer: world.issuing }, Buffer.alloc(16)),
      );
    },
  ],
  [
    'that it does not know',
    (world) => ocsp(world, (plan) => ({ ...plan, statusOf: () => ({ kind: 'unknown' }) })),
  ],
  ['to come back later', () => bytes(sequence(enumerated(3)))],
  ['that is noise', () => bytes(Buffer.from('<html>no</html>'))],
  ['that is empty', () => bytes(Buffer.alloc(0))],
  ['with an error', () => bytes(Buffer.from('no'), 500)],
  ['that is huge', () => bytes(Buffer.alloc(2_000_000, 0x30))],
  [
    'that leads elsewhere',
    (world) => (_request, response) => {
      response.writeHead(302, { Location: `${world.url}/elsewhere` });
      response.end();
    },
  ],
  ['that breaks off', (_world) => (_request, response) => response.destroy()],
];

const idp = (...parts: Buffer[]): ExtensionPlan => ({
  oid: OID.issuingDistributionPoint,
  isCritical: true,
  value: sequence(...parts),
});
const yes = boolean(true).subarray(2);
const now = (world: World): ReturnType<typeof listTimes> => listTimes(world.clock.now());
const signer = ({ authority }: World) => ({ name: authority.issuingName, key: authority.issuingKey });

/** Each with how a certificate fares that has no other source. */
export const lists: readonly [string, string, (world: World) => Buffer][] = [
  ['of the issuer', 'passed', (world) => buildCrl(signer(world), [], now(world))],
  ['about users only', 'passed', (world) => buildCrl(signer(world), [], now(world), [idp(implicit(1, yes))])],
  [
    'about authorities only',
    'revocation-unknown',
    (world) => buildCrl(signer(world), [], now(world), [idp(implicit(2, yes))]),
  ],
  [
    'of some reasons',
    'revocation-unknown',
    (world) => buildCrl(signer(world), [], now(world), [idp(implicit(3, Buffer.from([1, 2])))]),
  ],
  [
    'of others too',
    'revocation-unknown',
    (world) => buildCrl(signer(world), [], now(world), [idp(implicit(4, yes))]),
  ],
  [
    'of changes only',
    'revocation-unknown',
    (world) =>
      buildCrl(signer(world), [], now(world), [{ oid: '2.5.29.27', isCritical: true, value: integer(1) }]),
  ],
  [
    'with something that nobody knows',
    'revocation-unknown',
    (world) =>
      buildCrl(signer(world), [], now(world), [{ oid: '1.2.3.4', isCritical: true, value: nothing() }]),
  ],
  [
    'signed by a stranger',
    'revocation-unknown',
    (world) => buildCrl({ ...signer(world), key: strangers.privateKey }, [], now(world)),
  ],
  [
    'of another issuer',
    'revocation-unknown',
    (world) => buildCrl({ ...signer(world), name: world.authority.rootName }, [], now(world)),
  ],
  [
    'that is old',
    'revocation-unknown',
    (world) =>
      buildCrl(signer(world), [], { thisUpdate: Date.now() - 9 * DAY, nextUpdate: Date.now() - DAY }),
  ],
  [
    'from the future',
    'revocation-unknown',
    (world) =>
      buildCrl(signer(world), [], { thisUpdate: Date.now() + DAY, nextUpdate: Date.now() + 2 * DAY }),
  ],
];
