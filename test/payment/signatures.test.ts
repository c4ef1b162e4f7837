/** Payments that others must sign, and payees whose names are checked: in the demo bank, in our store and behind HTTP. */
import { describe, expect, it } from 'vitest';
import { titleOf, Visitor } from '../account-pages/approve-support.js';
import { account, ibanOf, moveBankClock, resetSandbox } from '../support/operations.js';
import { journeyPlaces } from '../support/service.js';
import { useService } from '../support/use-service.js';
import { approved, consentStatus, decide, OTHER_BANK, orderIn, readOrder, stage, submit } from './support.js';

const psu = 'maria';
const body = { debitAccount: undefined, instructedAmount: { currency: 'EUR', amount: 5 } };
const staged = (answer: { json: unknown }): string => (answer.json as { consentId: string }).consentId;

describe.each(journeyPlaces())('on %s, %s', (engine, core) => {
  const use = useService({ engine, core });

  it('a payment stays pending, with the reason, until the others have signed', async () => {
    const id = await approved(use(), { psu, body });
    const first = orderIn(await submit(use(), id, { psu }));
    await use().app.runJobs();
    expect(await readOrder(use(), id, psu)).toMatchObject({
      paymentId: first.paymentId,
      transactionStatus: 'PDNG',
      statusReason: { code: 'DS0A', text: 'Another signature is needed.' },
    });
    expect(await consentStatus(use(), id, psu)).toBe('Valid');
    await moveBankClock(use(), 'PT2M');
    await use().app.runJobs();
    const settled = await readOrder(use(), id, psu);
    expect([settled.transactionStatus, settled.statusReason]).toEqual(['ACSC', undefined]);
    await resetSandbox(use());
  });

  it('a payment that waits for others is not called instant', async () => {
    const named = { ...body, debitAccount: { iban: ibanOf(psu, 303) } };
    const id = staged(await stage(use(), { psu, body: named }));
    const page = await new Visitor(use()).open(id, psu);
    expect(page.text).toContain('πρέπει να υπογράψει ακόμη 1 πρόσωπο');
    expect(page.text).toContain('Θα εκτελεστεί');
    expect(page.text).not.toContain('Άμεση');
  });

  it('an account from which the person may not pay is not offered', async () => {
    const savings = { ...body, debitAccount: { iban: ibanOf('giorgos', 402) } };
    const id = staged(await stage(use(), { psu: 'giorgos', body: savings }));
    expect((await decide(use(), id, 'approve')).status).toBe(409);
    const page = await new Visitor(use()).open(id, 'giorgos');
    expect(page.text).toContain('Δεν έχετε δικαίωμα να πληρώνετε');
    expect(page.text).not.toContain('value="approve"');
  });

  it.each([
    ['Αλεξίου Βασίλης', ibanOf('vasilis', 1101), 'Το όνομα ταιριάζει'],
    ['ΒΑΣΙΛΗΣ ΑΛΕΞΙΟΥ', ibanOf('vasilis', 1101), 'Το όνομα ταιριάζει'],
    ['Βασίλης Αλεξίο', ibanOf('vasilis', 1101), 'Ο λογαριασμός ανήκει σε: Βασίλης Αλεξίου.'],
    ['Πέτρος Μακρής', ibanOf('anna', 901), 'Το όνομα ταιριάζει'],
    ['Μαρία Οικονόμου', ibanOf('vasilis', 1101), 'Το όνομα δεν ταιριάζει με τον λογαριασμό'],
    ['Μαρία Οικονόμου', OTHER_BANK, 'Το όνομα δεν ελέγχθηκε'],
  ])('to %s at %s: %s', async (creditorName, iban, text) => {
    const id = staged(await stage(use(), { body: { creditorName, creditAccount: { iban } } }));
    const page = await new Visitor(use()).open(id);
    expect(titleOf(page)).toMatch(/^Έγκριση πληρωμής/);
    expect(page.text).toContain(text);
    expect(page.text).toContain('Άμεση');
    await decide(use(), id, 'reject');
  });

  it('an account in pounds pays dollars, at its own price', async () => {
    const pounds = account('nikos', 201, 'GBP');
    const id = await approved(use(), {
      product: 'international',
      psu: 'nikos',
      body: {
        debitAccount: { iban: pounds.iban, currency: 'GBP' },
        creditAccount: { iban: 'TR330006100519786457841326' },
        instructedAmount: { currency: 'USD', amount: 10 },
      },
    });
    await submit(use(), id, { psu: 'nikos' });
    await use().app.runJobs();
    expect((await readOrder(use(), id, 'nikos')).transactionStatus).toBe('ACSP');
    const record = await use().call({ path: `/pis/psd2/v1/${id}`, as: { psu: 'nikos' } });
    expect(record.json).toMatchObject({ details: { expenses: { currency: 'GBP', amount: 10.4 } } });
  });
});
