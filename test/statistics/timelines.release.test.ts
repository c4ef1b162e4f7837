/** What happened second by second, and the figures of the day as computed by hand. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { announceDowntime, cancelDowntime } from '../../src/statistics/planned.js';
import type { Db } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase } from '../support/database.js';
import { engines } from '../support/engines.js';
import { type Node, Timeline } from './timeline.js';

/** Down, planned and silent, in seconds. */
const seconds = async (line: Timeline, date: string) => {
  const day = await line.day(date);
  return [day?.downtimeSeconds, day?.plannedDowntimeSeconds, day?.silentSeconds];
};

describe.each(engines)('on %s', (engine) => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let db: Db;

  beforeEach(async () => {
    database = await createDatabase(engine);
    db = await openDb(database.url, 1);
    await migrate(db, 1);
  });
  afterEach(async () => {
    await db?.close();
    await database?.drop();
  });

  const begin = async (start: string): Promise<{ line: Timeline; node: Node }> => {
    const line = new Timeline(db, start);
    return { line, node: await line.start() };
  };

  /** One failure a second. */
  const fail = (line: Timeline, nodes: readonly Node[], times: number): void => {
    for (let time = 0; time < times; time += 1) {
      nodes[time % nodes.length]?.call('fault', 0);
      line.pass(1);
    }
  };

  test('1: an outage over midnight is shared by both days', async () => {
    const { line, node } = await begin('2026-11-09T00:00:00+02:00');
    await line.until('2026-11-09T23:59:30+02:00');
    node.call('good');
    line.pass(1);
    for (let second = 0; second < 100; second += 10) {
      fail(line, [node], 10);
      await line.beat();
    }
    node.call('good', 0);
    await line.until('2026-11-11T00:00:00+02:00');
    // From 23:59:31 to 00:01:11.
    expect(await seconds(line, '2026-11-09')).toEqual([29, 0, 0]);
    expect(await seconds(line, '2026-11-10')).toEqual([71, 0, 0]);
  });

  test.each([
    {
      name: '2: the day that is an hour shorter',
      date: '2027-03-28',
      from: '+02:00',
      to: '+03:00',
      up: 99.28,
    },
    {
      name: '3: the day that is an hour longer',
      date: '2026-10-25',
      from: '+03:00',
      to: '+02:00',
      up: 99.33,
    },
  ])('$name', async ({ date, from, to, up }) => {
    const { line, node } = await begin(`${date}T00:00:00${from}`);
    await line.until(`${date}T02:55:00${from}`);
    for (let tens = 0; tens < 60; tens += 1) {
      fail(line, [node], 10);
      await line.beat();
    }
    node.call('good', 0);
    const next = new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
    await line.until(`${next}T00:00:00${to}`);
    expect(await line.day(date)).toMatchObject({ downtimeSeconds: 600, silentSeconds: 0, uptimePercent: up });
  });

  test('4: a restart is a gap from the last sign of life to the first', async () => {
    const { line, node } = await begin('2026-11-09T00:00:00+02:00');
    await line.until('2026-11-09T10:00:03+02:00');
    await node.stop();
    line.pass(20);
    await line.start();
    await line.until('2026-11-10T00:00:00+02:00');
    expect(await seconds(line, '2026-11-09')).toEqual([20, 0, 20]);
  });

  test('5: the kill of one of two nodes is no downtime', async () => {
    const { line, node } = await begin('2026-11-09T00:00:00+02:00');
    await line.start();
    await line.until('2026-11-09T10:00:03+02:00');
    node.kill();
    await line.until('2026-11-10T00:00:00+02:00');
    expect(await seconds(line, '2026-11-09')).toEqual([0, 0, 0]);
  });

  test('6: the kill of all nodes counts from the last sign of life', async () => {
    const { line, node } = await begin('2026-11-09T00:00:00+02:00');
    const other = await line.start();
    await line.until('2026-11-09T12:00:03+02:00');
    node.kill();
    await line.until('2026-11-09T12:00:13+02:00');
    line.pass(3);
    other.kill();
    line.pass(284);
    await line.start();
    await line.until('2026-11-10T00:00:00+02:00');
    // From 12:00:13, three seconds before the end of the last, to 12:05:00.
    expect(await seconds(line, '2026-11-09')).toEqual([287, 0, 287]);
  });

  test('7: a night with no node at all belongs to each day that it covers', async () => {
    const { line, node } = await begin('2026-11-08T00:00:00+02:00');
    await line.until('2026-11-08T23:00:00+02:00');
    await node.stop();
    line.pass(26 * 3600);
    await line.start();
    await line.until('2026-11-11T00:00:00+02:00');
    expect(await seconds(line, '2026-11-08')).toEqual([3600, 0, 3600]);
    expect(await seconds(line, '2026-11-09')).toEqual([86_400, 0, 86_400]);
    expect(await seconds(line, '2026-11-10')).toEqual([3600, 0, 3600]);
  });

  test('8: a clock that is set, forward and back, is no downtime', async () => {
    const { line, node } = await begin('2026-11-09T00:00:00+02:00');
    await line.until('2026-11-09T08:00:00+02:00');
    line.clock.set(3_600_000);
    await line.until('2026-11-09T12:00:00+02:00');
    node.call('good');
    line.clock.set(-1_800_000);
    await line.until('2026-11-10T00:00:00+02:00');
    expect(await seconds(line, '2026-11-09')).toEqual([0, 0, 0]);
  });

  test('9: a process that stands still for a minute was not there', async () => {
    const { line } = await begin('2026-11-09T00:00:00+02:00');
    await line.until('2026-11-09T08:00:00+02:00');
    line.pass(60);
    await line.until('2026-11-10T00:00:00+02:00');
    expect(await seconds(line, '2026-11-09')).toEqual([60, 0, 60]);
  });

  test('10: a day without calls has no means and no error rate, but its availability', async () => {
    const { line } = await begin('2026-11-09T06:00:00+02:00');
    await line.until('2026-11-10T00:00:00+02:00');
    const none = { requests: 0, meanMs: null, medianMs: null, p99Ms: null };
    expect(await line.day('2026-11-09')).toEqual({
      ...{ date: '2026-11-09', uptimePercent: 100, downtimePercent: 0, plannedDowntimePercent: 0 },
      ...{
        downtimeSeconds: 0,
        plannedDowntimeSeconds: 0,
        silentSeconds: 0,
        errorPercent: null,
        channels: {},
      },
      ...{ paymentInitiation: none, accountInformation: none, fundsConfirmation: none },
    });
    expect(await line.day('2026-11-08')).toMatchObject({ uptimePercent: null, downtimeSeconds: null });
  });

  test('11: a long request belongs to the day on which it was received', async () => {
    const { line, node } = await begin('2026-11-09T00:00:00+02:00');
    await line.until('2026-11-10T00:00:01.500+02:00');
    node.call('good', 3_500, 'pis');
    node.call('good', 500, 'pis');
    await line.until('2026-11-11T00:00:00+02:00');
    expect((await line.day('2026-11-09'))?.paymentInitiation).toMatchObject({ requests: 1, meanMs: 3500 });
    expect((await line.day('2026-11-10'))?.paymentInitiation).toMatchObject({ requests: 1, meanMs: 500 });
  });

  test('12: what was announced counts apart, what was announced afterwards or cancelled does not', async () => {
    const { line, node } = await begin('2026-11-09T00:00:00+02:00');
    const [from, to] = ['2026-11-09T02:00:00+02:00', '2026-11-09T03:00:00+02:00'].map((at) => Date.parse(at));
    const texts = { textEl: 'Συντήρηση', textEn: 'Maintenance' };
    const window = { from: from ?? 0, to: to ?? 0, ...texts };
    await announceDowntime(db, window, window.from - 86_400_000);
    await announceDowntime(db, { ...window, to: window.to + 600_000 }, window.from + 1);
    const cancelled = await announceDowntime(db, { ...window, to: window.to + 600_000 }, window.from - 2);
    expect(await cancelDowntime(db, cancelled, window.from - 1)).toMatchObject({ from: window.from });
    await line.until('2026-11-09T01:50:00+02:00');
    await node.stop();
    line.pass(90 * 60);
    await line.start();
    await line.until('2026-11-10T00:00:00+02:00');
    // From 01:50 to 03:20: an hour of it was announced.
    expect(await seconds(line, '2026-11-09')).toEqual([1800, 3600, 5400]);
  });

  test('13: four failures, five in more than 30 seconds, and five with an answer between them are no downtime', async () => {
    const { line, node } = await begin('2026-11-09T00:00:00+02:00');
    const other = await line.start();
    await line.until('2026-11-09T08:00:00+02:00');
    fail(line, [node], 4);
    await line.until('2026-11-09T09:00:00+02:00');
    node.call('good');
    for (let time = 0; time < 5; time += 1) {
      node.call('fault', 0);
      line.pass(7.6);
      await line.beat();
    }
    await line.until('2026-11-09T10:00:00+02:00');
    node.call('good');
    fail(line, [node], 4);
    other.call('refused');
    fail(line, [node, other], 4);
    await line.until('2026-11-09T11:00:00+02:00');
    node.call('good');
    await line.until('2026-11-10T00:00:00+02:00');
    expect(await seconds(line, '2026-11-09')).toEqual([0, 0, 0]);
  });

  test('14: failures of two nodes are consecutive, whatever order they end in; late answers are failures too', async () => {
    const { line, node } = await begin('2026-11-09T00:00:00+02:00');
    const other = await line.start();
    await line.until('2026-11-09T08:00:00+02:00');
    line.pass(5);
    node.call('late', 5_000);
    other.call('late', 4_000);
    node.call('late', 3_000);
    other.call('fault', 4_500);
    node.call('fault', 500);
    node.call('left', 2_000);
    await line.until('2026-11-09T08:01:40+02:00');
    other.call('good', 0);
    await line.until('2026-11-10T00:00:00+02:00');
    // From the receipt of the first, 08:00:00, to the answer at 08:01:40.
    expect(await seconds(line, '2026-11-09')).toEqual([100, 0, 0]);
    expect((await line.day('2026-11-09'))?.errorPercent).toBe(71.43);
  });
});
