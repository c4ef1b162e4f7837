/** Reads without the account holder: four in 24 hours of bank time, exact on one node and on two at once. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DataAccesses } from '../../../src/consent/data-accesses.js';
import { DAY } from '../../../src/lib/clock.js';
import { type Answer, send, slugOf } from '../../support/client.js';
import { engines, hasPostgres } from '../../support/engines.js';
import { account, FINANCE, moveBankClock, psuId, resetSandbox } from '../../support/operations.js';
import { type Use, useService, useTwoNodes, withStore } from '../../support/use-service.js';
import { daysAgo, historyBank } from './history-bank.js';
import { type Access, addAccess, pathOf, read, readIds, readUnattended, recordsOf } from './support.js';

const DAY_SECONDS = 86_400;

const secondsOf = ({ headers }: Answer): number => Number(headers['retry-after']);
const leftOf = ({ headers }: Answer): string => String(headers.ratelimit).replace(/;t=\d+$/, '');

const times = async (count: number, one: () => Promise<Answer>): Promise<Answer[]> => {
  const answers: Answer[] = [];
  for (let index = 0; index < count; index += 1) answers.push(await one());
  return answers;
};

const expectRefused = (answer: Answer): void => {
  expect([answer.status, slugOf(answer)]).toEqual([429, 'access-exceeded']);
  expect(answer.headers['ratelimit-policy']).toBe(`"unattended";q=4;w=${DAY_SECONDS}`);
  expect(leftOf(answer)).toBe('"unattended";r=0');
  expect(answer.headers.ratelimit).toMatch(new RegExp(`;t=${answer.headers['retry-after']}$`));
};

const counting = (service: Use): void => {
  it.each(readIds)('four of %s pass and tell what is left, the fifth is refused', async (id) => {
    const access = await addAccess(service());
    const path = pathOf(id, access.first);
    const answers = await times(4, () => readUnattended(service(), access, path));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.map(leftOf)).toEqual([3, 2, 1, 0].map((left) => `"unattended";r=${left}`));
    const fifth = await readUnattended(service(), access, path);
    expectRefused(fifth);
    expect(secondsOf(fifth)).toBeGreaterThan(DAY_SECONDS - 120);
    expect(secondsOf(fifth)).toBeLessThanOrEqual(DAY_SECONDS);
    expect(await recordsOf(service(), access.id)).toHaveLength(4);
  });

  it('a read is free again after 24 hours to the millisecond', async () => {
    const { id: consentId } = await addAccess(service());
    const at = service().clock.now();
    const one = { consentId, clientId: FINANCE, psuId: psuId('eleni'), accountId: null } as const;
    const how = { kind: 'accounts', isAttended: false, page: 1, limit: 1, isOneOff: false } as const;
    const readAt = (time: number) =>
      withStore(service(), (db) =>
        new DataAccesses(db).record({
          ...{ ...one, ...how, requestId: randomUUID(), fingerprint: 'x' },
          at: time,
        }),
      );
    await readAt(at);
    await expect(readAt(at + DAY - 1)).rejects.toThrow('access-exceeded');
    expect(await readAt(at + DAY)).toMatchObject({ RateLimit: `"unattended";r=0;t=${DAY_SECONDS}` });
  });

  it('attended reads pass whatever was read before, and count for nothing', async () => {
    const access = await addAccess(service());
    const path = pathOf('getBalances', access.first);
    for (const answer of await times(6, () => read(service(), access, path))) {
      expect(answer.status).toBe(200);
      expect(answer.headers.ratelimit).toBeUndefined();
    }
    for (const answer of await times(4, () => readUnattended(service(), access, path)))
      expect(answer.status).toBe(200);
    expectRefused(await readUnattended(service(), access, path));
    expect((await read(service(), access, path)).status).toBe(200);
  });

  it('each account and each kind of data has its own four, and so has another consent', async () => {
    const accounts = [account('eleni', 101), account('eleni', 102)];
    const access = await addAccess(service(), { accounts });
    const first = pathOf('getBalances', access.first);
    await times(4, () => readUnattended(service(), access, first));
    expectRefused(await readUnattended(service(), access, first));
    const others = [
      pathOf('getBalances', access.resourceIds[1] ?? ''),
      pathOf('getTransactions', access.first),
      pathOf('getAccounts', ''),
    ];
    for (const path of others) expect(leftOf(await readUnattended(service(), access, path))).toContain('r=3');
    const another = await addAccess(service());
    const path = pathOf('getBalances', another.first);
    expect((await readUnattended(service(), another, path)).status).toBe(200);
  });

  it('HEAD counts as GET', async () => {
    const access = await addAccess(service());
    const path = pathOf('getBalances', access.first);
    const head = () =>
      read(service(), access, path, { method: 'HEAD', headers: { 'PSU-IP-Address': undefined } });
    expect((await times(4, head)).map(leftOf).at(-1)).toBe('"unattended";r=0');
    expect((await head()).status).toBe(429);
  });

  it('what is refused or fails is not counted and leaves no record', async () => {
    const access = await addAccess(service());
    const path = pathOf('getTransactions', access.first);
    const unattended = { 'PSU-IP-Address': undefined };
    for (const scenario of ['core-down', 'internal-error', 'overloaded']) {
      const headers = { ...unattended, 'Sandbox-Scenario': scenario };
      expect((await read(service(), access, path, { headers })).status).toBeGreaterThanOrEqual(500);
    }
    for (const query of ['dateFrom=2001-01-01', 'limit=0', 'page=forged', `dateFrom=${daysAgo(-9)}`]) {
      const refused = await read(service(), access, `${path}?${query}`, { headers: unattended });
      expect([query, refused.status >= 400]).toEqual([query, query !== 'dateFrom=2001-01-01']);
    }
    // The first of these is within 60 minutes of the authentication, so it was a read.
    expect(await recordsOf(service(), access.id)).toHaveLength(1);
  });

  it('a consent with fewer a day is held to its own number', async () => {
    const access = await addAccess(service(), { frequencyPerDay: 2 });
    const path = pathOf('getBalances', access.first);
    const answers = await times(3, () => readUnattended(service(), access, path));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[0]?.headers['ratelimit-policy']).toBe(`"unattended";q=2;w=${DAY_SECONDS}`);
  });
};

const rolling = (service: Use): void => {
  it('the window rolls: each read makes room 24 hours after it was made', async () => {
    const access = await addAccess(service());
    const path = pathOf('getBalances', access.first);
    const ask = (): Promise<Answer> => readUnattended(service(), access, path);
    expect((await ask()).status).toBe(200);
    await moveBankClock(service(), 'PT12H');
    for (const answer of await times(3, ask)) expect(answer.status).toBe(200);
    const refused = await ask();
    expectRefused(refused);
    expect(Math.abs(secondsOf(refused) - DAY_SECONDS / 2)).toBeLessThan(120);
    await moveBankClock(service(), 'PT11H55M');
    expectRefused(await ask());
    await moveBankClock(service(), 'PT5M');
    // The first read has left the window, the other three are in it still.
    expect((await ask()).status).toBe(200);
    expectRefused(await ask());
    await moveBankClock(service(), 'PT12H');
    for (const answer of await times(3, ask)) expect(answer.status).toBe(200);
    expectRefused(await ask());
    await resetSandbox(service());
  });
};

const records = (service: Use): void => {
  it('is written for every read: who, with which consent, which account, which kind, and whether attended', async () => {
    const access = await addAccess(service());
    for (const id of readIds) await read(service(), access, pathOf(id, access.first));
    await readUnattended(service(), access, pathOf('getBalances', access.first));
    const rows = await recordsOf(service(), access.id);
    const { id: accountId } = account('eleni', 101);
    const kinds = readIds.map((id) => id.replace('get', '').toLowerCase());
    expect(rows.map(({ kind }) => kind).sort()).toEqual([...kinds, 'balances'].sort());
    for (const row of rows) {
      expect(row.account_id).toBe(row.kind === 'accounts' ? null : accountId);
      expect([row.psu_id, row.client_id, row.page]).toEqual([psuId('eleni'), FINANCE, 1]);
    }
    expect(rows.filter(({ attended }) => attended === 0)).toHaveLength(1);
  });

  it('is there before the answer: a read of a consent that is ended meanwhile is refused', async () => {
    const access = await addAccess(service());
    const path = pathOf('getBalances', access.first);
    const end = (): Promise<Answer> =>
      service().call({ method: 'DELETE', path: `/ais/psd2/v1/consents/${access.id}`, as: access.as });
    const [answers, ended] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => read(service(), access, path))),
      end(),
    ]);
    expect(ended.status).toBe(204);
    const passed = answers.filter(({ status }) => status === 200);
    expect(await recordsOf(service(), access.id)).toHaveLength(passed.length);
    for (const answer of answers) if (answer.status !== 200) expect(slugOf(answer)).toBe('consent-not-valid');
  });
};

const oneOff = (service: Use): void => {
  it('is one sitting: an hour after its first read it is Expired', async () => {
    const access = await addAccess(service(), { recurring: false, frequencyPerDay: 1 });
    const ask = (id: 'getAccounts' | 'getBalances'): Promise<Answer> =>
      read(service(), access, pathOf(id, access.first));
    await moveBankClock(service(), 'PT5H');
    expect((await ask('getAccounts')).status).toBe(200);
    await moveBankClock(service(), 'PT50M');
    expect((await ask('getBalances')).status).toBe(200);
    await moveBankClock(service(), 'PT11M');
    const late = await ask('getBalances');
    expect([late.status, slugOf(late)]).toEqual([403, 'consent-not-valid']);
    expect(late.json).toMatchObject({ extensions: { consent: { status: 'Expired' } } });
    await resetSandbox(service());
  });

  it('lets each kind of data be read once without the account holder', async () => {
    const access = await addAccess(service(), { recurring: false, frequencyPerDay: 1 });
    const path = pathOf('getBalances', access.first);
    expect((await readUnattended(service(), access, path)).status).toBe(200);
    expect(slugOf(await readUnattended(service(), access, path))).toBe('access-exceeded');
    const accounts = pathOf('getAccounts', '');
    expect((await readUnattended(service(), access, accounts)).status).toBe(200);
  });
};

describe.each(engines)('on %s', (engine) => {
  const service = useService({ engine, bank: historyBank() });
  describe('unattended reads', () => counting(service));
  describe('in time', () => rolling(service));
  describe('the record', () => records(service));
  describe('a one-off consent', () => oneOff(service));

  it('of many at once exactly four pass', async () => {
    const access = await addAccess(service());
    const path = pathOf('getBalances', access.first);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => readUnattended(service(), access, path)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(answers.filter((answer) => slugOf(answer) === 'access-exceeded')).toHaveLength(8);
    expect(await recordsOf(service(), access.id)).toHaveLength(4);
  });
});

describe.runIf(hasPostgres)('two nodes', () => {
  const nodes = useTwoNodes(() => ({ bank: historyBank() }));

  const askBoth = async (access: Access, count: number): Promise<Answer[]> => {
    const [first] = nodes;
    if (!first) throw new Error('no node');
    const headers = {
      'Ocp-Apim-Subscription-Key': first.keyOf(),
      Authorization: `Bearer ${await first.token()}`,
      'Consent-ID': access.id,
    };
    const path = pathOf('getBalances', access.first);
    return Promise.all(
      Array.from({ length: count }, (_, index) =>
        send(nodes[index % 2]?.app.listenUrl ?? '', {
          path,
          headers: { ...headers, 'X-Request-ID': randomUUID() },
        }),
      ),
    );
  };

  it.each([5, 20])('let exactly four of %d pass that arrive at both at once', async (count) => {
    const [first] = nodes;
    if (!first) throw new Error('no node');
    for (let round = 0; round < 5; round += 1) {
      const access = await addAccess(first);
      const answers = await askBoth(access, count);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
      expect(answers.filter((answer) => slugOf(answer) === 'access-exceeded')).toHaveLength(count - 4);
      expect(await recordsOf(first, access.id)).toHaveLength(4);
    }
  });
});
