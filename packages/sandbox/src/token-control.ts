/** Tokens without a browser: for the application of a key, or one that is named. */

import {
  type Access,
  areasOfRoles,
  type ClientId,
  fieldFault,
  fieldProblem,
  type Operation,
  operation,
  Problem,
  type PsuId,
  type Queries,
  type Role,
  scopeOf,
  scopes,
} from 'trapeza/base';
import { Type } from 'typebox';
import { sandboxArea } from './area.js';
import type { DemoPsu } from './bank/people.js';
import { findApplication, type KnownApplication } from './own-applications.js';
import type { TestSystem } from './test-system.js';

export interface TokenParts {
  readonly db: Queries;
  readonly testSystem: TestSystem;
  readonly people: () => Promise<readonly DemoPsu[]>;
  /** Whose key it is, if anybody's. */
  readonly find: (key: string) => Promise<Access | undefined>;
  readonly issue: (claims: { psuId: PsuId; clientId: ClientId; scope: string }) => Promise<string>;
  readonly tokenSeconds: number;
}

const text = Type.String();
const strict = { additionalProperties: false } as const;

const TokenRequest = Type.Object(
  { psu: Type.Optional(text), application: Type.Optional(text), scope: Type.Optional(text) },
  {
    ...strict,
    description:
      'All members may be left out: the first account holder, the application of the key or else the first one, all its scopes.',
  },
);

const TokenResponse = Type.Object(
  { access_token: text, token_type: text, expires_in: Type.Integer(), scope: text },
  strict,
);

const scopesOf = (roles: readonly Role[]): string[] =>
  areasOfRoles(roles).flatMap((area) => scopeOf[area] ?? []);

const KEY = 'Ocp-Apim-Subscription-Key';

/** Of the application that the body names, or whose key is sent. */
const wantedApplication = async (
  { db, find }: TokenParts,
  named: string | undefined,
  key: string | undefined,
): Promise<KnownApplication> => {
  if (named !== undefined || key === undefined) return findApplication(db, named);
  const access = await find(key);
  if (!access) throw new Problem('subscription-key-invalid');
  return findApplication(db, access.clientId);
};

export const createToken = (parts: TokenParts): Operation =>
  operation({
    area: sandboxArea,
    query: [],
    params: [],
    repeat: 'ignored',
    headers: [
      {
        name: KEY,
        schema: { type: 'string' },
        description: 'The key of your application: the token is for it, unless the body names another one.',
      },
    ],
    problems: ['subscription-key-invalid'],
    id: 'createSandboxToken',
    method: 'POST',
    path: '/sandbox/tokens',
    summary: 'Get an access token without a browser',
    description: 'An ordinary access token for a first call from the command line.',
    body: TokenRequest,
    isBodyOptional: true,
    bodyExample: { psu: 'eleni', application: 'demo-finance-app' },
    success: {
      status: 200,
      description: 'The token.',
      schema: TokenResponse,
      example: { access_token: 'eyJhbGciOi…', token_type: 'Bearer', expires_in: 3600, scope: 'piis ais pis' },
    },
    async handle({ body, headers }) {
      await parts.testSystem.demand();
      const people = await parts.people();
      const psu = body.psu === undefined ? people[0] : people.find(({ username }) => username === body.psu);
      if (!psu)
        throw fieldProblem('psu', fieldFault('not-found', 'must be a username from /sandbox/credentials'));
      const application = await wantedApplication(parts, body.application, headers[KEY.toLowerCase()]);
      const scope = body.scope ?? scopesOf(application.roles).join(' ');
      if (!scope.split(' ').every((each) => (scopes as readonly string[]).includes(each))) {
        const message = `must be a list of ${scopes.join(', ')}, separated by blanks`;
        throw fieldProblem('scope', fieldFault('not-allowed', message, { allowed: scopes }));
      }
      const token = await parts.issue({ psuId: psu.id, clientId: application.clientId, scope });
      return {
        status: 200,
        body: { access_token: token, token_type: 'Bearer', expires_in: parts.tokenSeconds, scope },
      };
    },
  });
