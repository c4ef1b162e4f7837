/** The rules of the interface, each with ways to break it and the status that must answer. */
import {
  ATMS,
  EVENTS,
  type OperationId,
  paymentPath,
  statusPath,
  unknownIban,
} from '../../support/operations.js';
import type { Random } from './random.js';
import { type Draft, setHeader, type World, writeQuestion } from './requests.js';

type Apply = (draft: Draft, random: Random, world: World) => void;
type Question = Record<string, unknown>;
type Change = (body: Question, random: Random) => unknown;
type Make = (random: Random, text: string) => string | Buffer;

export interface Break {
  readonly name: string;
  readonly status: number;
  readonly apply: Apply;
  readonly only: readonly OperationId[] | undefined;
}

const funds: readonly OperationId[] = ['confirmFunds'];
const atms: readonly OperationId[] = ['getAtms'];
const reads: readonly OperationId[] = ['getConsentStatus', 'getPaymentConsent'];
const events: readonly OperationId[] = ['getEvents'];
const scoped: readonly OperationId[] = [...funds, ...reads];
const strict: readonly OperationId[] = [...scoped, ...events];

const rule = (name: string, status: number, apply: Apply, only?: readonly OperationId[]): Break => ({
  name,
  status,
  apply,
  only,
});

const all =
  (...steps: readonly Apply[]): Apply =>
  (draft, random, world) => {
    for (const step of steps) step(draft, random, world);
  };
const header =
  (name: string, ...values: readonly (string | undefined)[]): Apply =>
  (draft, random) =>
    setHeader(draft, name, values[random.int(values.length)]);
const token =
  (pick: (world: World, draft: Draft) => string | undefined): Apply =>
  (draft, _random, world) =>
    setHeader(draft, 'Authorization', `Bearer ${pick(world, draft)}`);
const path =
  (change: (path: string, random: Random) => string): Apply =>
  (draft, random) => {
    draft.path = change(draft.path, random);
  };

/** A changed body does not fit its digest any more, and that would answer first. */
const unsigned = all(header('Digest', undefined), header('Signature', undefined));

const question = (...changes: readonly Change[]): Apply =>
  all((draft, random) => {
    if (!draft.question) return;
    random.pick(changes)(draft.question, random);
    writeQuestion(draft, random);
  }, unsigned);

const bytes = (...makes: readonly Make[]): Apply =>
  all((draft, random) => {
    draft.body = Buffer.from(random.pick(makes)(random, draft.body?.toString() ?? ''));
  }, unsigned);

const typed =
  (type: string): Apply =>
  (draft) => {
    draft.body ??= Buffer.from('{}');
    setHeader(draft, 'Content-Type', type);
  };

const put = (more: object) => (body: Question) => Object.assign(body, more);
const amount = (more: object) => (body: Question) => {
  body.instructedAmount = { ...(body.instructedAmount as object), ...more };
};

const lists = /^(host|accept.*|cookie|cache-control|x-forwarded-for|if-none-match)$/i;

const beforeTheBody: readonly Break[] = [
  rule(
    'path',
    404,
    path((known) => known.replace('/v1', '/v3')),
  ),
  rule('method', 405, (draft, random) => {
    draft.method = random.pick(['PUT', 'PATCH', 'OPTIONS', 'TRACE', 'MKCOL']);
  }),
  rule('repeated header', 400, ({ headers }, random) => {
    // Other rules may have removed all that could be repeated.
    const single = headers.filter(([name]) => !lists.test(name));
    if (single.length === 0) headers.push(['From', 'a'], ['From', 'b']);
    else headers.push(random.pick(single));
  }),
  rule('no key', 401, header('Ocp-Apim-Subscription-Key', undefined, '')),
  rule('wrong key', 401, (draft, random) => setHeader(draft, 'Ocp-Apim-Subscription-Key', random.hex(40))),
  rule('no token', 401, header('Authorization', undefined, '', 'Basic eDp5', 'nonsense')),
  rule('wrong token', 401, header('Authorization', 'Bearer', 'Bearer x', 'Bearer e30.e30.', 'Bearer a b')),
  rule(
    'foreign token',
    401,
    token(({ foreignToken }) => foreignToken),
  ),
  rule(
    'scope',
    403,
    token(({ unscoped }, { id }) => unscoped[id]),
    scoped,
  ),
  rule('accept', 406, header('Accept', 'text/html', 'application/json;q=0', 'x/y, z/*')),
  rule('content type', 415, typed('text/plain')),
  rule('content encoding', 415, all(typed('application/json'), header('Content-Encoding', 'gzip', 'br'))),
  rule(
    'address length',
    400,
    path((known) => `${known.split('?')[0]}?${'x'.repeat(9000)}`),
  ),
  rule('number of headers', 400, ({ headers }) => {
    headers.push(...Array.from({ length: 100 }, (_, at): [string, string] => [`X-${at}`, '']));
  }),
];

const conditions = [
  'if_None_Match=%22',
  'if_None_Match=a%20b',
  'if_None_Match=a&if_None_Match=b',
  'if_Modified_Since=x',
  'if_Modified_Since=2026-01-01',
  'if_Modified_Since=2026-01-01T00:00:00+02:00',
];

const pages = [
  'after=x',
  'after=1',
  `after=${'0'.repeat(36)}`,
  'limit=0',
  'limit=501',
  'limit=1e2',
  'limit=-1',
];

const headersAndQuery: readonly Break[] = [
  rule(
    'request id',
    400,
    header('X-Request-ID', undefined, '', 'x', '99391c7ead8849eca2ad99ddcb1f7721'),
    strict,
  ),
  rule('session consent id', 400, header('Consent-ID', 'x', '1'), funds),
  rule('PSU address', 400, header('PSU-IP-Address', 'x', '1.2.3', '::g'), reads),
  rule('PSU port', 400, header('PSU-IP-Port', '0', '65536', '-1', '1e3'), reads),
  rule('PSU method', 400, header('PSU-Http-Method', 'get', 'HEAD'), reads),
  rule('PSU device', 400, header('PSU-Device-ID', 'x'), reads),
  rule('signature alone', 400, all(header('Digest', undefined), header('Signature', 'x')), strict),
  rule('scenario', 400, header('Sandbox-Scenario', 'no-such-scenario')),
  rule(
    'unknown parameter',
    400,
    path((known, random) => `${known}${known.includes('?') ? '&' : '?'}${random.hex(4)}=1`),
  ),
  rule(
    'condition',
    400,
    path((_known, random) => `${ATMS}?${random.pick(conditions)}`),
    atms,
  ),
  rule(
    'page',
    400,
    path((_known, random) => `${EVENTS}?${random.pick(pages)}${random.pick(['', '&limit=3', '&after='])}`),
    events,
  ),
];

const badJson: readonly Make[] = [
  () => '',
  (_random, text) => text.slice(0, -1),
  (_random, text) => `${text}}`,
  (_random, text) => `\ufeff${text}`,
  (random, text) => Buffer.concat([Buffer.from(text), Buffer.from([0x80 + random.int(64)])]),
  (random) => '['.repeat(21 + random.int(5000)),
  (random) => `x${random.hex(random.int(100))}`,
  () => '{"account":NaN}',
  () => '{"payee":"\\ud800"}',
  () => '{"payee":"\\u0000"}',
];

const badMembers: readonly Change[] = [
  (body) => delete body.account,
  (body) => delete body.instructedAmount,
  put({ account: null }),
  put({ account: { iban: 'GR00' } }),
  put({ account: {}, cardNumber: null }),
  put({ payee: 'x'.repeat(71) }),
  put({ payee: 1 }),
  put({ cardNumber: 'x' }),
  amount({ amount: 0 }),
  amount({ amount: -1 }),
  amount({ amount: '1' }),
  amount({ amount: 1.000001 }),
  amount({ amount: 123_456_789_012_345.6 }),
  amount({ currency: 'euro' }),
  amount({ currency: undefined }),
  amount({ constructor: 1 }),
  (body, random) => put({ [`x${random.hex(6)}`]: random.pick([1, null, {}, []]) })(body),
  (body) => Object.defineProperty(body, '__proto__', { value: { polluted: 1 }, enumerable: true }),
];

const digest = all(
  header('Digest', `SHA-256=${Buffer.alloc(32).toString('base64')}`, 'SHA-512=AAAA'),
  header('Signature', 'x'),
  header('TPP-Signature-Certificate', 'AAAA'),
);

const bodies: readonly Break[] = [
  rule(
    'size',
    400,
    all(
      typed('application/json'),
      bytes((random) => 'x'.repeat(16_385 + random.int(5000))),
    ),
  ),
  rule('digest', 400, digest, strict),
  rule('JSON', 400, bytes(...badJson), funds),
  rule('content', 400, question(...badMembers), funds),
];

const otherCurrency = (body: Question): void => {
  body.account = { ...(body.account as object), currency: undefined };
  body.instructedAmount = { currency: 'CHF', amount: 1 };
};

const wrongId: Apply = (draft, random, { foreignIds }) => {
  const id = random.pick([random.uuid(), ...foreignIds, random.hex(20), '%00', '%2e%2e', "'--", '__proto__']);
  draft.path = draft.id === 'getConsentStatus' ? statusPath(id) : paymentPath(id);
};

const lookups: readonly Break[] = [
  rule('unknown account', 403, question(put({ account: { iban: unknownIban } })), funds),
  rule('unknown card', 403, question(put({ cardNumber: '4111111111111111' })), funds),
  rule(
    'other holder',
    403,
    token(({ tokens }, { psu }) => tokens[psu === 'sofia' ? 'kostas' : 'sofia']),
    funds,
  ),
  rule('currency', 400, question(otherCurrency), funds),
  rule('id', 404, wrongId, reads),
];

export const breaksOf = (id: OperationId): readonly Break[] =>
  [...beforeTheBody, ...headersAndQuery, ...bodies, ...lookups].filter(
    ({ only }) => only?.includes(id) ?? true,
  );
