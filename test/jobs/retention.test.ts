/** Retention: what is kept, until when, and that nothing is left behind that points nowhere. The clock moves, nobody waits. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { runToEnd } from '../../src/jobs/jobs.js';
import { retention } from '../../src/jobs/retention.js';
import { DAY, HOUR } from '../../src/lib/clock.js';
import type { Db } from '../../src/store/db.js';
import { addRequest } from '../account-pages/approve-support.js';
import { addAccess, askForFunds } from '../account-pages/dashboard/support.js';
import { racingEngines } from '../support/engines.js';
import { moveBankClock, resetSandbox } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';

const COUNTS = {
  consents: 'select count(*) as count from consents',
  history: 'select count(*) as count from consent_history',
  accounts: 'select count(*) as count from consent_accounts',
  funds: 'select count(*) as count from funds_confirmations',
  accesses: 'select count(*) as count from data_accesses',
  events: 'select count(*) as count from events',
  deliveries: 'select count(*) as count from deliveries',
} as const;
type Counted = keyof typeof COUNTS;

const counts = (service: Service): Promise<Record<Counted, number>> =>
  withStore(service, async (db) => {
    const found = Object.entries(COUNTS).map(async ([name, sql]) => [
      name,
      (await db.one<{ count: number }>(sql))?.count,
    ]);
    return Object.fromEntries(await Promise.all(found)) as Record<Counted, number>;
  });

/** Where the positions that the service gives do not reach. */
const FAR = 1_000_000;

const addEvent = (
  db: Db,
  consentId: string,
  position: number,
  occurredAt: number,
  dueAt: number | null = null,
): Promise<void> =>
  db.transaction(async (tx) => {
    const id = randomUUID();
    await tx.run(
      `insert into events (id, client_id, position, kind, consent_id, consent_kind, status, occurred_at)
       values (?, 'demo-finance-app', ?, 'consent', ?, 'AccountAccess', 'Valid', ?)`,
      [id, FAR + position, consentId, occurredAt],
    );
    await tx.run(
      `insert into deliveries (event_id, target, client_id, position, attempts, due_at)
       values (?, 'https://app.example', 'demo-finance-app', ?, 1, ?)`,
      [id, FAR + position, dueAt],
    );
  });

const engines = racingEngines(
  'two nodes delete the same rows at once in batches: PostgreSQL locks rows, SQLite queues the writers',
);

describe.each(engines)('retention on %s', (engine) => {
  // A reset may take its time on a busy machine.
  const service = useService({ engine });
  beforeEach(async () => {
    await resetSandbox(service());
  });

  it('keeps everything while it is young', async () => {
    await askForFunds(service(), 1);
    await addAccess(service(), {
      consentId: service().consent('AccountAccess').id,
      kind: 'balances',
      at: service().clock.now(),
    });
    const before = await counts(service());
    await service().app.runJobs();
    await moveBankClock(service(), 'P24M');
    await service().app.runJobs();
    const { history, events, ...rest } = await counts(service());
    // What time has ended meanwhile was written down.
    expect(history).toBeGreaterThan(before.history);
    expect(events).toBeGreaterThan(before.events);
    expect(rest).toEqual({ ...before, history: undefined, events: undefined });
  });

  it('forgets records of uses after 25 months, and not the consents they were of', async () => {
    await askForFunds(service(), 1);
    const consentId = service().consent('AccountAccess').id;
    await addAccess(service(), { consentId, kind: 'balances', at: service().clock.now() });
    const { consents } = await counts(service());
    await moveBankClock(service(), 'P25M1D');
    await addAccess(service(), { consentId, kind: 'balances', at: service().clock.now() + 25 * 30 * DAY });
    await service().app.runJobs();
    expect(await counts(service())).toMatchObject({ funds: 0, accesses: 1, consents });
  });

  it('forgets a consent five years after its end with everything that points at it, and keeps what still lives', async () => {
    await askForFunds(service(), 1);
    const open = await addRequest(service(), { status: 'Valid', expiresAt: null });
    await withStore(service(), (db) =>
      addEvent(db, service().consent('AccountAccess', 'Expired').id, 1, service().clock.now()),
    );
    await service().app.runJobs();
    await moveBankClock(service(), 'P1Y2D');
    // Only now does it end what time has ended.
    await service().app.runJobs();
    await moveBankClock(service(), 'P4Y');
    await service().app.runJobs();
    const after = await withStore(service(), (db) =>
      db.all<{ status: string }>('select status from consents'),
    );
    expect(after.length).toBeGreaterThan(1);
    await moveBankClock(service(), 'P1Y2D');
    await service().app.runJobs();
    expect(await counts(service())).toEqual({
      consents: 1,
      history: 1,
      accounts: 0,
      funds: 0,
      accesses: 0,
      events: 0,
      deliveries: 0,
    });
    const left = await withStore(service(), (db) => db.all<{ id: string }>('select id from consents'));
    expect(left).toEqual([{ id: open }]);
  });

  it('forgets events and their deliveries after 90 days, unless they are still to be delivered', async () => {
    const now = service().clock.now();
    const { id } = service().consent('AccountAccess');
    await withStore(service(), async (db) => {
      await addEvent(db, id, 1, now - 90 * DAY - HOUR);
      await addEvent(db, id, 2, now - 90 * DAY + HOUR);
      await addEvent(db, id, 3, now - 90 * DAY - HOUR, now + DAY);
    });
    await service().app.runJobs();
    expect(await counts(service())).toMatchObject({ events: 2, deliveries: 2 });
  });

  it('forgets a record on the same day of an earlier month, the last one if that is shorter, to the millisecond', async () => {
    const { id: consentId } = service().consent('AccountAccess');
    const due = Date.UTC(2027, 1, 28, 12);
    for (const at of [due - 1, due, due + 1, due + 2 * DAY])
      await addAccess(service(), { consentId, kind: 'balances', at });
    const bankTime = async () => Date.UTC(2027, 2, 31, 12);
    const kept = { retentionConsentYears: 1, retentionRecordMonths: 1, retentionEventDays: 90 };
    const left = await withStore(service(), async (db) => {
      for (const job of retention({ db, bankTime, ...kept })) await runToEnd(job);
      return db.all('select accessed_at as at from data_accesses order by accessed_at');
    });
    expect(left).toEqual([{ at: due + 1 }, { at: due + 2 * DAY }]);
  });

  it('keeps an ended consent for as long as a record of it must be kept, and works through many in batches', async () => {
    const now = service().clock.now();
    const old = now - 3 * 365 * DAY;
    const history = [{ from: null, to: 'Received', by: 'tpp', at: old } as const];
    const kept = await addRequest(service(), { status: 'Expired', createdAt: old, history });
    await withStore(service(), (db) =>
      db.transaction(async (tx) => {
        for (let index = 0; index < 450; index += 1)
          await tx.run(
            `insert into consents (id, kind, client_id, psu_id, status, created_at, details)
             values (?, 'PaymentInitiation', 'demo-finance-app', 'somebody', 'Rejected', ?, '{}')`,
            [randomUUID(), old],
          );
      }),
    );
    await addAccess(service(), { consentId: kept, kind: 'balances', at: now - DAY });
    const before = await counts(service());
    const runs = await withStore(service(), (db) => {
      const parts = {
        db,
        bankTime: async () => now,
        retentionConsentYears: 1,
        retentionRecordMonths: 25,
        retentionEventDays: 90,
      };
      // As on two nodes.
      return Promise.all([...retention(parts), ...retention(parts)].map((job) => runToEnd(job)));
    });
    expect(runs.reduce((sum, { done }) => sum + done, 0)).toBeGreaterThanOrEqual(450);
    const after = await counts(service());
    expect(after.consents).toBe(before.consents - 450);
    expect(after.accesses).toBe(1);
    expect(
      await withStore(service(), (db) => db.one('select id from consents where id = ?', [kept])),
    ).toBeDefined();
  });
});
