/** Rules of money and consent that a changed line would break without any other test noticing. */

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findAsked, shownHash } from '../../src/consent/asked.js';
import { approveConsent, renewConsent } from '../../src/consent/decide.js';
import { moveConsent } from '../../src/consent/move.js';
import { once, RequestIds } from '../../src/gate/request-ids.js';
import type { Call } from '../../src/http/operation.js';
import { runToEnd } from '../../src/jobs/jobs.js';
import { retention } from '../../src/jobs/retention.js';
import { DAY, HOUR } from '../../src/lib/clock.js';
import { Vault } from '../../src/lib/vault.js';
import type { OrderBooks } from '../../src/payment/order-books.js';
import { isPayee, payableIn, payerFault } from '../../src/payment/payable.js';
import { payerOf } from '../../src/payment/staged.js';
import { submitPayment } from '../../src/payment/submit.js';
import { ABROAD, approved, carryOut, consentStatus, OTHER_BANK, stage, submit } from '../payment/support.js';
import { engines } from '../support/engines.js';
import { approve, FINANCE, ibanOf, moveBankClock, psuId, resetSandbox } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { testSecret } from '../support/service.js';
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

  it('a payment whose time passes between the check and the transaction is not submitted (P2b), nor one twice (P1)', async () => {
    const consentId = await approved(use(), { body: { creditAccount: { iban: OTHER_BANK } } });
    const at = use().clock.now() + 25 * HOUR;
    const books = { enter: () => Promise.reject(new Error('entered')) } as unknown as OrderBooks;
    const requester = { clientId: caller.clientId, psuHeaders: {} };
    const asking = { consentId, caller, held: [], orderHref: '/order', requester };
    await withStore(use(), async (db) => {
      const late = db.transaction((tx) => submitPayment(tx, books, { ...asking, at }));
      await expect(late).rejects.toThrow('consent-not-valid');
      await submit(use(), consentId);
      const now = use().clock.now();
      const again = db.transaction((tx) => submitPayment(tx, books, { ...asking, at: now }));
      await expect(again).rejects.toThrow('payment-already-submitted');
    });
  });

  it('of two decisions at once one counts: a move from a status that is over changes nothing', async () => {
    const { consentId: id } = (await stage(use())).json as { consentId: string };
    const { psuId: holder } = caller;
    const at = use().clock.now();
    await withStore(use(), async (db) => {
      const move = (to: 'Valid' | 'Rejected') =>
        db.transaction((tx) =>
          moveConsent(tx, { id, psuId: holder, from: 'Received', to, by: 'psu', reason: 'withdrawn', at }),
        );
      expect([await move('Rejected'), await move('Valid')]).toEqual([true, false]);
    });
    expect(await consentStatus(use(), id)).toBe('Rejected');
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

  it('only what was shown is approved or renewed, of a third party that is active, also inside the transaction (C8, C14)', async () => {
    const { consentId: id } = (await stage(use())).json as { consentId: string };
    const access = await createAccess(use(), { recurring: true });
    await approve(use(), access);
    await use().call({ method: 'POST', path: `/ais/psd2/v1/consents/${access}/authorisations` });
    const at = use().clock.now();
    await withStore(use(), async (db) => {
      const shown = { psuId: caller.psuId, shownHash: 'of another page', at, regime: 'psd2' } as const;
      const vault = new Vault(testSecret);
      expect(await approveConsent(db, { id, ...shown, vault, accounts: [] })).toBe('changed');
      expect(await renewConsent(db, { id: access, ...shown })).toBe('changed');
      const [asked, other] = [
        await findAsked(db, id, caller.psuId),
        await findAsked(db, access, caller.psuId),
      ];
      if (!asked || !other) throw new Error('the consents are gone');
      const suspend = (status: string) =>
        db.run('update applications set status = ? where client_id = ?', [status, FINANCE]);
      await suspend('suspended');
      const hashes = [shownHash(asked), shownHash(other)] as const;
      const approval = { id, ...shown, shownHash: hashes[0], vault, accounts: [] };
      expect(await approveConsent(db, approval)).toBe('changed');
      expect(await renewConsent(db, { id: access, ...shown, shownHash: hashes[1] })).toBe('changed');
      await suspend('active');
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

  it('a write whose caller was told 408 has no effect (R4), and one of another content under its id neither (R6)', async () => {
    const requestId = randomUUID();
    const call = (fingerprint: string, isLate: boolean) =>
      ({
        caller,
        requestId,
        fingerprint,
        isLate: () => isLate,
        breakOff: () => undefined,
        whenLate: 'processing-timeout',
      }) as unknown as Call;
    await withStore(use(), async (db) => {
      const parts = { db, requestIds: new RequestIds(db, use().clock) };
      const none = () => Promise.reject(new Error('an effect'));
      await expect(once(parts, call('f', true), none)).rejects.toThrow('processing-timeout');
      const first = { status: 201, body: { made: 1 } };
      await once(parts, call('f', false), async () => first);
      expect(await once(parts, call('f', false), none)).toEqual(first);
      await expect(once(parts, call('other', false), none)).rejects.toThrow('request-id-conflict');
    });
  });

  it('a purged payment leaves no history of its order behind (U6)', async () => {
    await resetSandbox(use());
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

it('a quote is for one currency: an account in a third one cannot pay (A7)', () => {
  const pay = { payCurrency: 'EUR', payMinor: 9_200, chargeMinor: 50, rateMicros: 920_000 };
  const quote = { currency: 'USD', amountMinor: 10_000, ...pay };
  const terms = { currency: 'USD', amountMinor: 10_000, charge: { currency: 'EUR', amountMinor: 46 } };
  const payable = (currency: string) => payableIn({ ...terms, creditAccount: {}, quote }, currency);
  expect(payable('EUR')).toEqual({ currency: 'EUR', amountMinor: 9_200, chargeMinor: 46 });
  expect(payable('USD')).toEqual({ currency: 'USD', amountMinor: 10_000, chargeMinor: 50 });
  expect(payable('GBP')).toBeUndefined();
});

it('an account that is blocked or closed cannot pay, and none but an approved one does (N3, P10)', () => {
  const terms = { currency: 'EUR', amountMinor: 100, charge: { currency: 'EUR', amountMinor: 0 } };
  const asked = { ...terms, creditAccount: { iban: ABROAD }, quote: null };
  const account = { id: 'a', iban: ibanOf('eleni', 101), bban: null, msisdn: null, currency: 'EUR' };
  const faults = (['enabled', 'blocked', 'closed'] as const).map((status) =>
    payerFault(asked, { ...account, status }),
  );
  expect(faults).toEqual([undefined, 'blocked', 'closed']);
  const staged = { consent: { accounts: [{ accountId: 'b' }] }, details: {}, terms: asked };
  const held = [account, { ...account, id: 'b' }] as unknown as Parameters<typeof payerOf>[1];
  expect(payerOf(staged as unknown as Parameters<typeof payerOf>[0], held)?.id).toBe('b');
});
