/** More than the node can do: it refuses early, by shares, and goes on with the rest. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Arrived, Load } from '../../src/http/listeners/load.js';
import { slugOf } from '../support/client.js';
import { ATMS, BUDGET, CARD, FUNDS, fundsBody } from '../support/operations.js';
import { startService } from '../support/service.js';

const arrivals = (subscription: string, count: number): Arrived[] =>
  Array.from({ length: count }, () => ({ subscription, isExcess: false }));

const excessOf = (arrived: readonly Arrived[], subscription: string): number =>
  arrived.filter((each) => each.subscription === subscription && each.isExcess).length;

describe('a turn', () => {
  it('begins with no more than it can do in its time, and callers share it evenly', () => {
    let activeMs = 0;
    const load = new Load(1000, () => activeMs);
    const first = arrivals('one', 200);
    load.beginTurn(first);
    expect(excessOf(first, 'one')).toBe(0);
    // Half a millisecond for each: a hundred fit.
    activeMs += 100;
    const second = [...arrivals('one', 500), ...arrivals('two', 30), ...arrivals('three', 40)];
    load.beginTurn(second);
    expect(second.filter(({ isExcess }) => !isExcess)).toHaveLength(100);
    expect([excessOf(second, 'one'), excessOf(second, 'two'), excessOf(second, 'three')]).toEqual([
      465, 0, 5,
    ]);
  });

  it('is given everything again when requests are cheap again', () => {
    let activeMs = 0;
    const load = new Load(1000, () => activeMs);
    load.beginTurn(arrivals('one', 100));
    activeMs += 200;
    for (let turn = 0; turn < 20; turn += 1) {
      load.beginTurn(arrivals('one', 100));
      activeMs += 1;
    }
    const many = arrivals('one', 900);
    load.beginTurn(many);
    expect(excessOf(many, 'one')).toBe(0);
  });
});

describe('the places', () => {
  const hold = (load: Load, subscription: string, count: number) =>
    Array.from({ length: count }, () => load.take(subscription));
  const isTooMuch = (load: Load, subscription: string): boolean => {
    const release = load.take(subscription);
    const verdict = load.isTooMuch({ subscription, isExcess: false });
    release();
    return verdict;
  };

  it('go to one caller up to half, and there is room for the next', () => {
    const load = new Load(12);
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
    const load = new Load(12);
    for (let number = 0; number < 1_200; number += 1) load.take(`caller ${number}`)();
    hold(load, 'one', 5);
    hold(load, 'two', 2);
    expect([isTooMuch(load, 'one'), isTooMuch(load, 'two')]).toEqual([true, false]);
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
