/** The identity port, answered by a core over HTTP: first factor and confirmations. What sends or counts is never asked twice. */
import type { AccountHolders, ScaContext } from '../account-holders.js';
import { checkEcho, holderChecks, WrongAnswer } from '../guard/answers.js';
import type { CoreCalls } from './calls.js';
import { momentOf } from './conversions.js';

const LONGEST = { username: 256, password: 1024, code: 32, answer: 8192 } as const;

const questionOf = ({ shownHash, payment, language }: ScaContext, more: object = {}) => ({
  body: { shownHash, payment: payment ?? null, ...more },
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
  methods: async (psuId, context) => {
    const listed = await calls.find(
      'listMethods',
      { params: { psuId }, ...questionOf(context) },
      ({ methods, ...answer }) => {
        checkEcho(answer, { psuId });
        const found = methods.map(({ methodId: id, method: kind, name, sentTo }) => ({
          id,
          kind,
          name,
          sentTo,
        }));
        holderChecks.methods(found);
        return found;
      },
    );
    return listed ?? [];
  },
  challenge: (psuId, context, methodId) => {
    const { returnTo } = context;
    const more = methodId === undefined ? {} : { methodId, ...(returnTo === undefined ? {} : { returnTo }) };
    return calls.ask('sendCode', { params: { psuId }, ...questionOf(context, more) }, (answer) => {
      const { psuId: echoed, challengeId: id, demoCode, expiresAt, ...how } = answer;
      checkEcho({ psuId: echoed }, { psuId });
      holderChecks.challenge({ id, ...how });
      return {
        id,
        ...how,
        ...(demoCode !== null && showsDemoCodes ? { demoCode } : {}),
        ...(expiresAt === undefined ? {} : { expiresAt: momentOf(expiresAt) }),
      };
    });
  },
  async verify(psuId, challengeId, context, answer, kind = 'code') {
    const member = kind === 'code' ? 'code' : 'answer';
    if (answer !== undefined && answer.length > LONGEST[member]) return 'wrong';
    const more = answer === undefined ? {} : { [member]: answer };
    const question = { params: { psuId, challengeId }, ...questionOf(context, more) };
    return calls.ask('tryCode', question, ({ outcome, ...echoed }) => {
      checkEcho(echoed, { psuId, challengeId });
      holderChecks.verify(outcome, psuId, challengeId, context, answer, kind);
      return outcome;
    });
  },
});
