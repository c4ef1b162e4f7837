/** What every implementation of the port `AccountHolders` promises. */
import assert from 'node:assert/strict';
import type { AccountHolders, Challenge, ScaContext } from 'trapeza/bank';
import type { PsuId } from 'trapeza/base';
import type { KeptPromise } from './promises.js';

export interface TriedHolders {
  readonly holders: AccountHolders;
  /** A person who can log in. Every promise uses another wrong code or two: five of them would pause the person. */
  readonly username: string;
  readonly password: string;
  readonly psuId: PsuId;
  /** The code that the person got. */
  codeOf(challenge: Challenge): Promise<string>;
}

const shown: ScaContext = { shownHash: 'a'.repeat(64) };
const other: ScaContext = { shownHash: 'b'.repeat(64) };
const wrong = (code: string): string => code.replace(/^./, (first) => (first === '0' ? '1' : '0'));

/** The other way to confirm: nothing to type, and nothing that is right before the person has answered. */
const checkApp = async ({ holders, psuId }: TriedHolders, { id }: Challenge): Promise<void> => {
  assert.equal(await holders.verify(psuId, id, shown), 'pending');
  assert.notEqual(await holders.verify(psuId, id, other), 'right');
  assert.notEqual(await holders.verify(psuId, id, shown, '000000'), 'right');
};

export const accountHolderPromises = (tried: () => TriedHolders): readonly KeptPromise[] => [
  {
    name: 'recognises a person by name and password',
    async check() {
      const { holders, username, password, psuId } = tried();
      const outcome = await holders.login(username, password);
      assert.equal(outcome.kind, 'recognised');
      assert.equal(outcome.kind === 'recognised' && outcome.psuId, psuId);
    },
  },
  {
    name: 'refuses a wrong password and an unknown name alike',
    async check() {
      const { holders, username, password } = tried();
      const refused = [
        await holders.login(username, `${password}x`),
        await holders.login(`${username}-unknown`, password),
      ];
      assert.deepEqual(refused, [{ kind: 'refused' }, { kind: 'refused' }]);
    },
  },
  {
    name: 'accepts a code once, after a wrong one',
    async check() {
      const { holders, psuId, codeOf } = tried();
      const challenge = await holders.challenge(psuId, shown);
      if (challenge.method === 'app') return checkApp(tried(), challenge);
      const code = await codeOf(challenge);
      assert.equal(await holders.verify(psuId, challenge.id, shown, wrong(code)), 'wrong');
      assert.equal(await holders.verify(psuId, challenge.id, shown, code), 'right');
      assert.equal(await holders.verify(psuId, challenge.id, shown, code), 'spent');
    },
  },
  {
    name: 'accepts a code for nothing but what was shown with it',
    async check() {
      const { holders, psuId, codeOf } = tried();
      const challenge = await holders.challenge(psuId, shown);
      if (challenge.method === 'app') return checkApp(tried(), challenge);
      const code = await codeOf(challenge);
      assert.notEqual(await holders.verify(psuId, challenge.id, other, code), 'right');
    },
  },
];
