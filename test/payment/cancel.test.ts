/** Cancellation of payments in books of our own store: what has not left is called back once, what is booked stays booked. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readFeed } from '../events/support.js';
import { slugOf } from '../support/client.js';
import { engines, racingEngines } from '../support/engines.js';
import { account, ibanOf, moveBankClock } from '../support/operations.js';
import { startService } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';
import {
  ABROAD,
  approved,
  bookedOn,
  cancel,
  carryOut,
  consentStatus,
  leftOn,
  OTHER_BANK,
  readOrder,
  submit,
  type WantedPayment,
} from './support.js';

/** Settled a day later. */
const abroad: WantedPayment = { product: 'international', body: { creditAccount: { iban: ABROAD } } };
const detailOf = ({ json }: { readonly json: unknown }): string => (json as { detail: string }).detail;

describe.each(engines)('a payment on %s', (engine) => {
  const use = useService({ engine, core: 'embedded' });
  const payer = account('eleni', 101).id;
  const later = async (): Promise<void> => {
    await moveBankClock(use(), 'P3D');
    await use().app.runJobs();
  };

  it('that has not left is cancelled once: the money is free, and nothing is ever booked', async () => {
    const consent = await approved(use(), abroad);
    const [left, booked] = [await leftOn(use(), payer), await bookedOn(use(), payer)];
    await submit(use(), consent);
    expect(await leftOn(use(), payer)).toBeLessThan(left);
    const requestId = randomUUID();
    for (const again of [requestId, requestId, randomUUID()])
      expect((await cancel(use(), consent, { requestId: again })).status).toBe(204);
    expect(await leftOn(use(), payer)).toBe(left);
    const order = await readOrder(use(), consent);
    expect(order).toMatchObject({ transactionStatus: 'CANC', statusReason: { code: 'CUST' } });
    expect(await consentStatus(use(), consent)).toBe('Expired');
    await later();
    expect(await readOrder(use(), consent)).toEqual(order);
    expect(await bookedOn(use(), payer)).toBe(booked);
    const told = (await readFeed(use())).events.filter(({ consentId }) => consentId === consent);
    expect(told.map((each) => [each.transactionStatus ?? each.consentStatus, each.statusReason])).toEqual([
      ['Valid', undefined],
      ['ACSP', undefined],
      ['CANC', undefined],
      ['Expired', 'payment-cancelled'],
    ]);
    const steps = await withStore(use(), (db) =>
      db.all(
        'select to_status as "to", reason_code as reason, changed_by as by from payment_order_history where order_id = ? order by position',
        [order.paymentId],
      ),
    );
    expect(steps.at(-1)).toEqual({ to: 'CANC', reason: 'CUST', by: 'tpp' });
  });

  it('that waits for a signature is cancelled; what the day allows is free again', async () => {
    const wanted = {
      psu: 'maria',
      body: {
        debitAccount: { iban: ibanOf('maria', 303) },
        creditAccount: { iban: OTHER_BANK },
        instructedAmount: { currency: 'EUR', amount: 600 },
      },
    };
    for (const turn of [1, 2]) {
      const consent = await approved(use(), wanted);
      await submit(use(), consent, { psu: 'maria' });
      const { transactionStatus } = await readOrder(use(), consent, 'maria');
      expect([turn, transactionStatus]).toEqual([turn, 'PDNG']);
      expect((await cancel(use(), consent, { psu: 'maria' })).status).toBe(204);
    }
  });

  it('that is booked or rejected stays what it is: 409', async () => {
    const booked = await approved(use());
    await carryOut(use(), booked);
    const before = await bookedOn(use(), payer);
    const refused = await cancel(use(), booked);
    expect([refused.status, slugOf(refused), detailOf(refused)]).toEqual([
      409,
      'payment-executed',
      'The payment was carried out.',
    ]);
    expect(await bookedOn(use(), payer)).toBe(before);
    const amount = { instructedAmount: { currency: 'EUR', amount: 14_000 } };
    const rejected = await approved(use(), { body: amount });
    expect(await carryOut(use(), rejected)).toMatchObject({ transactionStatus: 'RJCT' });
    expect(detailOf(await cancel(use(), rejected))).toMatch(/was rejected/);
  });

  it('whose moment has come is settled, whoever looks first', async () => {
    const consent = await approved(use(), abroad);
    await submit(use(), consent);
    await moveBankClock(use(), 'P2D');
    expect(slugOf(await cancel(use(), consent))).toBe('payment-executed');
    expect(await readOrder(use(), consent)).toMatchObject({ transactionStatus: 'ACSC' });
  });

  it('that was not submitted is absent', async () => {
    expect(slugOf(await cancel(use(), await approved(use())))).toBe('resource-not-found');
  });

  it('in another currency says at which rate it is paid, and what the account pays', async () => {
    const dollars: WantedPayment = {
      ...abroad,
      body: { ...abroad.body, instructedAmount: { currency: 'USD', amount: 100 } },
    };
    const consent = await approved(use(), dollars);
    await submit(use(), consent);
    expect(await readOrder(use(), consent)).toMatchObject({
      exchangeRate: 0.9213,
      debitedAmount: { currency: 'EUR', amount: 92.13 },
    });
    await cancel(use(), consent);
    expect(await readOrder(use(), consent)).not.toHaveProperty('debitedAmount');
    const euro = await approved(use());
    await submit(use(), euro);
    expect(await readOrder(use(), euro)).not.toHaveProperty('exchangeRate');
    const own = { psu: 'nikos', accounts: [{ iban: ibanOf('nikos', 201), currency: 'USD' }] };
    const inDollars = await approved(use(), {
      ...own,
      ...dollars,
      body: { ...dollars.body, debitAccount: undefined },
    });
    await submit(use(), inDollars, { psu: 'nikos' });
    expect(await readOrder(use(), inDollars, 'nikos')).not.toHaveProperty('exchangeRate');
  });
});

const racing = racingEngines(
  'two nodes cancel and settle one order at once: PostgreSQL decides by the row, SQLite by the lock of its file',
);

describe.each(racing)('a payment on two nodes with %s', (engine) => {
  const use = useService({ engine, core: 'embedded' });

  it('is cancelled or settled, never both, when two nodes do both at the same moment', async () => {
    const other = await startService({ engine, core: 'embedded', databaseUrl: use().databaseUrl });
    try {
      const consents = await Promise.all(Array.from({ length: 6 }, () => approved(use(), abroad)));
      for (const consent of consents) await submit(use(), consent);
      const answers = await Promise.all(
        consents.flatMap((consent) => [cancel(use(), consent), cancel(other, consent)]),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
      const open = await Promise.all(Array.from({ length: 6 }, () => approved(use(), abroad)));
      for (const consent of open) await submit(use(), consent);
      // The bank's clock goes to the moment of settlement while the cancellations arrive.
      const [, ...raced] = await Promise.all([
        moveBankClock(other, 'P2D').then(() => other.app.runJobs()),
        ...open.map((consent) => cancel(use(), consent)),
      ]);
      for (const [index, consent] of open.entries()) {
        const { transactionStatus, paymentId } = await readOrder(other, consent);
        const isCancelled = raced[index]?.status === 204;
        expect(transactionStatus).toBe(isCancelled ? 'CANC' : 'ACSC');
        const bookings = await withStore(use(), (db) =>
          db.all('select id from demo_transfers where payment_id = ?', [paymentId]),
        );
        expect(bookings.length > 0).toBe(!isCancelled);
      }
    } finally {
      await other.close();
    }
  });
});
