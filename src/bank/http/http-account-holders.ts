/** The identity port, answered by a core over HTTP: first factor and one-time codes. Nothing of it is ever asked twice. */
import type { AccountHolders, ScaContext } from '../account-holders.js';
import { checkEcho, holderChecks, WrongAnswer } from '../guard/answers.js';
import type { CoreCalls } from './calls.js';
import { momentOf } from './conversions.js';

const LONGEST = { username: 256, password: 1024, code: 32 } as const;

const questionOf = ({ shownHash, payment, language }: ScaContext, code?: string) => ({
  body: { shownHash, payment: payment ?? null, ...(code === undefined ? {} : { code }) },
  language,
});

/** `showsDemoCodes`: only a sandbox shows what a demo phone would; anywhere else a code that comes along is dropped. */
export const createHttpAccountHolders = (calls: CoreCalls, showsDemoCodes: boolean): AccountHolders => ({
  async login(username, password, language) {
    if (username.length > LONGEST.username || password.length > LONGEST.password) return { kind: 'refused' };
    return calls.ask('login', { body: { username, password }, language }, ({ recognised, psuId, name }) => {
      if (!recognised) return { kind: 'refused' } as const;
      if (psuId === null || name === null)
        throw new WrongAnswer('garbage', '/psuId', 'recognised, but not who');
      return { kind: 'recognised', psuId, name } as const;
    });
  },
  challenge: (psuId, context) =>
    calls.ask('sendCode', { params: { psuId }, ...questionOf(context) }, (answer) => {
      checkEcho(answer, { psuId });
      const { challengeId: id, method, sentTo, demoCode, expiresAt } = answer;
      return {
        id,
        ...(method === undefined ? {} : { method }),
        ...(sentTo === undefined ? {} : { sentTo }),
        ...(demoCode !== null && showsDemoCodes ? { demoCode } : {}),
        ...(expiresAt === undefined ? {} : { expiresAt: momentOf(expiresAt) }),
      };
    }),
  async verify(psuId, challengeId, context, code) {
    if (code !== undefined && code.length > LONGEST.code) return 'wrong';
    const question = { params: { psuId, challengeId }, ...questionOf(context, code) };
    return calls.ask('tryCode', question, ({ outcome, ...answer }) => {
      checkEcho(answer, { psuId, challengeId });
      holderChecks.verify(outcome, psuId, challengeId, context, code);
      return outcome;
    });
  },
});
