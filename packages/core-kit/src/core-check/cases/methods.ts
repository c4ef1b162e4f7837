/** Cases about the ways to confirm, for cores that list them. */
import { check, type Trial } from '../case.js';
import type { Answer } from '../client.js';
import { demand, Skip } from '../verdict.js';
import { begin, context, isWhole } from './persons.js';

const ABSENT: readonly number[] = [400, 404, 405, 501];

type Ways = Answer<'listMethods'>['methods'];

const waysOf = async ({ core, subject: { appPsuId } }: Trial<'appPsuId'>): Promise<Ways> => {
  const wanted = { params: { psuId: appPsuId }, body: context };
  const { status } = await core.ask('listMethods', wanted);
  if (ABSENT.includes(status)) throw new Skip('the core has one way to confirm, and lists none');
  const { psuId, methods } = await core.answer('listMethods', wanted);
  demand(psuId === appPsuId, `psuId ${appPsuId}`, 'another psuId');
  if (methods.length === 0) throw new Skip('the core lists no ways for this person');
  return methods;
};

export const methodCases = [
  check({
    id: 'methods-listed',
    title: 'lists the ways of a person, each once',
    operation: 'listMethods',
    hint: 'Give every way an id of its own, and mask where it leads to as in sendCode.',
    needs: ['appPsuId'],
    run: async (trial) => {
      const ways = await waysOf(trial);
      const ids = ways.map(({ methodId }) => methodId);
      demand(new Set(ids).size === ids.length, 'each methodId once', 'one twice');
      const isMasked = ways.every(({ sentTo }) => sentTo === undefined || !isWhole(sentTo));
      demand(isMasked, 'masked destinations', 'a whole one');
    },
  }),
  check({
    id: 'methods-kept',
    title: 'begins a confirmation in the way that was chosen',
    operation: 'sendCode',
    hint: 'Answer with the method of the methodId that came in the body, not with the one that you would choose.',
    needs: ['appPsuId'],
    run: async (trial) => {
      for (const { methodId, method: listed } of await waysOf(trial)) {
        const { method = 'code' } = await begin(trial.core, trial.subject.appPsuId, {
          ...context,
          methodId,
          ...(listed === 'redirect' ? { returnTo: 'https://trapeza.example/returned' } : {}),
        });
        demand(method === listed, `method ${listed} for the way ${methodId}`, method);
      }
    },
  }),
  check({
    id: 'methods-unknown',
    title: 'begins nothing in a way that it has not listed',
    operation: 'sendCode',
    hint: 'Answer 400 for a methodId that this person does not have, and send nothing.',
    needs: ['appPsuId'],
    run: async (trial) => {
      await waysOf(trial);
      const body = { ...context, methodId: 'core-check-unknown' };
      const { status } = await trial.core.ask('sendCode', {
        params: { psuId: trial.subject.appPsuId },
        body,
      });
      demand(status >= 400 && status < 500, '400', `status ${status}`);
    },
  }),
  check({
    id: 'code-needed',
    title: 'confirms nothing without the code that was sent',
    operation: 'tryCode',
    hint: 'A challenge of the method code is right for its code alone: neither for a question without one nor for an answer of a browser.',
    needs: ['psuId'],
    run: async ({ core, subject: { psuId } }) => {
      const { challengeId, method } = await begin(core, psuId);
      if (method !== undefined && method !== 'code') throw new Skip('this person gets no code');
      const params = { psuId, challengeId };
      for (const body of [context, { ...context, answer: '{}' }]) {
        const { json } = await core.ask('tryCode', { params, body });
        const { outcome } = (json ?? {}) as { readonly outcome?: unknown };
        demand(outcome !== 'right' && outcome !== 'pending', 'wrong, spent or 400', String(outcome));
      }
    },
  }),
];
