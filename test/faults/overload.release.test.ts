/** More than the node can do: it refuses early, by shares, and goes on with the rest. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Load } from '../../src/http/listeners/load.js';
import { slugOf } from '../support/client.js';
import { ATMS, BUDGET, CARD, FUNDS, fundsBody } from '../support/operations.js';
import { startService } from '../support/service.js';

/** A node whose time and work are set by the test; calls have a deadline of five seconds. */
const nodeOf = (maxInFlight: number) => {
  const times = { now: 0, active: 0 };
  const load = new Load({
    maxInFlight,
    deadlineMs: 5_000,
    now: () => times.now,
    activeMs: () => times.active,
  });
  return { load, times };
};

/** So many arrive at once; the calls of whoever begins, until they end. */
const arrive = (load: Load, callers: Readonly<Record<string, number>>) => {
  const arrived = Object.entries(callers).flatMap(([caller, count]) =>
    Array.from({ length: count }, () => ({ caller, end: load.take(caller) })),
  );
  return arrived.filter(({ caller, end }) => {
    const isRefused = load.isTooMuch(caller);
    if (isRefused) end();
    return !isRefused;
  });
};

describe('the queue', () => {
  /** Half a second in which so many calls have ended and the event loop worked so long. */
  const pass = ({ load, times }: ReturnType<typeof nodeOf>, ended: number, activeMs: number): void => {
    for (let call = 0; call < ended; call += 1) load.take('others')();
    times.now += 500;
    times.active += activeMs;
    load.measure();
  };

  it('of a node that rests now and then may have every place, also when calls are dear', () => {
    const node = nodeOf(1_000);
    pass(node, 20, 400);
    pass(node, 20, 400);
    expect(arrive(node.load, { one: 500 })).toHaveLength(500);
  });

  it('lets all begin that are answered within the deadline', () => {
    const node = nodeOf(1_000);
    pass(node, 6_750, 500);
    pass(node, 6_750, 500);
    expect(arrive(node.load, { one: 256 })).toHaveLength(256);
  });

  it('is kept as short as the deadline allows while the node never rests, and callers share it evenly', () => {
    const node = nodeOf(1_000);
    // Ten milliseconds each: 250 are 2.5 seconds.
    pass(node, 50, 500);
    pass(node, 50, 500);
    const begun = arrive(node.load, { one: 500, two: 30, three: 40 });
    const of = (name: string) => begun.filter(({ caller }) => caller === name).length;
    expect([of('one'), of('two'), of('three')]).toEqual([55, 30, 40]);
    for (const { end } of begun) end();
    pass(node, 50, 100);
    expect(arrive(node.load, { one: 500 })).toHaveLength(500);
  });

  it('does not stand because of one long turn', () => {
    const node = nodeOf(1_000);
    pass(node, 2, 500);
    expect(arrive(node.load, { one: 256 })).toHaveLength(256);
  });

  it('is measured by what was begun: refusals are cheap', () => {
    const node = nodeOf(1_000);
    for (let interval = 0; interval < 2; interval += 1) {
      const begun = arrive(node.load, { one: 10_000 });
      expect(begun).toHaveLength(500);
      for (const { end } of begun) end();
      node.times.now += 4_500;
      node.times.active += 4_500;
      pass(node, 0, 500);
    }
    expect(arrive(node.load, { one: 10_000 })).toHaveLength(125);
  });
});

describe('the places', () => {
  const hold = (load: Load, subscription: string, count: number) =>
    Array.from({ length: count }, () => load.take(subscription));
  const isTooMuch = (load: Load, subscription: string): boolean => {
    const release = load.take(subscription);
    const verdict = load.isTooMuch(subscription);
    release();
    return verdict;
  };

  it('go to one caller up to half, and there is room for the next', () => {
    const { load } = nodeOf(12);
    const held = hold(load, 'one', 6);
    expect([isTooMuch(load, 'one'), isTooMuch(load, 'two')]).toEqual([true, false]);
    hold(load, 'two', 3);
    expect([isTooMuch(load, 'one'), isTooMuch(load, 'two'), isTooMuch(load, 'three')]).toEqual([
      true,
      true,
      false,
    ]);
    for (const release of held) release();
    expect([load.inFlight, isTooMuch(load, 'one'), isTooMuch(load, 'two')]).toEqual([3, false, false]);
  });

  it('are not shared with callers who have left', () => {
    const { load } = nodeOf(12);
    for (let number = 0; number < 1_200; number += 1) load.take(`caller ${number}`)();
    hold(load, 'one', 5);
    hold(load, 'two', 2);
    expect([isTooMuch(load, 'one'), isTooMuch(load, 'two')]).toEqual([true, false]);
  });

  it('are a bound, also if every caller has one', () => {
    const { load } = nodeOf(12);
    const callers = Object.fromEntries(Array.from({ length: 40 }, (_each, number) => [`${number}`, 1]));
    expect(arrive(load, callers)).toHaveLength(12);
  });
});

describe('over HTTP', () => {
  it('a caller whose calls all hang leaves room for the others', async () => {
    const service = await startService({
      env: { TRAPEZA_MAX_IN_FLIGHT: '12', TRAPEZA_DEADLINE_MS: '1500', TRAPEZA_CORE_TIMEOUT_MS: '1000' },
    });
    try {
      // Its key has been seen.
      await service.call({ path: ATMS, as: { application: BUDGET } });
      await service.call({ path: ATMS });
      const hanging = Array.from({ length: 20 }, () =>
        service.call({
          method: 'POST',
          path: FUNDS,
          body: fundsBody(),
          headers: { 'Sandbox-Scenario': 'core-timeout' },
        }),
      );
      const others: number[] = [];
      let areHanging = true;
      const ended = Promise.all(hanging).finally(() => {
        areHanging = false;
      });
      while (areHanging)
        others.push((await service.call({ path: ATMS, as: { application: BUDGET } })).status);
      const verdicts = (await ended).map(slugOf);
      expect(verdicts.filter((slug) => slug === 'overloaded').length).toBeGreaterThanOrEqual(12);
      expect(new Set(verdicts)).toEqual(new Set(['overloaded', 'processing-timeout']));
      expect(new Set(others)).toEqual(new Set([200]));
    } finally {
      await service.close();
    }
  });

  it('a third party at twenty times its quota causes no error for others', async () => {
    const service = await startService({ env: { TRAPEZA_QUOTA_PER_MINUTE: '50' } });
    try {
      const [greedy, modest] = [
        await service.token({ application: CARD }),
        await service.token({ application: BUDGET }),
      ];
      const ask = (application: string, token: string) =>
        service.call({
          path: ATMS,
          headers: {
            'Ocp-Apim-Subscription-Key': service.keyOf(application),
            Authorization: `Bearer ${token}`,
          },
        });
      const flood = Promise.all(Array.from({ length: 1000 }, () => ask(CARD, greedy)));
      for (let call = 0; call < 40; call += 1) expect((await ask(BUDGET, modest)).status).toBe(200);
      const statuses = (await flood).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(50);
      expect(statuses.every((status) => [200, 429, 503].includes(status))).toBe(true);
    } finally {
      await service.close();
    }
  });

  it('a connection whose request was refused is read again', async () => {
    const service = await startService();
    const [key, token] = [service.keyOf(), await service.token()];
    const asked = (scenario: string): string =>
      `GET ${ATMS} HTTP/1.1\r\nHost: x\r\nOcp-Apim-Subscription-Key: ${key}\r\nAuthorization: Bearer ${token}\r\n${scenario}\r\n`;
    const { hostname, port } = new URL(service.app.listenUrl);
    const socket = connect(Number(port), hostname);
    try {
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      const statuses = (): string[] => text.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? [];
      for (let round = 1; round <= 3; round += 1) {
        socket.write(asked('Sandbox-Scenario: overloaded\r\n') + asked(''));
        await expect.poll(statuses).toHaveLength(2 * round);
      }
      expect(statuses()).toEqual(['503', '200', '503', '200', '503', '200']);
    } finally {
      socket.destroy();
      await service.close();
    }
  });
});
