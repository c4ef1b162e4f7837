/** Identifiers and secrets: random where they must not be guessed, stable where they must be the same everywhere. */
import { describe, expect, it } from 'vitest';
import { keyedHash, sha256 } from '../../src/lib/hash.js';
import { derivedId, isUuid, newId, newSecret } from '../../src/lib/id.js';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a new id', () => {
  it('is a random UUID, never twice the same', () => {
    const ids = Array.from({ length: 100_000 }, newId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.slice(0, 1000).filter((id) => !UUID_V4.test(id))).toEqual([]);
  });
});

describe('a new secret', () => {
  it('has 256 bits in URL-safe text', () => {
    expect(newSecret()).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(newSecret(), 'base64url')).toHaveLength(32);
    expect(Buffer.from(newSecret(48), 'base64url')).toHaveLength(48);
  });

  it('is never the same twice, and its bytes are evenly spread', () => {
    const secrets = Array.from({ length: 100_000 }, () => newSecret());
    expect(new Set(secrets).size).toBe(secrets.length);
    const counts = new Array<number>(256).fill(0);
    for (const secret of secrets)
      for (const byte of Buffer.from(secret, 'base64url')) counts[byte] = (counts[byte] ?? 0) + 1;
    const expected = (secrets.length * 32) / 256;
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 255 degrees of freedom: a fair source passes 400 less than once in a hundred million runs.
    expect(chiSquare).toBeLessThan(400);
  });
});

describe('a derived id', () => {
  it('is the same on every machine and in every version, because demo data and examples name it', () => {
    expect(derivedId('consent:example')).toBe('19f76c41-35f6-4f8f-a8e5-f048d05fa739');
  });

  it('is a UUID that differs for different names', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => derivedId(`name ${index}`));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !UUID_V4.test(id) || !isUuid(id))).toEqual([]);
  });
});

describe('what counts as a UUID', () => {
  it.each([
    '99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
    '99391C7E-AD88-49EC-A2AD-99DDCB1F7721',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '018f3f5e-5f0a-7cc1-9d3b-0a1b2c3d4e5f',
  ])('%s does', (text) => {
    expect(isUuid(text)).toBe(true);
  });

  it.each([
    '',
    '99391c7ead8849eca2ad99ddcb1f7721',
    '{99391c7e-ad88-49ec-a2ad-99ddcb1f7721}',
    'urn:uuid:99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
    '99391c7e-ad88-49ec-a2ad-99ddcb1f772',
    '99391c7e-ad88-49ec-a2ad-99ddcb1f77211',
    '99391c7e-ad88-49ec-a2ad-99ddcb1f772g',
    '99391c7e-ad88-49ec-a2ad-99ddcb1f7721\n',
    ' 99391c7e-ad88-49ec-a2ad-99ddcb1f772',
    '99391c7e_ad88_49ec_a2ad_99ddcb1f7721',
    '９9391c7e-ad88-49ec-a2ad-99ddcb1f7721',
  ])('%j does not', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});

describe('hashes', () => {
  it('are SHA-256 of the text in UTF-8', () => {
    expect(sha256('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
    expect(sha256('Καλημέρα')).toBe(sha256(Buffer.from('Καλημέρα', 'utf8')));
  });

  it('differ by key where they are keyed', () => {
    const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
    expect(keyedHash(keys[0], '4111111111111111')).toBe(keyedHash(keys[0], '4111111111111111'));
    expect(keyedHash(keys[0], '4111111111111111')).not.toBe(keyedHash(keys[1], '4111111111111111'));
    expect(keyedHash(keys[0], '4111111111111111')).not.toBe(sha256('4111111111111111'));
  });
});
