/**
 * Passkeys (WebAuthn) as a way to approve, for a bank's own module. What is approved is part of the challenge that the device signs, so
 * an answer for another amount, payee or permission never fits. A bank brings a store; what is in it is no secret.
 */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { type Clock, MINUTE, systemClock } from '../../lib/clock.js';
import { sha256 } from '../../lib/hash.js';
import { newSecret } from '../../lib/id.js';
import type { PsuId } from '../../model/ids.js';
import type { ScaContext } from '../account-holders.js';
import { contextHash } from '../context-hash.js';
import { type AnswerFault, checkAnswer, checkEnrolment, readAnswer } from './check-answer.js';
import { obstacleAt, type PasskeyObstacle, type RelyingParty, relyingPartyAt } from './relying-party.js';
import { webauthn } from './webauthn.js';

/** The public half, as it is stored. */
export interface Passkey {
  readonly id: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  /** How often the device has signed, as it says; always 0 with many that are kept in a cloud. */
  readonly counter: number;
  /** How the browser reaches the device. */
  readonly transports: readonly string[];
  /** Whether it may leave its device, and whether it has. */
  readonly isSyncable: boolean;
  readonly isBackedUp: boolean;
}

export interface PasskeyChallenge {
  readonly id: string;
  readonly psuId: PsuId;
  readonly expiresAt: number;
}

export interface PasskeyStore {
  of(psuId: PsuId): Promise<readonly Passkey[]>;
  /** False if this passkey is known, whosever it is. */
  add(psuId: PsuId, passkey: Passkey): Promise<boolean>;
  /**
   * Keeps the new counter, in one statement: only if it is higher than the one that is kept, or if both are 0. False: it is not, and the
   * passkey exists twice.
   */
  count(id: string, counter: number, isBackedUp: boolean): Promise<boolean>;
  open(challenge: PasskeyChallenge): Promise<void>;
  find(challengeId: string): Promise<(PasskeyChallenge & { readonly isUsed: boolean }) | undefined>;
  /** In one statement; false if it was used meanwhile. */
  use(challengeId: string): Promise<boolean>;
}

export type PasskeyFault =
  | AnswerFault
  | 'unknown-challenge'
  | 'expired'
  | 'replayed'
  | 'other-person'
  /** Not a passkey of this person. */
  | 'foreign-passkey'
  /** The counter went back: two devices have the same key. */
  | 'cloned'
  /** A person has it already. */
  | 'known-passkey';

export interface PasskeyParts {
  /** Of the pages that ask for passkeys: BASE_URL. Asked for every time, because it may be known late. */
  readonly address: () => string;
  /** The RP ID, if it is not the host of the address but a domain above it. */
  readonly rpId?: string;
  /** As the browser shows it. */
  readonly bankName: string;
  readonly store: PasskeyStore;
  readonly clock?: Clock;
  /** Receives every refusal; `cloned` is worth a call to the person. */
  readonly onRefused?: (fault: PasskeyFault, psuId: PsuId) => void;
}

export interface PasskeyRequest {
  readonly id: string;
  /** For `navigator.credentials.get`. */
  readonly request: PublicKeyCredentialRequestOptionsJSON;
  readonly expiresAt: number;
}

export interface PasskeyEnrolment {
  readonly id: string;
  /** For `navigator.credentials.create`. */
  readonly request: PublicKeyCredentialCreationOptionsJSON;
}

export type PasskeyOutcome =
  | { readonly kind: 'right' }
  /** `spent`: a new request is needed. */
  | { readonly kind: 'wrong' | 'spent'; readonly fault: PasskeyFault };

const LIVES_MS = 5 * MINUTE;
const ENROLMENT = 'enrolment';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));

/** For whom a device keeps a passkey: the same for all passkeys of a person, and no personal data. */
const userIdOf = (relyingParty: RelyingParty, psuId: PsuId) =>
  bytesOf(sha256(`passkey:${relyingParty.id}:${psuId}`));

const challengeFor = (id: string, purpose: string): string => sha256(`${id}.${purpose}`);

const spendable: ReadonlySet<PasskeyFault> = new Set<PasskeyFault>([
  'unknown-challenge',
  'expired',
  'replayed',
  'cloned',
]);

export class Passkeys {
  readonly #parts: PasskeyParts;
  readonly #clock: Clock;

  constructor(parts: PasskeyParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
  }

  /** Why there can be none at this address. */
  get obstacle(): PasskeyObstacle | undefined {
    return obstacleAt(this.#parts.address());
  }

  get #relyingParty(): RelyingParty {
    const found = relyingPartyAt(this.#parts.address(), this.#parts.rpId);
    if (!found) throw new Error(`passkeys need a host name and https: ${this.obstacle}`);
    return found;
  }

  /** Whether this person has a passkey. If browsers give none to this address, the page says why and offers the other ways. */
  async isOffered(psuId: PsuId): Promise<boolean> {
    return (await this.#parts.store.of(psuId)).length > 0;
  }

  /** For exactly this. */
  async request(psuId: PsuId, context: ScaContext): Promise<PasskeyRequest> {
    const relyingParty = this.#relyingParty;
    const passkeys = await this.#parts.store.of(psuId);
    const { id, expiresAt } = await this.#open(psuId);
    const { generateAuthenticationOptions } = await webauthn();
    const request = await generateAuthenticationOptions({
      rpID: relyingParty.id,
      challenge: bytesOf(challengeFor(id, contextHash(context))),
      allowCredentials: passkeys.map((each) => ({ id: each.id, transports: [...each.transports] })),
      userVerification: 'required',
      timeout: LIVES_MS,
    });
    return { id, request, expiresAt };
  }

  /** `answer`: what the browser gave, as JSON. */
  async judge(psuId: PsuId, id: string, context: ScaContext, answer: string): Promise<PasskeyOutcome> {
    const fault = await this.#faultOf(psuId, id, context, answer);
    return fault ? this.#refused(psuId, fault) : { kind: 'right' };
  }

  async #faultOf(
    psuId: PsuId,
    id: string,
    context: ScaContext,
    text: string,
  ): Promise<PasskeyFault | undefined> {
    const { store } = this.#parts;
    const unopened = await this.#challengeFault(psuId, id);
    if (unopened) return unopened;
    const answer = readAnswer(text);
    if (!answer) return 'malformed';
    const passkey = (await store.of(psuId)).find((each) => each.id === answer.id);
    if (!passkey) return 'foreign-passkey';
    const challenge = challengeFor(id, contextHash(context));
    const checked = await checkAnswer(answer, { relyingParty: this.#relyingParty, challenge, passkey });
    if (typeof checked === 'string') return checked;
    if (!(await store.use(id))) return 'replayed';
    return (await store.count(passkey.id, checked.counter, checked.isBackedUp)) ? undefined : 'cloned';
  }

  /** For a person whom the bank has authenticated otherwise. */
  async enrolment(psuId: PsuId, name: string): Promise<PasskeyEnrolment> {
    const relyingParty = this.#relyingParty;
    const known = await this.#parts.store.of(psuId);
    const { id } = await this.#open(psuId);
    const { generateRegistrationOptions } = await webauthn();
    const request = await generateRegistrationOptions({
      rpName: this.#parts.bankName,
      rpID: relyingParty.id,
      userName: name,
      userID: userIdOf(relyingParty, psuId),
      challenge: bytesOf(challengeFor(id, ENROLMENT)),
      attestationType: 'none',
      excludeCredentials: known.map((each) => ({ id: each.id, transports: [...each.transports] })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    });
    return { id, request };
  }

  async enrol(psuId: PsuId, id: string, answer: string): Promise<PasskeyOutcome> {
    const fault = (await this.#challengeFault(psuId, id)) ?? (await this.#enrolFault(psuId, id, answer));
    return fault ? this.#refused(psuId, fault) : { kind: 'right' };
  }

  async #enrolFault(psuId: PsuId, id: string, answer: string): Promise<PasskeyFault | undefined> {
    const { store } = this.#parts;
    const passkey = await checkEnrolment(answer, {
      relyingParty: this.#relyingParty,
      challenge: challengeFor(id, ENROLMENT),
    });
    if (typeof passkey === 'string') return passkey;
    if (!(await store.use(id))) return 'replayed';
    return (await store.add(psuId, passkey)) ? undefined : 'known-passkey';
  }

  async #open(psuId: PsuId): Promise<PasskeyChallenge> {
    const challenge = { id: newSecret(), psuId, expiresAt: this.#clock.now() + LIVES_MS };
    await this.#parts.store.open(challenge);
    return challenge;
  }

  async #challengeFault(psuId: PsuId, id: string): Promise<PasskeyFault | undefined> {
    const known = await this.#parts.store.find(id);
    if (!known) return 'unknown-challenge';
    if (known.psuId !== psuId) return 'other-person';
    if (known.isUsed) return 'replayed';
    return known.expiresAt <= this.#clock.now() ? 'expired' : undefined;
  }

  #refused(psuId: PsuId, fault: PasskeyFault): PasskeyOutcome {
    this.#parts.onRefused?.(fault, psuId);
    return { kind: spendable.has(fault) ? 'spent' : 'wrong', fault };
  }
}
