/** An account holder cancels a payment that was submitted and has not left: cancelled or paid, never both, and the third party learns it. */
import { describe, expect, test } from 'vitest';
import { readFeed } from '../../events/support.js';
import {
  ABROAD,
  approved,
  bookedOn,
  carryOut,
  consentStatus,
  leftOn,
  readOrder,
  submit,
  type WantedPayment,
} from '../../payment/support.js';
import { engines } from '../../support/engines.js';
import { account, moveBankClock } from '../../support/operations.js';
import { startService } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import { htmlFaults } from '../../web/html.js';
import { forgetCodes, hiddenFields, titleOf } from '../approve-support.js';
import { DASHBOARD, type DashboardVisitor, enter } from './support.js';

/** Settled a day later. */
const abroad: WantedPayment = { product: 'international', body: { creditAccount: { iban: ABROAD } } };
const pathOf = (id: string, step = '') => `${DASHBOARD}/permissions/${id}${step}`;

const cancel = async (visitor: DashboardVisitor, id: string) => {
  const page = await visitor.get(pathOf(id, '/cancel'));
  return visitor.post(pathOf(id, '/cancel'), hiddenFields(page.text));
};

describe.each(engines)('a payment on %s', (engine) => {
  const use = useService({ engine, core: 'embedded' });
  const payer = account('eleni', 101).id;

  test('that has not left is cancelled after a question, and the third party learns it', async () => {
    const consent = await approved(use(), abroad);
    const [left, booked] = [await leftOn(use(), payer), await bookedOn(use(), payer)];
    await submit(use(), consent);
    const visitor = await enter(use());
    expect((await visitor.get(pathOf(consent))).text).toContain(`href="${pathOf(consent, '/cancel')}"`);
    const question = await visitor.get(pathOf(consent, '/cancel'));
    expect(titleOf(question)).toMatch(/^Να ακυρωθεί η πληρωμή 10,00.€ προς Βασίλης Αλεξίου;$/);
    expect(htmlFaults(question.text)).toEqual([]);
    expect((await visitor.post(pathOf(consent, '/cancel'), {})).status).toBe(403);
    expect(await readOrder(use(), consent)).toMatchObject({ transactionStatus: 'ACSP' });
    const stranger = await enter(use(), 'nikos');
    expect((await cancel(stranger, consent)).status).toBe(404);
    for (const _again of [1, 2]) {
      const done = await visitor.post(pathOf(consent, '/cancel'), hiddenFields(question.text));
      expect((await visitor.get(done.headers.location ?? '')).text).toContain('Ακυρώσατε την πληρωμή');
    }
    expect(await readOrder(use(), consent)).toMatchObject({
      transactionStatus: 'CANC',
      statusReason: { code: 'CUST', text: 'Cancelled by the account holder.' },
    });
    expect([await leftOn(use(), payer), await consentStatus(use(), consent)]).toEqual([left, 'Expired']);
    await moveBankClock(use(), 'P3D');
    await use().app.runJobs();
    expect(await bookedOn(use(), payer)).toBe(booked);
    const told = (await readFeed(use())).events.filter(({ consentId }) => consentId === consent);
    expect(told.map((each) => each.transactionStatus ?? each.statusReason).slice(-2)).toEqual([
      'CANC',
      'payment-cancelled',
    ]);
  });

  test('that is paid stays paid: 409, and the page says so', async () => {
    await forgetCodes(use());
    const visitor = await enter(use());
    const booked = await approved(use());
    await carryOut(use(), booked);
    expect((await visitor.get(pathOf(booked))).text).not.toContain('/cancel"');
    const late = await approved(use(), abroad);
    await submit(use(), late);
    const question = await visitor.get(pathOf(late, '/cancel'));
    await moveBankClock(use(), 'P2D');
    const answer = await visitor.post(pathOf(late, '/cancel'), hiddenFields(question.text));
    expect([answer.status, answer.text.includes('Η πληρωμή δεν ακυρώθηκε')]).toEqual([409, true]);
    expect(htmlFaults(answer.text)).toEqual([]);
    expect(await readOrder(use(), late)).toMatchObject({ transactionStatus: 'ACSC' });
    const unsent = await approved(use());
    expect((await visitor.get(pathOf(unsent, '/cancel'))).status).toBe(404);
  });

  test('is cancelled or paid, never both, if both happen at the same moment on two nodes', async () => {
    await forgetCodes(use());
    const other = await startService({ engine, core: 'embedded', databaseUrl: use().databaseUrl });
    try {
      const visitor = await enter(use());
      const open = await Promise.all(Array.from({ length: 6 }, () => approved(use(), abroad)));
      for (const consent of open) await submit(use(), consent);
      const forms = await Promise.all(open.map((consent) => visitor.get(pathOf(consent, '/cancel'))));
      const [, ...raced] = await Promise.all([
        moveBankClock(other, 'P2D').then(() => other.app.runJobs()),
        ...open.map((consent, index) =>
          visitor.post(pathOf(consent, '/cancel'), hiddenFields(forms[index]?.text ?? '')),
        ),
      ]);
      for (const [index, consent] of open.entries()) {
        const { transactionStatus, paymentId } = await readOrder(other, consent);
        const isCancelled = raced[index]?.status === 303;
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
