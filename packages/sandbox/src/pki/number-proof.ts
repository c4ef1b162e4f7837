/**
 * Who gets a certificate for a number that a third party has registered here. The numbers of companies are public, and the authority of a
 * sandbox issues in any name: without this, anybody could stand for any registered third party.
 */
import { type KeyObject, verify } from 'node:crypto';
import { fieldFault, fieldProblem, Problem, type Queries } from 'trapeza/base';
import { findNumber, hasKey } from 'trapeza/extend';

export interface NumberWish {
  readonly registration: string;
  /** It was asked for by the number itself, not for an application that is here. */
  readonly isByNumber: boolean;
  readonly publicKey: KeyObject;
  readonly csr?: string | undefined;
  /** A signature over the text of `csr`, by the key of an earlier certificate. */
  readonly proof?: string | undefined;
}

const isSigned = (key: KeyObject, text: string, proof: string): boolean => {
  try {
    return verify('sha256', Buffer.from(text), key, Buffer.from(proof, 'base64'));
  } catch {
    return false;
  }
};

/** Throws unless the certificate may be issued. The third party to which a proven key is to be added, if there is one. */
export const demandNumber = async (
  db: Queries,
  { registration, isByNumber, publicKey, csr, proof }: NumberWish,
): Promise<string | undefined> => {
  if (proof !== undefined && csr === undefined)
    throw fieldProblem('proof', fieldFault('conflict', 'is a signature over csr', { with: 'csr' }));
  const number = await findNumber(db, registration);
  // The demo applications and those of developers here are found by their id, and register nothing by certificate.
  if (!number || (!isByNumber && number.registeredBy !== 'certificate')) return undefined;
  if (hasKey(number, publicKey)) return undefined;
  if (csr !== undefined && proof !== undefined && number.keys.some((key) => isSigned(key, csr, proof)))
    return number.tppId;
  throw new Problem('state-conflict', {
    detail:
      'This number is registered here: send a csr for the key of an earlier certificate, or for a new key with a proof, or choose another number.',
  });
};
