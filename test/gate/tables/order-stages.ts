/** The order of the checks as a table: how a good request is broken for each of them, and what then answers. */
import { randomUUID } from 'node:crypto';
import {
  ACCOUNTS,
  FINANCE,
  FUNDS,
  fundsBody,
  ibanOf,
  paymentPath,
  unknownIban,
} from '../../support/operations.js';

export type Walked = 'confirmFunds' | 'getPaymentConsent';

/** A request before it is sent; every stage changes its own part of it. */
export interface Draft {
  readonly busy: boolean;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: object | undefined;
  /** Sent in place of the body. */
  readonly raw: string | undefined;
  readonly key: Flaws & { readonly missing: boolean };
  readonly token: 'good' | 'garbage';
  /** With the key of a good certificate: over other text, or over a digest that is not the body's. */
  readonly signed: 'not' | 'badly' | 'with a wrong digest';
  readonly application: string;
  readonly scope: string;
}

/** What can be wrong with a subscription. */
export interface Flaws {
  readonly exhausted: boolean;
  readonly blocked: boolean;
  readonly unsubscribed: boolean;
}

export interface Stage {
  /** Two stages that break the same part cannot be broken together. */
  readonly part: string;
  readonly status: number;
  readonly slug: string;
  readonly spoil: Spoil;
  readonly only: Walked | undefined;
}

type Spoil = (draft: Draft) => Partial<Draft>;

export const goodDraft = (walked: Walked, paymentId: string): Draft => ({
  busy: false,
  method: walked === 'confirmFunds' ? 'POST' : 'GET',
  path: walked === 'confirmFunds' ? FUNDS : paymentPath(paymentId),
  headers: { 'X-Request-ID': randomUUID() },
  body: walked === 'confirmFunds' ? fundsBody({ payee: 'Περίπτερο' }) : undefined,
  raw: undefined,
  key: { missing: false, exhausted: false, blocked: false, unsubscribed: false },
  token: 'good',
  signed: 'not',
  application: FINANCE,
  scope: 'piis ais pis',
});

/** An id that was used for another content before the walk began. */
export const usedRequestId = randomUUID();

const stage = (part: string, status: number, slug: string, spoil: Spoil, only?: Walked): Stage => ({
  part,
  status,
  slug,
  spoil,
  only,
});

const headers =
  (more: Draft['headers']): Spoil =>
  (draft) => ({ headers: { ...draft.headers, ...more } });
const body =
  (more: object): Spoil =>
  (draft) => ({ body: { ...draft.body, ...more } });
const key =
  (flaw: keyof Draft['key']): Spoil =>
  (draft) => ({ key: { ...draft.key, [flaw]: true } });
const set =
  (change: Partial<Draft>): Spoil =>
  () =>
    change;

const textBody: Spoil = (draft) => ({
  headers: { ...draft.headers, 'Content-Type': 'text/plain' },
  ...(draft.body ? {} : { raw: draft.raw ?? '{}' }),
});

const funds = 'confirmFunds';
const read = 'getPaymentConsent';
const savings = ibanOf('eleni', 102);

/** First to last. */
export const stages: readonly Stage[] = [
  stage('address', 400, 'message-too-large', ({ path }) => ({ path: `${path}?x=${'x'.repeat(8200)}` })),
  stage('load', 503, 'overloaded', set({ busy: true })),
  stage('path', 404, 'route-not-found', ({ path }) => ({ path: path.replace('/v1', '/v9') })),
  stage('method', 405, 'method-not-allowed', set({ method: 'PUT' })),
  stage('repeated header', 400, 'duplicate-header', headers({ 'PSU-Accept': ['a', 'b'] })),
  stage('key', 401, 'subscription-key-missing', key('missing')),
  stage('quota', 429, 'quota-exceeded', key('exhausted')),
  stage('token', 401, 'token-invalid', set({ token: 'garbage' })),
  stage('block', 403, 'access-blocked', key('blocked')),
  stage('product', 403, 'product-not-subscribed', key('unsubscribed')),
  stage('scope', 403, 'insufficient-scope', set({ scope: 'ais' })),
  stage('role', 403, 'role-not-permitted', set({ application: ACCOUNTS })),
  stage('accept', 406, 'not-acceptable', headers({ Accept: 'text/html' })),
  stage('content type', 415, 'unsupported-media-type', textBody),
  stage('header', 400, 'invalid-header', headers({ 'Consent-ID': 'x' }), funds),
  stage('header', 400, 'invalid-header', headers({ 'PSU-IP-Port': 'x' }), read),
  stage('query', 400, 'invalid-query', ({ path }) => ({ path: `${path}?x=1` })),
  stage('signature', 400, 'signature-headers-incomplete', headers({ Signature: 'x' })),
  stage('signature', 401, 'signature-invalid', set({ signed: 'badly' })),
  stage('body', 400, 'message-too-large', set({ raw: ' '.repeat(17_000) })),
  stage('signature', 400, 'digest-mismatch', set({ signed: 'with a wrong digest' })),
  stage('body', 400, 'invalid-json', set({ raw: '{' }), funds),
  stage('body', 400, 'validation-failed', body({ tpp: 'x' }), funds),
  stage('request id', 409, 'request-id-conflict', headers({ 'X-Request-ID': usedRequestId }), funds),
  stage('account', 403, 'consent-required', body({ account: { iban: unknownIban } }), funds),
  stage(
    'account',
    409,
    'reference-conflict',
    body({ account: { iban: savings, msisdn: '+306900000101' } }),
    funds,
  ),
  stage('account', 403, 'consent-not-valid', body({ account: { iban: savings } }), funds),
  stage(
    'currency',
    400,
    'currency-mismatch',
    body({ instructedAmount: { currency: 'USD', amount: 1 } }),
    funds,
  ),
  stage(
    'id',
    404,
    'resource-not-found',
    ({ path }) => ({ path: path.replace(/[0-9a-f-]{36}/, randomUUID()) }),
    read,
  ),
  stage('core', 503, 'dependency-unavailable', headers({ 'Sandbox-Scenario': 'core-down' })),
];

export const stagesOf = (walked: Walked): readonly Stage[] =>
  stages.filter(({ only }) => only === undefined || only === walked);

/** Every two stages that can be broken in one request, the earlier one first. */
export const pairsOf = (walked: Walked): readonly (readonly [Stage, Stage])[] => {
  const all = stagesOf(walked);
  return all.flatMap((early, index) =>
    all
      .slice(index + 1)
      .filter((late) => late.part !== early.part)
      .map((late) => [early, late] as const),
  );
};
