/** The kept hashes are those of the demo passwords: a changed password or cost shows here before a login fails. */
import { expect, it } from 'vitest';
import { casePsus } from '../../packages/sandbox/src/bank/case-people.js';
import { hashPassword } from '../../packages/sandbox/src/bank/demo-identity.js';
import { passwordHashes } from '../../packages/sandbox/src/bank/passwords.js';
import { demoPsus } from '../../packages/sandbox/src/bank/people.js';

it('every demo account holder has the hash of their password', async () => {
  const hashed = [...demoPsus, ...casePsus].map(async ({ username, password }) => [
    username,
    await hashPassword(username, password),
  ]);
  expect(passwordHashes).toEqual(Object.fromEntries(await Promise.all(hashed)));
});
