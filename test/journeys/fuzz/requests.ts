/** Good requests without number: every way to write one that the interface allows. */
import { createHash } from 'node:crypto';
import type { Random } from './random.js';
import { type Draft, setHeader, type Target } from './target.js';
import type { World } from './world.js';

const addDigest = (draft: Draft): void => {
  const digest = createHash('sha256')
    .update(draft.body ?? '')
    .digest('base64');
  setHeader(draft, 'Digest', `SHA-256=${digest}`);
  setHeader(draft, 'Signature', 'keyId="SN=1,CA=CN=x",algorithm="rsa-sha256",signature="AA=="');
  setHeader(draft, 'TPP-Signature-Certificate', 'MIIB');
};

const psuHeaders: readonly ((random: Random) => [string, string])[] = [
  (random) => ['PSU-IP-Port', String(1 + random.int(65_535))],
  (random) => ['PSU-Http-Method', random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])],
  (random) => ['PSU-Device-ID', random.uuid()],
  (random) => ['PSU-User-Agent', random.hex(random.int(200) + 1)],
  () => ['PSU-Geolocation', 'GEO:37.98;23.72'],
  () => ['PSU-Accept-Language', 'el, en;q=0.5'],
];

const psuAddress = (random: Random): string => random.pick(['192.0.2.1', '2001:db8::1', '::ffff:1.2.3.4']);

const harmless: readonly [string, string][] = [
  ['Accept', '*/*'],
  ['Accept', 'application/json'],
  ['Accept', 'text/html, application/json;q=0.5'],
  ['User-Agent', 'fuzz'],
  ['Cache-Control', 'no-cache'],
  ['X-Forwarded-For', '203.0.113.9'],
  ['Traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ['__proto__', 'polluted'],
];

const some = (random: Random): [string, string][] =>
  random
    .some(harmless, random.int(3))
    .filter(([name], at, all) => all.findIndex(([each]) => each === name) === at);

const called = ({ keys, tokens }: World, random: Random, psu: string): [string, string][] => [
  [random.pick(['Ocp-Apim-Subscription-Key', 'ocp-apim-subscription-key']), random.pick(keys)],
  ['Authorization', `${random.pick(['Bearer', 'bearer'])} ${tokens[psu]}`],
  ['X-Request-ID', random.uuid()],
];

const contentTypes = ['application/json-patch+json', 'application/json', 'application/json; charset=utf-8'];

const addHeaders = (draft: Draft, random: Random): void => {
  const { kind, checks = [] } = draft.target;
  const isApi = kind === 'operation' || kind === 'control';
  if (draft.body && isApi && random.chance(0.8)) setHeader(draft, 'Content-Type', random.pick(contentTypes));
  // Without it a read of account data is counted, and a few are allowed.
  const isAttended = checks.includes('access') || (checks.includes('psu') && random.chance(0.4));
  if (isAttended) setHeader(draft, 'PSU-IP-Address', psuAddress(random));
  if (checks.includes('psu'))
    for (const make of random.some(psuHeaders, random.int(5))) draft.headers.push(make(random));
  if (checks.includes('session') && random.chance(0.2)) setHeader(draft, 'Consent-ID', random.uuid());
  if (checks.includes('redirects') && random.chance(0.3))
    setHeader(draft, 'TPP-State', random.hex(1 + random.int(256)));
  if (checks.includes('signature') && random.chance(0.2)) addDigest(draft);
};

/** A request with which everything is in order. `psu` is whose token it carries. */
export const goodDraft = (world: World, random: Random, target: Target, psu = 'eleni'): Draft => {
  const draft: Draft = {
    target,
    psu,
    method: target.method,
    path: '',
    headers: [
      ['Host', random.pick(['x', '127.0.0.1', 'bank.example:8443'])],
      ...(target.kind === 'operation' ? called(world, random, psu) : []),
      ...some(random),
    ],
    body: undefined,
    json: undefined,
  };
  target.fill(draft, random, world);
  addHeaders(draft, random);
  if (draft.method === 'GET' && random.chance(0.1)) draft.method = 'HEAD';
  draft.headers = random.some(draft.headers, draft.headers.length);
  return draft;
};
