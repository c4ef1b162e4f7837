/** Defects in logins and one-time codes. */

import { isDeepStrictEqual } from 'node:util';
import { demoPsus } from '@trapeza/sandbox/demo-bank';
import type { PsuId } from 'trapeza/base';
import { type Asked, Refusal } from '../contract.js';
import { answering, type Defect } from './defect.js';

type Context = Asked<'sendCode'>['body'];

interface Sent {
  readonly psuId: PsuId;
  readonly context: Context;
  readonly code: string;
}

export const personDefects = {
  'unknown-user-told': {
    title: 'an unknown user is told apart from a wrong password',
    spoil: (core) => ({
      login: async (asked) => {
        if (demoPsus.some(({ username }) => username === asked.body.username)) return core.login(asked);
        throw new Refusal(404, 'no such user');
      },
    }),
  },
  'destination-whole': {
    title: 'the page shows the whole phone number of the person',
    spoil: (core) => ({
      sendCode: async (asked) => ({ ...(await core.sendCode(asked)), sentTo: '+306900000101' }),
    }),
  },
  'app-right-at-once': {
    title: 'a request to the app is right before the person has answered',
    spoil: (core) => ({
      tryCode: async (asked) => {
        const answer = await core.tryCode(asked);
        return answer.outcome === 'pending' ? { ...answer, outcome: 'right' } : answer;
      },
    }),
  },
  'login-of-another': {
    title: 'a right login is answered with the id of another person',
    spoil: answering('login', (answer) => ({
      ...answer,
      psuId: answer.psuId === null ? null : (demoPsus.find(({ id }) => id !== answer.psuId)?.id ?? null),
    })),
  },
  'one-challenge-per-person': {
    title: 'every code of a person has the same challengeId',
    spoil: (core) => {
      const latest = new Map<string, string>();
      return {
        sendCode: async (asked) => {
          const answer = await core.sendCode(asked);
          latest.set(answer.psuId, answer.challengeId);
          return { ...answer, challengeId: 'challenge' };
        },
        tryCode: async (asked) => {
          const { psuId, challengeId } = asked.params;
          const params = { psuId, challengeId: latest.get(psuId) ?? challengeId };
          return { ...(await core.tryCode({ ...asked, params })), challengeId };
        },
      };
    },
  },
  'slip-spends-code': {
    title: 'a single wrong code spends the challenge',
    spoil: answering('tryCode', (answer) => ({
      ...answer,
      outcome: answer.outcome === 'wrong' ? 'spent' : answer.outcome,
    })),
  },
  'unknown-challenge-is-500': {
    title: 'a challenge that was never made ends in an error of the core',
    spoil: (core) => {
      const known = new Set<string>();
      return {
        sendCode: async (asked) => {
          const answer = await core.sendCode(asked);
          known.add(answer.challengeId);
          return answer;
        },
        tryCode: async (asked) => {
          if (!known.has(asked.params.challengeId)) throw new Refusal(500, 'null');
          return core.tryCode(asked);
        },
      };
    },
  },
  'code-works-twice': {
    title: 'a one-time code works more than once',
    spoil: (core) => {
      const right = new Set<string>();
      return {
        tryCode: async (asked) => {
          const key = `${asked.params.challengeId}:${asked.body.code}`;
          const answer = await core.tryCode(asked);
          if (answer.outcome === 'right') right.add(key);
          return right.has(key) ? { ...answer, outcome: 'right' } : answer;
        },
      };
    },
  },
  'code-for-anything': {
    title: 'a one-time code works for something else than it was sent for',
    spoil: (core) => {
      const sentFor = new Map<string, Context>();
      return {
        sendCode: async (asked) => {
          const answer = await core.sendCode(asked);
          sentFor.set(answer.challengeId, asked.body);
          return answer;
        },
        tryCode: (asked) => {
          const context = sentFor.get(asked.params.challengeId);
          return core.tryCode({ ...asked, body: { ...asked.body, ...context } });
        },
      };
    },
  },
  'code-of-anybody': {
    title: 'a one-time code works for another person than it was sent to',
    spoil: (core) => {
      const sentTo = new Map<string, string>();
      return {
        sendCode: async (asked) => {
          const answer = await core.sendCode(asked);
          sentTo.set(answer.challengeId, asked.params.psuId);
          return answer;
        },
        tryCode: async (asked) => {
          const psuId = sentTo.get(asked.params.challengeId) ?? asked.params.psuId;
          const answer = await core.tryCode({ ...asked, params: { ...asked.params, psuId } });
          return { ...answer, psuId: asked.params.psuId };
        },
      };
    },
  },
  'code-guessed-for-ever': {
    title: 'a one-time code can be tried as often as somebody likes',
    spoil: (core) => {
      const codes = new Map<string, string>();
      return {
        sendCode: async (asked) => {
          const answer = await core.sendCode(asked);
          codes.set(answer.challengeId, answer.demoCode ?? '');
          return answer;
        },
        tryCode: async (asked) => {
          const { challengeId } = asked.params;
          const { code } = asked.body;
          if (code !== undefined && codes.get(challengeId) !== code)
            return { ...asked.params, outcome: 'wrong' };
          return core.tryCode(asked);
        },
      };
    },
  },
  'codes-counted-per-challenge': {
    title: 'wrong codes are counted for each challenge, so that a new one gives five new attempts',
    spoil: (core) => {
      const challenges = new Map<string, { readonly sent: Sent; wrong: number; isUsed: boolean }>();
      return {
        sendCode: async (asked) => {
          const answer = await core.sendCode(asked);
          const sent = { psuId: answer.psuId, context: asked.body, code: answer.demoCode ?? '' };
          challenges.set(answer.challengeId, { sent, wrong: 0, isUsed: false });
          return answer;
        },
        tryCode: async (asked) => {
          const {
            params,
            body: { code, ...context },
          } = asked;
          if (code === undefined) return core.tryCode(asked);
          const known = challenges.get(params.challengeId);
          if (!known || known.isUsed || known.wrong >= 5) return { ...params, outcome: 'spent' };
          if (isDeepStrictEqual(known.sent, { psuId: params.psuId, context, code })) {
            known.isUsed = true;
            return { ...params, outcome: 'right' };
          }
          known.wrong += 1;
          return { ...params, outcome: 'wrong' };
        },
      };
    },
  },
} as const satisfies Record<string, Defect>;
