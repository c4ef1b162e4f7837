/** The typed client calls every operation of a bank that demands signatures of the strictest policy. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generate, interfaceFile } from '../../packages/client/generate.js';
import { type Client, createClient, operations } from '../../packages/client/src/index.js';
import { createSigner } from '../../packages/client/src/signing.js';
import { done, send } from '../support/client.js';
import { approve, ibanOf } from '../support/operations.js';
import { useService } from '../support/use-service.js';

describe('the generated interface', () => {
  it('is up to date (if not: npm run docs)', () => {
    expect(readFileSync(interfaceFile, 'utf8') === generate()).toBe(true);
  });
});

describe('the client', () => {
  const service = useService({ env: { TRAPEZA_SIGNATURE_POLICY: 'strict' } });
  const iban = ibanOf('eleni', 101);
  const called = new Set<string | undefined>();

  const nameOf = (method: string | undefined, path: string): string | undefined =>
    Object.entries(operations).find(
      ([, [known, template]]) =>
        known === method && new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
    )?.[0];

  /** With a signature, and a note of what succeeded. */
  const open = async (wish: object = {}): Promise<Client> => {
    const { url, token, keyOf } = service();
    const wanted = { method: 'POST', path: '/sandbox/pki/certificates', body: wish };
    const seal = done(await send(url, wanted)).json as {
      privateKey: string;
      certificate: string;
    };
    return createClient({
      baseUrl: url,
      subscriptionKey: keyOf(),
      token: () => token(),
      signer: createSigner({ key: seal.privateKey, certificate: seal.certificate }),
      fetch: async (place, init) => {
        const response = await fetch(place, init);
        if (response.ok) called.add(nameOf(init.method, new URL(place).pathname));
        return response;
      },
    });
  };

  const psu = { 'PSU-IP-Address': '198.51.100.7' };

  it('asks for funds', async () => {
    const client = await open();
    const { body: created } = await client.createFundsConsent({ body: { account: { iban } } });
    await approve(service(), created.consentId);
    const params = { consentId: created.consentId };
    expect((await client.getFundsConsent({ params })).body).toMatchObject({ consentStatus: 'Valid' });
    expect((await client.getFundsConsentStatus({ params, headers: psu })).body.status).toBe('Valid');
    const { body } = await client.confirmFunds({
      body: { account: { iban }, instructedAmount: { currency: 'EUR', amount: 25.5 } },
    });
    expect(body.fundsAvailable).toBe(true);
    expect(await client.endFundsConsent({ params })).toMatchObject({ status: 204, body: undefined });
  });

  it('reads accounts, page by page, and a statement as a document', async () => {
    const client = await open();
    const permissions = ['AccountsDetail', 'Balances', 'TransactionsDetail', 'Statements'] as const;
    const wish = { permissions, accounts: [{ iban }], recurring: true };
    const { body: created } = await client.createConsent({ body: wish, headers: psu });
    const params = { consentId: created.consentId };
    await approve(service(), created.consentId);
    expect((await client.getConsentStatus({ params })).body.status).toBe('Valid');
    expect((await client.getConsent({ params })).body).toMatchObject({ consentStatus: 'Valid' });
    const headers = { ...psu, 'Consent-ID': created.consentId };
    const { body: list } = await client.getAccounts({ headers, query: { withBalance: true } });
    const accountId = list.accounts[0]?.resourceId ?? '';
    const ofAccount = { headers, params: { accountId } };
    expect((await client.getAccount(ofAccount)).body.account).toMatchObject({ iban });
    expect((await client.getBalances(ofAccount)).body.balances.length).toBeGreaterThan(0);
    const { body: first } = await client.getTransactions({ ...ofAccount, query: { limit: 5 } });
    const transactionId = first.transactions.booked?.[0]?.transactionId ?? '';
    const one = await client.getTransaction({ headers, params: { accountId, transactionId } });
    expect(one.body.transactionsDetails.transactionId).toBe(transactionId);
    const seen: string[] = [];
    for await (const { body } of client.pages('getTransactions', { ...ofAccount, query: { limit: 5 } }))
      seen.push(...(body.transactions.booked ?? []).map((each) => each.transactionId ?? ''));
    expect(seen.length).toBeGreaterThan(10);
    expect(new Set(seen).size).toBe(seen.length);
    const { body: statements } = await client.getStatements(ofAccount);
    const statementId = statements.statements[0]?.statementId ?? '';
    const statement = { headers, params: { accountId, statementId } };
    expect((await client.getStatement(statement)).body.statement).toMatchObject({ statementId });
    await expect(client.getStatement({ ...statement, accept: 'application/pdf' })).rejects.toMatchObject({
      status: 406,
    });
    expect((await client.startConsentAuthorisation({ params })).status).toBe(201);
    expect((await client.endConsent({ params })).status).toBe(204);
  });

  it('stages, submits, follows, cancels and ends payments', async () => {
    const client = await open();
    const [application] = service().credentials.applications;
    const redirect = { ...psu, 'TPP-Redirect-URI': application?.redirectUri, 'TPP-State': 'a b' };
    const home = await client.createDomesticTransfer({
      headers: redirect,
      body: {
        debitAccount: { iban },
        creditAccount: { iban: ibanOf('nikos', 201) },
        creditorName: 'Νίκος',
        instructedAmount: { currency: 'EUR', amount: 10 },
      },
    });
    const unused = { paymentConsentId: home.body.consentId };
    expect((await client.getPaymentConsent({ params: unused })).body).toMatchObject({
      consentStatus: 'Received',
    });
    expect((await client.getPaymentConsentStatus({ params: unused })).body.status).toBe('Received');
    expect((await client.endPaymentConsent({ params: unused })).status).toBe(204);
    const abroad = await client.createInternationalTransfer({
      body: {
        debitAccount: { iban },
        creditAccount: { iban: 'GB29NWBK60161331926819' },
        creditorName: 'London Books',
        instructedAmount: { currency: 'USD', amount: 20 },
      },
    });
    const params = { paymentConsentId: abroad.body.consentId };
    await approve(service(), abroad.body.consentId);
    expect((await client.confirmPaymentFunds({ params })).body.fundsAvailable).toBe(true);
    const { body: order } = await client.submitPayment({ params });
    expect((await client.getPayment({ params })).body.paymentId).toBe(order.paymentId);
    expect((await client.cancelPayment({ params })).status).toBe(204);
  });

  it('reads the open data and the events, to their end', async () => {
    const client = await open();
    expect((await client.getAtms()).body?.length).toBeGreaterThan(0);
    expect((await client.getEvents({ query: { limit: 1 } })).body.events).toHaveLength(1);
    const ids: string[] = [];
    for await (const { body } of client.pages('getEvents', { query: { limit: 2 } }))
      ids.push(...body.events.map(({ id }) => id));
    expect(ids.length).toBeGreaterThan(2);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('registers an application, changes it, replaces a key and removes it', async () => {
    const client = await open({ party: { name: 'Client SA', registration: 'PSDGR-BOG-88888' } });
    const body = { client_name: 'Client', redirect_uris: ['https://client.example/back'] };
    const { body: made } = await client.registerApplication({ body });
    const params = { clientId: made.client_id };
    expect((await client.changeRegistration({ params, body: { ...body, scope: 'ais' } })).body.scope).toBe(
      'ais',
    );
    const { body: renewed } = await client.renewRegistrationSecret({
      params,
      body: { secret: 'primary_key' },
    });
    expect(renewed.value).not.toBe(made.subscription_keys.primary);
    expect((await client.getRegistration({ params })).body.client_name).toBe('Client');
    expect((await client.removeRegistration({ params })).status).toBe(204);
  });

  it('has called every operation of the interface', () => {
    expect([...called].toSorted()).toEqual(Object.keys(operations).toSorted());
  });
});
