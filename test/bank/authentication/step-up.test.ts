/** The step-up at the bank's OpenID provider: what fits is accepted, every other answer is refused for its own reason. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountHolders, ScaContext } from '../../../src/bank/account-holders.js';
import { OpenIdLogin } from '../../../src/bank/openid/openid-login.js';
import { OpenIdStepUp, type StepUpFault, withStepUp } from '../../../src/bank/openid/step-up.js';
import { returnToIn } from '../../../src/bank/openid/step-up-state.js';
import { MINUTE, systemClock } from '../../../src/lib/clock.js';
import { Vault } from '../../../src/lib/vault.js';
import { OpenIdProvider, type Visit } from './openid-provider.js';

const STRONG = 'urn:bank:two-factors';
const CALLBACK = 'https://psd2.bank.example/login/confirmed';
const payment = { amount: '12,50 €', payee: 'Vasilis Alexiou', account: 'GR0001' };
const context: ScaContext = {
  shownHash: 'shown',
  payment,
  returnTo: 'https://psd2.bank.example/authorise/1/returned',
};
const clock = { ahead: 0, now: () => systemClock.now() + clock.ahead, elapsed: () => systemClock.elapsed() };

const provider = new OpenIdProvider();
let told: StepUpFault[];
let stepUp: OpenIdStepUp;

/** As on every node: nothing is kept in memory. */
const newNode = (): OpenIdStepUp => {
  const vault = new Vault('0123456789abcdef0123456789abcdef');
  const login = new OpenIdLogin(
    { issuer: provider.issuer, clientId: 'trapeza', clientSecret: 's' },
    vault,
    clock,
  );
  return new OpenIdStepUp({
    provider: () => login.provider(),
    acrValues: [STRONG, 'urn:bank:passkey'],
    callback: () => CALLBACK,
    vault,
    clock,
    onRefused: (fault) => told.push(fault),
  });
};

beforeAll(() => provider.up());
afterAll(() => provider.down());
beforeEach(() => {
  clock.ahead = 0;
  provider.tokenStatus = 200;
  told = [];
  stepUp = newNode();
});

const begin = async (asked = context) => {
  const { id, location = '', ...rest } = await stepUp.challenge('eleni', asked);
  return { id, location: new URL(location), ...rest };
};

const seconds = (ms: number): number => Math.floor((Date.now() + ms) / 1000);

describe('the step-up', () => {
  it('says who approves what, and how strongly they must authenticate', async () => {
    const { location, method, expiresAt } = await begin({ ...context, language: 'el' });
    const asked = Object.fromEntries(location.searchParams);
    expect(asked).toMatchObject({
      client_id: 'trapeza',
      redirect_uri: CALLBACK,
      acr_values: `${STRONG} urn:bank:passkey`,
      max_age: '0',
      prompt: 'login',
      login_hint: 'eleni',
      ui_locales: 'el',
      code_challenge_method: 'S256',
    });
    expect(JSON.parse(asked.authorization_details ?? '')).toEqual([
      { type: 'trapeza_approval', ...payment, shownHash: 'shown' },
    ]);
    expect(returnToIn(asked.state ?? '')).toBe(context.returnTo);
    expect([method, expiresAt]).toEqual(['redirect', expect.any(Number)]);
  });

  it('is finished on another node, and the language of the page does not matter', async () => {
    const { id, location } = await begin({ ...context, language: 'el' });
    const { search } = provider.answer(location, { claims: { acr: 'urn:bank:passkey' } });
    const inEnglish = { ...context, language: 'en' as const };
    expect(await newNode().verify('eleni', id, inEnglish, search)).toBe('right');
    expect(told).toEqual([]);
  });

  const forged: readonly (readonly [string, StepUpFault, Visit])[] = [
    ['another person', 'other-person', { sub: 'nikos' }],
    ['no statement how they authenticated', 'other-acr', { claims: { acr: undefined } }],
    ['a weaker authentication', 'other-acr', { claims: { acr: 'urn:bank:password' } }],
    ['a list in its place', 'other-acr', { claims: { acr: [STRONG] } }],
    ['no statement when they authenticated', 'no-auth-time', { claims: { auth_time: undefined } }],
    ['an authentication of before', 'old-authentication', { claims: { auth_time: seconds(-2 * MINUTE) } }],
    ['another nonce', 'other-nonce', { claims: { nonce: 'another' } }],
    ['an identity token of another issuer', 'bad-answer', { claims: { iss: 'https://evil.example' } }],
    ['an identity token for another client', 'bad-answer', { claims: { aud: 'another' } }],
    ['an identity token that is over', 'bad-answer', { claims: { exp: seconds(-5 * MINUTE) } }],
    [
      'other details than asked',
      'other-details',
      { details: [{ type: 'trapeza_approval', shownHash: 'other' }] },
    ],
    ['no details in a list of them', 'other-details', { details: [] }],
  ];

  it.each(forged)('refuses %s', async (_what, fault, visit) => {
    const { id, location } = await begin();
    expect(await stepUp.verify('eleni', id, context, provider.answer(location, visit).search)).toBe('spent');
    expect(told).toEqual([fault]);
  });

  it.each<readonly [string, ScaContext]>([
    ['another amount', { ...context, payment: { ...payment, amount: '1.250,00 €' } }],
    ['another payee', { ...context, payment: { ...payment, payee: 'Mallory' } }],
    ['another account of the payee', { ...context, payment: { ...payment, account: 'GR0002' } }],
    ['no payment', { shownHash: context.shownHash, returnTo: context.returnTo ?? '' }],
    ['another consent', { ...context, shownHash: 'other' }],
  ])('refuses an answer for %s', async (_what, other) => {
    const { id, location } = await begin(other);
    expect(await stepUp.verify('eleni', id, context, provider.answer(location).search)).toBe('spent');
    expect(told).toEqual(['other-nonce']);
  });

  it.each<readonly [string, StepUpFault, (query: URLSearchParams) => void]>([
    ['another state', 'other-state', (query) => query.set('state', 'another')],
    [
      'another page to come back to',
      'other-state',
      (query) => query.set('state', `${query.get('state')?.split('.')[0]}.L2RvY3M`),
    ],
    ['no state', 'other-state', (query) => query.delete('state')],
    ['another issuer', 'other-issuer', (query) => query.set('iss', 'https://evil.example')],
    ['no issuer', 'bad-answer', (query) => query.delete('iss')],
    ['an unknown code', 'code-refused', (query) => query.set('code', 'another')],
    ['an error', 'provider-error', (query) => query.set('error', 'unmet_authentication_requirements')],
  ])('refuses %s', async (_what, fault, forge) => {
    const { id, location } = await begin();
    const { searchParams } = provider.answer(location);
    forge(searchParams);
    expect(await stepUp.verify('eleni', id, context, searchParams.toString())).toBe('spent');
    expect(told).toEqual([fault]);
  });

  it('refuses a code a second time', async () => {
    const { id, location } = await begin();
    const { search } = provider.answer(location);
    expect(await stepUp.verify('eleni', id, context, search)).toBe('right');
    expect(await stepUp.verify('eleni', id, context, search)).toBe('spent');
    expect(told).toEqual(['code-refused']);
  });

  it('refuses the challenge of another person, one that is not ours, one that is over, and the answer to another one', async () => {
    const { id, location } = await begin();
    const { search } = provider.answer(location);
    expect(await stepUp.verify('nikos', id, context, search)).toBe('spent');
    expect(await stepUp.verify('eleni', 'step-up:x', context, search)).toBe('spent');
    const other = await begin();
    expect(await stepUp.verify('eleni', other.id, context, search)).toBe('spent');
    clock.ahead = 10 * MINUTE;
    expect(await stepUp.verify('eleni', id, context, search)).toBe('spent');
    expect(told).toEqual(['unknown-challenge', 'unknown-challenge', 'other-state', 'expired']);
  });

  it('is refused if the person refuses there', async () => {
    const { id, location } = await begin();
    const query = `error=access_denied&state=${location.searchParams.get('state')}&iss=${provider.issuer}`;
    expect(await stepUp.verify('eleni', id, context, query)).toBe('refused');
    expect(told).toEqual(['refused-there']);
  });

  it('knows nothing while the provider does not answer', async () => {
    const { id, location } = await begin();
    const { search } = provider.answer(location);
    provider.tokenStatus = 503;
    await expect(stepUp.verify('eleni', id, context, search)).rejects.toThrow();
    provider.tokenStatus = 200;
    expect(await stepUp.verify('eleni', id, context, search)).toBe('right');
    expect(told).toEqual([]);
  });
});

describe('beside what the bank offers', () => {
  const asked: unknown[] = [];
  const theirs: AccountHolders = {
    login: async () => ({ kind: 'refused' }),
    challenge: async (...args) => {
      asked.push(args);
      return { id: 'theirs' };
    },
    verify: async (...args) => {
      asked.push(args);
      return 'wrong';
    },
  };

  it('is one more method, and theirs go on as before', async () => {
    const both = withStepUp(theirs, stepUp);
    expect(await both.methods?.('eleni', context)).toEqual([
      { id: 'bank', kind: 'code' },
      { id: 'step-up', kind: 'redirect' },
    ]);
    await both.challenge('eleni', context, 'bank');
    expect(await both.verify('eleni', 'theirs', context, '1', 'code')).toBe('wrong');
    expect(asked).toEqual([
      ['eleni', context, undefined],
      ['eleni', 'theirs', context, '1', 'code'],
    ]);
    const { id, location = '' } = await both.challenge('eleni', context, 'step-up');
    const { search } = provider.answer(new URL(location));
    expect(await both.verify('eleni', id, context, search, 'redirect')).toBe('right');
    const listed = withStepUp({ ...theirs, methods: async () => [{ id: 'sms', kind: 'code' }] }, stepUp);
    expect((await listed.methods?.('eleni', context))?.map((each) => each.id)).toEqual(['sms', 'step-up']);
  });
});
