/** Cases about logins and one-time codes. Codes can be tried only if the core shows them, as test systems do. */
import { isDeepStrictEqual } from 'node:util';
import { check, demandRefusals, type Trial } from '../case.js';
import type { Answer } from '../client.js';
import { NOBODY } from '../client.js';
import { Blocked, demand, Failure, Skip } from '../verdict.js';

export const context = {
  shownHash: 'core-check',
  payment: { amount: '0.01 EUR', payee: 'core-check', account: 'GR…0000' },
};
const another = { ...context, shownHash: 'core-check-other' };
const otherPayee = { ...context, payment: { ...context.payment, payee: 'somebody else' } };

interface Sent {
  readonly challengeId: string;
  readonly code: string;
}

export const begin = (
  core: Trial<never>['core'],
  psuId: string,
  shown: object = context,
): Promise<Answer<'sendCode'>> =>
  core.answer('sendCode', { params: { psuId }, body: shown }).catch((error: unknown) => {
    // Trapeza itself asks every 30 seconds at most, and five times in fifteen minutes.
    const isLimit = error instanceof Failure && error.seen === 'status 429';
    throw isLimit ? new Skip('the core sends no more codes to this person now (429)') : error;
  });

/** Sends no code to a person if the core is known not to show it. */
const sendCode = async (
  { core, subject: { psuId } }: Trial<'psuId'>,
  shown: object = context,
): Promise<Sent> => {
  const hidden = new Skip('the core shows no demoCode, so codes cannot be tried');
  if (core.showsCodes === false) throw hidden;
  const { challengeId, demoCode, method } = await begin(core, psuId, shown);
  if (method === 'app') throw new Skip('this person confirms in the app, so there is no code to try');
  core.showsCodes = demoCode !== null;
  if (demoCode === null) throw hidden;
  return { challengeId, code: demoCode };
};

const PAUSED =
  'the right code is spent: is the person paused by wrong codes of an earlier run? Wait fifteen minutes';

type Outcome = Answer<'tryCode'>['outcome'];

const tryCode = async (
  { core, subject: { psuId } }: Trial<'psuId'>,
  { challengeId, code }: Sent,
  shown: object = context,
): Promise<Outcome> =>
  (await core.answer('tryCode', { params: { psuId, challengeId }, body: { ...shown, code } })).outcome;

const wrongCode = (code: string): string =>
  code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`;

const ATTEMPTS = 12;
/** More are a phone number. */
const MASKED_DIGITS = 6;

export const isWhole = (sentTo: string): boolean =>
  sentTo.replace(/\D/g, '').length > MASKED_DIGITS || /[^\s@*]{2}@/.test(sentTo);

/** Cases with many wrong codes take the other person, so that the person of all other cases can be tried again at once. */
const asOther = ({ subject, ...trial }: Trial<'otherPsuId'>): Trial<'psuId'> => ({
  ...trial,
  subject: { ...subject, psuId: subject.otherPsuId },
});

export const personCases = [
  check({
    id: 'login-refusals-alike',
    title: 'tells an unknown user and a wrong password alike',
    operation: 'login',
    hint: 'Same status, same body, and the same work: hash the password also where there is no such user.',
    needs: ['username'],
    run: async ({ core, subject: { username } }) => {
      const password = 'core-check-wrong-password';
      // One wrong password only: a few of them block a login.
      const wrong = await core.answer('login', { body: { username, password } });
      demand(
        !wrong.recognised && wrong.psuId === null && wrong.name === null,
        'recognised false alone',
        'more',
      );
      const unknown = await core.ask('login', { body: { username: `${username}-core-check`, password } });
      demand(unknown.status === 200, '200 for an unknown user too', `status ${unknown.status}`);
      demand(isDeepStrictEqual(unknown.json, wrong), 'one body for both', 'two');
    },
  }),
  check({
    id: 'login-right',
    title: 'recognises an account holder',
    operation: 'login',
    hint: 'Answer with the psuId that findAccounts knows, and the name that the person is greeted with.',
    needs: ['username', 'password'],
    run: async ({ core, subject }) => {
      const { username, password } = subject;
      const { recognised, psuId, name } = await core.answer('login', { body: { username, password } });
      demand(recognised && psuId !== null && name !== null, 'recognised with psuId and name', 'not so');
      demand(
        subject.psuId === undefined || psuId === subject.psuId,
        `psuId ${subject.psuId}`,
        'another psuId',
      );
    },
  }),
  check({
    id: 'login-malformed',
    title: 'refuses a login that does not fit the contract',
    operation: 'login',
    hint: 'Check the body against the contract first and answer 400; a 500 counts as an outage of your core.',
    run: async ({ core }) => {
      const ask = (body: unknown) => () => core.ask('login', { body });
      await demandRefusals({
        'no password': ask({ username: 'x' }),
        'a user name that is no text': ask({ username: 1, password: 'x' }),
        'no JSON': ask('"'),
      });
    },
  }),
  check({
    id: 'code-sent',
    title: 'sends a code under an id of its own',
    operation: 'sendCode',
    hint: 'Make a new, unguessable challengeId for each code, and return the psuId of the path.',
    needs: ['psuId'],
    run: async ({ core, subject: { psuId } }) => {
      const wanted = { params: { psuId }, body: context };
      const first = await core.answer('sendCode', wanted);
      core.showsCodes = first.demoCode !== null;
      demand(first.psuId === psuId, `psuId ${psuId}`, 'another psuId');
      // A core may let half a minute pass between two codes, as Trapeza does.
      const { json } = await core.ask('sendCode', wanted);
      const { challengeId } = (json ?? {}) as { readonly challengeId?: unknown };
      demand(first.challengeId !== challengeId, 'two ids for two codes', 'one');
    },
  }),
  check({
    id: 'code-destination-masked',
    title: 'says where a code went without telling it',
    operation: 'sendCode',
    hint: 'The page shows sentTo before the person has confirmed who they are: mask it, such as *** *** 4711 or e***@example.gr. Trapeza masks what looks whole.',
    needs: ['psuId'],
    run: async ({ core, subject: { psuId } }) => {
      const { sentTo } = await begin(core, psuId);
      if (sentTo === undefined) throw new Skip('the core does not say where it sends codes');
      demand(!isWhole(sentTo), `at most ${MASKED_DIGITS} digits, and no whole address`, 'more');
    },
  }),
  check({
    id: 'app-pending',
    title: 'has no answer of the app before the person has given one',
    operation: 'tryCode',
    hint: 'Without a code the question is whether the person has confirmed in the app: pending until then, for the context that was sent, and never right for another one or for a typed code.',
    needs: ['appPsuId'],
    run: async ({ core, subject }) => {
      const params = { psuId: subject.appPsuId };
      const { challengeId, method } = await begin(core, subject.appPsuId);
      demand(method === 'app', 'method app', method ?? 'none');
      const ask = async (body: object): Promise<Outcome> =>
        (await core.answer('tryCode', { params: { ...params, challengeId }, body })).outcome;
      const first = await ask(context);
      demand(first === 'pending', 'pending', first);
      for (const [what, body] of [
        ['another payee', otherPayee],
        ['a typed code', { ...context, code: '000000' }],
      ] as const) {
        const outcome = await ask(body);
        demand(outcome !== 'right', `no right for ${what}`, outcome);
      }
    },
  }),
  check({
    id: 'code-once',
    title: 'accepts the right code, once',
    operation: 'tryCode',
    hint: 'Mark the challenge as used in the same update that finds it unused; a second try is spent.',
    needs: ['psuId'],
    run: async (trial) => {
      const sent = await sendCode(trial);
      const first = await tryCode(trial, sent);
      if (first === 'spent') throw new Blocked(PAUSED);
      demand(first === 'right', 'right', first);
      const second = await tryCode(trial, sent);
      demand(second === 'spent', 'spent for the second time', second);
    },
  }),
  check({
    id: 'code-for-this-only',
    title: 'accepts a code only for what it was sent for',
    operation: 'tryCode',
    hint: 'Bind the code to the whole context, shownHash and payment (RTS Art. 5), and compare it at every try.',
    needs: ['psuId', 'otherPsuId'],
    run: async (trial) => {
      const person = asOther(trial);
      const right: string[] = [];
      for (const [what, shown] of [
        ['another shownHash', another],
        ['another payee', otherPayee],
      ] as const)
        if ((await tryCode(person, await sendCode(person), shown)) === 'right') right.push(what);
      demand(right.length === 0, 'wrong or spent', `right for ${right.join(' and ')}`);
    },
  }),
  check({
    id: 'code-of-this-person',
    title: 'accepts a code only of the person it was sent to',
    operation: 'tryCode',
    hint: 'Look the challenge up by its id and the person together.',
    needs: ['psuId', 'otherPsuId'],
    run: async (trial) => {
      const { challengeId, code } = await sendCode(trial);
      const params = { psuId: trial.subject.otherPsuId, challengeId };
      const { json } = await trial.core.ask('tryCode', { params, body: { ...context, code } });
      const { outcome } = (json ?? {}) as { readonly outcome?: unknown };
      demand(outcome !== 'right', 'wrong, spent or an error', 'right');
    },
  }),
  check({
    id: 'code-wrong',
    title: 'lets a person try again after a wrong code',
    operation: 'tryCode',
    hint: 'A slip is no attack: the first wrong code is wrong, not spent.',
    needs: ['psuId'],
    run: async (trial) => {
      const sent = await sendCode(trial);
      const first = await tryCode(trial, { ...sent, code: wrongCode(sent.code) });
      if (first === 'spent' && (await tryCode(trial, await sendCode(trial))) === 'spent')
        throw new Blocked(PAUSED);
      demand(first === 'wrong', 'wrong', first);
      const second = await tryCode(trial, sent);
      demand(second === 'right', 'right at the second try', second);
    },
  }),
  check({
    id: 'code-locked-person',
    title: 'accepts no code of a person after five wrong ones, whatever they were for',
    operation: 'tryCode',
    hint: 'Count wrong codes per person over all challenges, before judging them; after five within fifteen minutes every attempt is spent for fifteen minutes.',
    needs: ['otherPsuId'],
    run: async (trial) => {
      const person = asOther(trial);
      for (const [wrong, shown] of [
        [3, context],
        [2, another],
      ] as const) {
        const sent = await sendCode(person, shown);
        for (let times = 0; times < wrong; times += 1)
          await tryCode(person, { ...sent, code: wrongCode(sent.code) }, shown);
      }
      const outcome = await tryCode(person, await sendCode(person, otherPayee), otherPayee);
      demand(outcome === 'spent', 'spent for the right code of a third challenge', outcome);
    },
  }),
  check({
    id: 'code-not-guessed',
    title: `accepts no code after ${ATTEMPTS} wrong ones`,
    operation: 'tryCode',
    hint: 'Count the attempts of each challenge before judging them; after five it is spent, also for the right code.',
    needs: ['otherPsuId'],
    run: async (trial) => {
      const person = asOther(trial);
      const sent = await sendCode(person);
      for (let times = 0; times < ATTEMPTS; times += 1)
        await tryCode(person, { ...sent, code: wrongCode(sent.code) });
      const outcome = await tryCode(person, sent);
      demand(outcome === 'spent', 'spent', outcome);
    },
  }),
  check({
    id: 'code-unknown',
    title: 'accepts no code of a challenge that was never made',
    operation: 'tryCode',
    hint: 'Answer spent, or 404.',
    needs: ['psuId'],
    run: async ({ core, subject: { psuId } }) => {
      const params = { psuId, challengeId: NOBODY };
      const { status, json } = await core.ask('tryCode', { params, body: { ...context, code: '000000' } });
      const { outcome } = (json ?? {}) as { readonly outcome?: unknown };
      demand(status < 500 && outcome !== 'right', 'spent or 404', `status ${status}`);
    },
  }),
];
