/** The rules of single kinds of consent: terms, superseding, cards, charges, faults, and what time does. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/lib/clock.js';
import { slugOf } from '../support/client.js';
import { engines } from '../support/engines.js';
import { approve } from '../support/operations.js';
import { useService, withStore } from '../support/use-service.js';
import { created, kinds, savings } from './kinds.js';

describe.each(engines)('on %s', (engine) => {
  const use = useService({ engine });

  it('keeps a consent with a last day Valid until the end of that day in Athens', async () => {
    const service = use();
    const today = new Date(service.clock.now() + 10 * DAY);
    const date = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Athens' }).format(today);
    const answer = await service.call({
      method: 'POST',
      path: '/piis/psd2/v1/consents',
      body: { account: { iban: savings }, expirationDate: date },
    });
    const { consentId } = created(answer);
    await approve(service, consentId);
    const row = await withStore(service, (db) =>
      db.one<{ expires_at: number }>('select expires_at from consents where id = ?', [consentId]),
    );
    const parts = new Intl.DateTimeFormat('sv', {
      timeZone: 'Europe/Athens',
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    const ends = row?.expires_at ?? 0;
    expect(parts.format(ends - 1)).toBe(`${date} 23:59:59`);
  });

  it('shortens a far date to the longest term and says so', async () => {
    const answer = await use().call({
      method: 'POST',
      path: '/piis/psd2/v1/consents',
      body: { account: { iban: savings }, expirationDate: '9999-12-31' },
    });
    const { expirationDate, consentId } = created(answer);
    expect(expirationDate).toMatch(/^20\d\d-/);
    const record = await use().call({ path: `/piis/psd2/v1/consents/${consentId}` });
    expect(record.json).toMatchObject({ details: { expirationDate } });
  });

  it('refuses an account access that could never read anything', async () => {
    const ask = (permissions: readonly string[]) =>
      use().call({ method: 'POST', path: '/ais/psd2/v1/consents', body: { permissions } });
    const answer = await ask(['Balances', 'TransactionsDetail', 'Statements']);
    expect([answer.status, slugOf(answer)]).toEqual([400, 'validation-failed']);
    expect(answer.json).toHaveProperty(
      ['errors', 'permissions', 0],
      expect.stringContaining('AccountsBasic'),
    );
    for (const one of ['AccountsBasic', 'AccountsDetail'])
      expect((await ask([one, 'Balances'])).status).toBe(201);
  });

  it('masks the card number, and finds the account by it', async () => {
    const cardNumber = '4111 1111 1111 1111';
    const answer = await use().call({
      method: 'POST',
      path: '/piis/psd2/v1/consents',
      body: { account: { iban: savings }, cardNumber },
    });
    const { consentId } = created(answer);
    await approve(use(), consentId);
    const record = await use().call({ path: `/piis/psd2/v1/consents/${consentId}` });
    expect(record.json).toMatchObject({ details: { cardNumber: '************1111' } });
    const asked = {
      cardNumber: '4111-1111-1111-1111',
      account: {},
      instructedAmount: { currency: 'EUR', amount: 1 },
    };
    expect(
      (await use().call({ method: 'POST', path: '/piis/psd2/v1/funds-confirmations', body: asked })).json,
    ).toEqual({ fundsAvailable: true });
  });

  it('takes the charges from the bank, never from the caller', async () => {
    const { body, create } = kinds[3];
    const { consentId } = created(await use().call({ method: 'POST', path: create, body }));
    expect((await use().call({ path: `/pis/psd2/v1/${consentId}` })).json).toMatchObject({
      details: { expenses: { currency: 'EUR', amount: 25 } },
    });
    const greedy = await use().call({
      method: 'POST',
      path: create,
      body: { ...body, expenses: { currency: 'EUR', amount: 0.01 } },
    });
    expect(greedy.json).toHaveProperty(['errors', 'expenses']);
  });

  it('names every faulty field', async () => {
    const faults = async (path: string, body: object) =>
      Object.keys(
        ((await use().call({ method: 'POST', path, body })).json as { errors: object }).errors,
      ).sort();
    expect(
      await faults('/piis/psd2/v1/consents', {
        account: {},
        cardInformation: 'x'.repeat(141),
        expirationDate: '2030-02-30',
      }),
    ).toEqual(['account', 'cardInformation', 'expirationDate']);
    expect(
      await faults('/piis/psd2/v1/consents', { account: { iban: savings }, expirationDate: '2020-01-01' }),
    ).toEqual(['expirationDate']);
    expect(
      await faults('/ais/psd2/v1/consents', {
        permissions: ['Everything'],
        frequencyPerDay: 1441,
        recurring: 'yes',
      }),
    ).toEqual(['frequencyPerDay', 'permissions.0', 'recurring']);
    expect(
      await faults('/pis/psd2/v1/transfers/domestic', {
        endToEndId: 'x'.repeat(36),
        instructedAmount: { currency: 'EUR', amount: 0 },
      }),
    ).toEqual(['creditAccount', 'creditorName', 'endToEndId', 'instructedAmount.amount']);
  });

  it('writes down by a job what time has done, on the history too', async () => {
    const service = use();
    const { consentId } = created(
      await service.call({ method: 'POST', path: kinds[1].create, body: kinds[1].body }),
    );
    service.clock.advance(DAY);
    await service.app.runJobs();
    const rows = await withStore(service, (db) =>
      db.all(
        'select from_status, to_status, changed_by from consent_history where consent_id = ? order by position',
        [consentId],
      ),
    );
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { from_status: null, to_status: 'Received', changed_by: 'tpp' },
      { from_status: 'Received', to_status: 'Rejected', changed_by: 'time' },
    ]);
  });
});
