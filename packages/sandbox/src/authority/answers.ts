/** What the test PKI says about its certificates: revocation lists and OCSP answers. */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { type Eventual, HOUR, MINUTE, type RealTime } from 'trapeza/base';
import {
  type Der,
  enumerated,
  generalizedTime,
  implicit,
  integer,
  integerOf,
  Members,
  OID,
  octets,
  oid,
  readDer,
  sequence,
  TAG,
  time,
  wrap,
  wrapped,
} from 'trapeza/certificates';
import { extensionDer, type NamePlan, nameDer, signed } from './build.js';
import { type ExtensionPlan, keyIdOf } from './extensions.js';

export interface RevokedCertificate {
  readonly serial: bigint;
  readonly at: number;
}

export interface Signer {
  readonly name: NamePlan;
  readonly key: KeyObject;
}

export interface Times {
  readonly thisUpdate: number;
  readonly nextUpdate: number;
}

export const listTimes = (nowMs: RealTime): Times => ({
  thisUpdate: nowMs - MINUTE,
  nextUpdate: nowMs + 24 * HOUR,
});

/** Short, so that a revocation in the sandbox is seen soon. */
export const answerTimes = (nowMs: RealTime): Times => ({
  thisUpdate: nowMs - MINUTE,
  nextUpdate: nowMs + 5 * MINUTE,
});

export const buildCrl = (
  { name, key }: Signer,
  revoked: readonly RevokedCertificate[],
  { thisUpdate, nextUpdate }: Times,
  extensions: readonly ExtensionPlan[] = [],
): Buffer => {
  const number: ExtensionPlan = { oid: OID.crlNumber, value: integer(thisUpdate) };
  const entries = revoked.map(({ serial, at }) => sequence(integer(serial), time(at)));
  return signed(key, (algorithm) =>
    sequence(
      integer(1),
      algorithm,
      nameDer(name),
      time(thisUpdate),
      time(nextUpdate),
      ...(entries.length > 0 ? [sequence(...entries)] : []),
      wrap(0, sequence(...[number, ...extensions].map(extensionDer))),
    ),
  );
};

export type OcspStatus =
  | { readonly kind: 'good' | 'unknown' }
  | { readonly kind: 'revoked'; readonly at: number };

interface Asked {
  readonly certId: Der;
  readonly serial: bigint;
  readonly nameHash: Buffer;
  readonly nonce: Buffer | undefined;
}

const readQuestion = (bytes: Buffer): Asked => {
  const request = new Members(new Members(readDer(bytes)).next());
  request.optional(wrapped(0));
  request.optional(wrapped(1));
  const [first] = request.next(TAG.sequence).children;
  const extensions = request.optional(wrapped(2))?.children[0]?.children ?? [];
  const certId = new Members(first).next(TAG.sequence);
  const id = new Members(certId);
  id.next();
  const nameHash = id.next(TAG.octets).content;
  id.next(TAG.octets);
  const nonce = extensions.find(({ children }) => children[0]?.raw.equals(oid(OID.ocspNonce)));
  return { certId, nameHash, serial: integerOf(id.next(TAG.integer)), nonce: nonce?.raw };
};

const statusDer = (status: OcspStatus): Buffer => {
  if (status.kind === 'revoked') return wrap(1, generalizedTime(status.at));
  return implicit(status.kind === 'good' ? 0 : 2, Buffer.alloc(0));
};

export interface AnswerPlan extends Signer {
  readonly times: Times;
  readonly statusOf: (serial: bigint) => Eventual<OcspStatus>;
  /** A certificate of the issuer that the answer is signed with instead of the issuer's own key. */
  readonly delegate?: { readonly key: KeyObject; readonly certificate: Buffer };
}

const MALFORMED = 1;

/** The answer to one question; only about certificates of this issuer is anything known. */
export const answerOcsp = async (question: Buffer, plan: AnswerPlan): Promise<Buffer> => {
  let asked: Asked;
  try {
    asked = readQuestion(question);
  } catch {
    return sequence(enumerated(MALFORMED));
  }
  const own = createHash('sha1').update(nameDer(plan.name)).digest();
  const status = asked.nameHash.equals(own)
    ? await plan.statusOf(asked.serial)
    : { kind: 'unknown' as const };
  const { thisUpdate, nextUpdate } = plan.times;
  const single = sequence(
    asked.certId.raw,
    statusDer(status),
    generalizedTime(thisUpdate),
    wrap(0, generalizedTime(nextUpdate)),
  );
  const key = plan.delegate?.key ?? plan.key;
  const data = sequence(
    wrap(2, octets(keyIdOf(createPublicKey(key)))),
    generalizedTime(thisUpdate),
    sequence(single),
    ...(asked.nonce ? [wrap(1, sequence(asked.nonce))] : []),
  );
  const certificates = plan.delegate ? [wrap(0, sequence(plan.delegate.certificate))] : [];
  const basic = signed(key, () => data, 'sha256', certificates);
  return sequence(enumerated(0), wrap(0, sequence(oid(OID.ocspBasic), octets(basic))));
};
