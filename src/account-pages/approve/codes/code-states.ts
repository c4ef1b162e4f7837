/** What a page knows about the confirmation of a visit: in which way, whether it waits, is over, or is refused for a while. */
import type { Challenge, Method, MethodKind, ScaContext } from '../../../bank/account-holders.js';
import { WrongAnswer } from '../../../bank/guard/answers.js';
import type { PasskeyObstacle } from '../../../bank/passkeys/relying-party.js';
import type { PageRequest } from '../../../http/pages.js';
import type { BankTime, RealTime } from '../../../lib/clock.js';
import type { PsuId } from '../../../model/ids.js';
import { APP_WAIT_MS, type CodePurpose, RESEND_AFTER_MS } from '../../../psu/code-rules.js';
import { masked } from '../../../psu/destination.js';
import type { SentChallenge, SentCode } from '../../../psu/sent-codes.js';
import { fields } from '../choice.js';

/** Longer answers are wrong. A form of 16 KiB and an address of 8 KiB hold no longer ones. */
export const MAX_ANSWER = 8192;

/** What a person confirms, in one session. */
export interface CodeVisit {
  /** Of the session. */
  readonly secret: string;
  readonly psuId: PsuId;
  readonly context: ScaContext;
  readonly purpose: CodePurpose;
  /** The way that the form or the address names. */
  readonly methodId?: string | undefined;
  /** The full address to which the browser comes back from the bank. */
  readonly returnTo?: (methodId: string) => string;
}

export interface Ways {
  /** The way that is shown; absent if the bank lists none. */
  readonly methodId?: string;
  /** What the person can choose in its place. */
  readonly others?: readonly Method[];
}

interface Again extends Ways {
  /** When another one may be asked for; absent if it may now. */
  readonly againFrom?: number;
}

export type SentState = Again & {
  readonly kind: 'sent';
  readonly method: MethodKind;
  readonly sentTo?: string | undefined;
  readonly expiresAt?: number | undefined;
  readonly demoCode?: string;
  readonly request?: string;
  readonly location?: string;
  /** Just now, for this page. */
  readonly isNew?: boolean;
};

/** Nothing was sent yet. */
export type ReadyState = Ways & {
  readonly kind: 'ready';
  readonly method: 'code' | 'app';
  readonly sentTo?: string | undefined;
};

export type CodeState =
  | ReadyState
  | SentState
  /** `unsure`: unknown whether it was sent; `over`: too old, or spent. */
  | (Again & { readonly kind: 'missing'; readonly why: 'unsure' | 'over' | 'appOver' | 'otherOver' })
  /** `paused`: too many wrong ones; `full`: too many were sent. */
  | (Ways & { readonly kind: 'closed'; readonly why: 'paused' | 'full'; readonly until: number });

/** Why no code was sent. */
export interface Unsent {
  readonly why: 'early' | 'full' | 'paused';
  readonly until: number;
}

/** After the person has asked for a code. */
export interface Sending {
  readonly state: CodeState;
  readonly unsent?: Unsent;
}

export type CodeVerdict =
  | { readonly kind: 'right' }
  | { readonly kind: 'spent' }
  /** At the bank, by the person. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'wrong'; readonly left: number }
  | { readonly kind: 'paused'; readonly until: number };

/** `unreachable`: the bank did not answer, so nothing is known. */
export type AppVerdict = 'right' | 'refused' | 'spent' | 'pending' | 'unreachable';

/** The clock of the machine, by which codes live, and the bank's, which pages show. */
export interface PageTime {
  readonly now: RealTime;
  readonly bankNow: BankTime;
}

export const stateOf = ({ challenge, sentAt, isOver }: SentCode, { now, bankNow }: PageTime): CodeState => {
  const shown = (time: number): number => time + (bankNow - now);
  const againFrom = sentAt + RESEND_AFTER_MS;
  const again = againFrom > now ? { againFrom: shown(againFrom) } : {};
  if (!challenge) return { kind: 'missing', why: 'unsure', ...again };
  const { id: _id, chosen: _chosen, place: _place, method = 'code', expiresAt, ...how } = challenge;
  if (isOver) return { kind: 'missing', why: WHEN_OVER[method], ...again };
  const until = expiresAt === undefined ? {} : { expiresAt: shown(expiresAt) };
  return { kind: 'sent', method, ...how, ...until, ...again };
};

const WHEN_OVER = { code: 'over', app: 'appOver', browser: 'otherOver', redirect: 'otherOver' } as const;

/** What of it is kept and shown. A page that waits for what happens outside of it always has an end. */
export const shownOf = (challenge: Challenge, sentAt: number): SentChallenge => {
  const { id, method, sentTo, expiresAt, demoCode, request, location } = challenge;
  const until = expiresAt ?? (method && method !== 'code' ? sentAt + APP_WAIT_MS : undefined);
  return {
    id,
    ...(method ? { method } : {}),
    ...(request ? { request } : {}),
    ...(location ? { location } : {}),
    ...(sentTo ? { sentTo: masked(sentTo) } : {}),
    ...(demoCode === undefined ? {} : { demoCode }),
    ...(until === undefined ? {} : { expiresAt: until }),
  };
};

export const keyOf = ({ secret, context: { shownHash }, methodId }: CodeVisit) => ({
  secret,
  shownHash,
  methodId,
});

export const ofKind = (challenge: Challenge, method: Method | undefined): Challenge => {
  if (method && (challenge.method ?? 'code') !== method.kind)
    throw new WrongAnswer('garbage', 'challenge /method', 'not the kind of the chosen method');
  return challenge;
};

/** Without passkeys if browsers give none to these pages, unless the person has nothing else. */
export const usableMethods = (
  listed: readonly Method[],
  obstacle: PasskeyObstacle | undefined,
): readonly Method[] => {
  const others = listed.filter(({ kind }) => kind !== 'browser');
  return obstacle === undefined || others.length === 0 ? listed : others;
};

/** How a message goes out to the person, which they must ask for and of which there must not be too many; undefined if none does. */
export const messageIn = (kind: MethodKind = 'code'): 'code' | 'app' | undefined =>
  kind === 'code' || kind === 'app' ? kind : undefined;

/** Whether the page needs our script, which asks the browser. */
export const asksBrowser = (state: CodeState | undefined): boolean =>
  state?.kind === 'sent' && state.request !== undefined;

/** With what the bank sent the browser back, without what is ours in the address. */
export const returnedWith = ({ raw }: Pick<PageRequest, 'raw'>): string => {
  const given = new URLSearchParams(raw.request.url?.replace(/^[^?]*/, ''));
  for (const name of [fields.shown, fields.method]) given.delete(name);
  return given.toString();
};
