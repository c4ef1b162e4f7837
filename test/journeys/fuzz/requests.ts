/** Good requests without number: every way to write one that the interface allows. */
import { createHash } from 'node:crypto';
import { type DemoAccount, demoPsus } from '../../../packages/sandbox/src/bank/people.js';
import { decimalsOf } from '../../../src/model/amount.js';
import { ATMS, EVENTS, FUNDS, type OperationId, paymentPath, statusPath } from '../../support/operations.js';
import type { Random } from './random.js';

/** What the requests are made of: credentials and what there is to read. */
export interface World {
  readonly keys: readonly string[];
  /** By username, for the first application with all its scopes. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Of the first account holder, but without the scope of the area. */
  readonly unscoped: Readonly<Record<OperationId, string>>;
  readonly foreignToken: string;
  readonly accessIds: readonly string[];
  readonly paymentIds: readonly string[];
  /** Of another application. */
  readonly foreignIds: readonly string[];
  readonly etag: string;
  readonly lastModified: string;
}

/** A request on its way to be sent; breaks change it. */
export interface Draft {
  readonly id: OperationId;
  readonly psu: string;
  method: string;
  path: string;
  headers: [string, string][];
  body: Buffer | undefined;
  /** The body before it was written, where it is a funds question. */
  question: Record<string, unknown> | undefined;
}

export const toBytes = ({ method, path, headers, body }: Draft): Buffer => {
  const lines = [`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (body) lines.push(`Content-Length: ${body.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)]);
};

export const setHeader = (draft: Draft, name: string, value: string | undefined): void => {
  draft.headers = draft.headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase());
  if (value !== undefined) draft.headers.push([name, value]);
};

interface Asked {
  readonly psu: string;
  readonly account: DemoAccount;
  readonly isMulti: boolean;
}

/** The savings accounts have consents in other statuses. */
const askable: readonly Asked[] = demoPsus.flatMap(({ username, accounts }) =>
  accounts
    .filter(({ product }) => product !== 'Savings account')
    .map((account) => ({ psu: username, account, isMulti: account.product.startsWith('Multi') })),
);

const spelledIban = (random: Random, iban: string): string => {
  const cased = random.chance(0.3) ? iban.toLowerCase() : iban;
  return random.chance(0.3) ? cased.replace(/(.{4})/g, '$1 ').trim() : cased;
};

const referenceOf = (random: Random, { account, isMulti }: Asked): Record<string, unknown> => {
  const { iban, bban, msisdn, currency } = account;
  const reference: Record<string, unknown> = {};
  if (msisdn && random.chance(0.5)) reference.msisdn = random.pick([msisdn, msisdn.replace('+', '00')]);
  if (bban) reference.bban = bban;
  if (iban && (!msisdn || random.chance(0.7) || !reference.msisdn))
    reference.iban = spelledIban(random, iban);
  if (random.chance(isMulti ? 0.5 : 0.2)) reference.currency = currency;
  if (random.chance(0.1)) reference[random.pick(['iban', 'bban', 'msisdn'])] ??= null;
  return reference;
};

/** At most 15 digits, with as many decimals as the currency has. */
const amountOf = (random: Random, currency: string): number => {
  if (random.chance(0.05)) return random.pick([1e15, 1e21, 1e100, 1e300]);
  const minor = 1 + random.int(10 ** random.pick([1, 3, 5, 8, 12, 14]));
  return Number(`${minor}e-${decimalsOf(currency) ?? 0}`);
};

const questionOf = (random: Random, asked: Asked): Record<string, unknown> => {
  const reference = referenceOf(random, asked);
  const { currency, cardNumber } = asked.account;
  const mayBeNull = !asked.isMulti || reference.currency !== undefined;
  const isNull = mayBeNull && random.chance(0.2);
  const question: Record<string, unknown> = {
    account: reference,
    instructedAmount: { currency: isNull ? null : currency, amount: amountOf(random, currency) },
  };
  if (random.chance(0.4)) question.payee = random.pick([random.text(70), null]);
  if (random.chance(0.4)) question.cardNumber = cardNumber;
  return question;
};

const contentTypes = ['application/json-patch+json', 'application/json', 'application/json; charset=utf-8'];

export const writeQuestion = (draft: Draft, random: Random): void => {
  draft.body = Buffer.from(JSON.stringify(draft.question, null, random.pick([0, 0, 2])));
};

const addDigest = (draft: Draft): void => {
  const digest = createHash('sha256')
    .update(draft.body ?? '')
    .digest('base64');
  setHeader(draft, 'Digest', `SHA-256=${digest}`);
  setHeader(draft, 'Signature', 'keyId="SN=1,CA=CN=x",algorithm="rsa-sha256",signature="AA=="');
  setHeader(draft, 'TPP-Signature-Certificate', 'MIIB');
};

const psuHeaders: readonly ((random: Random) => [string, string])[] = [
  (random) => ['PSU-IP-Address', random.pick(['192.0.2.1', '2001:db8::1', '::ffff:1.2.3.4'])],
  (random) => ['PSU-IP-Port', String(1 + random.int(65_535))],
  (random) => ['PSU-Http-Method', random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])],
  (random) => ['PSU-Device-ID', random.uuid()],
  (random) => ['PSU-User-Agent', random.hex(random.int(200) + 1)],
  () => ['PSU-Geolocation', 'GEO:37.98;23.72'],
  () => ['PSU-Accept-Language', 'el, en;q=0.5'],
];

const harmless: readonly [string, string][] = [
  ['Accept', '*/*'],
  ['Accept', 'application/json'],
  ['Accept', 'text/html, application/json;q=0.5'],
  ['User-Agent', 'fuzz'],
  ['Cache-Control', 'no-cache'],
  ['X-Forwarded-For', '203.0.113.9'],
  ['Cookie', 'a=b'],
  ['Traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ['__proto__', 'polluted'],
];

const start = (world: World, random: Random, id: OperationId, psu: string): Draft => ({
  id,
  psu,
  method: id === 'confirmFunds' ? 'POST' : 'GET',
  path: '',
  headers: [
    ['Host', random.pick(['x', '127.0.0.1', 'bank.example:8443'])],
    [random.pick(['Ocp-Apim-Subscription-Key', 'ocp-apim-subscription-key']), random.pick(world.keys)],
    ['Authorization', `${random.pick(['Bearer', 'bearer'])} ${world.tokens[psu]}`],
    ['X-Request-ID', random.uuid()],
    ...random
      .some(harmless, random.int(3))
      .filter(([name], at, all) => all.findIndex(([each]) => each === name) === at),
  ],
  body: undefined,
  question: undefined,
});

const fundsDraft = (world: World, random: Random): Draft => {
  const asked = random.pick(askable);
  const draft = start(world, random, 'confirmFunds', asked.psu);
  draft.path = FUNDS;
  draft.question = questionOf(random, asked);
  writeQuestion(draft, random);
  if (random.chance(0.8)) setHeader(draft, 'Content-Type', random.pick(contentTypes));
  if (random.chance(0.2)) setHeader(draft, 'Consent-ID', random.uuid());
  if (random.chance(0.2)) addDigest(draft);
  return draft;
};

const atmsDraft = (world: World, random: Random): Draft => {
  const draft = start(world, random, 'getAtms', 'eleni');
  const bare = world.etag.slice(1, -1);
  const queries = [
    '',
    '?if_None_Match=*',
    `?if_None_Match=${bare}`,
    `?if_None_Match=W/%22${bare}%22,%22${random.hex(8)}%22`,
    `?if_Modified_Since=${new Date(world.lastModified).toISOString()}`,
    '?if_Modified_Since=2001-01-01T00:00:00%2B02:00',
    `?if_None_Match=${random.hex(16)}&if_Modified_Since=2001-01-01T00:00:00Z`,
  ];
  draft.path = `${ATMS}${random.pick(queries)}`;
  if (random.chance(0.5)) setHeader(draft, 'If-None-Match', world.etag);
  if (random.chance(0.5))
    setHeader(draft, 'Accept-Encoding', random.pick(['br', 'gzip', 'gzip, br', 'identity', '*']));
  if (random.chance(0.3)) setHeader(draft, 'X-Request-ID', undefined);
  return draft;
};

const readDraft = (world: World, random: Random, id: 'getConsentStatus' | 'getPaymentConsent'): Draft => {
  const draft = start(world, random, id, 'eleni');
  draft.path =
    id === 'getConsentStatus'
      ? statusPath(random.pick(world.accessIds))
      : paymentPath(random.pick(world.paymentIds));
  for (const make of random.some(psuHeaders, random.int(5))) draft.headers.push(make(random));
  if (random.chance(0.2)) addDigest(draft);
  return draft;
};

const eventsDraft = (world: World, random: Random): Draft => {
  const draft = start(world, random, 'getEvents', random.pick(Object.keys(world.tokens)));
  draft.path = `${EVENTS}${random.pick(['', '?limit=1', '?limit=500', '?after='])}`;
  if (random.chance(0.2)) addDigest(draft);
  return draft;
};

const drafts: Readonly<Record<OperationId, (world: World, random: Random) => Draft>> = {
  confirmFunds: fundsDraft,
  getAtms: atmsDraft,
  getConsentStatus: (world, random) => readDraft(world, random, 'getConsentStatus'),
  getPaymentConsent: (world, random) => readDraft(world, random, 'getPaymentConsent'),
  getEvents: eventsDraft,
};

/** A request that must be answered with 200, or 304 where a condition was sent. */
export const goodDraft = (world: World, random: Random, id: OperationId): Draft => {
  const draft = drafts[id](world, random);
  if (draft.method === 'GET' && random.chance(0.1)) draft.method = 'HEAD';
  draft.headers = random.some(draft.headers, draft.headers.length);
  return draft;
};
