/** Defects in the ways to confirm. */
import { type Asked, type Core, Refusal } from '../contract.js';
import { answering, type Defect, where } from './defect.js';

const withoutMethod = ({ body: { methodId: _methodId, ...body }, ...asked }: Asked<'sendCode'>) => ({
  ...asked,
  body,
});

const isTyped = ({ code, answer }: Asked<'tryCode'>['body']): boolean =>
  code !== undefined || answer !== undefined;

/** Of a challenge that waits for nothing: the good core calls it spent. */
const rightWithoutCode = async (core: Core, asked: Asked<'tryCode'>) => {
  const answer = await core.tryCode(asked);
  return answer.outcome === 'spent' && !isTyped(asked.body)
    ? { ...answer, outcome: 'right' as const }
    : answer;
};

export const methodDefects = {
  'method-listed-twice': {
    title: 'two ways to confirm have one id',
    spoil: answering('listMethods', (answer) => ({
      ...answer,
      methods: answer.methods.map((each) => ({ ...each, methodId: 'sms' })),
    })),
  },
  'method-shows-number': {
    title: 'a way to confirm shows the whole phone number of the person',
    spoil: answering('listMethods', (answer) => ({
      ...answer,
      methods: answer.methods.map((each) => ({ ...each, sentTo: '+306900000501' })),
    })),
  },
  'method-ignored': {
    title: 'a confirmation begins in the first way, whichever was chosen',
    spoil: (core) => ({
      sendCode: async (asked) => {
        if (asked.body.methodId === 'core-check-unknown') throw new Refusal(400, 'no such method');
        return core.sendCode(withoutMethod(asked));
      },
    }),
  },
  'any-method-accepted': {
    title: 'a way that the person does not have is taken for the first one',
    spoil: (core) => ({
      sendCode: (asked) =>
        where(
          400,
          () => core.sendCode(asked),
          () => core.sendCode(withoutMethod(asked)),
        ),
    }),
  },
  'code-not-needed': {
    title: 'a confirmation by code is right without the code',
    spoil: (core) => ({ tryCode: (asked) => rightWithoutCode(core, asked) }),
  },
} as const satisfies Record<string, Defect>;
