/** The part of the contract about account holders: their login, and how they confirm what they approve. */
import { Type } from 'typebox';
import { MOST_METHODS } from '../../account-holders.js';
import { BankId, oneOf, strict } from './basic-shapes.js';
import { ListedMethod, methodId, ScaContext, SentChallenge } from './shapes.js';

export const personOperations = {
  login: {
    id: 'login',
    method: 'POST',
    path: '/logins',
    summary: 'The first factor of an account holder',
    description:
      'Unknown users, wrong passwords and blocked logins are answered alike and in the same time. Not called where account holders log in at the bank’s OpenID provider.',
    body: Type.Object(
      { username: Type.String({ maxLength: 256 }), password: Type.String({ maxLength: 1024 }) },
      strict,
    ),
    answer: Type.Object(
      {
        recognised: Type.Boolean(),
        psuId: Type.Union([BankId, Type.Null()]),
        name: Type.Union([Type.String({ minLength: 1, maxLength: 140 }), Type.Null()]),
      },
      strict,
    ),
    lane: 'login',
    isSafe: false,
  },
  listMethods: {
    id: 'listMethods',
    method: 'POST',
    path: '/account-holders/:psuId/methods',
    summary: 'The ways in which a person can confirm this',
    description:
      'In the order of the bank; the person sees the one used last first, and can change to any other. `method` says what the page does: `code` has a field for what the person types; `app` waits until the person has confirmed in the app of the bank, or in a wallet; `browser` hands the `request` of the challenge to the browser, for a passkey; `redirect` sends the browser to its `location`. A core with one way need not have this operation: sendCode then says which it is. An empty list says the same.',
    body: ScaContext,
    answer: Type.Object(
      { psuId: BankId, methods: Type.Array(ListedMethod, { maxItems: MOST_METHODS }) },
      strict,
    ),
    isOptional: true,
    absent: 'The core has one way, which sendCode names.',
    isSafe: true,
  },
  sendCode: {
    id: 'sendCode',
    method: 'POST',
    path: '/account-holders/:psuId/challenges',
    summary: 'Begin a confirmation: send a code, ask in the app, or say what the browser has to do',
    description:
      'For exactly this context: a code for one thing never works for another. `methodId` is there if listMethods lists any; answer with the `method` of that one, and 400 for one that this person does not have. `method` says what the person has to do: type a code (also if it is left out), confirm in the app of the bank, or what stands in `request` or `location`. `returnTo` is there for a redirect: the browser comes back to it with parameters of your own. `sentTo` is shown to the person: the phone, address or device, masked. Amount and payee are shown beside the code. Trapeza asks once per visit of a page, again only when the person presses a button (30 seconds later at the earliest), and five times in fifteen minutes at most; while a code lives its page is shown again without a new one. expiresAt says how long that is; leave it out if it is not known. demoCode is for test systems only and is null everywhere else.',
    body: Type.Object(
      {
        ...ScaContext.properties,
        methodId: Type.Optional(methodId),
        returnTo: Type.Optional(
          Type.String({ maxLength: 2048, description: 'Only for redirect. Add parameters to it with &.' }),
        ),
      },
      strict,
    ),
    answer: SentChallenge,
    isSafe: false,
  },
  tryCode: {
    id: 'tryCode',
    method: 'POST',
    path: '/account-holders/:psuId/challenges/:challengeId/attempts',
    summary: 'Try a code or an answer, or ask whether the person has confirmed in the app',
    description:
      'With a code: right once; wrong may be tried again; spent after too many attempts, too late, or used before. The context must be the one the code was sent for. Wrong codes are counted per person, over all challenges: after five within fifteen minutes every attempt of that person is spent for fifteen minutes, also with the right code (RTS Art. 4(3)(b)). Count an attempt before it is judged; a right code takes nothing back but its own attempt. `answer` is in the place of the code for the methods browser (the JSON text that the browser gave) and redirect (the parameters with which it came back, form-encoded); the same rules hold for it, and a redirect may also be refused. Without both, and only for the method app: pending until the person has decided, then right or refused, the same again until the challenge expires, because a node of Trapeza may end before it has carried the decision out; spent after that. Trapeza carries it out once. Trapeza asks every few seconds while the person waits.',
    body: Type.Object(
      {
        ...ScaContext.properties,
        code: Type.Optional(Type.String({ maxLength: 32, description: 'Only for the method code.' })),
        answer: Type.Optional(
          Type.String({ maxLength: 8192, description: 'Only for the methods browser and redirect.' }),
        ),
      },
      strict,
    ),
    answer: Type.Object(
      {
        psuId: BankId,
        challengeId: BankId,
        outcome: oneOf(['right', 'wrong', 'spent', 'pending', 'refused']),
      },
      strict,
    ),
    isSafe: false,
  },
} as const;
