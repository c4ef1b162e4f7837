/** Rules of money and consent that a changed line would break without any other test noticing. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { approveConsent, findAsked, shownHash } from '../../src/consent/decide.js';
import { renewConsent } from '../../src/consent/renewal.js';
import { once } from '../../src/gate/replay.js';
import { RequestIds } from '../../src/gate/request-ids.js';
import type { Call } from '../../src/http/operation.js';
import { runToEnd } from '../../src/jobs/jobs.js';
import { retention } from '../../src/jobs/retention.js';
import { DAY, HOUR } from '../../src/lib/clock.js';
import type { OrderBooks } from '../../src/payment/order-books.js';
import { isPayee } from '../../src/payment/payable.js';
import { submitPayment } from '../../src/payment/submit.js';
import { ABROAD, approved, carryOut, consentStatus, stage, submit } from '../payments/support.js';
import { approve, FINANCE, ibanOf, moveBankClock, psuId, resetSandbox } from '../support/operations.js';
import { engines, type Service } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';

const caller = { clientId: FINANCE, psuId: psuId('eleni') };

const createAccess = async (service: Service, body: object): Promise<string> => {
  const path = '/ais/psd2/v1/consents';
  const answer = await service.call({
    method: 'POST',
    path,
    body: { permissions: ['AccountsBasic'], ...body },
  });
  return (answer.json as { consentId: string }).consentId;
};

describe.each(engines)('rules on %s', (engine) => {
  const use = useService({ engine });

  it('time does not end a payment that was submitted and is still open (P3)', async () => {
    const id = await approved(use(), { product: 'international', body: { creditAccount: { iban: ABROAD } } });
    expect((await submit(use(), id)).json).toMatchObject({ transactionStatus: 'ACSP' });
    await moveBankClock(use(), 'PT25H');
    expect(await consentStatus(use(), id)).toBe('Valid');
    await resetSandbox(use());
  });

  it('a payment whose time passes between the check and the transaction is not submitted (P2b)', async () => {
    const consentId = await approved(use());
    const at = use().clock.now() + 25 * HOUR;
    const books = { enter: () => Promise.reject(new Error('entered')) } as unknown as OrderBooks;
    await withStore(use(), async (db) => {
      const late = db.transaction((tx) => submitPayment(tx, books, { consentId, caller, held: [], at }));
      await expect(late).rejects.toThrow('consent-not-valid');
    });
  });

  it('a one-off access leaves a recurring one alone, and is read once by default (C7, C15)', async () => {
    const recurring = await createAccess(use(), { recurring: true });
    await approve(use(), recurring);
    const oneOff = await createAccess(use(), {});
    await approve(use(), oneOff);
    const read = async (id: string) => (await use().call({ path: `/ais/psd2/v1/consents/${id}` })).json;
    expect(await read(recurring)).toMatchObject({ consentStatus: 'Valid', details: { frequencyPerDay: 4 } });
    expect(await read(oneOff)).toMatchObject({ consentStatus: 'Valid', details: { frequencyPerDay: 1 } });
  });

  it('only what was shown is approved or renewed, also inside the transaction (C8, C14)', async () => {
    const { consentId: id } = (await stage(use())).json as { consentId: string };
    const access = await createAccess(use(), { recurring: true });
    await approve(use(), access);
    await use().call({ method: 'POST', path: `/ais/psd2/v1/consents/${access}/authorisations` });
    const at = use().clock.now();
    await withStore(use(), async (db) => {
      const shown = { psuId: caller.psuId, shownHash: 'of another page', at };
      expect(await approveConsent(db, { id, ...shown, accounts: [] })).toBe('changed');
      expect(await renewConsent(db, { id: access, ...shown })).toBe('changed');
    });
    expect(await consentStatus(use(), id)).toBe('Received');
  });

  it('another exchange rate is another payment (C9)', async () => {
    const body = { creditAccount: { iban: ABROAD }, instructedAmount: { currency: 'USD', amount: 100 } };
    const { consentId } = (await stage(use(), { product: 'international', body })).json as {
      consentId: string;
    };
    const asked = await withStore(use(), (db) => findAsked(db, consentId, caller.psuId));
    if (!asked?.quote) throw new Error('no quote');
    const dearer = { ...asked, quote: { ...asked.quote, rateMicros: asked.quote.rateMicros + 1 } };
    expect(shownHash(dearer)).not.toBe(shownHash(asked));
  });

  it('a write whose caller was told 408 has no effect (R4)', async () => {
    const call = {
      caller,
      requestId: randomUUID(),
      fingerprint: 'f',
      isLate: () => true,
      whenLate: 'processing-timeout',
    } as unknown as Call;
    await withStore(use(), async (db) => {
      const requestIds = new RequestIds(db, use().clock);
      const effect = () => Promise.reject(new Error('an effect'));
      await expect(once({ db, requestIds }, call, effect)).rejects.toThrow('processing-timeout');
    });
  });

  it('a purged payment leaves no history of its order behind (U6)', async () => {
    await carryOut(use(), await approved(use()));
    const count = () =>
      withStore(use(), async (db) =>
        Number((await db.one<{ n: number }>('select count(*) as n from payment_order_history'))?.n),
      );
    expect(await count()).toBeGreaterThan(0);
    const now = use().clock.now() + 3 * 366 * DAY;
    const kept = { retentionConsentYears: 1, retentionRecordMonths: 25, retentionEventDays: 90 };
    await withStore(use(), async (db) => {
      for (const job of retention({ db, bankTime: async () => now, ...kept })) await runToEnd(job);
    });
    expect(await count()).toBe(0);
  });
});

it('another currency of the same number is another payee (A6)', () => {
  const iban = ibanOf('nikos', 201);
  const terms = { currency: 'USD', creditAccount: { iban } } as Parameters<typeof isPayee>[0];
  const account = { iban, bban: null, msisdn: null, status: 'enabled' } as const;
  expect(isPayee(terms, { ...account, currency: 'USD' })).toBe(true);
  expect(isPayee(terms, { ...account, currency: 'EUR' })).toBe(false);
});
