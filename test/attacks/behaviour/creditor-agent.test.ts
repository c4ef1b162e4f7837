/** International payments to an account without IBAN: its number means nothing without the payee's bank and country. */
import { describe, expect, it } from 'vitest';
import { Visitor } from '../../account-pages/approve-support.js';
import { enter } from '../../account-pages/dashboard/support.js';
import { discover, startAuthorization } from '../../oauth/provider-journey.js';
import { approved, stage, submit } from '../../payment/support.js';
import { type Answer, send, slugOf } from '../../support/client.js';
import { engines } from '../../support/engines.js';
import { useService, withStore } from '../../support/use-service.js';

const account = { bban: '026009593123456789' };
const agent = { bic: 'bofaus3n', name: 'Bank of America', country: 'US' };
const dollars = { currency: 'USD', amount: 25 };
const body = { debitAccount: undefined, creditAccount: account, instructedAmount: dollars };
const errorsOf = (answer: Answer): unknown => (answer.json as { errors?: unknown }).errors;
const needed = 'is required if creditAccount has no iban: send the bic or name of the bank, and its country';

describe.each(engines)('the bank of the payee on %s', (engine) => {
  const use = useService({ engine });
  const international = (more: object): Promise<Answer> =>
    stage(use(), { product: 'international', body: { ...body, ...more } });

  it('mission 3: an account without IBAN needs it', async () => {
    for (const creditAccount of [account, { msisdn: '+12025550123' }, { iban: null, bban: '1' }]) {
      const answer = await international({ creditAccount });
      expect([answer.status, slugOf(answer), errorsOf(answer)]).toEqual([
        400,
        'validation-failed',
        { creditorAgent: [needed] },
      ]);
    }
    expect((await international({ creditorAgent: agent })).status).toBe(201);
    expect((await international({ creditorAgent: { name: 'Chase', country: 'US' } })).status).toBe(201);
    const iban = { creditAccount: { iban: 'TR330006100519786457841326' } };
    expect((await international(iban)).status).toBe(201);
    const turkey = { creditorAgent: { bic: 'ISBKTRIS', country: 'TR' } };
    expect((await international({ ...iban, ...turkey })).status).toBe(201);
  });

  it.each([
    [{ country: 'US' }, { creditorAgent: ['must have a bic or a name'] }],
    [{ bic: 'BOFAUS3N' }, { 'creditorAgent.country': ['is required'] }],
    [
      { bic: 'BOFA', country: 'US' },
      { 'creditorAgent.bic': ['must be a BIC of 8 or 11 characters, such as BOFAUS3N'] },
    ],
    [
      { name: 'X', country: 'us' },
      { 'creditorAgent.country': [expect.stringContaining('two capital letters, such as US')] },
    ],
    [{ name: 'X', country: 'QQ' }, { 'creditorAgent.country': [expect.stringContaining('ISO 3166')] }],
    [
      { bic: 'BOFAUS3N', country: 'GB' },
      { 'creditorAgent.country': ['must be the country of the bic, its fifth and sixth letters'] },
    ],
    [{ ...agent, city: 'x' }, { 'creditorAgent.city': ['is not a member of this object'] }],
  ])('mission 3: %j is refused by the name of its member', async (creditorAgent, errors) => {
    const answer = await international({ creditorAgent });
    expect([answer.status, errorsOf(answer)]).toEqual([400, errors]);
  });

  it('mission 3: a domestic transfer has no such member', async () => {
    const answer = await stage(use(), { body: { creditorAgent: agent } });
    expect(errorsOf(answer)).toEqual({ creditorAgent: ['is not a member of this object'] });
  });

  it('mission 3: the payer sees it in both languages, the record of the contract does not change', async () => {
    const { consentId } = (await international({ creditorAgent: agent })).json as { consentId: string };
    const visitor = new Visitor(use());
    const greek = await visitor.open(consentId);
    expect(greek.text).toContain('Τράπεζα δικαιούχου');
    expect(greek.text).toContain('Bank of America, BOFAUS3N, Ηνωμένες Πολιτείες');
    const english = await visitor.get(`/authorise/${consentId}?lang=en`);
    expect(english.text).toContain('Bank of America, BOFAUS3N, United States');
    const record = await use().call({ path: `/pis/psd2/v1/${consentId}` });
    expect(record.text).not.toMatch(/creditorAgent|BOFA/i);
    const dashboard = await (await enter(use())).get(`/dashboard/permissions/${consentId}`);
    expect(dashboard.text).toContain('Bank of America, BOFAUS3N, Ηνωμένες Πολιτείες');
  });

  it('mission 3: what is approved is the bank that was shown', async () => {
    const { consentId } = (await international({ creditorAgent: agent })).json as { consentId: string };
    const visitor = new Visitor(use());
    const page = await visitor.open(consentId);
    await withStore(use(), (db) =>
      db.run(`update consents set details = replace(details, 'bofaus3n', 'citius33') where id = ?`, [
        consentId,
      ]),
    );
    await visitor.decide(consentId, page);
    const { json } = await use().call({ path: `/pis/psd2/v1/${consentId}/status` });
    expect(json).toEqual({ status: 'Received' });
  });

  it('mission 3: an authorization request is held to the same rule', async () => {
    const configuration = await discover(use());
    const detail = { type: 'payment_initiation', paymentProduct: 'international', ...body };
    const more = { authorization_details: JSON.stringify([{ ...detail, creditorName: 'A Payee' }]) };
    const { url } = await startAuthorization(use(), configuration, { scope: 'pis', more });
    const answer = await send(use().url, { path: `${url.pathname}${url.search}`, outsideContract: true });
    const back = new URL(String(answer.headers.location));
    expect(back.searchParams.get('error_description')).toContain('creditorAgent is required');
  });
});

describe('a core over HTTP', () => {
  const use = useService({ core: 'simulator' });

  it('mission 3: is told the bank of the payee, and pays', async () => {
    const id = await approved(use(), { product: 'international', body: { ...body, creditorAgent: agent } });
    expect((await submit(use(), id)).status).toBe(201);
    await use().app.runJobs();
    const order = await use().call({ path: `/pis/psd2/v1/${id}/payment` });
    expect(order.json).toMatchObject({ transactionStatus: 'ACSP' });
    expect(order.text).not.toContain('creditorAgent');
  });
});
