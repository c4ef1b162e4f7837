/** What a payment writes into the books: charges by their bearer, exchanges at the quote, and why an order is rejected. */
import { composeIBAN } from 'ibantools';
import { describe, expect, it } from 'vitest';
import { createDemoBank } from '../../packages/sandbox/src/bank/demo-bank.js';
import type { BankTransaction } from '../../src/bank/history.js';
import { lockEventPosition } from '../../src/events/outbox.js';
import { holding } from '../bank/books.js';
import { done } from '../support/client.js';
import { engines, hasPostgres } from '../support/engines.js';
import { account, FINANCE, ibanOf, moveBankClock, unknownIban } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';
import {
  ABROAD,
  approved,
  bookedOn,
  consentStatus,
  decide,
  leftOn,
  OTHER_BANK,
  orderIn,
  readOrder,
  stage,
  submit,
  sums,
  type WantedPayment,
} from './support.js';

const eleni = account('eleni', 101).id;

/** The entries of a payment on an account, as account information would show them: the charge, if any, comes second. */
const entriesOf = (
  service: Service,
  accountId: string,
  paymentId: string,
): Promise<readonly BankTransaction[]> =>
  withStore(service, async (db) => {
    const bank = createDemoBank(db, { bankTime: async () => service.clock.now(), timeZone: 'Europe/Athens' });
    const query = { accountId, from: '2000-01-01', to: '2999-01-01', after: null, limit: 100 } as const;
    const context = holding(accountId);
    const lists = await Promise.all(
      (['booked', 'pending'] as const).map((status) => bank.transactions({ ...query, status, context })),
    );
    return lists
      .flatMap(({ items }) => items)
      .filter(({ details }) => details.paymentId === paymentId)
      .toSorted((a, b) => Number(a.code?.endsWith('CHRG')) - Number(b.code?.endsWith('CHRG')));
  });

const setStatus = (service: Service, accountId: string, status: string): Promise<number> =>
  withStore(service, (db) => db.run('update demo_accounts set status = ? where id = ?', [status, accountId]));

/** Nothing is booked yet. */
const submitted = async (service: Service, wanted: WantedPayment) => {
  const before = await sums(service);
  const id = await approved(service, wanted);
  const answer = await submit(service, id, wanted.psu === undefined ? {} : { psu: wanted.psu });
  expect(answer.status, answer.text).toBe(201);
  expect(await sums(service)).toEqual(before);
  return { id, ...orderIn(answer) };
};

// The embedded store has one writer at a time.
describe.runIf(hasPostgres)('beside a submission', () => {
  const use = useService({ engine: 'postgres' });

  it('a settlement locks no account before its turn to write events', async () => {
    const { id } = await submitted(use(), { body: { creditAccount: { iban: OTHER_BANK } } });
    await moveBankClock(use(), 'PT11S');
    const isWaiting = `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const settled = await withStore(use(), (db) =>
      db.transaction(async (tx) => {
        await lockEventPosition(tx, FINANCE);
        const reading = readOrder(use(), id);
        while ((await db.one<{ n: number }>(isWaiting))?.n === 0);
        // As a submission does, which has had its turn.
        await tx.all('select id from demo_accounts for update nowait');
        return { reading };
      }),
    );
    expect((await settled.reading).transactionStatus).toBe('ACSC');
  });
});

describe.each(engines)('on %s', (engine) => {
  const use = useService({ engine });
  const pay = (wanted: WantedPayment) => submitted(use(), wanted);

  describe('charges', () => {
    const dollars = { instructedAmount: { currency: 'USD', amount: 100 } };
    it.each([
      ['sha', 'domestic', {}, 1_000 + 30, 1_000],
      ['sha', 'international', dollars, 9_213 + 1_200, 10_000],
      ['our', 'international', dollars, 9_213 + 2_500, 10_000],
      ['ben', 'international', dollars, 9_213, 10_000 - 1_303],
    ] as const)(
      '%s, %s: the payer and the payee each bear theirs',
      async (chargeBearer, product, body, pays, gets) => {
        const payee = product === 'domestic' ? account('kostas', 801) : account('nikos', 201, 'USD');
        const [paid, got] = [await bookedOn(use(), eleni), await bookedOn(use(), payee.id)];
        const creditAccount = { iban: payee.iban, currency: payee.currency };
        await pay({ product, body: { ...body, chargeBearer, creditAccount } });
        expect(await bookedOn(use(), eleni)).toBe(paid - pays);
        expect(await bookedOn(use(), payee.id)).toBe(got + gets);
      },
    );

    it('are entries of their own beside the payment; both name the order, and keep their ids from pending to booked', async () => {
      const { id, paymentId } = await pay({ body: { creditAccount: { iban: OTHER_BANK } } });
      const [payment, fee] = await entriesOf(use(), eleni, paymentId);
      expect(payment).toMatchObject({
        status: 'pending',
        amountMinor: -1_000,
        code: 'PMNT-ICDT-ESCT',
        details: {
          counterpartyName: 'Βασίλης Αλεξίου',
          counterpartyIban: OTHER_BANK,
          endToEndId: 'E2E-1',
          remittanceInformation: 'Τιμολόγιο 7',
        },
      });
      expect(fee).toMatchObject({ status: 'pending', amountMinor: -30, code: 'PMNT-ICDT-CHRG' });
      expect(new Set([payment?.id, fee?.id, paymentId]).size).toBe(3);
      await moveBankClock(use(), 'PT11S');
      expect((await readOrder(use(), id)).transactionStatus).toBe('ACSC');
      const booked = await entriesOf(use(), eleni, paymentId);
      expect(booked.map(({ id: entry, status }) => [entry, status])).toEqual([
        [payment?.id, 'booked'],
        [fee?.id, 'booked'],
      ]);
    });

    it('have two ids and the order on the payer’s side alone, if the payee is a customer too', async () => {
      const payee = account('kostas', 801);
      const { paymentId } = await pay({ body: { creditAccount: { iban: payee.iban }, endToEndId: 'E2E-2' } });
      const [payment] = await entriesOf(use(), eleni, paymentId);
      expect(await entriesOf(use(), payee.id, paymentId)).toEqual([]);
      const received = await withStore(use(), async (db) => {
        const bank = createDemoBank(db, {
          bankTime: async () => use().clock.now(),
          timeZone: 'Europe/Athens',
        });
        const context = holding(payee.id);
        const query = {
          accountId: payee.id,
          from: '2000-01-01',
          to: '2999-01-01',
          after: null,
          context,
        } as const;
        const { items } = await bank.transactions({ ...query, status: 'booked', limit: 1 });
        const [entry] = items;
        expect(await bank.transaction(payee.id, entry?.id ?? '', context)).toEqual(entry);
        expect(await bank.transaction(payee.id, payment?.id ?? '', context)).toBeUndefined();
        expect(await bank.transaction(eleni, entry?.id ?? '', holding(eleni))).toBeUndefined();
        return entry;
      });
      expect(received).toMatchObject({
        amountMinor: 1_000,
        details: { endToEndId: 'E2E-2', paymentId: null },
      });
      expect(new Set([payment?.id, received?.id, paymentId]).size).toBe(3);
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
      const left = await leftOn(use(), eleni);
      const { paymentId } = await pay({ ...dollars, accounts: [ibanOf('eleni', 101)] });
      expect(await leftOn(use(), eleni)).toBe(left - 9_213 - 1_200);
      const [payment] = await entriesOf(use(), eleni, paymentId);
      expect(payment).toMatchObject({
        amountMinor: -9_213,
        code: 'PMNT-ICDT-XBCT',
        details: { exchange: { currency: 'USD', amountMinor: -10_000, rate: 0.9213 } },
      });
    });

    it('is not needed from an account in the currency, which pays its charges at the same rate', async () => {
      const usd = account('nikos', 201, 'USD').id;
      const left = await leftOn(use(), usd);
      await pay({ ...dollars, psu: 'nikos', accounts: [{ iban: ibanOf('nikos', 201), currency: 'USD' }] });
      expect(await leftOn(use(), usd)).toBe(left - 10_000 - 1_303);
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

    it('later, to an account that the bank next door does not have: it is pending until then, and never booked', async () => {
      const iban = composeIBAN({ countryCode: 'GR', bban: '99800010000000000009999' }) ?? '';
      const [booked, left] = [await bookedOn(use(), eleni), await leftOn(use(), eleni)];
      const { id, paymentId, transactionStatus } = await pay({ body: { creditAccount: { iban } } });
      expect(transactionStatus).toBe('ACSP');
      expect((await entriesOf(use(), eleni, paymentId)).map(({ status }) => status)).toEqual([
        'pending',
        'pending',
      ]);
      expect(await leftOn(use(), eleni)).toBe(left - 1_030);
      await moveBankClock(use(), 'PT11S');
      const order = await readOrder(use(), id);
      expect([order.transactionStatus, order.statusReason?.code]).toEqual(['RJCT', 'AC03']);
      expect(await entriesOf(use(), eleni, paymentId)).toEqual([]);
      expect([await bookedOn(use(), eleni), await leftOn(use(), eleni)]).toEqual([booked, left]);
    });

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
      // Approved while there was room for each alone.
      const early = [await approved(use(), wanted(0.02)), await approved(use(), wanted(0.01))] as const;
      expect((await pay(wanted(14_999.99))).transactionStatus).toBe('ACSP');
      const statusOf = async (id: string) => {
        const { transactionStatus, statusReason } = orderIn(await submit(use(), id, { psu: 'vasilis' }));
        return [transactionStatus, statusReason?.code];
      };
      expect(await statusOf(early[0])).toEqual(['RJCT', 'AM14']);
      expect(await statusOf(early[1])).toEqual(['ACSP', undefined]);
      const { consentId } = done(await stage(use(), wanted(0.01))).json as { consentId: string };
      const refused = await decide(use(), consentId, 'approve');
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('At most 0.00 EUR.')]);
      expect(await consentStatus(use(), consentId, 'vasilis')).toBe('Received');
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
