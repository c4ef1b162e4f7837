/** Stopping a node: what runs is finished, what comes is sent elsewhere, and nobody waits for ever. */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { bankWith } from '../bank/banks.js';
import { type Answer, send } from '../support/client.js';
import { ATMS, FUNDS, fundsBody } from '../support/operations.js';
import { responsesIn, verdictOf } from '../support/raw-answers.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

/** A core that answers when it is told to. */
const heldBank = () => {
  let reached: () => void = () => undefined;
  let release: (funds: boolean) => void = () => undefined;
  const isReached = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const funds = new Promise<boolean>((resolve) => {
    release = resolve;
  });
  const bank = bankWith({
    name: 'held',
    hasFunds: () => {
      reached();
      return funds;
    },
  });
  return { bank, isReached, release: () => release(true) };
};

/** A connection on which a request has begun. */
const begin = async (service: Service): Promise<{ socket: Socket; text: Promise<string> }> => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    heard += chunk;
  });
  const text = new Promise<string>((resolve) => socket.on('close', () => resolve(heard)));
  await new Promise<void>((resolve) => socket.write(`GET ${ATMS} HTTP/1.1\r\n`, () => resolve()));
  return { socket, text };
};

/** A moment later. Until then a call that has begun may still be answered as ever. */
const untilClosed = (service: Service): Promise<void> =>
  until(
    () =>
      new Promise<boolean>((resolve) => {
        const probe = connect(Number(new URL(service.url).port), '127.0.0.1', () => {
          probe.destroy();
          resolve(false);
        });
        probe.once('error', () => resolve(true));
      }),
  );

/** Asks until the node says that it takes no more. */
const untilDraining = async (service: Service): Promise<void> => {
  for (;;) {
    const answer = await fetch(`${service.app.managementUrl}/health/ready`);
    const body = (await answer.json()) as { checks: { accepting: string } };
    if (body.checks.accepting === 'failed') return expect(answer.status).toBe(503);
  }
};

describe('a node that is stopped', () => {
  it('finishes the running call, answers a begun one with 503 and takes no new connection', async () => {
    const core = heldBank();
    const service = await startService({ bank: core.bank });
    const running: Promise<Answer> = service.call({ method: 'POST', path: FUNDS, body: fundsBody() });
    await core.isReached;
    const begun = await begin(service);
    const page = await begin(service);
    await service.call({ path: ATMS });
    const closed = service.close();
    await untilDraining(service);
    await untilClosed(service);

    begun.socket.write(`Host: x\r\nX-Request-ID: ${randomUUID()}\r\n\r\n`);
    const [refused, ...more] = responsesIn(await begun.text);
    expect(more).toEqual([]);
    expect(refused && verdictOf(refused)).toBe('503 draining');
    expect(refused?.headers.connection).toBe('close');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    page.socket.write('Host: x\r\n\r\n');
    expect(responsesIn(await page.text).map(verdictOf)).toEqual(['503 draining']);
    await expect(send(service.url, { path: ATMS })).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/);

    core.release();
    const answer = await running;
    expect([answer.status, answer.json]).toEqual([200, { fundsAvailable: true }]);
    expect(answer.headers.connection).toBe('close');
    await closed;
  });

  it('does not wait longer than its drain time for a call that never ends', async () => {
    const core = heldBank();
    const service = await startService({
      bank: core.bank,
      env: { TRAPEZA_DRAIN_MS: '300', TRAPEZA_DEADLINE_MS: '3600000' },
    });
    const running = service.call({ method: 'POST', path: FUNDS, body: fundsBody() });
    const outcome = running.then(
      () => 'answered',
      () => 'cut off',
    );
    await core.isReached;
    await service.close();
    expect(await outcome).toBe('cut off');
    core.release();
  });

  it('closes idle connections at once', async () => {
    const service = await startService();
    await service.call({ path: ATMS });
    await service.close();
    await expect(send(service.url, { path: ATMS })).rejects.toThrow();
  });
});
