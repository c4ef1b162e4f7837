/** What a payment writes into the books: charges by their bearer, exchanges at the quote, and why an order is rejected. */
import { describe, expect, it } from 'vitest';
import { createDemoBank } from '../../packages/sandbox/src/bank/demo-bank.js';
import type { BankTransaction } from '../../src/bank/history.js';
import { holding } from '../bank/books.js';
import { account, ibanOf, unknownIban } from '../support/operations.js';
import { engines, type Service } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';
import {
  ABROAD,
  approved,
  bookedOn,
  consentStatus,
  OTHER_BANK,
  orderIn,
  submit,
  sums,
  type WantedPayment,
} from './support.js';

const eleni = account('eleni', 101).id;

/** The newest booked transactions of an account, as account information would show them. */
const newest = (service: Service, accountId: string, limit: number): Promise<readonly BankTransaction[]> =>
  withStore(service, async (db) => {
    const bank = createDemoBank(db, { bankTime: async () => service.clock.now(), timeZone: 'Europe/Athens' });
    const query = { accountId, from: '2000-01-01', to: '2999-01-01', status: 'booked', after: null } as const;
    return (await bank.transactions({ ...query, limit, context: holding(accountId) })).items;
  });

const setStatus = (service: Service, accountId: string, status: string): Promise<number> =>
  withStore(service, (db) => db.run('update demo_accounts set status = ? where id = ?', [status, accountId]));

describe.each(engines)('on %s', (engine) => {
  const use = useService({ engine });
  const pay = async (wanted: WantedPayment) => {
    const before = await sums(use());
    const id = await approved(use(), wanted);
    const answer = await submit(use(), id, wanted.psu === undefined ? {} : { psu: wanted.psu });
    expect(answer.status, answer.text).toBe(201);
    expect(await sums(use())).toEqual(before);
    return { id, ...orderIn(answer) };
  };

  describe('charges', () => {
    it.each([
      ['sha', 'domestic', 30, 1_000],
      ['our', 'domestic', 60, 1_000],
      ['ben', 'domestic', 0, 970],
    ] as const)(
      '%s, %s: the payer bears %d, the payee gets %d',
      async (chargeBearer, product, charge, gets) => {
        const payee = account('kostas', 801);
        const [paid, got] = [await bookedOn(use(), eleni), await bookedOn(use(), payee.id)];
        await pay({ product, body: { chargeBearer, creditAccount: { iban: payee.iban } } });
        expect(await bookedOn(use(), eleni)).toBe(paid - 1_000 - charge);
        expect(await bookedOn(use(), payee.id)).toBe(got + gets);
      },
    );

    it('are entries of their own beside the payment, which carries the id of its order', async () => {
      const { paymentId } = await pay({ body: { creditAccount: { iban: OTHER_BANK } } });
      const [fee, payment] = await newest(use(), eleni, 2);
      expect(payment).toMatchObject({
        id: paymentId,
        amountMinor: -1_000,
        code: 'PMNT-ICDT-ESCT',
        details: {
          counterpartyName: 'Βασίλης Αλεξίου',
          counterpartyIban: OTHER_BANK,
          endToEndId: 'E2E-1',
          remittanceInformation: 'Τιμολόγιο 7',
        },
      });
      expect(fee).toMatchObject({ amountMinor: -30, code: 'PMNT-ICDT-CHRG' });
    });
  });

  describe('an exchange', () => {
    const dollars = {
      product: 'international',
      body: {
        debitAccount: undefined,
        creditAccount: { iban: ABROAD },
        instructedAmount: { currency: 'USD', amount: 100 },
      },
    } as const;

    it('takes exactly what was quoted, and the transaction shows amount and rate', async () => {
      const paid = await bookedOn(use(), eleni);
      const { paymentId } = await pay({ ...dollars, accounts: [ibanOf('eleni', 101)] });
      expect(await bookedOn(use(), eleni)).toBe(paid - 9_213 - 1_200);
      const [, payment] = await newest(use(), eleni, 2);
      expect(payment).toMatchObject({
        id: paymentId,
        amountMinor: -9_213,
        code: 'PMNT-ICDT-XBCT',
        details: { exchange: { currency: 'USD', amountMinor: 10_000, rate: 0.9213 } },
      });
    });

    it('is not needed from an account in the currency, which pays its charges at the same rate', async () => {
      const usd = account('nikos', 201, 'USD').id;
      const paid = await bookedOn(use(), usd);
      await pay({ ...dollars, psu: 'nikos', accounts: [{ iban: ibanOf('nikos', 201), currency: 'USD' }] });
      expect(await bookedOn(use(), usd)).toBe(paid - 10_000 - 1_303);
    });

    it('reaches an account of the bank in its own currency', async () => {
      const usd = account('nikos', 201, 'USD').id;
      const got = await bookedOn(use(), usd);
      const body = { ...dollars.body, creditAccount: { iban: ibanOf('nikos', 201) } };
      const { transactionStatus } = await pay({ ...dollars, body, accounts: [ibanOf('eleni', 101)] });
      expect(transactionStatus).toBe('ACSC');
      expect(await bookedOn(use(), usd)).toBe(got + 10_000);
    });
  });

  describe('an order is rejected, books nothing and ends its consent', () => {
    const rejected = async (wanted: WantedPayment, code: string, payer = eleni): Promise<void> => {
      const had = await bookedOn(use(), payer);
      const { id, transactionStatus, statusReason } = await pay(wanted);
      expect([transactionStatus, statusReason?.code]).toEqual(['RJCT', code]);
      expect(await bookedOn(use(), payer)).toBe(had);
      expect(await consentStatus(use(), id, wanted.psu)).toBe('Expired');
    };

    it.each([
      ['to an account of the bank that is closed', ibanOf('dimitris', 602), 'AC04'],
      ['to an account of the bank that is blocked', ibanOf('ioanna', 1001), 'AC06'],
      ['to an account that the bank does not have', unknownIban, 'AC03'],
      ['to an account that does not have the currency', ibanOf('maria', 301), 'AM03'],
    ])('%s', (_what, iban, code) => rejected({ body: { creditAccount: { iban } } }, code));

    it('without the funds for the amount and the charges together', async () => {
      const giorgos = account('giorgos', 401);
      const body = {
        debitAccount: { iban: giorgos.iban },
        instructedAmount: { currency: 'EUR', amount: 0.01 },
      };
      await rejected({ psu: 'giorgos', body }, 'AM04', giorgos.id);
    });

    it('above what an account can pay in a day, to the cent and over several orders', async () => {
      const vasilis = account('vasilis', 1101);
      const wanted = (amount: number): WantedPayment => ({
        psu: 'vasilis',
        body: {
          debitAccount: { iban: vasilis.iban },
          creditAccount: { iban: OTHER_BANK },
          instructedAmount: { currency: 'EUR', amount },
        },
      });
      expect((await pay(wanted(14_999.99))).transactionStatus).toBe('ACSP');
      await rejected(wanted(0.02), 'AM14', vasilis.id);
      expect((await pay(wanted(0.01))).transactionStatus).toBe('ACSP');
      await rejected(wanted(0.01), 'AM14', vasilis.id);
    });

    it.each([
      ['blocked', 'AC06'],
      ['closed', 'AC04'],
    ])('from an account that was %s after the approval', async (status, code) => {
      const kostas = account('kostas', 801);
      const id = await approved(use(), { psu: 'kostas', body: { debitAccount: { iban: kostas.iban } } });
      await setStatus(use(), kostas.id, status);
      const answer = await submit(use(), id, { psu: 'kostas' });
      await setStatus(use(), kostas.id, 'enabled');
      expect(orderIn(answer)).toMatchObject({ transactionStatus: 'RJCT', statusReason: { code } });
    });
  });
});
