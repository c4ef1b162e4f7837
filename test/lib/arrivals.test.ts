/** What comes together is handled together: at the end of a turn, or later while connections come. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createArrivals } from '../../src/http/listeners/arrivals.js';
import { Gathering } from '../../src/lib/turn.js';

const started = () => {
  const batches: (readonly number[])[] = [];
  return { batches, ...createArrivals<number>((all) => batches.push(all)) };
};

it('handles what came in a turn at its end', async () => {
  const { batches, add } = started();
  add(1);
  add(2);
  await nextTurn();
  expect(batches).toEqual([[1, 2]]);
});

it('waits while each turn brings a connection, and no longer', async () => {
  const { batches, accepted, add } = started();
  for (const request of [1, 2, 3]) {
    accepted();
    add(request);
    await nextTurn();
    expect(batches).toEqual([]);
  }
  await nextTurn();
  expect(batches).toEqual([[1, 2, 3]]);
});

it('does not wait for ever for a flood of connections', async () => {
  const { batches, accepted, add } = started();
  add(1);
  for (let turn = 0; turn <= 64; turn += 1) {
    expect(batches).toEqual([]);
    accepted();
    await nextTurn();
  }
  expect(batches).toEqual([[1]]);
});

describe('what costs less in company', () => {
  const gathered = () => {
    const waits: { readonly ms: number; readonly end: () => void }[] = [];
    const batches: (readonly number[])[] = [];
    const clock = { ms: 0 };
    const gathering = new Gathering<number>(
      (all) => batches.push(all),
      1000,
      () => clock.ms,
      (end, ms) => {
        waits.push({ ms, end });
        return () => undefined;
      },
    );
    return { batches, clock, waits, add: (item: number) => gathering.add(item) };
  };

  it('begins at the end of its turn, without a timer, while nothing is under way', async () => {
    const { batches, waits, add } = gathered();
    for (const item of [1, 2, 3]) {
      const over = add(item);
      await nextTurn();
      expect(batches.at(-1)).toEqual([item]);
      over();
    }
    expect(waits).toEqual([]);
  });

  it('waits for those under way, and begins together when all of them are over', async () => {
    const { batches, add } = gathered();
    const over = [add(1), add(2)];
    await nextTurn();
    add(3);
    await nextTurn();
    add(4);
    await nextTurn();
    over[0]?.();
    await nextTurn();
    expect(batches).toEqual([[1, 2]]);
    over[1]?.();
    await nextTurn();
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('waits no longer than so long after they began', async () => {
    const { batches, clock, waits, add } = gathered();
    add(1);
    await nextTurn();
    clock.ms = 400;
    add(2);
    await nextTurn();
    expect(waits.map(({ ms }) => ms)).toEqual([600]);
    clock.ms = 1000;
    waits[0]?.end();
    expect(batches).toEqual([[1], [2]]);
    clock.ms = 2000;
    add(3);
    await nextTurn();
    expect(batches.at(-1)).toEqual([3]);
  });

  it('does not wait for one that was over before it began, nor twice for one that says so twice', async () => {
    const { batches, waits, add } = gathered();
    add(1)();
    const over = add(2);
    await nextTurn();
    over();
    over();
    add(3);
    await nextTurn();
    const rest = add(4);
    await nextTurn();
    expect([batches, waits.length]).toEqual([[[1, 2], [3]], 1]);
    rest();
  });
});
