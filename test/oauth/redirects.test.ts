/** Codes and errors go to registered addresses only: a corpus of tricks, each through the authorization endpoint and PAR. */
import { describe, expect, test } from 'vitest';
import { type Answer, send } from '../support/client.js';
import { FINANCE } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { applicationOf } from './provider-journey.js';
import { corpus, GOOD } from './redirect-corpus.js';

const use = useService();

type Fields = readonly (readonly [string, string])[];

const request = (address: string | undefined, more: Fields = []): URLSearchParams => {
  const changed = new Set(more.map(([name]) => name));
  const fields: Fields = [
    ['client_id', FINANCE],
    ['response_type', 'code'],
    ['scope', 'piis'],
    ['state', 'the-state'],
    ['code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    ['code_challenge_method', 'S256'],
  ];
  return new URLSearchParams([
    ...fields.filter(([name]) => !changed.has(name)).map(([name, value]) => [name, value]),
    ...(address === undefined ? [] : [['redirect_uri', address]]),
    ...more.filter(([, value]) => value !== '').map(([name, value]) => [name, value]),
  ]);
};

const authorizeWith = (form: URLSearchParams): Promise<Answer> =>
  send(use().url, {
    path: `/oauth/authorize?${form}`,
    headers: { Accept: 'text/html' },
    outsideContract: true,
  });

const pushWith = (form: URLSearchParams): Promise<Answer> => {
  const { clientSecret } = applicationOf(use());
  return send(use().url, {
    method: 'POST',
    path: '/oauth/par',
    headers: {
      Authorization: `Basic ${Buffer.from(`${FINANCE}:${clientSecret}`).toString('base64')}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: form.toString(),
    outsideContract: true,
  });
};

/** A page of ours, in our look, that leads nowhere and repeats nothing of the request. */
const expectShownHere = (answer: Answer): void => {
  expect(answer.status).toBe(400);
  expect(answer.headers.location).toBeUndefined();
  expect(answer.headers.refresh).toBeUndefined();
  expect(answer.headers['content-type']).toContain('text/html');
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  expect(answer.text).toContain('<html lang="el">');
  expect(answer.text).not.toContain('evil');
};

const expectRefused = (answer: Answer): void => {
  expect(answer.status).toBe(400);
  expect(answer.headers.location).toBeUndefined();
  expect(answer.json).toMatchObject({ error: expect.any(String) });
  expect(answer.json).not.toHaveProperty('request_uri');
};

test('the corpus has at least a hundred different tricks, none of them the registered address', () => {
  expect(new Set(corpus).size).toBe(corpus.length);
  expect(corpus.length).toBeGreaterThanOrEqual(100);
  expect(corpus).not.toContain(GOOD);
});

test('the registered address itself is accepted by both', async () => {
  expect((await authorizeWith(request(GOOD))).headers.location).toMatch(/\/oauth\/login\//);
  expect((await pushWith(request(GOOD))).status).toBe(201);
});

describe.each(corpus.map((address) => [JSON.stringify(address), address] as const))(
  '%s',
  (_name, address) => {
    test('is never redirected to', async () => {
      expectShownHere(await authorizeWith(request(address)));
      // With a second fault, the error must not be sent there either.
      expectShownHere(await authorizeWith(request(address, [['response_type', 'token']])));
      expectShownHere(await authorizeWith(request(address, [['prompt', 'none']])));
      expectRefused(await pushWith(request(address)));
    });
  },
);

describe('around the address', () => {
  test.each<[string, string | undefined, Fields]>([
    ['a missing address', undefined, []],
    ['an empty address', '', []],
    ['two addresses, the good one first', GOOD, [['redirect_uri', 'https://evil.example']]],
    ['two addresses, the good one last', 'https://evil.example', [['redirect_uri', GOOD]]],
    ['an unknown client', GOOD, [['client_id', 'unknown']]],
    ['no client', GOOD, [['client_id', '']]],
    ['the client of another address', GOOD, [['client_id', 'demo-budget-app']]],
    ['a request object', 'https://evil.example', [['request', 'eyJhbGciOiJub25lIn0.e30.']]],
    ['a foreign request address', 'https://evil.example', [['request_uri', 'https://evil.example/r']]],
  ])('%s is shown here', async (_name, address, more) => {
    const answer = await authorizeWith(request(address, more));
    expect(answer.headers.location).toBeUndefined();
    expect(answer.status).toBe(400);
  });

  test('other faults go back to the registered address with issuer and state', async () => {
    const answer = await authorizeWith(request(GOOD, [['response_type', 'token']]));
    const target = new URL(String(answer.headers.location));
    expect(answer.status).toBe(303);
    expect(target.origin + target.pathname).toBe(GOOD);
    const told = new URLSearchParams(target.hash.slice(1) || target.search);
    expect(told.get('state')).toBe('the-state');
    expect(told.get('iss')).toBe(use().url);
  });

  test('an absolute request line does not move the login page', async () => {
    const answer = await send(use().url, {
      path: `http://evil.example/oauth/authorize?${request(GOOD)}`,
      headers: { Host: 'evil.example' },
      outsideContract: true,
    });
    expect(answer.headers.location).toMatch(new RegExp(`^${use().url}/oauth/login/`));
  });
});

/** A page of the library would have a script, a policy of its own or none, or an answer outside the query. */
const expectNoPageOfTheLibrary = (answer: Answer): void => {
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(answer.headers['x-frame-options']).toBe('DENY');
  expect(answer.text).not.toMatch(/<script|<form|submit\(\)/);
  if (answer.headers.location === undefined && answer.headers['content-type']?.includes('text/html'))
    expect(answer.text).toContain('<html lang="el">');
};

describe('a response mode other than query', () => {
  const modes: readonly Fields[] = [
    ...[
      'form_post',
      'fragment',
      'web_message',
      'jwt',
      'query.jwt',
      'form_post.jwt',
      'FORM_POST',
      'query ',
    ].map((mode): Fields => [['response_mode', mode]]),
    [
      ['response_mode', 'query'],
      ['response_mode', 'form_post'],
    ],
    [
      ['response_mode', 'form_post'],
      ['response_mode', 'query'],
    ],
    [
      ['prompt', 'none?'],
      ['response_mode', 'form_post'],
    ],
  ];
  const faults: readonly Fields[] = [
    [],
    [['scope', 'nothing_at_all']],
    [['prompt', 'none']],
    [['response_type', 'code id_token']],
    [['request', 'eyJhbGciOiJub25lIn0.e30.']],
    [['request_uri', 'urn:ietf:params:oauth:request_uri:unknown']],
    [['claims', '{']],
  ];

  test.each(modes.map((mode) => [String(new URLSearchParams(mode.map((each) => [...each]))), mode] as const))(
    '%s goes back as an error in the query, or is shown here',
    async (_name, mode) => {
      for (const fault of faults) {
        const answer = await authorizeWith(request(GOOD, [...fault, ...mode]));
        expectNoPageOfTheLibrary(answer);
        if (answer.status === 400) continue;
        expect(answer.status).toBe(303);
        const target = new URL(String(answer.headers.location));
        expect(target.origin + target.pathname).toBe(GOOD);
        expect(target.hash === '' || fault.some(([name]) => name === 'response_type')).toBe(true);
        expect(new URLSearchParams(target.search || target.hash.slice(1)).get('error')).not.toBeNull();
      }
      expectRefused(await pushWith(request(GOOD, mode)));
    },
  );

  test('alone is called by its name', async () => {
    const answer = await authorizeWith(request(GOOD, [['response_mode', 'form_post']]));
    const { searchParams } = new URL(String(answer.headers.location));
    expect(searchParams.get('error')).toBe('unsupported_response_mode');
    expect(searchParams.get('state')).toBe('the-state');
  });

  test.each([
    ['GET', '/oauth/authorize'],
    ['GET', '/oauth/authorize/unknown'],
    ['POST', '/oauth/token'],
    ['POST', '/oauth/par'],
    ['GET', '/oauth/jwks'],
    ['GET', '/.well-known/openid-configuration'],
    ['GET', '/.well-known/oauth-authorization-server'],
  ])('leads to no page of the library at %s %s', async (method, path) => {
    for (const accept of ['text/html', 'application/json', '*/*']) {
      const headers = { Accept: accept, 'Content-Type': 'application/x-www-form-urlencoded' };
      const body = method === 'POST' ? { body: 'response_mode=form_post' } : {};
      const asked = { method, path: `${path}?response_mode=form_post`, headers, ...body };
      expectNoPageOfTheLibrary(await send(use().url, { ...asked, outsideContract: true }));
    }
  });
});
