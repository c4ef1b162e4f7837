/**
 * The answer of a browser to a passkey request. The library decides; the checks before it only find the reason, because it has one
 * kind of error for all of them.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { parseStrictJson } from '../../lib/format/strict-json.js';
import type { Passkey } from './passkeys.js';
import type { RelyingParty } from './relying-party.js';
import { webauthn, webauthnReaders } from './webauthn.js';

export type AnswerFault =
  | 'malformed'
  /** An answer to another kind of request. */
  | 'wrong-type'
  /** For another request, or for something else than was shown. */
  | 'other-challenge'
  | 'wrong-origin'
  /** Asked for within a page of another origin. */
  | 'framed'
  | 'wrong-relying-party'
  | 'not-present'
  /** Neither a PIN nor a fingerprint: one factor alone. */
  | 'not-verified'
  | 'bad-signature';

export interface AnswerExpected {
  readonly relyingParty: RelyingParty;
  readonly challenge: string;
  readonly passkey: Passkey;
}

export interface CheckedAnswer {
  readonly counter: number;
  readonly isBackedUp: boolean;
}

const LONGEST = 8192;
const TRANSPORT = /^[a-z-]{1,20}$/;

/** Undefined if it is not the JSON of a credential. */
export const readAnswer = (text: string): AuthenticationResponseJSON | undefined => {
  if (text.length > LONGEST) return undefined;
  try {
    const answer = parseStrictJson(text) as AuthenticationResponseJSON | null;
    const { clientDataJSON, authenticatorData, signature } = answer?.response ?? {};
    const parts = [answer?.id, clientDataJSON, authenticatorData, signature];
    return answer && parts.every((each) => typeof each === 'string' && each !== '') ? answer : undefined;
  } catch {
    return undefined;
  }
};

const faultOf = async (
  { response }: AuthenticationResponseJSON,
  { relyingParty, challenge }: AnswerExpected,
): Promise<AnswerFault | undefined> => {
  const { decodeClientDataJSON, parseAuthenticatorData, toHash } = await webauthnReaders();
  const clientData = decodeClientDataJSON(response.clientDataJSON);
  if (clientData.type !== 'webauthn.get') return 'wrong-type';
  if (clientData.challenge !== challenge) return 'other-challenge';
  if (clientData.crossOrigin === true) return 'framed';
  if (clientData.origin !== relyingParty.origin) return 'wrong-origin';
  const { rpIdHash, flags } = parseAuthenticatorData(Buffer.from(response.authenticatorData, 'base64url'));
  const ownHash = await toHash(Buffer.from(relyingParty.id));
  if (!Buffer.from(ownHash).equals(rpIdHash)) return 'wrong-relying-party';
  if (!flags.up) return 'not-present';
  return flags.uv ? undefined : 'not-verified';
};

export const checkAnswer = async (
  answer: AuthenticationResponseJSON,
  expected: AnswerExpected,
): Promise<CheckedAnswer | AnswerFault> => {
  const { relyingParty, challenge, passkey } = expected;
  try {
    const fault = await faultOf(answer, expected);
    if (fault) return fault;
    const { verifyAuthenticationResponse } = await webauthn();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      // The counter is compared in the store, once the signature is known to be right: who has no key cannot make it look cloned.
      credential: { id: passkey.id, publicKey: Buffer.from(passkey.publicKey, 'base64url'), counter: 0 },
    });
    if (!verified) return 'bad-signature';
    return { counter: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp };
  } catch {
    return 'malformed';
  }
};

/** The new passkey in the answer of a browser. Nothing is asked about the make of the device. */
export const checkEnrolment = async (
  text: string,
  { relyingParty, challenge }: Omit<AnswerExpected, 'passkey'>,
): Promise<Passkey | AnswerFault> => {
  try {
    const { verifyRegistrationResponse } = await webauthn();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: parseStrictJson(text) as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
    });
    if (!verified) return 'bad-signature';
    const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
    return {
      id: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: (credential.transports ?? []).filter((each) => TRANSPORT.test(each)),
      isSyncable: credentialDeviceType === 'multiDevice',
      isBackedUp: credentialBackedUp,
    };
  } catch {
    return 'malformed';
  }
};
