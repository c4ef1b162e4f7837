/** The published test values of draft-cavage-http-signatures (appendix C of 10 to 12), byte for byte, and how `keyId` is read. */
import { createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isWeakKey } from '../../src/certificate/path/strength.js';
import { algorithmOf } from '../../src/signature/algorithms.js';
import { readCavage } from '../../src/signature/cavage.js';
import { digestOf } from '../../src/signature/digest.js';

const publicKey = createPublicKey(`-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDCFENGw33yGihy92pDjZQhl0C3
6rPJj+CvfSC8+q28hxA161QFNUd13wuCTUcq0Qd2qsBe/2hFyc2DCJJg0h1L78+6
Z4UMR7EOcpfdUE9Hf3m/hs+FUR45uBJeDK1HSFHD8bHKD6kv8FPGfJTotc+2xjJw
oYi+1hqp1fIekaxsyQIDAQAB
-----END PUBLIC KEY-----`);

const body = '{"hello": "world"}';
const DIGEST = 'SHA-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=';

const headers = {
  host: 'example.com',
  date: 'Sun, 05 Jan 2014 21:31:40 GMT',
  'content-type': 'application/json',
  digest: DIGEST,
  'content-length': '18',
};

const ALL =
  'vSdrb+dS3EceC9bcwHSo4MlyKS59iFIrhgYkz8+oVLEEzmYZZvRs8rgOp+63LEM3v+MFHB32NfpB2bEKBIvB1q52LaEUHFv120V01IL+TAD48XaERZFukWgHoBTLMhYS2Gb51gWxpeIq8knRmPnYePbF5MOkR0Zkly4zKH7s1dE=';

const vectors = [
  {
    name: 'C.1, the default',
    header:
      'keyId="Test",algorithm="rsa-sha256",signature="SjWJWbWN7i0wzBvtPl8rbASWz5xQW6mcJmn+ibttBqtifLN7Sazz6m79cNfwwb8DMJ5cou1s7uEGKKCs+FLEEaDV5lp7q25WqS+lavg7T8hc0GppauB6hbgEKTwblDHYGEtbGmtdHgVCk9SuS13F0hZ8FD0k/5OxEPXe5WozsbM="',
    text: 'date: Sun, 05 Jan 2014 21:31:40 GMT',
  },
  {
    name: 'C.2, basic',
    header:
      'keyId="Test",algorithm="rsa-sha256",headers="(request-target) host date", signature="qdx+H7PHHDZgy4y/Ahn9Tny9V3GP6YgBPyUXMmoxWtLbHpUnXS2mg2+SbrQDMCJypxBLSPQR2aAjn7ndmw2iicw3HMbe8VfEdKFYRqzic+efkb3nndiv/x1xSHDJWeSWkx3ButlYSuBskLu6kd9Fswtemr3lgdDEmn04swr2Os0="',
    text: '(request-target): post /foo?param=value&pet=dog\nhost: example.com\ndate: Sun, 05 Jan 2014 21:31:40 GMT',
  },
  {
    name: 'C.3, all headers',
    header: `keyId="Test",algorithm="rsa-sha256",headers="(request-target) host date content-type digest content-length",signature="${ALL}"`,
    text: [
      '(request-target): post /foo?param=value&pet=dog',
      'host: example.com',
      'date: Sun, 05 Jan 2014 21:31:40 GMT',
      'content-type: application/json',
      `digest: ${DIGEST}`,
      'content-length: 18',
    ].join('\n'),
  },
] as const;

describe('the published vectors', () => {
  it.each(vectors)(
    '$name: the signing string is built and the signature verifies',
    async ({ header, text }) => {
      const request = {
        method: 'POST',
        target: '/foo?param=value&pet=dog',
        headers: { ...headers, signature: header },
      };
      const claim = readCavage(request);
      expect(claim.signingString()).toBe(text);
      const algorithm = algorithmOf(claim.scheme, claim.algorithm, publicKey);
      expect(
        await algorithm?.verify(Buffer.from(text), publicKey, Buffer.from(claim.signature, 'base64')),
      ).toBe(true);
      expect(
        await algorithm?.verify(Buffer.from(`${text} `), publicKey, Buffer.from(claim.signature, 'base64')),
      ).toBe(false);
    },
  );

  it('of draft 12 lists times that its signature does not have: the list counts, and it is refused', async () => {
    const header = `keyId="Test",algorithm="rsa-sha256",created=1402170695, expires=1402170699,headers="(request-target) (created) (expires) host date content-type digest content-length",signature="${ALL}"`;
    const request = {
      method: 'POST',
      target: '/foo?param=value&pet=dog',
      headers: { ...headers, signature: header },
    };
    const claim = readCavage(request);
    expect(claim.signingString().split('\n').slice(1, 3)).toEqual([
      '(created): 1402170695',
      '(expires): 1402170699',
    ]);
    const data = Buffer.from(claim.signingString());
    expect(
      await algorithmOf('cavage', 'rsa-sha256', publicKey)?.verify(
        data,
        publicKey,
        Buffer.from(claim.signature, 'base64'),
      ),
    ).toBe(false);
  });

  it('have the digest that is computed, and a key that is too short for real use', () => {
    expect(digestOf(Buffer.from(body))).toBe(DIGEST);
    expect(isWeakKey(publicKey)).toBe(true);
  });
});
