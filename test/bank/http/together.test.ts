/** Answers of the core that come together go on together, and no question waits for another. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccess, pathOf, read, readIds } from '../../api/ais/support.js';
import { FUNDS, fundsBody } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';
import { behaves, openTestCore, RawCore } from './raw-core.js';

const AT_ONCE = 8;

it('commits the records of answers that come together together', async () => {
  const core = new RawCore();
  await core.up();
  const adapter = openTestCore(core, { connections: AT_ONCE, maxCalls: AT_ONCE });
  const service = await startService({ bank: adapter.bank });
  const ask = () => service.call({ method: 'POST', path: FUNDS, body: fundsBody() });
  try {
    // From here on it is known for a minute who holds the account, and which operations the core has.
    await Promise.all([ask(), adapter.bank.ping()]);
    const waiting: (() => unknown)[] = [];
    core.behave = (seen, response) => {
      waiting.push(() => behaves(seen, response));
      if (waiting.length === AT_ONCE) for (const answer of waiting) answer();
    };
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, ask));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const metrics = await (await fetch(`${service.app.managementUrl}/metrics`)).text();
    const figure = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
    expect(figure('trapeza_store_commit_size_sum')).toBe(1 + AT_ONCE);
    expect(figure('trapeza_store_commit_size_count')).toBeLessThan(1 + AT_ONCE / 2);
  } finally {
    await service.close();
    await adapter.close();
    await core.down();
  }
});

describe('a person about whom the core was not asked for a minute', () => {
  const core = new RawCore();
  let adapter: ReturnType<typeof openTestCore>;
  let service: Service;
  beforeEach(async () => {
    await core.up();
    adapter = openTestCore(core);
    service = await startService({ bank: adapter.bank });
    core.behave = behaves;
    core.seen.length = 0;
  });
  afterEach(async () => {
    await service.close();
    await adapter.close();
    await core.down();
  });

  /** Nothing is answered before so many questions are there. */
  const answerTogether = (count: number): void => {
    const waiting: (() => unknown)[] = [];
    core.behave = (seen, response) => {
      waiting.push(() => behaves(seen, response));
      if (waiting.length === count) for (const answer of waiting.splice(0)) answer();
    };
  };

  it('the core is asked for holder and funds at the same time', async () => {
    answerTogether(2);
    const asked = await service.call({ method: 'POST', path: FUNDS, body: fundsBody() });
    expect(asked.json).toEqual({ fundsAvailable: true });
    expect(core.seen).toHaveLength(2);
  });

  it('the core is asked for holder and balances at the same time', async () => {
    const access = await addAccess(service, {});
    answerTogether(2);
    expect((await read(service, access, pathOf('getBalances', access.first))).status).toBe(200);
    expect(core.seen).toHaveLength(2);
  });

  it('one question about the account tells who holds it', async () => {
    const access = await addAccess(service, {});
    expect((await read(service, access, pathOf('getAccount', access.first))).status).toBe(200);
    expect(core.seen).toHaveLength(1);
  });

  it.each(readIds.filter((id) => id !== 'getAccounts'))(
    '%s is 404 and no access if the core lists no such account',
    async (id) => {
      const access = await addAccess(service, {});
      core.behave = (seen, response) =>
        seen.path.split('?')[0]?.endsWith('/accounts')
          ? response
              .writeHead(200, { 'Content-Type': 'application/json' })
              .end(JSON.stringify({ psuId: seen.path.split('/')[3], accounts: [] }))
          : behaves(seen, response);
      const answer = await read(service, access, pathOf(id, access.first));
      expect(answer.status).toBe(404);
      const rows = await withStore(service, (db) => db.all('select * from data_accesses'));
      expect(rows).toEqual([]);
    },
  );
});
