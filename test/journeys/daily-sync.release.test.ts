/**
 * A third party keeps the accounts of several people, day by day, in a table whose key is the transactionId alone. It reads unattended,
 * four times a day at most, and one answer in ten never arrives. Thirty days later nothing is missing, doubled or wrong by a cent.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createDemoBank } from '../../packages/sandbox/src/bank/demo-bank.js';
import { toMinor } from '../../src/model/amount.js';
import { type Access, addAccess, read } from '../api/ais/support.js';
import { approved, OTHER_BANK, submit } from '../payment/support.js';
import type { Answer } from '../support/client.js';
import { bothEngines } from '../support/engines.js';
import { account, ibanOf, moveBankClock, psuId } from '../support/operations.js';
import { journeyPlaces, type Service } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';

interface Money {
  readonly currency: string;
  readonly amount: number;
}

interface Entry {
  readonly transactionId: string;
  readonly paymentId?: string;
  readonly bookingDate?: string;
  readonly transactionAmount: Money;
  readonly bankTransactionCode: string;
}

interface Row {
  readonly account: string;
  readonly status: 'booked' | 'pending';
  readonly amountMinor: number;
  readonly paymentId: string | undefined;
  readonly code: string;
}

interface Followed {
  readonly access: Access;
  readonly resourceId: string;
  /** What the account had before the first booking that the client knows. */
  baseMinor: number | undefined;
}

const minorOf = ({ amount, currency }: Money): number =>
  Math.sign(amount) * Number(toMinor(Math.abs(amount), currency));

/** What the client knows, and what has happened to that. */
class Aggregator {
  readonly rows = new Map<string, Row>();
  readonly fates = { booked: 0, changed: 0, dropped: 0 };
  readonly #service: Service;
  readonly #followed: Followed[] = [];
  #calls = 0;
  lost = 0;

  constructor(service: Service) {
    this.#service = service;
  }

  follow(access: Access): void {
    for (const resourceId of access.resourceIds)
      this.#followed.push({ access, resourceId, baseMinor: undefined });
  }

  /** As often as it takes: what is lost is asked for again with the same id. */
  async #ask({ access }: Followed, path: string): Promise<Answer> {
    const requestId = randomUUID();
    for (;;) {
      const headers = { 'PSU-IP-Address': undefined, 'X-Request-ID': requestId };
      const answer = await read(this.#service, access, path, { headers });
      expect(answer.status, answer.text).toBe(200);
      this.#calls += 1;
      if (this.#calls % 10 !== 0) return answer;
      this.lost += 1;
    }
  }

  async #entries(followed: Followed, days: string) {
    const start = `/ais/psd2/v1/accounts/${followed.resourceId}/transactions`;
    const booked: Entry[] = [];
    const pending: Entry[] = [];
    for (let path: string | undefined = `${start}?bookingStatus=both&limit=25${days}`; path; ) {
      const { transactions, _links } = (await this.#ask(followed, path)).json as {
        transactions: { booked: Entry[]; pending?: Entry[] };
        _links: { next?: { href: string } };
      };
      booked.push(...transactions.booked);
      pending.push(...(transactions.pending ?? []));
      const { href } = _links.next ?? {};
      path = href && new URL(href).pathname + new URL(href).search;
    }
    return { booked, pending };
  }

  #keep(owner: string, entry: Entry, status: Row['status']): void {
    const { transactionId, transactionAmount, paymentId, bankTransactionCode: code } = entry;
    const known = this.rows.get(transactionId);
    const row = { account: owner, status, amountMinor: minorOf(transactionAmount), paymentId, code };
    if (known) {
      expect(known.account, 'an id never names an entry of another account').toBe(owner);
      expect([known.status, status], 'nothing booked becomes pending again').not.toEqual([
        'booked',
        'pending',
      ]);
      if (known.status === status) expect(row).toEqual(known);
      else this.fates[known.amountMinor === row.amountMinor ? 'booked' : 'changed'] += 1;
    }
    this.rows.set(transactionId, row);
  }

  async #balances(followed: Followed) {
    const path = `/ais/psd2/v1/accounts/${followed.resourceId}/balances`;
    const { balances } = (await this.#ask(followed, path)).json as {
      balances: { balanceType: string; balanceAmount: Money; creditLimitIncluded?: boolean }[];
    };
    const of = (type: string): number =>
      minorOf(
        balances.find(({ balanceType }) => balanceType === type)?.balanceAmount ?? {
          currency: 'EUR',
          amount: Number.NaN,
        },
      );
    return { booked: of('interimBooked'), available: of('interimAvailable') };
  }

  #sum(owner: string, status: Row['status']): number {
    return [...this.rows.values()]
      .filter((row) => row.account === owner && row.status === status)
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  }

  async #sync(followed: Followed, days: string): Promise<void> {
    const owner = followed.resourceId;
    const { booked, pending } = await this.#entries(followed, days);
    for (const entry of booked) this.#keep(owner, entry, 'booked');
    for (const entry of pending) this.#keep(owner, entry, 'pending');
    const open = new Set(pending.map(({ transactionId }) => transactionId));
    for (const [id, row] of this.rows)
      if (row.account === owner && row.status === 'pending' && !open.has(id)) {
        this.rows.delete(id);
        this.fates.dropped += 1;
      }
    const figures = await this.#balances(followed);
    followed.baseMinor ??= figures.booked - this.#sum(owner, 'booked');
    expect(followed.baseMinor + this.#sum(owner, 'booked')).toBe(figures.booked);
    expect(figures.booked + this.#sum(owner, 'pending')).toBe(figures.available);
  }

  /** All that the bank gives at first; afterwards the last two weeks. */
  async syncAll(today?: Date): Promise<void> {
    const from = today && new Date(today.getTime() - 14 * 86_400_000).toISOString().slice(0, 10);
    for (const followed of this.#followed) await this.#sync(followed, from ? `&dateFrom=${from}` : '');
  }

  get accounts(): readonly string[] {
    return this.#followed.map(({ resourceId }) => resourceId);
  }
}

const DAYS = 30;

const bankNow = async (service: Service): Promise<Date> =>
  new Date(((await service.call({ path: '/sandbox/clock' })).json as { now: string }).now);

const pay = async (service: Service, iban: string): Promise<string> => {
  const id = await approved(service, { body: { creditAccount: { iban } } });
  const { paymentId } = (await submit(service, id)).json as { paymentId: string };
  await service.app.runJobs();
  return paymentId;
};

/** The core over HTTP has the same books: it is read in the long run alone. */
const places = process.env.TEST_SYNC
  ? journeyPlaces(bothEngines('types and plans of each engine, over thirty days of pages and sums'))
  : journeyPlaces().filter(([, core]) => core === 'embedded');

describe.each(places)('thirty days with %s and the bank %s', (engine, core) => {
  const use = useService({ engine, core, isAlive: true, env: { TRAPEZA_DEMO_MONTHS: '1' } });

  it('leave a client with every row once and every sum right', async () => {
    const service = use();
    const people = {
      eleni: [account('eleni', 101), account('eleni', 102)],
      nikos: ['EUR', 'USD', 'GBP'].map((currency) => account('nikos', 201, currency)),
    };
    const client = new Aggregator(service);
    for (const [psu, accounts] of Object.entries(people))
      client.follow(await addAccess(service, { psu, accounts }));
    await client.syncAll();
    const known = client.rows.size;
    const orders: string[] = [];
    for (let day = 1; day <= DAYS; day += 1) {
      if (day === 4) orders.push(await pay(service, ibanOf('nikos', 201)));
      if (day === 9) orders.push(await pay(service, OTHER_BANK));
      if (day === 9) await client.syncAll(await bankNow(service));
      // Once a day, and once a week as often as it may: then a repetition that counted would be one too many.
      for (const advance of day % 7 === 0 ? ['PT6H', 'PT6H', 'PT6H', 'PT6H'] : ['P1D']) {
        await moveBankClock(service, advance);
        await service.app.runJobs();
        await client.syncAll(await bankNow(service));
      }
    }
    const open = [...client.rows].filter(([, { status }]) => status === 'pending').map(([id]) => id);
    await moveBankClock(service, 'P7D');
    await client.syncAll(await bankNow(service));
    const still = open.filter((id) => client.rows.get(id)?.status === 'pending');

    expect(still, 'every hold has ended').toEqual([]);
    expect(client.rows.size).toBeGreaterThan(known + 60);
    expect(client.lost).toBeGreaterThan(30);
    expect(client.fates.booked).toBeGreaterThan(20);
    expect(client.fates.changed).toBeGreaterThan(1);
    expect(client.fates.dropped).toBeGreaterThan(0);
    // On the payer's side alone, once for the payment and once for its charge, though the payee is followed too.
    for (const order of orders) {
      const entries = [...client.rows.values()].filter(({ paymentId }) => paymentId === order);
      expect(entries.map(({ account: owner, status }) => [owner, status])).toEqual([
        [client.accounts[0], 'booked'],
        [client.accounts[0], 'booked'],
      ]);
    }
    if (core === 'embedded') expect(await missingIn(service, client)).toEqual([]);
  });
});

/** What the books have and the client does not, since its first day. */
const missingIn = async (service: Service, client: Aggregator): Promise<readonly string[]> => {
  const accounts = [
    ...[101, 102].map((number) => ['eleni', account('eleni', number).id] as const),
    ...['EUR', 'USD', 'GBP'].map((currency) => ['nikos', account('nikos', 201, currency).id] as const),
  ];
  return withStore(service, async (db) => {
    const bank = createDemoBank(db, { bankTime: async () => service.clock.now(), timeZone: 'Europe/Athens' });
    const ids = await Promise.all(
      accounts.map(async ([psu, accountId]) => {
        const query = { accountId, from: '2000-01-01', to: '2999-01-01', after: null, limit: 5000 } as const;
        const context = { psuId: psuId(psu) };
        const { items } = await bank.transactions({ ...query, status: 'booked', context });
        return items.map(({ id }) => id);
      }),
    );
    const all = ids.flat();
    expect(new Set(all).size).toBe(all.length);
    expect([...client.rows.values()].filter(({ status }) => status === 'booked')).toHaveLength(all.length);
    return all.filter((id) => client.rows.get(id)?.status !== 'booked');
  });
};
