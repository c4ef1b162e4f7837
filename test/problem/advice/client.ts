/** A client that knows no problem, only its advice: it reaches its goal, or stops where somebody must act. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Advice } from '../../../src/problem/advice.js';

/** What a request of the client is made of. */
export interface State {
  readonly requestId: string;
  readonly token: string;
  readonly consentId: string;
  readonly dateFrom: string;
  /** The link of a following page, below the list. */
  readonly page: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly json: unknown;
}

/** What the client can do besides sending its request. */
export interface World {
  send(state: State): Promise<Reply>;
  wait(seconds: number): Promise<void>;
  /** Undefined if the token endpoint answers `invalid_grant`. */
  refresh(): Promise<string | undefined>;
  /** The account holder logs in; `scope` as the bank names it. */
  authorize(scope: string | undefined): Promise<string>;
  /** The account holder decides about a consent. */
  decide(consentId: string): Promise<void>;
  /** POST to the address, and the account holder authenticates at the link of the answer. */
  renew(address: string): Promise<void>;
  /** Created, and approved by the account holder. */
  newConsent(): Promise<string>;
  /** The resource that the request is about, or the one at the address. */
  read(address: string | undefined): Promise<Reply>;
}

interface ProblemReply {
  readonly type: string;
  readonly extensions: {
    readonly error: { readonly advice: Advice };
    readonly history?: { readonly dateFrom: string };
    readonly payment?: { readonly href: string };
    readonly _links?: { readonly startAuthorisation: { readonly href: string } };
  };
}

const problemIn = ({ json }: Reply): ProblemReply => json as ProblemReply;
export const slugIn = (reply: Reply): string => problemIn(reply).type.split('/').at(-1) ?? '';

export type End = 'success' | 'existing' | 'stop';
type Act = (world: World, state: State, reply: Reply, isAgain: boolean) => Promise<Partial<State> | End>;

const again: Act = async (world, _state, { headers }) => {
  await world.wait(Number(headers['retry-after']));
  return {};
};

const scopeIn = ({ headers }: Reply): string | undefined =>
  /scope="([^"]+)"/.exec(headers['www-authenticate'] ?? '')?.[1];

const stop: Act = async () => 'stop';

const acts: Readonly<Record<Advice, Act>> = {
  repeat: again,
  wait: again,
  'refresh-token': async (world, _state, _reply, isAgain) => ({
    token: (isAgain ? undefined : await world.refresh()) ?? (await world.authorize(undefined)),
  }),
  authorize: async (world, _state, reply) => ({ token: await world.authorize(scopeIn(reply)) }),
  'ask-account-holder': async (world, { consentId }) => {
    await world.decide(consentId);
    return {};
  },
  'renew-consent': async (world, _state, reply) => {
    await world.renew(problemIn(reply).extensions._links?.startAuthorisation.href ?? '');
    return {};
  },
  'ask-for-less': async (_world, _state, reply) => ({
    dateFrom: problemIn(reply).extensions.history?.dateFrom ?? '',
    requestId: randomUUID(),
  }),
  'new-consent': async (world) => ({ consentId: await world.newConsent(), requestId: randomUUID() }),
  'read-existing': async (world, _state, reply) => {
    const { status } = await world.read(problemIn(reply).extensions.payment?.href);
    return status === 200 ? 'existing' : 'stop';
  },
  'start-over': async () => ({ page: '', requestId: randomUUID() }),
  'fix-request': stop,
  'contact-bank': stop,
};

export interface Journey {
  readonly end: End;
  /** Of the first refusal; undefined if there was none. */
  readonly slug: string | undefined;
  readonly advice: readonly Advice[];
}

const MOST_ATTEMPTS = 5;

export const follow = async (world: World, first: State): Promise<Journey> => {
  const advice: Advice[] = [];
  let slug: string | undefined;
  let state = first;
  while (advice.length < MOST_ATTEMPTS) {
    const reply = await world.send(state);
    if (reply.status < 300) return { end: 'success', slug, advice };
    slug ??= slugIn(reply);
    const told = problemIn(reply).extensions.error.advice;
    const next = await acts[told](world, state, reply, advice.includes(told));
    advice.push(told);
    if (typeof next === 'string') return { end: next, slug, advice };
    state = { ...state, ...next };
  }
  return { end: 'stop', slug, advice };
};
