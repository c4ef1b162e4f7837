/** The identity port in front of a core over HTTP: what is sent, and what is taken for an answer. */
import { beforeEach, describe, expect, it } from 'vitest';
import { coreExamples } from '../../../src/bank/http/contract/examples.js';
import type { coreOperations } from '../../../src/bank/http/contract/operations.js';
import { json, openTestCore, somebody, useTestCore } from './raw-core.js';

const { core, adapter } = useTestCore();
beforeEach(() => {
  core.seen.length = 0;
});

/** The core answers with the example, changed. */
const says = (id: keyof typeof coreOperations, changes: object = {}): void => {
  core.behave = (_seen, response) => json(response, { ...coreExamples[id].answer, ...changes });
};
const last = () => core.seen.at(-1);
const fault = async (asked: Promise<unknown>): Promise<string> => {
  await expect(asked).rejects.toMatchObject({ slug: 'dependency-unavailable' });
  return adapter().told.at(-1)?.outcome ?? '';
};

describe('account holders', () => {
  const psuId = 'customer-4711';
  const context = { shownHash: 'h' };

  it('log in, get codes and try them; a demo code is dropped outside the sandbox', async () => {
    says('login');
    expect(await adapter().accountHolders.login('eleni', 'x')).toMatchObject({ kind: 'recognised', psuId });
    says('login', { recognised: false, psuId: null, name: null });
    expect(await adapter().accountHolders.login('eleni', 'x')).toEqual({ kind: 'refused' });
    says('login', { psuId: null });
    expect(await fault(adapter().accountHolders.login('eleni', 'x'))).toBe('garbage');
    says('sendCode', { demoCode: '123456' });
    const how = { method: 'code', sentTo: '*** *** 4711' };
    const sent = { id: 'challenge-58', ...how, expiresAt: Date.UTC(2026, 10, 15, 10, 5) };
    expect(await adapter().accountHolders.challenge(psuId, context)).toEqual(sent);
    expect(await openTestCore(core, { isTest: true }).accountHolders.challenge(psuId, context)).toEqual({
      ...sent,
      demoCode: '123456',
    });
    says('sendCode', { expiresAt: undefined });
    expect(await adapter().accountHolders.challenge(psuId, context)).toEqual({ id: 'challenge-58', ...how });
    says('tryCode');
    expect(await adapter().accountHolders.verify(psuId, 'challenge-58', context, '1')).toBe('right');
    expect(await fault(adapter().accountHolders.verify(psuId, 'other', context, '1'))).toBe('wrong-echo');
  });

  it('confirm in the app: a question without a code, with outcomes of its own', async () => {
    says('sendCode', { method: 'app', sentTo: undefined });
    expect(await adapter().accountHolders.challenge(psuId, context)).toMatchObject({ method: 'app' });
    for (const outcome of ['pending', 'right', 'refused', 'spent'] as const) {
      says('tryCode', { outcome });
      expect(await adapter().accountHolders.verify(psuId, 'challenge-58', context)).toBe(outcome);
      expect(last()?.body).toEqual({ shownHash: 'h', payment: null });
    }
    for (const [outcome, code] of [
      ['wrong', undefined],
      ['pending', '1'],
      ['refused', '1'],
    ] as const) {
      says('tryCode', { outcome });
      expect(await fault(adapter().accountHolders.verify(psuId, 'challenge-58', context, code))).toBe(
        'garbage',
      );
    }
  });

  it('are written to in their language, which is no part of what a code stands for', async () => {
    says('login');
    await adapter().accountHolders.login('eleni', 'x', 'el');
    expect(last()?.headers['accept-language']).toBe('el');
    says('sendCode');
    await adapter().accountHolders.challenge(psuId, { ...context, language: 'en' });
    expect(last()?.headers['accept-language']).toBe('en');
    expect(last()?.body).toEqual({ shownHash: 'h', payment: null });
    says('readBalances');
    await adapter().bank.balances('GR-101-EUR', { ...somebody, language: 'el' });
    expect(last()?.headers['accept-language']).toBe('el');
    await adapter().bank.balances('GR-101-EUR', somebody);
    expect(last()?.headers['accept-language']).toBeUndefined();
  });
});
