/** Logins wait for their turn, and whoever sends many keeps no others from theirs. */
import { describe, expect, it } from 'vitest';
import { Busy, createTurns, type InTurn } from '../../../src/gate/guard/turns.js';
import { networkOf } from '../../../src/lib/net/address.js';

const [ATTACKER, OWNER] = [networkOf('203.0.113.1'), networkOf('198.51.100.1')];

describe('T-62: turns of logins', () => {
  const { operator, developer } = createTurns();
  /** What is begun, and its end. */
  const hashes = () => {
    const begun: (() => void)[] = [];
    const work = (inTurn: InTurn) =>
      inTurn(() => new Promise<string>((resolve) => begun.push(() => resolve('hashed'))));
    const finish = async (): Promise<void> => {
      for (let before = -1; before !== begun.length; ) {
        before = begun.length;
        for (const end of begun) end();
        await new Promise(setImmediate);
      }
    };
    return { begun, work, finish };
  };

  it('are shared by sources: one that sends many is refused, another one is not', async () => {
    const { work, finish } = hashes();
    const many = Array.from({ length: 100 }, () => developer.known.run(ATTACKER, work));
    const outcomes = Promise.allSettled([...many, developer.known.run(OWNER, work)]);
    await finish();
    const results = await outcomes;
    expect(results.at(-1)).toEqual({ status: 'fulfilled', value: 'hashed' });
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(90);
    for (const each of refused) expect(each).toMatchObject({ reason: expect.any(Busy) });
  });

  it('are apart for each audience, for known browsers and for strangers', async () => {
    const { begun, work, finish } = hashes();
    const held = [developer.known, developer.strange, operator.strange].flatMap((queue) =>
      Array.from({ length: 4 }, () => queue.run(ATTACKER, work)),
    );
    await new Promise(setImmediate);
    // One of each queue.
    expect(begun).toHaveLength(3);
    const owner = operator.known.run(ATTACKER, work);
    await new Promise(setImmediate);
    expect(begun).toHaveLength(4);
    begun.at(-1)?.();
    expect(await owner).toBe('hashed');
    await finish();
    await Promise.all(held);
  });

  it('give their place back, also if the work fails', async () => {
    for (let index = 0; index < 50; index += 1)
      await expect(operator.known.run(OWNER, () => Promise.reject(new Error('store away')))).rejects.toThrow(
        'store away',
      );
    expect(await operator.known.run(OWNER, async () => 'hashed')).toBe('hashed');
  });
});
