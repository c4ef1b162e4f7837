/** For programs: a sandbox of one's own by one call. */
import { type Operation, operation } from 'trapeza/base';
import { Type } from 'typebox';
import { sandboxArea } from '../area.js';
import { Made, madeExample } from '../own-applications.js';
import type { Tenancy } from './tenancy.js';

export const NAME = { pattern: '^[a-z][a-z0-9-]{1,29}$', maxLength: 30 } as const;
export const PASSPHRASE = { minLength: 8, maxLength: 256 } as const;

const strict = { additionalProperties: false } as const;

const Wish = Type.Object(
  {
    name: Type.String({
      ...NAME,
      description: 'Small letters, digits and hyphens; begins with a letter.',
    }),
    passphrase: Type.String({ ...PASSPHRASE, description: 'For the login on `/portal`.' }),
  },
  strict,
);

const SignedUp = Type.Object(
  {
    name: Type.String(),
    baseUrl: Type.String({
      description:
        'The address of the sandbox: in the place of this one, for every call. Whoever knows it can use the controls of that sandbox.',
    }),
    application: Made,
  },
  strict,
);

export const signUpOperation = (tenancy: Tenancy): Operation =>
  operation({
    area: sandboxArea,
    headers: [],
    query: [],
    params: [],
    repeat: 'ignored',
    id: 'createSandboxDeveloper',
    method: 'POST',
    path: '/sandbox/developers',
    summary: 'Get a sandbox of your own',
    description:
      'A whole sandbox for one developer, with its own clock, people, consents and reset, and an application that is ready for calls. Nothing that others do is seen there. Its secret and keys are shown only this once. A sandbox that nobody has used for a week may make room for another one.',
    body: Wish,
    bodyExample: { name: 'my-team', passphrase: 'correct horse battery' },
    success: {
      status: 201,
      description: 'The sandbox.',
      schema: SignedUp,
      example: {
        name: 'my-team',
        baseUrl: 'https://sandbox.bank.example/dev/my-team-5d0b4f5e8a43',
        application: madeExample,
      },
    },
    problems: ['state-conflict', 'rate-limited'],
    async handle(call) {
      const { name, passphrase } = call.body;
      const made = await tenancy.signUp({ name, passphrase }, call, () => call.isLate());
      return { status: 201, body: { name, baseUrl: made.baseUrl, application: made.application } };
    },
  });
