/** Signatures are verified by a thread of their own: many at once, with any number of keys, and also after the thread was lost. */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { Arithmetic } from '../../src/signature/arithmetic.js';
import type { Claim } from '../../src/signature/claim.js';

const arithmetic = new Arithmetic();
afterEach(() => arithmetic.close());

const TEXT = 'digest: α\nx-request-id: β';
const bytes = Buffer.from(TEXT, 'latin1');
const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const claimOf = (privateKey: KeyObject, algorithm = 'ecdsa-sha256'): Claim =>
  ({ scheme: 'cavage', algorithm, signature: sign('sha256', bytes, privateKey).toString('base64') }) as Claim;

it('answers each of a batch for itself', async () => {
  const [one, other] = [newPair(), newPair()];
  const answers = await Promise.all([
    arithmetic.isSigned(claimOf(one.privateKey), TEXT, one.publicKey),
    arithmetic.isSigned(claimOf(one.privateKey), TEXT, other.publicKey),
    arithmetic.isSigned(claimOf(other.privateKey), `${TEXT} `, other.publicKey),
    arithmetic.isSigned(claimOf(other.privateKey, 'md5'), TEXT, other.publicKey),
    arithmetic.isSigned(claimOf(other.privateKey), TEXT, other.publicKey),
    arithmetic.isSigned({ ...claimOf(one.privateKey), signature: 'bm8=' }, TEXT, one.publicKey),
  ]);
  expect(answers).toEqual([true, false, false, false, true, false]);
});

it('knows more keys than it keeps', async () => {
  const pairs = Array.from({ length: 12 }, newPair);
  const asked = Array.from({ length: 2400 }, (_, index) => pairs[index % pairs.length] ?? newPair());
  const copies = asked.map(({ publicKey, privateKey }, index) => ({
    // Another object for the same key, as after its certificate was read again.
    publicKey:
      index < pairs.length ? publicKey : createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
    claim: claimOf(privateKey),
  }));
  for (const start of [0, 800, 1600]) {
    const part = copies.slice(start, start + 800);
    const answers = await Promise.all(
      part.map(({ publicKey, claim }) => arithmetic.isSigned(claim, TEXT, publicKey)),
    );
    expect(answers.filter((isGood) => !isGood)).toEqual([]);
  }
});

it('goes on with another thread after one was lost', async () => {
  const { privateKey, publicKey } = newPair();
  expect(await arithmetic.isSigned(claimOf(privateKey), TEXT, publicKey)).toBe(true);
  const pending = arithmetic.isSigned(claimOf(privateKey), TEXT, publicKey);
  const refused = expect(pending).rejects.toThrow();
  // Before the question is sent, at the end of this turn: it cannot be answered any more.
  await arithmetic.close();
  await refused;
  expect(await arithmetic.isSigned(claimOf(privateKey), TEXT, publicKey)).toBe(true);
});
