/** The consent behind a query, and the bank's own data about it. */
import type { BankTime } from '../lib/clock.js';
import type { AccountId, ClientId, ConsentId, PsuId } from '../model/ids.js';
import type { Language } from '../web/language.js';

export interface ConsentNote {
  readonly id: ConsentId;
  /** The application that holds it. */
  readonly clientId: ClientId;
  /** Opaque data of the bank, stored with the consent and sent with every later query on it; null if there is none. */
  readonly bankData: string | null;
}

/** The state of a consent that a person has decided about, for a bank that wants to know. */
export interface ConsentChange {
  readonly consentId: ConsentId;
  /** Grows with each change of this consent. */
  readonly revision: number;
  readonly kind: string;
  readonly status: string;
  /** Why it has ended. */
  readonly reason: string | null;
  readonly at: BankTime;
  readonly psuId: PsuId;
  readonly accountIds: readonly AccountId[];
  readonly clientId: ClientId;
  readonly thirdParty: { readonly name: string; readonly registration: string };
  /** Null is open-ended. */
  readonly validUntil: BankTime | null;
}

/** What the bank has of a consent. */
export interface KnownConsent {
  /** The highest that it got. */
  readonly revision: number;
  /** The state that it keeps, if it says so. */
  readonly status?: string | undefined;
}

/** A bank may answer with the revision alone, or with nothing. */
export const knownConsent = (answer: KnownConsent | number | undefined): KnownConsent | undefined =>
  typeof answer === 'number' ? { revision: answer } : answer;

/** Who asks, and what it tells about the device and the address of the person: for the bank's own watch on fraud. */
export interface Requester {
  readonly clientId: ClientId;
  /** The X-Request-ID of the call that is asked for, for the logs of both sides. */
  readonly requestId?: string | undefined;
  /** The headers of the third party about the person, by their names, as far as they were sent. */
  readonly psuHeaders: Readonly<Record<string, string>>;
  /** The trace that the call belongs to (W3C `traceparent`), to be passed on. */
  readonly traceparent?: string | undefined;
}

/** On whose behalf an account is queried. The bank answers only while this person holds the account. */
export interface QueryContext {
  readonly psuId: PsuId;
  readonly consent?: ConsentNote | undefined;
  /** The currency of the account, if it is known: an answer in another one is an error. */
  readonly currency?: string | undefined;
  /** Of the person, if they read the answer. */
  readonly language?: Language | undefined;
  readonly requester?: Requester | undefined;
}

/** Reduces a record to the members that the bank receives. */
export const noteOf = ({ id, clientId, bankData }: ConsentNote): ConsentNote => ({ id, clientId, bankData });

export const contextOf = (
  consent: ConsentNote & { readonly psuId: PsuId; readonly requester?: Requester | undefined },
  account?: { readonly currency: string | null },
): QueryContext => ({
  psuId: consent.psuId,
  consent: noteOf(consent),
  requester: consent.requester,
  ...(account?.currency ? { currency: account.currency } : {}),
});
