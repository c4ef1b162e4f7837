/** The authorization server: what it publishes, and what it refuses. */
import { endpoint, metadata, post, readMetadata, visit } from '../bank/oauth.js';
import { casesOf, document, rfc, type Sketch } from '../case.js';
import { demandStatus, membersOf } from '../shapes.js';
import { demand, need } from '../verdict.js';
import { demandError, tokenSketches } from './oauth-tokens.js';

const listIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const published: readonly Sketch[] = [
  [
    'metadata',
    'the metadata is answered with 200',
    rfc('8414, 3.2'),
    async (bank) => demandStatus(await readMetadata(bank), 200),
  ],
  [
    'issuer',
    'the issuer is the address at which the metadata was found',
    rfc('8414, 3.3'),
    async (bank) =>
      demand((await metadata(bank)).issuer === bank.http.baseUrl, 'the address of the bank', 'another one'),
  ],
  [
    'code-only',
    'the code flow is offered, and no flow that puts tokens into addresses',
    document('Authentication 2 (authorization code grant)'),
    async (bank) => {
      const types = listIn((await metadata(bank)).response_types_supported);
      demand(
        types.includes('code') && !types.some((type) => type.includes('token')),
        'code',
        types.join(', ') || 'none',
      );
    },
  ],
  [
    'grants',
    'no grant is offered by which third parties see passwords',
    rfc('9700, 2.4'),
    async (bank) => {
      const grants = listIn((await metadata(bank)).grant_types_supported);
      demand(
        !grants.includes('password') && !grants.includes('implicit'),
        'neither password nor implicit',
        grants.join(', '),
      );
    },
  ],
  [
    'pkce',
    'PKCE is offered with S256 and not plain',
    rfc('9700, 2.1.1'),
    async (bank) => {
      const methods = listIn((await metadata(bank)).code_challenge_methods_supported);
      demand(
        methods.includes('S256') && !methods.includes('plain'),
        'S256 alone',
        methods.join(', ') || 'none',
      );
    },
  ],
  [
    'keys',
    'the published keys are public ones',
    rfc('7517, 4'),
    async (bank) => {
      const { keys } = membersOf(await bank.send({ path: await endpoint(bank, 'jwks_uri') }));
      need(Array.isArray(keys) && keys.length > 0, 'there are no keys');
      const secrets = (keys as readonly object[]).filter((key) => 'd' in key || 'k' in key);
      demand(secrets.length === 0, 'no private members', `${secrets.length} keys with them`);
    },
  ],
];

const INVENTED = { grant_type: 'authorization_code', code: 'conformance', code_verifier: 'x'.repeat(43) };

const refusals: readonly Sketch[] = [
  [
    'secret-wrong',
    'a wrong client secret is refused',
    rfc('6749, 5.2 (invalid_client)'),
    async (bank) =>
      demandError(await post(bank, 'token_endpoint', INVENTED, 'application', 'wrong'), 'invalid_client'),
  ],
  [
    'code-invented',
    'a code that was never given is refused',
    rfc('6749, 5.2 (invalid_grant)'),
    async (bank) => {
      const redirect_uri = bank.application().redirectUri ?? '';
      demandError(await post(bank, 'token_endpoint', { ...INVENTED, redirect_uri }), 'invalid_grant');
    },
  ],
  [
    'password-grant',
    'the password grant is refused',
    rfc('9700, 2.4'),
    async (bank) => {
      const fields = { grant_type: 'password', username: 'x', password: 'x' };
      demandError(
        await post(bank, 'token_endpoint', fields),
        'unsupported_grant_type',
        'unauthorized_client',
        'invalid_request',
      );
    },
  ],
  [
    'redirect-astray',
    'the browser is not sent to an address that is not registered',
    rfc('9700, 4.1.3: exact match of redirect addresses'),
    async (bank) => {
      const { isBack } = await visit(bank, { redirect_uri: 'https://conformance.example/astray' });
      demand(!isBack, 'a page of the bank', 'a redirect to the address');
    },
  ],
  ...(
    [
      [
        'pkce-needed',
        'without PKCE there is no code',
        rfc('9700, 2.1.1'),
        { code_challenge: undefined, code_challenge_method: undefined },
      ],
      [
        'pkce-plain',
        'with PKCE of method plain there is no code',
        rfc('9700, 2.1.1'),
        { code_challenge_method: 'plain' },
      ],
      ['implicit', 'no token is put into an address', rfc('9700, 2.1.2'), { response_type: 'token' }],
    ] as const
  ).map(
    ([name, title, clause, more]): Sketch => [
      name,
      title,
      clause,
      async (bank) => {
        const { searchParams, hash } = (await visit(bank, more)).url;
        const isRefused = searchParams.get('code') === null && !hash.includes('access_token');
        demand(isRefused, 'neither code nor token', 'one of them');
      },
    ],
  ),
];

export const oauthCases = casesOf('oauth', [...published, ...refusals, ...tokenSketches]);
