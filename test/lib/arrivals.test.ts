/** What comes together is handled together: at the end of a turn, or later while connections come. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createArrivals } from '../../src/http/listeners/arrivals.js';
import { atMostEvery } from '../../src/lib/turn.js';

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

it('gathers for some milliseconds, but only after others have begun', async () => {
  const batches: (readonly number[])[] = [];
  let now = 0;
  let begin: () => void = () => undefined;
  const waits: number[] = [];
  const add = atMostEvery<number>(
    4,
    (all) => batches.push(all),
    () => now,
    (later, ms) => {
      begin = later;
      waits.push(ms);
    },
  );
  add(1);
  await nextTurn();
  expect(batches).toEqual([[1]]);
  now = 3;
  add(2);
  await nextTurn();
  add(3);
  await nextTurn();
  expect([batches.length, waits]).toEqual([1, [1]]);
  now = 4;
  begin();
  expect(batches).toEqual([[1], [2, 3]]);
  now = 8;
  add(4);
  await nextTurn();
  expect(batches).toEqual([[1], [2, 3], [4]]);
});
