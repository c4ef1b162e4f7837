/** Hashes carry their parameters: those of before are still right, and are made anew. */
import { expect, it } from 'vitest';
import { demoOperator } from '../../packages/sandbox/src/demo-operator.js';
import { derivedKey, hashPassphrase, isOutdated, isPassphrase } from '../../src/lib/passphrase.js';

const FORMER = { N: 16_384, r: 8, p: 1 } as const;

it('a hash names the parameters that OWASP asks for, and is right for its passphrase alone', async () => {
  const hash = await hashPassphrase('a long passphrase');
  expect(hash).toMatch(/^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/);
  expect(isOutdated(hash)).toBe(false);
  expect(await isPassphrase('a long passphrase', hash)).toBe(true);
  expect(await isPassphrase('a long Passphrase', hash)).toBe(false);
});

it('a hash of before is right and outdated, and other parameters count for nothing', async () => {
  const key = await derivedKey('old', 'salt', FORMER);
  expect(await isPassphrase('old', `salt.${key}`)).toBe(true);
  expect(isOutdated(`salt.${key}`)).toBe(true);
  // Whoever can write the store must not choose how long a login takes.
  expect(await isPassphrase('old', `scrypt$1073741824$8$1$salt$${key}`)).toBe(false);
});

it('the demo operator has the hash of the passphrase that the login page shows', async () => {
  expect(await isPassphrase(demoOperator.passphrase, demoOperator.passphraseHash)).toBe(true);
  expect(isOutdated(demoOperator.passphraseHash)).toBe(false);
});
