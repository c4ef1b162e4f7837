/**
 * Whose account is it still? A consent outlives a divorce, a dismissal, a power of attorney. From the moment the bank says that the
 * person no longer holds the account, nothing of it is told, and nothing tells that it ever was.
 */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulatorMigrations } from '../../../packages/core-kit/src/simulator/migrations.js';
import { createSimulator } from '../../../packages/core-kit/src/simulator/simulator.js';
import { createDemoBank } from '../../../packages/sandbox/src/bank/demo-bank.js';
import { type FundsQuestion, NoSuchAccount } from '../../../src/bank/bank.js';
import { forHolders } from '../../../src/bank/guard/memberships.js';
import { MINUTE } from '../../../src/lib/clock.js';
import type { Db } from '../../../src/store/db.js';
import { migrate } from '../../../src/store/migrate.js';
import { openDb } from '../../../src/store/open.js';
import {
  type Access,
  addAccess,
  attended,
  pathOf,
  type ReadId,
  read,
  readIds,
} from '../../api/ais/support.js';
import { bankWith } from '../../bank/banks.js';
import { ManualClock } from '../../lib/manual-clock.js';
import { approved } from '../../payment/support.js';
import { type Answer, slugOf } from '../../support/client.js';
import { createDatabase } from '../../support/database.js';
import { engines } from '../../support/engines.js';
import { account, FUNDS, fundsBody, ibanOf, psuId, unknownIban } from '../../support/operations.js';
import { type Service, startService, TestClock } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';

const [first, second] = [account('eleni', 101), account('eleni', 102)];

/** What a body says, without what is different in any two answers. */
const bodyOf = ({ text }: Answer): string =>
  text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id').replace(/\d{4}-\d\d-\d\dT[^"]*/g, 'then');

interface Place {
  readonly service: Service;
  /** The store of the bank. */
  readonly bank: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  /** What was known about the holders is forgotten by time. */
  forget(): void;
  close(): Promise<void>;
}

const embedded = (engine: (typeof engines)[number]) => async (): Promise<Place> => {
  const service = await startService({ engine });
  return {
    service,
    bank: (work) => withStore(service, work),
    forget: () => undefined,
    close: () => service.close(),
  };
};

const remote = async (): Promise<Place> => {
  const database = await createDatabase('sqlite');
  const db = await openDb(database.url, 1);
  const clock = new TestClock();
  await migrate(db, clock.now(), simulatorMigrations);
  const simulator = createSimulator({ db, clock, timeZone: 'Europe/Athens', months: 2 });
  const url = await simulator.listen(0, '127.0.0.1');
  const service = await startService({ env: { TRAPEZA_CORE_URL: url } });
  return {
    service,
    bank: (work) => work(db),
    forget: () => service.clock.advance(MINUTE),
    close: async () => {
      await service.close();
      await simulator.close();
      await db.close();
      await database.drop();
    },
  };
};

const places: readonly (readonly [string, () => Promise<Place>])[] = [
  ...engines.map((engine) => [`the demo bank on ${engine}`, embedded(engine)] as const),
  ['a core over HTTP', remote],
];

describe.each(places)('integrator S2: %s', (_name, open) => {
  let place: Place;
  let access: Access;
  let payment: string;
  const funds = (iban = ibanOf('eleni', 101), currency: string | null = 'EUR') =>
    place.service.call({
      method: 'POST',
      path: FUNDS,
      body: fundsBody({ account: { iban }, instructedAmount: { currency, amount: 1 } }),
    });
  const paymentFunds = () => place.service.call({ path: `/pis/psd2/v1/${payment}/funds-confirmation` });
  const ids: Partial<Record<ReadId, string>> = {};
  const pathTo = (id: ReadId, resourceId: string): string =>
    pathOf(id, resourceId).replace(/(t1-5|s1-1)$/, ids[id] ?? 'none');
  const reads = readIds.filter((id) => id !== 'getAccounts');

  beforeAll(async () => {
    place = await open();
    access = await addAccess(place.service, { accounts: [first, second] });
    payment = await approved(place.service);
    const list = await read(place.service, access, pathOf('getTransactions', access.first));
    const { transactions } = list.json as { transactions: { booked: { transactionId: string }[] } };
    ids.getTransaction = transactions.booked[0]?.transactionId ?? '';
    const months = await read(place.service, access, pathOf('getStatements', access.first));
    ids.getStatement =
      (months.json as { statements: { statementId: string }[] }).statements[0]?.statementId ?? '';
    for (const id of reads)
      expect([id, (await read(place.service, access, pathTo(id, access.first))).status]).toEqual([id, 200]);
    expect((await funds()).json).toEqual({ fundsAvailable: true });
    expect((await paymentFunds()).json).toEqual({ fundsAvailable: true });
    await place.bank((db) =>
      db.run('delete from demo_holders where account_id = ? and psu_id = ?', [first.id, psuId('eleni')]),
    );
    place.forget();
  });
  afterAll(() => place.close());

  it.each(reads)(
    'integrator S2: %s of an account that was lost is that of an account that never was',
    async (id) => {
      for (const headers of [attended, {}]) {
        const lost = await read(place.service, access, pathTo(id, access.first), { headers });
        const never = await read(place.service, access, pathTo(id, randomUUID()), { headers });
        expect([lost.status, slugOf(lost)]).toEqual([404, 'resource-not-found']);
        expect(bodyOf(lost)).toBe(bodyOf(never));
        expect(Object.keys(lost.headers).toSorted()).toEqual(Object.keys(never.headers).toSorted());
      }
    },
  );

  it('integrator S2: days that hold nothing, and days that cannot be, open it neither', async () => {
    for (const query of [
      '?dateFrom=2031-01-01',
      '?dateFrom=2026-02-02&dateTo=2026-02-01',
      '?dateFrom=never',
    ]) {
      const path = `${pathTo('getTransactions', access.first)}${query}`;
      const lost = await read(place.service, access, path);
      const never = await read(place.service, access, path.replace(access.first, randomUUID()));
      expect(lost.status).toBe(never.status);
      expect(bodyOf(lost)).toBe(bodyOf(never));
    }
  });

  it('integrator S2: the other account of the consent stays open, and the list has it alone', async () => {
    const [, other = ''] = access.resourceIds;
    for (const id of ['getAccount', 'getBalances', 'getTransactions', 'getStatements'] as const)
      expect((await read(place.service, access, pathOf(id, other))).status).toBe(200);
    const list = await read(place.service, access, pathOf('getAccounts', ''));
    expect(
      (list.json as { accounts: { resourceId: string }[] }).accounts.map((each) => each.resourceId),
    ).toEqual([other]);
  });

  it('integrator S2: funds of it are those of an account that no consent covers', async () => {
    const never = await funds(unknownIban);
    for (const currency of ['EUR', 'JPY', null]) {
      const lost = await funds(ibanOf('eleni', 101), currency);
      expect([lost.status, slugOf(lost)]).toEqual([403, 'consent-required']);
      expect(bodyOf(lost)).toBe(bodyOf(never));
    }
    const confirmed = await paymentFunds();
    expect([confirmed.status, slugOf(confirmed)]).toEqual([403, 'consent-required']);
  });

  it('integrator S2: it opens again at once for whoever holds it again', async () => {
    await place.bank((db) =>
      db.run('insert into demo_holders (account_id, psu_id) values (?, ?)', [first.id, psuId('eleni')]),
    );
    expect((await read(place.service, access, pathTo('getBalances', access.first))).status).toBe(200);
    expect((await funds()).json).toEqual({ fundsAvailable: true });
  });
});

describe('integrator S2: what is known about holders', () => {
  const context = { psuId: psuId('eleni') };
  const question: FundsQuestion = { accountId: first.id, currency: 'EUR', amountMinor: 1n, context };
  const world = () => {
    const clock = new ManualClock(0);
    const seen = { lists: 0, holds: true };
    const { accountsOf } = bankWith({});
    const bank = forHolders(
      bankWith({
        accountsOf: async (person) => {
          seen.lists += 1;
          return seen.holds ? accountsOf(person) : [];
        },
        hasFunds: async () => true,
      }),
      clock,
    );
    return { clock, seen, bank };
  };

  it('integrator S2: is asked for once a minute, also by many at once', async () => {
    const { clock, seen, bank } = world();
    await Promise.all(Array.from({ length: 50 }, () => bank.hasFunds(question)));
    expect(seen.lists).toBe(1);
    clock.advance(MINUTE - 1);
    await bank.balances(first.id, context);
    expect(seen.lists).toBe(1);
    seen.holds = false;
    clock.advance(1);
    await expect(bank.hasFunds(question)).rejects.toBeInstanceOf(NoSuchAccount);
    expect(seen.lists).toBe(2);
  });

  it('integrator S2: only a yes is remembered, and a new list takes the place of the old one', async () => {
    const { seen, bank } = world();
    seen.holds = false;
    await expect(bank.hasFunds(question)).rejects.toBeInstanceOf(NoSuchAccount);
    seen.holds = true;
    expect(await bank.hasFunds(question)).toBe(true);
    seen.holds = false;
    await bank.accountsOf(context.psuId);
    await expect(bank.hasFunds(question)).rejects.toBeInstanceOf(NoSuchAccount);
  });

  it('integrator S2: questions beside that for the holder are limited, the others wait for it', async () => {
    const order: string[] = [];
    const { accountsOf } = bankWith({});
    const bank = forHolders(
      bankWith({
        accountsOf: async (person) => {
          order.push('holder');
          return accountsOf(person);
        },
        hasFunds: async () => {
          order.push('funds');
          return true;
        },
      }),
      new ManualClock(0),
      1,
    );
    const other = { ...question, accountId: second.id };
    expect(await Promise.all([bank.hasFunds(question), bank.hasFunds(other)])).toEqual([true, true]);
    expect(order).toEqual(['funds', 'holder', 'holder', 'funds']);
  });

  it('integrator S2: an answer that did not wait for the holder ends with the holder, and its error is nobody’s', async () => {
    const bank = forHolders(
      bankWith({ accountsOf: async () => [], hasFunds: () => Promise.reject(new Error('broken')) }),
      new ManualClock(0),
    );
    await expect(bank.hasFunds(question)).rejects.toBeInstanceOf(NoSuchAccount);
  });

  it('integrator S2: the word of the core counts at once, and an account that is listed and denied is nobody’s answer', async () => {
    const clock = new ManualClock(0);
    let isListed = true;
    const { accountsOf } = bankWith({});
    const bank = forHolders(
      bankWith({
        accountsOf: async (person) => (isListed ? accountsOf(person) : []),
        hasFunds: () => Promise.reject(new NoSuchAccount()),
      }),
      clock,
    );
    await expect(bank.hasFunds(question)).rejects.toMatchObject({ slug: 'dependency-unavailable' });
    isListed = false;
    await expect(bank.hasFunds(question)).rejects.toBeInstanceOf(NoSuchAccount);
  });

  it('integrator S2: the demo bank is asked for funds and holder together', async () => {
    const asked: string[] = [];
    const one = async (sql: string) => {
      asked.push(sql);
      return undefined;
    };
    const db = { batchedReads: { one }, one } as unknown as Db;
    const bank = createDemoBank(db, { bankTime: async () => 0, timeZone: 'UTC' });
    await expect(bank.hasFunds(question)).rejects.toBeInstanceOf(NoSuchAccount);
    expect(asked).toHaveLength(1);
  });
});
