/** The core simulator: it answers as the contract says, carries out each payment once, and refuses what does not fit. */

import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { simulatorMigrations } from '../../../packages/core-kit/src/simulator/migrations.js';
import { seedSimulator } from '../../../packages/core-kit/src/simulator/seed.js';
import { demoPsus } from '../../../packages/sandbox/src/bank/people.js';
import { DAY } from '../../../src/lib/clock.js';
import { newId } from '../../../src/lib/id.js';
import { instantText } from '../../../src/lib/instant.js';
import { migrate } from '../../../src/store/migrate.js';
import { openDb } from '../../../src/store/open.js';
import { faultsIn } from '../../bank/books.js';
import { createDatabase } from '../../support/database.js';
import { bothEngines } from '../../support/engines.js';
import { executionsOf, pay, payer, paymentOf, send, useSimulators } from './use-simulator.js';

const [eleni] = demoPsus;
const engines = bothEngines(
  'one payment is told many times at once: PostgreSQL decides by the key of its row, SQLite by its one writer',
);

describe.each(engines)('payments on %s', (engine) => {
  const use = useSimulators(engine);

  it('are carried out once for each id, by however many requests at the same moment, for ever', async () => {
    const { url } = await use().start();
    const payments = Array.from({ length: 5 }, () => paymentOf());
    const sent = await Promise.all(
      payments.flatMap((each) => Array.from({ length: 8 }, () => pay(url, each))),
    );
    expect(new Set(sent.map(({ status, json }) => `${status} ${json.status}`))).toEqual(
      new Set(['200 ACSC']),
    );
    for (const { paymentId } of payments) expect(await executionsOf(url, paymentId)).toBe(1);
    use().clock.advance(400 * DAY);
    const [first] = payments;
    expect((await pay(url, first ?? paymentOf())).json).toMatchObject({ status: 'ACSC' });
    use().clock.advance(-400 * DAY);
    expect(await executionsOf(url, first?.paymentId ?? '')).toBe(1);
    expect(await faultsIn(use().db)).toEqual([]);
    expect(use().told).toEqual([]);
  });

  it('are refused under an id that another payment has, and rejected ones stay rejected', async () => {
    const { url } = await use().start();
    const good = paymentOf();
    await pay(url, good);
    const other = { ...good, amount: { currency: 'EUR', amount: '2.00' } };
    expect((await pay(url, other)).status).toBe(409);
    const spelt = Object.fromEntries(Object.entries(good).toReversed()) as typeof good;
    expect((await pay(url, spelt)).json).toMatchObject({ status: 'ACSC' });
    const large = paymentOf({ amount: { currency: 'EUR', amount: '14000.00' } });
    const rejected = { status: 'RJCT', reason: { code: 'AM04' }, lookAgainAt: null };
    expect((await pay(url, large)).json).toMatchObject(rejected);
    expect((await pay(url, large)).json).toMatchObject(rejected);
    expect((await send(url, 'GET', `/payments/${large.paymentId}`)).json).toMatchObject(rejected);
    expect(await executionsOf(url, large.paymentId)).toBe(0);
    expect((await send(url, 'GET', `/payments/${newId()}`)).status).toBe(404);
  });

  it('that leave the bank settle in bank time, which a request may bring', async () => {
    const { url, simulator } = await use().start();
    const payment = paymentOf({ creditAccount: { iban: 'DE89370400440532013000' } });
    const { json } = await pay(url, payment);
    expect(json).toMatchObject({ status: 'ACSP', lookAgainAt: expect.stringMatching(/Z$/) });
    const later = { 'Sandbox-Time': instantText(use().clock.now() + DAY) };
    const path = `/payments/${payment.paymentId}`;
    expect((await send(url, 'GET', path)).json).toMatchObject({ status: 'ACSP' });
    expect((await send(url, 'GET', path, undefined, later)).json).toMatchObject({
      status: 'ACSC',
      lookAgainAt: null,
    });
    expect((await send(url, 'GET', path, undefined, { 'Sandbox-Time': 'noon' })).status).toBe(400);
    await simulator.close();
    const { url: again } = await use().start();
    expect((await send(again, 'GET', path)).json).toMatchObject({ status: 'ACSP' });
  });

  it('start anew after a reset, as do the accounts', async () => {
    const { url } = await use().start();
    const payment = paymentOf();
    await pay(url, payment);
    expect((await send(url, 'POST', '/simulator/reset')).status).toBe(200);
    expect((await send(url, 'GET', '/simulator/payments')).json).toEqual({ payments: [] });
    const { json } = await send(url, 'GET', `/account-holders/${eleni?.id}/accounts`);
    expect((json.accounts as { balance: string }[])[0]?.balance).toBe('2330.25');
  });
});

describe('the simulator', () => {
  const use = useSimulators('sqlite');

  it('lists the codes that it has sent, with amount and payee, to who has its token', async () => {
    const { url } = await use().start({ token: 'the-token' });
    const headers = { Authorization: 'Bearer the-token' };
    const payment = { amount: '1.00 EUR', payee: 'Κώστας Ιωάννου', account: 'GR1601101250000000012300695' };
    const path = `/account-holders/${eleni?.id}/challenges`;
    const begun = await send(url, 'POST', path, { shownHash: 'a'.repeat(43), payment }, headers);
    expect(begun.status).toBe(200);
    const { codes } = (await send(url, 'GET', '/simulator/codes', undefined, headers)).json;
    expect(codes).toMatchObject([
      { psuId: eleni?.id, challengeId: begun.json.challengeId, code: begun.json.demoCode, payment },
    ]);
    expect((await send(url, 'GET', '/simulator/codes')).status).toBe(401);
  });

  it.each([
    ['an unknown payer', { payerAccountId: 'nobody' }, 'AC02'],
    ['a transfer that the bank does not carry out', { amount: { currency: 'USD', amount: '1.00' } }, 'NARR'],
    [
      'an account without the currency',
      { product: 'international', amount: { currency: 'USD', amount: '1.00' } },
      'AM03',
    ],
    ['a charge in a foreign currency', { charge: { currency: 'USD', amount: '1.00' } }, 'AM03'],
    ['more than numbers can hold', { amount: { currency: 'EUR', amount: '999999999999999.99' } }, 'AM02'],
    [
      'a payee of this bank that does not exist',
      { creditAccount: { bban: '99900010000000000009999' } },
      'AC03',
    ],
  ])('rejects a payment with %s', async (_what, more, code) => {
    const { url } = await use().start();
    expect((await pay(url, paymentOf(more))).json).toMatchObject({ status: 'RJCT', reason: { code } });
  });

  it('quotes what an account in another currency pays, and books at that quote', async () => {
    const { url } = await use().start();
    const wish = {
      product: 'international',
      bearer: 'sha',
      creditAccount: { iban: 'GB29NWBK60161331926819' },
    };
    const amount = { currency: 'USD', amount: '10.00' };
    const { json } = await send(url, 'POST', '/transfer-terms', { ...wish, amount });
    expect(json).toMatchObject({ faults: [], charge: { currency: 'EUR', amount: '12.00' } });
    expect(json.quote).toMatchObject({ rate: '0.9213', pay: { currency: 'EUR', amount: '9.21' } });
    const { quote, charge } = json;
    const payment = paymentOf({ ...wish, amount, quote, charge });
    expect((await pay(url, payment)).json).toMatchObject({ status: 'ACSP' });
    const path = `/accounts/${payer.id}/transactions?from=2000-01-01&to=2999-01-01&status=pending&limit=100`;
    const { transactions } = (await send(url, 'GET', path)).json as { transactions: object[] };
    expect(transactions).toContainEqual(
      expect.objectContaining({
        paymentId: payment.paymentId,
        amount: '-9.21',
        exchange: { currency: 'USD', amount: '-10.00', rate: 0.9213 },
      }),
    );
  });

  it('has a paper of its own for the statements of one account, which PDF readers open', async () => {
    const { url } = await use().start();
    const papersOf = async (accountId: string) => {
      const base = `/accounts/${accountId}/statements`;
      const { json } = await send(url, 'GET', `${base}?from=2000-01-01&to=2999-01-01`);
      const [newest] = json.statements as { id: string; from: string; to: string }[];
      const headers = { 'PSU-ID': eleni?.id ?? '' };
      return { newest, answer: await fetch(`${url}${base}/${newest?.id}/document`, { headers }) };
    };
    const { newest, answer } = await papersOf(payer.id);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    const pdf = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()));
    const { text } = await extractText(pdf, { mergePages: true });
    expect(text).toContain(`${newest?.from} to ${newest?.to}`);
    expect((await papersOf(eleni?.accounts[1]?.id ?? '')).answer.status).toBe(404);
  });

  it.each([
    ['GET', '/nowhere', undefined, 404],
    ['POST', '/health', undefined, 405],
    ['GET', '//', undefined, 400],
    ['GET', '/account-holders/%ff/accounts', undefined, 400],
    ['GET', '/account-holders/a%20b/accounts', undefined, 400],
    [
      'GET',
      `/accounts/${payer.id}/transactions?from=2026-01-01&to=2026-01-02&status=booked&limit=ten`,
      undefined,
      400,
    ],
    ['GET', `/accounts/${payer.id}/statements?from=2026-01-01&to=2026-01-02&more=1`, undefined, 400],
    ['POST', `/accounts/${payer.id}/funds`, '{', 400],
    ['POST', `/accounts/${payer.id}/funds`, { currency: 'EUR', amount: '0' }, 400],
    ['POST', `/accounts/${payer.id}/funds`, { currency: 'EUR', amount: '0.001' }, 400],
    ['POST', `/accounts/${payer.id}/funds`, { currency: 'USD', amount: '1.00' }, 400],
    ['POST', `/accounts/${newId()}/funds`, { currency: 'EUR', amount: '1.00' }, 404],
    ['PUT', '/payments/one', paymentOf(), 400],
    ['PUT', '/simulator/faults', [{ kind: 'flood' }], 400],
    ['GET', '/simulator/nowhere', undefined, 404],
  ] as const)('refuses %s %s %j with %d and a reason in words', async (method, path, body, status) => {
    const { url } = await use().start();
    const sent = await send(url, method, path, body);
    expect(sent.status).toBe(status);
    expect(sent.json).toEqual({ error: expect.stringMatching(/\w{3}/) });
    expect(use().told).toEqual([]);
  });

  it('lets Trapeza keep a word with a consent, and gets it back', async () => {
    const { url } = await use().start();
    const ask = (headers: Record<string, string>) =>
      send(url, 'GET', `/accounts/${payer.id}/balances`, undefined, headers);
    expect((await ask({})).headers.get('bank-consent-data')).toBeNull();
    const first = (await ask({ 'Consent-ID': 'c' })).headers.get('bank-consent-data');
    expect(first).toBe('seen=1');
    const second = await ask({ 'Consent-ID': 'c', 'Bank-Consent-Data': first ?? '' });
    expect(second.headers.get('bank-consent-data')).toBe('seen=2');
  });

  it('demands its token for everything, controls included', async () => {
    const { url } = await use().start({ token: 'right' });
    for (const path of ['/health', '/simulator/payments', '/nowhere']) {
      expect((await send(url, 'GET', path)).status).toBe(401);
      expect((await send(url, 'GET', path, undefined, { Authorization: 'Bearer wrong' })).status).toBe(401);
    }
    expect((await send(url, 'GET', '/health', undefined, { Authorization: 'Bearer right' })).status).toBe(
      200,
    );
  });

  it('needs a store of its own, and seeds it once', async () => {
    const database = await createDatabase('sqlite');
    const db = await openDb(database.url);
    await migrate(db, 1, simulatorMigrations);
    const options = { today: '2026-05-15', timeZone: 'Europe/Athens', months: 0 };
    await db.run(`insert into settings (name, value) values ('extension', 'sandbox')`);
    await expect(seedSimulator(db, options)).rejects.toThrow(/a store of its own/);
    await db.run(`delete from settings`);
    await Promise.all([seedSimulator(db, options), seedSimulator(db, options)]);
    expect(await db.one('select count(*) as n from demo_psus')).toEqual({ n: demoPsus.length });
    await db.close();
    await database.drop();
  });
});
