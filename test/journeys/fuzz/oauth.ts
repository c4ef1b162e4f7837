/** The endpoints of the authorization server, by RFC 6749, 7009, 7662, 8414 and 9126. Unknown parameters are never refused. */

import { cookie, type Fields, formRules, writeForm } from './forms.js';
import type { Random } from './random.js';
import {
  type Apply,
  all,
  type Draft,
  header,
  path,
  type Rule,
  rule,
  setHeader,
  type Target,
} from './target.js';
import type { World } from './world.js';

const basic = (clientId: string, clientSecret: string): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

const asApplication: Apply = (draft, _random, { application: { clientId, clientSecret } }) =>
  setHeader(draft, 'Authorization', basic(clientId, clientSecret));

/** The form of an endpoint with some fields changed; undefined leaves one out. */
type Changed = Readonly<Record<string, string | undefined>>;

interface Endpoint {
  readonly id: string;
  readonly path: string;
  readonly success: number;
  readonly fields: (world: World, random: Random) => Fields;
  /** What an application that does not authenticate is told. */
  readonly unauthenticated: string;
  readonly rules: readonly Rule[];
}

const fieldsOf = (draft: Draft): Fields =>
  Object.fromEntries(new URLSearchParams(draft.body?.toString() ?? ''));

const changed =
  (changes: (world: World, random: Random) => Changed): Apply =>
  (draft, random, world) => {
    const all = Object.entries({ ...fieldsOf(draft), ...changes(world, random) });
    writeForm(
      draft,
      Object.fromEntries(all.filter((each): each is [string, string] => each[1] !== undefined)),
    );
  };
const fixed = (changes: Changed): Apply => changed(() => changes);

const PAR = '/oauth/par';

const clientRules = (unauthenticated: string): readonly Rule[] => [
  rule('no client', unauthenticated, header('Authorization', undefined)),
  rule('secret', '401 invalid_client', (draft, random, { application }) =>
    setHeader(draft, 'Authorization', basic(application.clientId, random.hex(30))),
  ),
  rule('client', '401 invalid_client', (draft, random, world) => {
    const unknown = random.hex(12);
    setHeader(draft, 'Authorization', basic(unknown, world.application.clientSecret));
    if (draft.path === PAR) fixed({ client_id: unknown })(draft, random, world);
  }),
  rule(
    'secret of another client',
    '401 invalid_client',
    (draft, _random, { application, otherApplication }) =>
      setHeader(draft, 'Authorization', basic(application.clientId, otherApplication.clientSecret)),
  ),
];

const endpoint = (wanted: Endpoint): Target => ({
  id: wanted.id,
  kind: 'oauth',
  method: 'POST',
  success: [wanted.success],
  rules: [...clientRules(wanted.unauthenticated), ...wanted.rules],
  fill: (draft, random, world) => {
    draft.path = wanted.path;
    asApplication(draft, random, world);
    const unknown = random.chance(0.2) ? { unheard_of: 'x' } : {};
    writeForm(draft, { ...wanted.fields(world, random), ...unknown });
  },
});

const challenge = (random: Random): string => random.hex(43);

const authorization = ({ application }: World, random: Random): Fields => ({
  client_id: application.clientId,
  response_type: 'code',
  redirect_uri: application.redirectUri,
  scope: random.pick(['ais', 'piis ais pis', 'openid pis']),
  state: random.hex(12),
  code_challenge: challenge(random),
  code_challenge_method: 'S256',
});

const repeatedField: Apply = (draft) => {
  const text = draft.body?.toString() ?? '';
  draft.body = Buffer.from(`${text}&${text.split('&')[0]}`);
};

const token = endpoint({
  id: 'POST /oauth/token',
  path: '/oauth/token',
  success: 200,
  unauthenticated: '400 invalid_request',
  fields: ({ application }) => ({ grant_type: 'refresh_token', refresh_token: application.refreshToken }),
  rules: [
    rule('grant type', '400 unsupported_grant_type', fixed({ grant_type: 'password' })),
    rule('client credentials', '400 unsupported_grant_type', fixed({ grant_type: 'client_credentials' })),
    rule('no grant type', '400 invalid_request', fixed({ grant_type: undefined })),
    rule('no refresh token', '400 invalid_request', fixed({ refresh_token: undefined })),
    rule(
      'refresh token',
      '400 invalid_grant',
      changed((_world, random) => ({ refresh_token: random.hex(43) })),
    ),
    rule(
      'refresh token of another application',
      '400 invalid_grant',
      changed(({ otherApplication }) => ({ refresh_token: otherApplication.refreshToken })),
    ),
    rule('scope', '400 invalid_scope', fixed({ scope: 'everything' })),
    rule('resource', '400 invalid_target', fixed({ resource: 'https://other.example' })),
    rule(
      'code',
      '400 invalid_grant',
      changed(({ application }, random) => ({
        grant_type: 'authorization_code',
        code: random.hex(43),
        redirect_uri: application.redirectUri,
        code_verifier: random.hex(43),
      })),
    ),
    rule('repeated parameter', '400 invalid_request', repeatedField),
    rule('media type', '400 invalid_request', header('Content-Type', 'application/json', 'text/plain')),
  ],
});

/** Faults of an authorization request that its application is told, wherever it is sent. */
const authorizationFaults: readonly (readonly [string, string, Changed])[] = [
  ['no challenge', 'invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
  ['plain challenge', 'invalid_request', { code_challenge_method: 'plain' }],
  ['short challenge', 'invalid_request', { code_challenge: 'x' }],
  ['response type', 'unsupported_response_type', { response_type: 'none' }],
  ['no response type', 'invalid_request', { response_type: undefined }],
  ['response mode', 'unsupported_response_mode', { response_mode: 'carrier_pigeon' }],
  ['resource', 'invalid_target', { resource: 'https://other.example' }],
];

const par = endpoint({
  id: 'POST /oauth/par',
  path: PAR,
  success: 201,
  unauthenticated: '401 invalid_client',
  fields: authorization,
  rules: [
    ...authorizationFaults.map(([name, error, changes]) => rule(name, `400 ${error}`, fixed(changes))),
    rule('redirect', '400 invalid_request', fixed({ redirect_uri: 'https://evil.example/' })),
    rule('no redirect', '400 invalid_request', fixed({ redirect_uri: undefined })),
    rule('pushed twice', '400', fixed({ request_uri: 'urn:x' })),
    rule('repeated parameter', '400 invalid_request', repeatedField),
    rule('media type', '400 invalid_request', header('Content-Type', 'application/json')),
  ],
});

const status = (name: string): Target =>
  endpoint({
    id: `POST /oauth/${name}`,
    path: `/oauth/${name}`,
    success: 200,
    unauthenticated: '401 invalid_client',
    fields: ({ application, otherApplication }, random) => ({
      // Revoking it would end the run; nobody learns anything of the token of another application.
      token:
        name === 'introspection'
          ? random.pick([application.refreshToken, otherApplication.refreshToken, 'x', 'a.b.c'])
          : random.pick([otherApplication.refreshToken, 'x', 'a.b.c']),
    }),
    rules: [
      rule('no token', '400 invalid_request', fixed({ token: undefined })),
      ...formRules.filter(({ name }) => name !== 'media type'),
      rule('media type', '415 unsupported-media-type', header('Content-Type', 'text/plain')),
    ],
  });

const AUTHORIZE = '/oauth/authorize';

const asked =
  (changes: (world: World) => Changed): Apply =>
  (draft, random, world) => {
    const fields = Object.entries({ ...authorization(world, random), ...changes(world) });
    const present = fields.filter((each): each is [string, string] => each[1] !== undefined);
    draft.path = `${AUTHORIZE}?${new URLSearchParams(present)}`;
  };
const askedWith = (changes: Changed): Apply => asked(() => changes);

const authorize: Target = {
  id: 'GET /oauth/authorize',
  kind: 'oauth',
  method: 'GET',
  success: [303],
  rules: [
    // A page of ours: sending the browser on would trust what was just refused.
    rule('client', '400', askedWith({ client_id: 'nobody' })),
    rule('no client', '400', askedWith({ client_id: undefined })),
    rule('redirect', '400', askedWith({ redirect_uri: 'https://evil.example/' })),
    rule('no redirect', '400', askedWith({ redirect_uri: undefined })),
    rule(
      'pushed request',
      '303 invalid_request_uri',
      askedWith({ request_uri: 'urn:ietf:params:oauth:request_uri:x' }),
    ),
    ...authorizationFaults.map(([name, error, changes]) => rule(name, `303 ${error}`, askedWith(changes))),
    rule('prompt', '303 login_required', askedWith({ prompt: 'none' })),
    rule(
      'details',
      '303 invalid_authorization_details',
      askedWith({ authorization_details: '[{"type":"x"}]' }),
    ),
  ],
  fill: (draft, random, world) => askedWith({})(draft, random, world),
};

const LOGIN = '/oauth/login';
const asBrowser = cookie(({ login }) => login.cookie);
const noCookie = rule(
  'browser',
  '400',
  cookie(() => undefined),
);
const otherUid = rule(
  'login',
  '400',
  path((_known, random) => `${LOGIN}/${random.hex(21)}`),
);

const loginPage: Target = {
  id: 'GET /oauth/login/:uid',
  kind: 'page',
  method: 'GET',
  alsoAllowed: ['POST'],
  success: [200],
  rules: [noCookie, otherUid],
  fill: all(
    asBrowser,
    path((_known, _random, { login }) => `${LOGIN}/${login.uid}`),
  ),
};

const right = { username: 'nikos', password: 'nikos-demo' };

const loginForm: Target = {
  ...loginPage,
  id: 'POST /oauth/login/:uid',
  method: 'POST',
  alsoAllowed: ['GET'],
  // The application would be told, and nobody would wait any more.
  isNeverGood: true,
  rules: [
    noCookie,
    otherUid,
    ...formRules,
    rule('form token', '400', (draft) => writeForm(draft, { ...right, form_token: 'x' })),
    rule('password', '400', (draft, random) => writeForm(draft, { username: random.hex(12), password: 'x' })),
  ],
  fill: (draft, random, world) => {
    loginPage.fill(draft, random, world);
    writeForm(draft, { ...right, form_token: world.login.formToken });
  },
};

const read = (place: string, success = 200): Target => ({
  id: `GET ${place}`,
  kind: 'oauth',
  method: 'GET',
  success: [success],
  fill: (draft, random) => {
    draft.path = `${place}${random.pick(['', '?x=y'])}`;
  },
});

export const oauthTargets: readonly Target[] = [
  token,
  par,
  status('introspection'),
  status('revocation'),
  authorize,
  // Nobody goes on with what never began.
  { ...read('/oauth/authorize/x', 400), id: 'GET /oauth/authorize/:uid' },
  read('/oauth/jwks'),
  read('/.well-known/oauth-authorization-server'),
  read('/.well-known/openid-configuration'),
  loginPage,
  loginForm,
];
