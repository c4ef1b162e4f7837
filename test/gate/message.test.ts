/** The head of a message: repeated headers, formats asked for and declared, and the three headers of a signature. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Answer, sendRaw, slugOf, type Wanted } from '../support/client.js';
import { ATMS, fundsBody, goodRequest, type OperationId, operationIds } from '../support/operations.js';
import { useService } from '../support/use-service.js';

/** Nothing is verified here, so that only what holds in every policy is seen: test/signature has the rest. */
const service = useService({ env: { TRAPEZA_SIGNATURE_POLICY: 'off' } });
const signable: readonly OperationId[] = ['confirmFunds', 'getConsentStatus', 'getPaymentConsent'];

const ask = (id: OperationId, headers: Wanted['headers'], body?: string): Promise<Answer> =>
  service().call({
    ...goodRequest(service(), id),
    headers: headers ?? {},
    ...(body === undefined ? {} : { body }),
  });

const verdict = (answer: Answer): string =>
  answer.status === 200 ? '200' : `${answer.status} ${slugOf(answer)}`;
const errorsOf = (answer: Answer): string[] => Object.keys((answer.json as { errors?: object }).errors ?? {});

/** Each with a good value, so that nothing but the repetition is wrong. */
const single: Readonly<Record<string, () => string | Promise<string>>> = {
  'Ocp-Apim-Subscription-Key': () => service().keyOf(),
  Authorization: async () => `Bearer ${await service().token()}`,
  'X-Request-ID': () => '99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
  'Content-Type': () => 'application/json',
  'Consent-ID': () => '99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
  Digest: () => 'SHA-256=AAAA',
  Signature: () => 'x',
  'TPP-Signature-Certificate': () => 'AAAA',
  'PSU-IP-Address': () => '192.0.2.1',
  'PSU-IP-Port': () => '443',
  'PSU-Accept': () => 'text/html',
  'PSU-Accept-Charset': () => 'utf-8',
  'PSU-Accept-Encoding': () => 'gzip',
  'PSU-Accept-Language': () => 'el',
  'PSU-User-Agent': () => 'x',
  'PSU-Http-Method': () => 'GET',
  'PSU-Device-ID': () => '99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
  'PSU-Geolocation': () => 'GEO:1;2',
  'Content-Encoding': () => 'identity',
  'If-Modified-Since': () => 'Sun, 15 Nov 2026 09:30:00 GMT',
  'Sandbox-Scenario': () => 'core-down',
  'User-Agent': () => 'x',
  'X-Unknown': () => 'x',
};

describe('repeated headers', () => {
  it.each(Object.keys(single))('%s is refused when sent twice, equal or different', async (name) => {
    const value = (await single[name]?.()) ?? '';
    for (const second of [value, `${value}2`]) {
      for (const id of operationIds) {
        const answer = await ask(id, { [name]: [value, second] });
        expect([id, verdict(answer), errorsOf(answer)]).toEqual([
          id,
          '400 duplicate-header',
          [`header.${name}`],
        ]);
      }
    }
  });

  it('are all named together', async () => {
    const answer = await ask('getAtms', { 'PSU-Accept': ['a', 'a'], 'X-Unknown': ['b', 'c', 'd'] });
    expect(errorsOf(answer).sort()).toEqual(['header.PSU-Accept', 'header.X-Unknown']);
  });

  it.each([
    'Accept',
    'Accept-Encoding',
    'Accept-Language',
    'Cache-Control',
    'Cookie',
    'If-None-Match',
    'Via',
  ])('%s is a list and may be sent twice', async (name) => {
    const value = name === 'Accept' ? 'application/json' : name === 'If-None-Match' ? '"x"' : 'gzip';
    expect((await ask('getAtms', { [name]: [value, value] })).status).toBe(200);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'])(
    'a header named %s is one like any other',
    async (name) => {
      const head = [
        `GET ${ATMS} HTTP/1.1`,
        'Host: x',
        `Ocp-Apim-Subscription-Key: ${service().keyOf()}`,
        `Authorization: Bearer ${await service().token()}`,
        'Connection: close',
      ].join('\r\n');
      const once = await sendRaw(service().url, `${head}\r\n${name}: polluted\r\n\r\n`);
      expect(once).toMatch(/^HTTP\/1\.1 200 /);
      const twice = await sendRaw(service().url, `${head}\r\n${name}: a\r\n${name}: b\r\n\r\n`);
      expect(twice).toMatch(/^HTTP\/1\.1 400 [\s\S]*duplicate-header/);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );
});

const accepts: readonly [string | undefined, 200 | 406][] = [
  [undefined, 200],
  ['', 200],
  ['*/*', 200],
  ['application/json', 200],
  ['APPLICATION/JSON', 200],
  ['application/*', 200],
  ['application/json; charset=utf-8', 200],
  ['application/json;charset=UTF-8;q=0.5', 200],
  ['application/problem+json, application/json', 200],
  ['text/html, application/xhtml+xml, */*;q=0.8', 200],
  ['text/html, application/json;q=0.1', 200],
  ['text/html', 406],
  ['application/problem+json', 406],
  ['application/json-patch+json', 406],
  ['application/json;q=0', 406],
  ['application/json;q=0, text/html', 406],
  ['*/*;q=0', 406],
  ['application/json; charset=iso-8859-7', 406],
  ['application/json; version=2', 406],
  ['application', 406],
  ['json', 406],
];

describe('Accept', () => {
  it.each(accepts)('%s is answered with %s', async (accept, status) => {
    for (const id of operationIds)
      expect([id, (await ask(id, { Accept: accept })).status]).toEqual([id, status]);
  });

  it('that names plain JSON alone gets problems as plain JSON', async () => {
    for (const [Accept, type] of [
      ['application/json', 'application/json'],
      ['application/json; charset=utf-8', 'application/json'],
      ['application/json, application/problem+json', 'application/problem+json'],
      ['*/*', 'application/problem+json'],
      [undefined, 'application/problem+json'],
    ] as const) {
      const answer = await ask('getConsentStatus', { Accept, 'X-Request-ID': 'x' });
      expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`);
    }
  });
});

const contentTypes: readonly [string | undefined, 200 | 415][] = [
  [undefined, 200],
  ['application/json-patch+json', 200],
  ['application/json', 200],
  ['Application/JSON', 200],
  ['application/json; charset=utf-8', 200],
  ['application/json;charset="UTF-8"', 200],
  ['application/json-patch+json; charset=utf-8', 200],
  ['application/json ; charset = utf-8', 200],
  ['application/json;', 200],
  ['application/json; charset=iso-8859-7', 415],
  ['application/json; charset=utf-16', 415],
  ['application/json; charset=utf-8; charset=utf-16', 415],
  ['application/json; version=1', 415],
  ['application/json, text/plain', 415],
  ['application/merge-patch+json', 415],
  ['application/problem+json', 415],
  ['application/jsonp', 415],
  ['text/json', 415],
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/xml', 415],
  ['*/*', 415],
  ['nonsense', 415],
];

describe('Content-Type', () => {
  it.each(contentTypes)('%s is answered with %s', async (type, status) => {
    expect((await ask('confirmFunds', { 'Content-Type': type })).status).toBe(status);
  });

  it('of a read without a body does not matter', async () => {
    for (const id of operationIds.slice(1))
      expect((await ask(id, { 'Content-Type': 'text/plain' })).status).toBe(200);
  });

  it.each(['gzip', 'br', 'deflate', 'gzip, gzip', 'identity', 'x'])(
    'with Content-Encoding: %s is refused',
    async (coding) => {
      expect(verdict(await ask('confirmFunds', { 'Content-Encoding': coding }))).toBe(
        '415 unsupported-media-type',
      );
    },
  );
});

const raw = JSON.stringify(fundsBody());
const digestOf = (text: string, name: 'SHA-256' | 'SHA-512' = 'SHA-256'): string =>
  `${name}=${createHash(name.replace('-', '').toLowerCase()).update(text).digest('base64')}`;
const signature = { Signature: 'keyId="SN=1,CA=CN=x"', 'TPP-Signature-Certificate': 'AAAA' };

describe('the headers of a signature', () => {
  const subsets = Array.from({ length: 8 }, (_, bits) => bits);
  const names = ['Digest', 'Signature', 'TPP-Signature-Certificate'] as const;

  it.each(subsets.flatMap((bits) => signable.map((id) => [bits, id] as const)))(
    'subset %s on %s: Digest and Signature come together, and with a certificate',
    async (bits, id) => {
      const sent = names.filter((_, index) => bits & (1 << index));
      const values = { Digest: digestOf(id === 'confirmFunds' ? raw : ''), ...signature };
      const answer = await ask(id, Object.fromEntries(sent.map((name) => [name, values[name]])));
      const isFine = sent.length === 3 || !(sent.includes('Digest') || sent.includes('Signature'));
      expect(verdict(answer)).toBe(isFine ? '200' : '400 signature-headers-incomplete');
      if (isFine) return;
      const missing = names.filter((name) => !sent.includes(name)).map((name) => `header.${name}`);
      expect(errorsOf(answer)).toEqual(missing);
    },
  );

  it('mean nothing on the ATM read, which does not have them', async () => {
    expect((await ask('getAtms', { Digest: 'nonsense', Signature: 'x' })).status).toBe(200);
  });

  it.each(['A', 'AAA', 'AAA=A', '{}', '-----BEGIN CERTIFICATE-----', 'A'.repeat(8196)])(
    'refuse a certificate that is not base64 of at most 8 KiB: %s',
    async (certificate) => {
      const headers = { ...signature, Digest: digestOf(raw), 'TPP-Signature-Certificate': certificate };
      const answer = await ask('confirmFunds', headers);
      expect([verdict(answer), errorsOf(answer)]).toEqual([
        '400 invalid-header',
        ['header.TPP-Signature-Certificate'],
      ]);
    },
  );
});

describe('Digest', () => {
  const other = `${raw} `;

  it.each([
    ['SHA-256', raw, digestOf(raw), '200'],
    ['SHA-512', raw, digestOf(raw, 'SHA-512'), '200'],
    ['both', raw, `${digestOf(raw)}, ${digestOf(raw, 'SHA-512')}`, '200'],
    ['a name in small letters', raw, digestOf(raw).replace('SHA', 'sha'), '200'],
    ['bytes that differ in white space', raw, digestOf(other), '400 digest-mismatch'],
    ['white space that was signed', other, digestOf(other), '200'],
    ['one right, one wrong', raw, `${digestOf(raw)},${digestOf(other, 'SHA-512')}`, '400 digest-mismatch'],
    ['one wrong, one right', raw, `${digestOf(other)},${digestOf(raw, 'SHA-512')}`, '400 digest-mismatch'],
    ['too short', raw, 'SHA-256=AAAA', '400 digest-mismatch'],
    [
      'the hash of another algorithm',
      raw,
      digestOf(raw, 'SHA-512').replace('512', '256'),
      '400 digest-mismatch',
    ],
    ['MD5', raw, 'MD5=AAAA', '400 invalid-header'],
    ['SHA-1', raw, 'SHA=AAAA', '400 invalid-header'],
    ['right beside unknown', raw, `${digestOf(raw)},MD5=AAAA`, '400 invalid-header'],
    ['no algorithm', raw, 'AAAA', '400 invalid-header'],
    ['hexadecimal', raw, `SHA-256=${createHash('sha256').update(raw).digest('hex')}`, '400 digest-mismatch'],
  ])('over a body, %s', async (_what, body, digest, expected) => {
    expect(verdict(await ask('confirmFunds', { ...signature, Digest: digest }, body))).toBe(expected);
  });

  it('finds every changed byte of a body', async () => {
    const headers = { ...signature, Digest: digestOf(raw) };
    for (let at = 0; at < raw.length; at += 7) {
      const bytes = Buffer.from(raw);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (at % 7)), at);
      expect(verdict(await ask('confirmFunds', headers, bytes.toString('latin1')))).toBe(
        '400 digest-mismatch',
      );
    }
  });

  it.each(['getConsentStatus', 'getPaymentConsent'] as const)(
    'of nothing is the digest of a read: %s',
    async (id) => {
      expect(verdict(await ask(id, { ...signature, Digest: digestOf('') }))).toBe('200');
      expect(verdict(await ask(id, { ...signature, Digest: digestOf('x') }))).toBe('400 digest-mismatch');
      expect(verdict(await ask(id, { ...signature, Digest: digestOf('{}') }, '{}'))).toBe('200');
    },
  );
});
