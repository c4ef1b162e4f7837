/** Batched reads: a read that arrives while a batch is in flight joins the next one, and each gets its own rows. */
import { describe, expect, it } from 'vitest';
import type { Value } from '../../src/store/db.js';
import { ReadBatcher, type SendRead } from '../../src/store/postgres/read-batcher.js';

const SQL = 'select name from people where id = ?';
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A database that answers when it is told to: each statement by the ids that it asked for. */
const createDatabase = () => {
  const asked: Value[][] = [];
  const pending: (() => void)[] = [];
  const wait = async (ids: Value[]): Promise<void> => {
    asked.push(ids);
    await new Promise<void>((resolve) => pending.push(resolve));
    if (ids.includes('broken')) throw new Error('a broken id');
  };
  const send: SendRead = async (_sql, [param]) => {
    const ids = Array.isArray(param) ? (param as Value[]) : [param as Value];
    await wait(ids);
    return ids.map((id, index) => ({ 'read#': index + 1, name: `name of ${id}` })).toReversed();
  };
  const batcher = new ReadBatcher(send);
  const ask = async (id: string): Promise<unknown> => {
    const row = await batcher.one<{ name: string }>(SQL, [id]);
    return row?.name;
  };
  const answer = async (): Promise<void> => {
    await turn();
    pending.shift()?.();
    await turn();
  };
  return { asked, ask, answer };
};

describe('batched reads', () => {
  it('are one statement for all that ask at once', async () => {
    const { asked, ask, answer } = createDatabase();
    const names = Promise.all(['a', 'b', 'c'].map(ask));
    await answer();
    expect(await names).toEqual(['name of a', 'name of b', 'name of c']);
    expect(asked).toEqual([['a', 'b', 'c']]);
  });

  it('wait for the one that is on its way, and then go as one', async () => {
    const { asked, ask, answer } = createDatabase();
    const first = ask('a');
    await turn();
    const second = ask('b');
    await turn();
    const third = ask('c');
    await turn();
    expect(asked).toEqual([['a']]);
    await answer();
    expect(asked).toEqual([['a'], ['b', 'c']]);
    await answer();
    expect(await Promise.all([first, second, third])).toEqual(['name of a', 'name of b', 'name of c']);
  });

  it('faults 3: are not held up for long by one that has no answer', async () => {
    const { asked, ask } = createDatabase();
    void ask('silent');
    await turn();
    void ask('b');
    await expect.poll(() => asked).toEqual([['silent'], ['b']]);
  });

  it('go on after one that failed', async () => {
    const { ask, answer } = createDatabase();
    const first = ask('broken');
    await turn();
    const second = ask('b');
    const refused = expect(first).rejects.toThrow('a broken id');
    await answer();
    await refused;
    await answer();
    expect(await second).toBe('name of b');
  });

  it('are no larger than what the database should answer at once, and none is left behind', async () => {
    const { asked, ask, answer } = createDatabase();
    const ids = Array.from({ length: 70 }, (_each, index) => `id-${index}`);
    const names = Promise.all(ids.map(ask));
    for (let statement = 0; statement < 3; statement += 1) await answer();
    expect(await names).toEqual(ids.map((id) => `name of ${id}`));
    expect(asked.map(({ length }) => length)).toEqual([32, 32, 6]);
  });
});
