/** A counted read whose answer was lost: the same request with the same X-Request-ID is answered anew and not counted. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Answer, send, slugOf } from '../../support/client.js';
import { engines, hasPostgres } from '../../support/engines.js';
import { account, moveBankClock, resetSandbox } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { type Use, useService, useTwoNodes } from '../../support/use-service.js';
import { historyBank } from './history-bank.js';
import { type Access, addAccess, pathOf, read, readIds, recordsOf } from './support.js';

const leftOf = ({ status, headers }: Answer): string =>
  status === 200 ? (/r=\d+/.exec(String(headers.ratelimit))?.[0] ?? 'none') : String(status);

const readWith = (service: Service, access: Access, path: string, requestId: string): Promise<Answer> =>
  read(service, access, path, { headers: { 'PSU-IP-Address': undefined, 'X-Request-ID': requestId } });

const repeating = (service: Use): void => {
  it.each(readIds)('of %s is free, also after the fourth read', async (id) => {
    const access = await addAccess(service());
    const path = pathOf(id, access.first);
    const lefts: string[] = [];
    for (const _ of [1, 2, 3, 4]) {
      const requestId = randomUUID();
      const first = await readWith(service(), access, path, requestId);
      const again = await readWith(service(), access, path, requestId.toUpperCase());
      lefts.push(leftOf(first), leftOf(again));
    }
    expect(lefts).toEqual(['r=3', 'r=3', 'r=2', 'r=2', 'r=1', 'r=1', 'r=0', 'r=0']);
    expect(slugOf(await readWith(service(), access, path, randomUUID()))).toBe('access-exceeded');
    // Every answer is in the record; a repetition belongs to its read, as a following page does.
    expect((await recordsOf(service(), access.id)).map(({ page }) => page).sort()).toEqual([
      ...[0, 0, 0, 0],
      ...[1, 1, 1, 1],
    ]);
  });

  it('another path, query, account or consent with the same id is a read of its own', async () => {
    const accounts = [account('eleni', 101), account('eleni', 102)];
    const [access, other] = [
      await addAccess(service(), { accounts }),
      await addAccess(service(), { accounts }),
    ];
    const requestId = randomUUID();
    const path = pathOf('getTransactions', access.first);
    const ask = (of: Access, where: string) => readWith(service(), of, where, requestId);
    expect(leftOf(await ask(access, path))).toBe('r=3');
    expect(leftOf(await ask(access, `${path}?limit=2`))).toBe('r=2');
    expect(leftOf(await ask(access, pathOf('getTransactions', access.resourceIds[1] ?? '')))).toBe('r=3');
    expect(leftOf(await ask(other, pathOf('getTransactions', other.first)))).toBe('r=3');
    const one = pathOf('getTransaction', access.first);
    expect(leftOf(await ask(access, one))).toBe('r=3');
    expect(leftOf(await ask(access, one.replace('t1-5', 't1-6')))).toBe('r=2');
    expect(leftOf(await ask(access, path))).toBe('r=2');
  });

  it('is counted ten minutes after the first one, however often it was repeated', async () => {
    const access = await addAccess(service());
    const path = pathOf('getBalances', access.first);
    const requestId = randomUUID();
    const ask = () => readWith(service(), access, path, requestId);
    expect(leftOf(await ask())).toBe('r=3');
    await moveBankClock(service(), 'PT9M30S');
    expect(leftOf(await ask())).toBe('r=3');
    await moveBankClock(service(), 'PT1M');
    expect(leftOf(await ask())).toBe('r=2');
    await resetSandbox(service());
  });

  it('is free ten times: who polls with one id uses up the reads', async () => {
    const access = await addAccess(service());
    const path = pathOf('getBalances', access.first);
    const requestId = randomUUID();
    const statuses: number[] = [];
    for (let turn = 0; turn < 60; turn += 1)
      statuses.push((await readWith(service(), access, path, requestId)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(4 * 11);
    expect(statuses.slice(44)).toEqual(Array.from({ length: 16 }, () => 429));
  });

  it('an attended read is no first one, and a failed one neither', async () => {
    const access = await addAccess(service());
    const path = pathOf('getBalances', access.first);
    const requestId = randomUUID();
    await read(service(), access, path, { headers: { 'X-Request-ID': requestId } });
    const failing = {
      'PSU-IP-Address': undefined,
      'X-Request-ID': requestId,
      'Sandbox-Scenario': 'core-down',
    };
    expect((await read(service(), access, path, { headers: failing })).status).toBe(503);
    expect(leftOf(await readWith(service(), access, path, requestId))).toBe('r=3');
    expect(leftOf(await readWith(service(), access, path, requestId))).toBe('r=3');
  });

  it('of a one-off consent is free too', async () => {
    const access = await addAccess(service(), { recurring: false, frequencyPerDay: 1 });
    const path = pathOf('getBalances', access.first);
    const requestId = randomUUID();
    expect((await readWith(service(), access, path, requestId)).status).toBe(200);
    expect((await readWith(service(), access, path, requestId)).status).toBe(200);
    expect(slugOf(await readWith(service(), access, path, randomUUID()))).toBe('access-exceeded');
  });
};

describe.each(engines)('the repetition of a counted read on %s', (engine) => {
  repeating(useService({ engine, bank: historyBank() }));
});

describe.runIf(hasPostgres)('two nodes', () => {
  const nodes = useTwoNodes(() => ({ bank: historyBank() }));

  it('count one read of eight that arrive at both at once with one id', async () => {
    const [first] = nodes;
    if (!first) throw new Error('no node');
    const token = await first.token();
    for (let round = 0; round < 5; round += 1) {
      const access = await addAccess(first);
      const headers = {
        'Ocp-Apim-Subscription-Key': first.keyOf(),
        Authorization: `Bearer ${token}`,
        'Consent-ID': access.id,
        'X-Request-ID': randomUUID(),
      };
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          send(nodes[index % 2]?.app.listenUrl ?? '', { path: pathOf('getBalances', access.first), headers }),
        ),
      );
      expect(answers.map(leftOf)).toEqual(Array.from({ length: 8 }, () => 'r=3'));
      const pages = (await recordsOf(first, access.id)).map(({ page }) => page).sort();
      expect(pages).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    }
  });
});
