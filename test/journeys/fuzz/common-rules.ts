/** The rules that hold for every operation, in the order in which they are checked, each with ways to break it and its answer. */
import { headersAndQuery } from './header-rules.js';
import type { Random } from './random.js';
import {
  type Apply,
  all,
  header,
  json,
  path,
  put,
  type Rule,
  rule,
  setHeader,
  type Target,
  typed,
  unsigned,
} from './target.js';
import type { World } from './world.js';

type Make = (random: Random, text: string) => string | Buffer;

const isApi = ({ kind }: Target): boolean => kind === 'operation' || kind === 'control';
const isCalled = ({ kind }: Target): boolean => kind === 'operation';
const isScoped = ({ scope }: Target): boolean => scope !== undefined;
const checks =
  (what: NonNullable<Target['checks']>[number]) =>
  (target: Target): boolean =>
    target.checks?.includes(what) ?? false;
const takesBody = ({ badBodies }: Target): boolean => badBodies !== undefined;

const key =
  (pick: (world: World, target: Target) => string): Apply =>
  (draft, _random, world) =>
    setHeader(draft, 'Ocp-Apim-Subscription-Key', pick(world, draft.target));
const token =
  (pick: (world: World, target: Target) => string): Apply =>
  (draft, _random, world) =>
    setHeader(draft, 'Authorization', `Bearer ${pick(world, draft.target)}`);

const bytes = (...makes: readonly Make[]): Apply =>
  all((draft, random) => {
    draft.body = Buffer.from(random.pick(makes)(random, draft.body?.toString() ?? ''));
  }, unsigned);

/** HTTP defines these as lists. */
const lists = /^(host|accept.*|cookie|cache-control|x-forwarded-for|if-none-match)$/i;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'MKCOL'];

/** Of everything, pages included. */
const messages: readonly Rule[] = [
  rule(
    'address length',
    '400 message-too-large',
    path((known) => `${known.split('?')[0]}?${'x'.repeat(9000)}`),
  ),
  rule('number of headers', '400 message-too-large', ({ headers }) => {
    headers.push(...Array.from({ length: 101 }, (_, at): [string, string] => [`X-${at}`, '']));
  }),
  rule('method', '405 method-not-allowed', (draft, random) => {
    const { method, alsoAllowed = [] } = draft.target;
    draft.method = random.pick(methods.filter((each) => each !== method && !alsoAllowed.includes(each)));
  }),
  rule('repeated header', '400 duplicate-header', ({ headers }, random) => {
    // Other rules may have removed all that could be repeated.
    const single = headers.filter(([name]) => !lists.test(name));
    if (single.length === 0) headers.push(['From', 'a'], ['From', 'b']);
    else headers.push(random.pick(single));
  }),
  rule('no host', '400 malformed-http', header('Host', undefined)),
];

const credentials: readonly Rule[] = [
  rule(
    'path',
    '404 route-not-found',
    path((known) => known.replace('/v1', '/v3')),
    isCalled,
  ),
  rule(
    'path of a control',
    '404 route-not-found',
    path((known) => known.replace('/sandbox/', '/sandboks/')),
    ({ kind }) => kind === 'control',
  ),
  rule(
    'no key',
    '401 subscription-key-missing',
    header('Ocp-Apim-Subscription-Key', undefined, ''),
    isCalled,
  ),
  rule(
    'wrong key',
    '401 subscription-key-invalid',
    (draft, random) => setHeader(draft, 'Ocp-Apim-Subscription-Key', random.hex(40)),
    isCalled,
  ),
  rule(
    'quota',
    '429 quota-exceeded',
    key(({ spentKey }) => spentKey),
    isCalled,
  ),
  rule(
    'no token',
    '401 token-missing',
    header('Authorization', undefined, '', 'Basic eDp5', 'nonsense'),
    isCalled,
  ),
  rule(
    'wrong token',
    '401 token-invalid',
    header('Authorization', 'Bearer', 'Bearer x', 'Bearer e30.e30.', 'Bearer a b'),
    isCalled,
  ),
  rule(
    'foreign token',
    '401 token-of-another-application',
    token(({ foreignToken }) => foreignToken),
    isCalled,
  ),
  rule(
    'blocked key',
    '403 access-blocked',
    key(({ blockedKey }) => blockedKey),
    isCalled,
  ),
  rule(
    'product',
    '403 product-not-subscribed',
    key(({ keysWithout }, { product }) => (product && keysWithout[product]) ?? ''),
    ({ product }) => product !== undefined,
  ),
  rule(
    'scope',
    '403 insufficient-scope',
    token(({ unscoped }, { scope }) => (scope && unscoped[scope]) ?? ''),
    isScoped,
  ),
  rule(
    'role',
    '403 role-not-permitted',
    all(
      key(({ outsider }, { scope }) => (scope && outsider[scope].key) ?? ''),
      token(({ outsider }, { scope }) => (scope && outsider[scope].token) ?? ''),
    ),
    isScoped,
  ),
];

const badJson: readonly Make[] = [
  (_random, text) => text.slice(0, -1),
  (_random, text) => `${text}}`,
  (_random, text) => `\ufeff${text}`,
  (random, text) => Buffer.concat([Buffer.from(text), Buffer.from([0x80 + random.int(64)])]),
  (random) => '['.repeat(21 + random.int(5000)),
  (random) => `x${random.hex(random.int(100))}`,
  () => '{"account":NaN}',
  () => '{"payee":"\\ud800"}',
  () => '{"payee":"\\u0000"}',
  (random, text) => `{"twice":[${random.int(9)},{"\\u0061":${text || 1},"a":1}]}`,
  () => '{"a":1,"a":1}',
];

const bodies: readonly Rule[] = [
  rule(
    'size',
    '400 message-too-large',
    all(
      typed('application/json'),
      bytes((random) => 'x'.repeat(16_385 + random.int(5000))),
    ),
    // A file of people may be larger.
    (target) => isApi(target) && target.id !== 'putSandboxPeople',
  ),
  rule(
    'digest',
    '400 digest-mismatch',
    all(
      header('Digest', `SHA-256=${Buffer.alloc(32).toString('base64')}`),
      header('Signature', 'x'),
      header('TPP-Signature-Certificate', 'AAAA'),
    ),
    checks('signature'),
  ),
  rule('JSON', '400 invalid-json', all(json(put({})), bytes(...badJson)), takesBody),
  rule(
    'no body',
    '400 invalid-json',
    bytes(() => ''),
    (target) => takesBody(target) && !target.isBodyOptional,
  ),
  rule(
    'no object',
    '400 validation-failed',
    bytes(...['[]', 'null', '1', '"x"', 'true'].map((text) => () => text)),
    takesBody,
  ),
  rule(
    'unknown member',
    '400 validation-failed',
    json((body, random) => put({ [`x${random.hex(6)}`]: random.pick([1, null, {}, []]) })(body)),
    takesBody,
  ),
  rule(
    'prototype',
    '400 validation-failed',
    json((body) => Object.defineProperty(body, '__proto__', { value: { polluted: 1 }, enumerable: true })),
    takesBody,
  ),
  rule(
    'content',
    '400 validation-failed',
    (draft, random, world) => json(...(draft.target.badBodies ?? []))(draft, random, world),
    ({ badBodies = [] }) => badBodies.length > 0,
  ),
  rule(
    'request id of another call',
    '409 request-id-conflict',
    (draft, _random, { claimed }) =>
      setHeader(draft, 'X-Request-ID', claimed[draft.target.claims ?? 'writes']),
    ({ claims }) => claims !== undefined,
  ),
];

/** Faults that happen to the service while everything was in order. */
const rehearsed: readonly Rule[] = [
  rule('core down', '503 dependency-unavailable', header('Sandbox-Scenario', 'core-down'), isCalled),
  rule('overload', '503 overloaded', header('Sandbox-Scenario', 'overloaded'), isCalled),
  rule('bug', '500 internal-error', header('Sandbox-Scenario', 'internal-error'), isCalled),
];

const common = [...messages, ...credentials, ...headersAndQuery, ...bodies, ...rehearsed];

/** Everything that can be broken about a request to this target. */
export const rulesOf = (target: Target): readonly Rule[] => [
  ...common.filter(({ appliesTo }) => appliesTo(target)),
  ...(target.rules ?? []),
];
