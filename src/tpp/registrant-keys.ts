/**
 * Which keys stand for a registered third party. An authority that issues certificates in any name, as that of a sandbox does, vouches
 * for none of them: there a number belongs to the key that registered it first, and to those that such a key has brought in.
 */
import type { KeyObject } from 'node:crypto';
import { readCertificateFile } from '../certificate/certificate.js';
import type { Queries } from '../store/db.js';

const FIND_TPP = 'select id, registered_by as "registeredBy" from tpps where registration = ?';
const KEPT =
  'select pem from tpp_certificates where tpp_id = ? order by added_at desc, fingerprint limit 200';

export interface RegisteredNumber {
  readonly tppId: string;
  readonly registeredBy: string;
  /** Of the certificates that the third party has shown or was given. */
  readonly keys: readonly KeyObject[];
}

export const findNumber = async (
  db: Queries,
  registration: string,
): Promise<RegisteredNumber | undefined> => {
  const tpp = await db.one<{ id: string; registeredBy: string }>(FIND_TPP, [registration]);
  if (!tpp) return undefined;
  const kept = await db.all<{ pem: string }>(KEPT, [tpp.id]);
  const keys = kept.map(({ pem }) => readCertificateFile(Buffer.from(pem)).certificate.publicKey);
  return { tppId: tpp.id, registeredBy: tpp.registeredBy, keys };
};

export const hasKey = ({ keys }: Pick<RegisteredNumber, 'keys'>, key: KeyObject): boolean =>
  keys.some((each) => each.equals(key));
