/** Passkeys: what fits is accepted once, and every forged or repeated answer is refused for its own reason. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { ScaContext } from '../../../src/bank/account-holders.js';
import {
  type Passkey,
  type PasskeyChallenge,
  type PasskeyFault,
  Passkeys,
} from '../../../src/bank/passkeys/passkeys.js';
import { relyingPartyAt } from '../../../src/bank/passkeys/relying-party.js';
import { MINUTE } from '../../../src/lib/clock.js';
import { Authenticator, type Forgery, newKey } from './authenticator.js';

const ORIGIN = 'https://bank.example';
const clock = { time: 0, now: () => clock.time, elapsed: () => clock.time };
const payment = { amount: '12,50 €', payee: 'Vasilis Alexiou', account: 'GR0001' };
const context: ScaContext = { shownHash: 'shown', payment };

class MemoryStore {
  readonly passkeys = new Map<string, Passkey & { readonly psuId: string }>();
  readonly challenges = new Map<string, PasskeyChallenge & { isUsed: boolean }>();

  async of(psuId: string) {
    return [...this.passkeys.values()].filter((each) => each.psuId === psuId);
  }
  async add(psuId: string, passkey: Passkey) {
    if (this.passkeys.has(passkey.id)) return false;
    this.passkeys.set(passkey.id, { ...passkey, psuId });
    return true;
  }
  async count(id: string, counter: number, isBackedUp: boolean) {
    const known = this.passkeys.get(id);
    if (!known || (counter <= known.counter && counter + known.counter > 0)) return false;
    this.passkeys.set(id, { ...known, counter, isBackedUp });
    return true;
  }
  async open(challenge: PasskeyChallenge) {
    this.challenges.set(challenge.id, { ...challenge, isUsed: false });
  }
  async find(id: string) {
    return this.challenges.get(id);
  }
  async use(id: string) {
    const known = this.challenges.get(id);
    if (!known || known.isUsed) return false;
    known.isUsed = true;
    return true;
  }
}

let store: MemoryStore;
let told: PasskeyFault[];
let passkeys: Passkeys;
let device: Authenticator;

const enrolled = async (psuId: string): Promise<Authenticator> => {
  const made = new Authenticator(ORIGIN);
  const { id, request } = await passkeys.enrolment(psuId, psuId);
  expect(await passkeys.enrol(psuId, id, made.create(request))).toEqual({ kind: 'right' });
  return made;
};

beforeEach(async () => {
  clock.time = Date.UTC(2026, 10, 17);
  store = new MemoryStore();
  told = [];
  passkeys = new Passkeys({
    address: () => `${ORIGIN}/psd2`,
    bankName: 'A bank',
    store,
    clock,
    onRefused: (fault) => told.push(fault),
  });
  device = await enrolled('eleni');
});

describe('an approval with a passkey', () => {
  it('is accepted for exactly what was shown, and the device is asked to verify the person', async () => {
    const { id, request, expiresAt } = await passkeys.request('eleni', context);
    expect(request).toMatchObject({
      rpId: 'bank.example',
      userVerification: 'required',
      allowCredentials: [{ id: device.id, transports: ['internal'] }],
    });
    expect(expiresAt).toBe(clock.time + 5 * MINUTE);
    const inGreek = { ...context, language: 'el' as const };
    expect(await passkeys.judge('eleni', id, inGreek, device.get(request))).toEqual({ kind: 'right' });
    expect(told).toEqual([]);
  });

  it('is offered to who has one', async () => {
    expect(await passkeys.isOffered('eleni')).toBe(true);
    expect(await passkeys.isOffered('nikos')).toBe(false);
  });

  it('counts on, and takes a device that does not count', async () => {
    for (const counter of [7, 8, 100]) {
      const { id, request } = await passkeys.request('eleni', context);
      expect(await passkeys.judge('eleni', id, context, device.get(request, { counter }))).toEqual({
        kind: 'right',
      });
    }
    const synced = new Authenticator(ORIGIN);
    const { id, request } = await passkeys.enrolment('nikos', 'nikos');
    await passkeys.enrol('nikos', id, synced.create(request, { counter: 0 }));
    for (let use = 0; use < 2; use += 1) {
      const asked = await passkeys.request('nikos', context);
      const answer = synced.get(asked.request, { counter: 0 });
      expect(await passkeys.judge('nikos', asked.id, context, answer)).toEqual({ kind: 'right' });
    }
  });

  const forged: readonly (readonly [string, PasskeyFault, Forgery])[] = [
    ['the challenge of another request', 'other-challenge', { challenge: 'AAAA' }],
    ['an answer from another site', 'wrong-origin', { origin: 'https://bank.example.evil' }],
    ['an answer from another port', 'wrong-origin', { origin: `${ORIGIN}:8443` }],
    ['an answer without encryption', 'wrong-origin', { origin: 'http://bank.example' }],
    ['an answer within a frame of another site', 'framed', { crossOrigin: true }],
    ['a passkey of another host', 'wrong-relying-party', { rpId: 'evil.example' }],
    ['a passkey of the domain above', 'wrong-relying-party', { rpId: 'example' }],
    ['a device that nobody touched', 'not-present', { isPresent: false }],
    ['a device that did not verify the person', 'not-verified', { isVerified: false }],
    ['an enrolment in the place of an approval', 'wrong-type', { type: 'webauthn.create' }],
    ['the key of somebody else', 'bad-signature', { key: newKey() }],
    ['a key of somebody else with an old counter', 'bad-signature', { key: newKey(), counter: 0 }],
    ['an unknown passkey', 'foreign-passkey', { id: 'AAAA' }],
    ['a counter that stands still', 'cloned', { counter: 1 }],
    ['a counter that went back', 'cloned', { counter: 0 }],
  ];

  it.each(forged)('refuses %s', async (_what, fault, forgery) => {
    const { id, request } = await passkeys.request('eleni', context);
    const answer = device.get(request, forgery);
    expect(await passkeys.judge('eleni', id, context, answer)).toMatchObject({ fault });
    expect(told).toEqual([fault]);
  });

  const contexts: readonly (readonly [string, ScaContext])[] = [
    ['another amount', { ...context, payment: { ...payment, amount: '1.250,00 €' } }],
    ['another payee', { ...context, payment: { ...payment, payee: 'Mallory' } }],
    ['another account of the payee', { ...context, payment: { ...payment, account: 'GR0002' } }],
    ['another consent', { ...context, shownHash: 'other' }],
    ['a payment in the place of a permission', { shownHash: context.shownHash }],
  ];

  it.each(contexts)('refuses an answer for %s', async (_what, other) => {
    const { id, request } = await passkeys.request('eleni', other);
    const answer = device.get(request);
    expect(await passkeys.judge('eleni', id, context, answer)).toEqual({
      kind: 'wrong',
      fault: 'other-challenge',
    });
    expect(await passkeys.judge('eleni', id, other, answer)).toEqual({ kind: 'right' });
  });

  it('refuses an answer a second time, and of many at once takes one', async () => {
    const { id, request } = await passkeys.request('eleni', context);
    const answer = device.get(request);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => passkeys.judge('eleni', id, context, answer)),
    );
    expect(outcomes.filter(({ kind }) => kind === 'right')).toHaveLength(1);
    expect(await passkeys.judge('eleni', id, context, answer)).toEqual({ kind: 'spent', fault: 'replayed' });
  });

  it('refuses an answer to another open request for the same', async () => {
    const first = await passkeys.request('eleni', context);
    const second = await passkeys.request('eleni', context);
    const answer = device.get(first.request);
    expect(await passkeys.judge('eleni', second.id, context, answer)).toMatchObject({
      fault: 'other-challenge',
    });
  });

  it('refuses an answer that comes too late', async () => {
    const { id, request } = await passkeys.request('eleni', context);
    clock.time += 5 * MINUTE;
    expect(await passkeys.judge('eleni', id, context, device.get(request))).toEqual({
      kind: 'spent',
      fault: 'expired',
    });
  });

  it('refuses the answer and the request of another person', async () => {
    const theirs = await enrolled('nikos');
    const { id, request } = await passkeys.request('eleni', context);
    expect(await passkeys.judge('nikos', id, context, device.get(request))).toMatchObject({
      fault: 'other-person',
    });
    expect(await passkeys.judge('eleni', id, context, theirs.get(request))).toMatchObject({
      fault: 'foreign-passkey',
    });
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"id":1}',
    '{"id":"x","response":{}}',
    JSON.stringify({ id: 'x'.repeat(9000) }),
  ])('refuses %j', async (answer) => {
    const { id } = await passkeys.request('eleni', context);
    expect(await passkeys.judge('eleni', id, context, answer)).toEqual({ kind: 'wrong', fault: 'malformed' });
  });

  it('refuses what it has not asked', async () => {
    const { request } = await passkeys.request('eleni', context);
    const answer = device.get(request);
    expect(await passkeys.judge('eleni', 'none', context, answer)).toMatchObject({
      fault: 'unknown-challenge',
    });
  });
});

describe('an enrolment', () => {
  it.each<readonly [string, Forgery]>([
    ['of another site', { origin: 'https://evil.example' }],
    ['of another host', { rpId: 'evil.example' }],
    ['without verification of the person', { isVerified: false }],
    ['for another request', { challenge: 'AAAA' }],
  ])('%s is refused', async (_what, forgery) => {
    const { id, request } = await passkeys.enrolment('nikos', 'nikos');
    const answer = new Authenticator(ORIGIN).create(request, forgery);
    expect(await passkeys.enrol('nikos', id, answer)).toMatchObject({ fault: 'malformed' });
    expect(await passkeys.isOffered('nikos')).toBe(false);
  });

  it('works once, for its person, with a passkey that nobody has', async () => {
    const { id, request } = await passkeys.enrolment('nikos', 'nikos');
    const made = new Authenticator(ORIGIN);
    expect(await passkeys.enrol('eleni', id, made.create(request))).toMatchObject({ fault: 'other-person' });
    expect(await passkeys.enrol('nikos', id, device.create(request))).toMatchObject({
      fault: 'known-passkey',
    });
    expect(await passkeys.enrol('nikos', id, made.create(request))).toMatchObject({ fault: 'replayed' });
  });

  it('answers no request to approve', async () => {
    const { id } = await passkeys.request('eleni', context);
    const { request } = await passkeys.enrolment('eleni', 'eleni');
    expect(await passkeys.enrol('eleni', id, new Authenticator(ORIGIN).create(request))).toMatchObject({
      fault: 'malformed',
    });
  });
});

it.each([
  ['https://bank.example', 'bank.example'],
  ['https://psd2.bank.example:8443/xs2a', 'psd2.bank.example'],
  ['http://localhost:8080', 'localhost'],
  ['http://bank.example', undefined],
  ['http://127.0.0.1:8080', undefined],
  ['https://192.0.2.7', undefined],
  ['https://[2001:db8::7]', undefined],
])('at %s the passkeys are of %s', (address, id) => {
  expect(relyingPartyAt(address)?.id).toBe(id);
});
