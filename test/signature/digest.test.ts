/** A digest header that was sent must name a hash that we know: else a signature over it would tie the request to no body. */
import { expect, it } from 'vitest';
import { digestFault } from '../../src/signature/digest.js';

const HASH = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

it.each([`SHA-256=${HASH}`, `sha-512=${HASH}`, `MD5=abc, SHA-256 =${HASH}`, `SHA-256=${HASH},unixsum=30637`])(
  '%s names one',
  (digest) => {
    expect(digestFault({ digest }, 'digest')).toBeUndefined();
  },
);

it.each(['', 'SHA-256', `SHA-1=${HASH}`, `MD5=${HASH}`, `XSHA-256=${HASH}`, `SHA-2560=${HASH}`])(
  '%s names none',
  (digest) => {
    expect(digestFault({ digest }, 'digest')).toBe('Digest must have SHA-256=<base64> or SHA-512=<base64>.');
  },
);

it('is asked for in the form of its own header', () => {
  expect(digestFault({ 'content-digest': `sha-256=:${HASH}:` }, 'content-digest')).toBeUndefined();
  expect(digestFault({ 'content-digest': `SHA-256=${HASH}` }, 'content-digest')).toMatch(/^Content-Digest/);
  expect(digestFault({}, 'digest')).toBeUndefined();
});
