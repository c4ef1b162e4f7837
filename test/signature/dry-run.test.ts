/** The dry run of a signed request has the verdict of the gate, for every request and wherever the service is. */
import { createHash, randomUUID, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { callIn, type Made, made } from '../sandbox/developers-support.js';
import { type Answer, done, send } from '../support/client.js';
import { FUNDS, fundsBody } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { digestOf, getSeal, type Plain, type Seal, signed, verdict } from './support.js';

const service = useService({ engine: 'sqlite', env: { TRAPEZA_DEMO_MONTHS: '1' } });

type Headers = Record<string, string>;

interface Place {
  /** Of the base address. */
  readonly prefix: string;
  readonly origin: string;
  readonly seal: Seal;
  readonly credentials: Headers;
  send(wanted: Plain): Promise<Answer>;
}

const places: Record<string, () => Place> = {};
let root: Place;
let below: Place;

const bearer = async (asked: Promise<Answer>): Promise<string> =>
  `Bearer ${(done(await asked).json as { access_token: string }).access_token}`;

const toRoot = (wanted: Plain): Promise<Answer> => send(service().url, { ...wanted, outsideContract: true });

beforeAll(async () => {
  const developer: Made = await made(service(), 'signer');
  const body = { application: developer.application.clientId };
  const { origin, pathname: prefix } = new URL(developer.baseUrl);
  below = {
    prefix,
    origin,
    seal: await getSeal(service(), body, prefix),
    credentials: {
      'Ocp-Apim-Subscription-Key': developer.application.subscriptionKey,
      Authorization: await bearer(
        callIn(service(), developer, { method: 'POST', path: '/sandbox/tokens', body }),
      ),
    },
    send: (wanted) => callIn(service(), developer, wanted),
  };
  root = {
    prefix: '',
    origin,
    seal: await getSeal(service()),
    credentials: {
      'Ocp-Apim-Subscription-Key': service().keyOf(),
      Authorization: await bearer(toRoot({ method: 'POST', path: '/sandbox/tokens' })),
    },
    send: toRoot,
  };
});
places['the common sandbox'] = () => root;
places["a developer's sandbox"] = () => below;

const contentDigest = (body: string): string =>
  `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;

/** By hand, from the text of RFC 9421, so that nothing of the service judges itself. */
const signed9421 = (
  place: Place,
  { method, path, body = '' }: Plain,
  components: readonly string[],
): Headers => {
  const sent: Headers = { 'X-Request-ID': randomUUID(), 'Content-Digest': contentDigest(body) };
  const at = path.indexOf('?');
  const values: Headers = {
    '@method': method,
    '@target-uri': `${place.origin}${path}`,
    '@path': at < 0 ? path : path.slice(0, at),
    '@query': at < 0 ? '?' : path.slice(at),
    'content-digest': sent['Content-Digest'] ?? '',
    'x-request-id': sent['X-Request-ID'] ?? '',
  };
  const created = Math.floor(service().clock.now() / 1000);
  const parameters = `(${components.map((name) => `"${name}"`).join(' ')});created=${created};alg="ecdsa-p256-sha256"`;
  const text = [
    ...components.map((name) => `"${name}": ${values[name]}`),
    `"@signature-params": ${parameters}`,
  ].join('\n');
  const bytes = sign('sha256', Buffer.from(text), { key: place.seal.key, dsaEncoding: 'ieee-p1363' });
  return {
    ...sent,
    'Signature-Input': `sig=${parameters}`,
    Signature: `sig=:${bytes.toString('base64')}:`,
    'TPP-Signature-Certificate': place.seal.certificate,
  };
};

const without = (headers: Headers, name: string): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));

const body = JSON.stringify(fundsBody({ payee: 'Περίπτερο' }));

/** Path, and whether there is a body; with a query, with one that the operation does not have, and to nowhere. */
const requests: readonly Plain[] = [
  { method: 'POST', path: FUNDS, body },
  { method: 'GET', path: `/piis/psd2/v1/consents/${randomUUID()}/status` },
  { method: 'GET', path: '/events/psd2/v1?limit=5' },
  { method: 'GET', path: '/events/psd2/v1?limit=5&more=%20' },
  { method: 'POST', path: `/piis/psd2/v1/nowhere`, body },
];

type Sign = (place: Place, request: Plain) => Headers;

const cavage: Sign = ({ seal }, request) =>
  signed(seal, request, { created: Math.floor(service().clock.now() / 1000) });
const covering =
  (...components: string[]): Sign =>
  (place, request) =>
    signed9421(place, request, [...components, 'content-digest', 'x-request-id']);

const schemes: Record<string, Sign> = {
  cavage,
  'rfc9421 over @target-uri': covering('@method', '@target-uri'),
  'rfc9421 over @path and @query': covering('@method', '@path', '@query'),
};

/** What is spoilt of a signed request before it is sent. */
const spoils: Record<string, (request: Plain, headers: Headers) => readonly [Plain, Headers]> = {
  nothing: (request, headers) => [request, headers],
  body: (request, headers) => [
    request.body === undefined ? request : { ...request, body: `${request.body} ` },
    headers,
  ],
  'Digest of another body': (request, headers) => [
    request,
    headers.Digest
      ? { ...headers, Digest: digestOf('other') }
      : { ...headers, 'Content-Digest': contentDigest('other') },
  ],
  'Digest without a hash': (request, headers) => [request, { ...headers, Digest: 'MD5=x' }],
  'no Digest': (request, headers) => [request, without(without(headers, 'Digest'), 'Content-Digest')],
  'no certificate': (request, headers) => [request, without(headers, 'TPP-Signature-Certificate')],
  'another X-Request-ID': (request, headers) => [request, { ...headers, 'X-Request-ID': randomUUID() }],
  'no X-Request-ID': (request, headers) => [request, without(headers, 'X-Request-ID')],
  'a signature that is none': (request, headers) => [request, { ...headers, Signature: 'x' }],
  'another path': ({ path, ...request }, headers) => [
    { ...request, path: path.includes('?') ? path.replace('limit=5', 'limit=6') : path },
    headers,
  ],
};

/** What the gate says of a request that is not about its signature. */
const isOfSignature = (said: string): boolean =>
  /^(?:40[01] (?:signature-|digest-|certificate-|invalid-header|invalid-query)|404 route-not-found)/.test(
    said,
  );

describe.each(Object.keys(places))('in %s', (name) => {
  const place = () => places[name]?.() ?? root;

  it.each(Object.keys(schemes))('%s is judged by the dry run as by the gate', async (scheme) => {
    const { prefix, credentials, send: ask } = place();
    const seen = new Set<boolean>();
    const wrong: string[] = [];
    for (const request of requests) {
      const asSent = { ...request, path: `${prefix}${request.path}` };
      for (const [what, spoil] of Object.entries(spoils)) {
        const headers = schemes[scheme]?.(place(), asSent) ?? {};
        const [spoilt, sent] = spoil(request, headers);
        const check = { ...spoilt, path: `${prefix}${spoilt.path}`, headers: { ...sent, ...credentials } };
        const made = await ask({
          method: 'POST',
          path: '/sandbox/signature-check',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(check),
        });
        const { wouldPass, checks } = done(made).json as {
          wouldPass: boolean;
          checks: { name: string; verdict: string }[];
        };
        const said = verdict(await ask({ ...spoilt, headers: { ...sent, ...credentials } }));
        seen.add(wouldPass);
        const failed = checks.filter((each) => each.verdict === 'failed').map((each) => each.name);
        if (wouldPass === isOfSignature(said) || wouldPass !== (failed.length === 0))
          wrong.push(
            `${request.method} ${request.path}, ${what}: ${said}, dry run ${wouldPass} ${failed.join()}`,
          );
      }
    }
    expect(wrong).toEqual([]);
    expect(seen.size).toBe(2);
  });

  it('a path is the one that is sent, and the signing string has it once', async () => {
    const { prefix, seal, credentials, send: ask } = place();
    const asSent = { method: 'POST', path: `${prefix}${FUNDS}`, body };
    const tried = async (path: string) => {
      const headers = { ...signed(seal, asSent), ...credentials };
      const answer = await ask({
        method: 'POST',
        path: '/sandbox/signature-check',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...asSent, path, headers }),
      });
      return done(answer).json as { wouldPass: boolean; signingString: string | null };
    };
    const { wouldPass, signingString } = await tried(asSent.path);
    expect({ wouldPass, first: signingString?.split('\n')[0] }).toEqual({
      wouldPass: true,
      first: `(request-target): post ${asSent.path}`,
    });
    expect(await tried(`/dev/other${FUNDS}`)).toMatchObject({ wouldPass: false });
  });
});
