/** One visit for login and approval: `authorization_details` through a client library. */
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { describe, expect, test } from 'vitest';
import { send } from '../../support/client.js';
import { engines } from '../../support/engines.js';
import { CARD, FUNDS, ibanOf, moveBankClock, paymentPath, statusPath } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import { applicationOf, Browser, discover, obtainTokens, redeem } from '../provider-journey.js';
import {
  accessDetail,
  approve,
  ask,
  begunConsents,
  decide,
  fundsDetail,
  paymentDetail,
  sendLogin,
  toApproval,
  type Wish,
} from './journey.js';

const call = (service: Service, token: string, path: string, body?: object, method?: string) =>
  send(service.url, {
    method: method ?? (body ? 'POST' : 'GET'),
    path,
    headers: {
      'Ocp-Apim-Subscription-Key': applicationOf(service).subscriptionKey,
      Authorization: `Bearer ${token}`,
      'X-Request-ID': randomUUID(),
    },
    ...(body ? { body } : {}),
  });

const detailOf = (answer: object): Record<string, unknown> | undefined =>
  (answer as { authorization_details?: Record<string, unknown>[] }).authorization_details?.[0];

/** The whole way, to tokens. */
const obtain = async (service: Service, wish: Wish) => {
  const configuration = await discover(service);
  const approving = await toApproval(service, configuration, wish);
  const tokens = await redeem(configuration, await approve(approving));
  return { configuration, tokens, token: tokens.access_token, consentId: approving.consentId };
};

describe.each(engines)('with %s', (engine) => {
  const use = useService({ engine });

  test.each([false, true])('account access: a Valid consent with the tokens (PAR: %s)', async (withPar) => {
    const service = use();
    const purpose = 'Σύνοψη των λογαριασμών';
    const details = { ...accessDetail, purpose };
    const { tokens, token, consentId } = await obtain(service, { details, withPar });
    expect(tokens.scope).toBe('ais');
    expect(detailOf(tokens)).toMatchObject({
      ...accessDetail,
      consentId,
      consentStatus: 'Valid',
      accounts: [{ iban: ibanOf('eleni', 101) }],
    });
    expect(detailOf(tokens)).not.toHaveProperty('purpose');
    const kept = 'select purpose from consents where id = ?';
    expect(await withStore(service, (db) => db.one(kept, [consentId]))).toEqual({ purpose });
    expect((await call(service, token, statusPath(consentId))).json).toEqual({ status: 'Valid' });
  });

  test.each([false, true])(
    'funds confirmation: the question is answered at once (PAR: %s)',
    async (withPar) => {
      const service = use();
      const details = { ...fundsDetail, cardNumber: '5413330089010434', cardInformation: 'Kyma Card' };
      const { tokens, token, consentId } = await obtain(service, { details, withPar });
      expect(detailOf(tokens)).toMatchObject({
        ...details,
        cardNumber: '************0434',
        consentId,
        consentStatus: 'Valid',
      });
      const question = { ...fundsDetail, type: undefined, instructedAmount: { currency: 'EUR', amount: 10 } };
      expect((await call(service, token, FUNDS, question)).json).toEqual({ fundsAvailable: true });
    },
  );

  test.each([false, true])('payment initiation: the record is Valid (PAR: %s)', async (withPar) => {
    const service = use();
    const { tokens, token, consentId } = await obtain(service, { details: paymentDetail, withPar });
    const { type, ...order } = paymentDetail;
    expect(detailOf(tokens)).toMatchObject({ type, ...order, consentId, consentStatus: 'Valid' });
    expect((await call(service, token, paymentPath(consentId))).json).toMatchObject({
      type: 'PaymentInitiation',
      id: consentId,
      consentStatus: 'Valid',
      details: { ...order, debitAccount: { iban: ibanOf('eleni', 101) } },
    });
  });

  test('members that are not of the contract stay out of the token response', async () => {
    const details = {
      ...paymentDetail,
      paymentProduct: 'international',
      creditAccount: { iban: 'TR330006100519786457841326' },
      creditorAgent: { bic: 'ISBKTRIS', country: 'TR' },
    };
    const { tokens, consentId } = await obtain(use(), { details });
    expect(detailOf(tokens)).toMatchObject({ consentId, consentStatus: 'Valid' });
    expect(detailOf(tokens)).not.toHaveProperty('creditorAgent');
  });

  test('one strong authentication and one history: received from the third party, approved by the person', async () => {
    const service = use();
    const { consentId } = await obtain(service, { details: fundsDetail });
    const consents = await begunConsents(service);
    const own = consents.filter(({ id }) => id === consentId);
    expect(own).toMatchObject([{ status: 'Valid', redirect_uri: null, steps: ['Received', 'Valid'] }]);
  });

  test('the scope of the type is added to the scopes that were asked for', async () => {
    const { tokens } = await obtain(use(), { details: fundsDetail, scope: 'ais' });
    expect(tokens.scope?.split(' ').toSorted()).toEqual(['ais', 'piis']);
  });

  test('an application with one role gets the consent of that role', async () => {
    const service = use();
    const configuration = await discover(service, CARD);
    const tokens = await redeem(
      configuration,
      await approve(await toApproval(service, configuration, { details: fundsDetail })),
    );
    expect(detailOf(tokens)).toMatchObject({ consentStatus: 'Valid' });
  });

  test('refreshed tokens and both introspections name the consent with its status of now, the token itself does not', async () => {
    const service = use();
    const { configuration, tokens, consentId } = await obtain(service, { details: accessDetail });
    expect(decodeJwt(tokens.access_token)).not.toHaveProperty('authorization_details');
    const next = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
    expect(detailOf(next)).toMatchObject({ ...accessDetail, consentId, consentStatus: 'Valid' });
    for (const each of [next.access_token, next.refresh_token ?? ''])
      expect(detailOf(await client.tokenIntrospection(configuration, each))).toEqual(detailOf(next));

    const ended = await call(
      service,
      next.access_token,
      `/ais/psd2/v1/consents/${consentId}`,
      undefined,
      'DELETE',
    );
    expect(ended.status).toBe(204);
    const last = await client.refreshTokenGrant(configuration, next.refresh_token ?? '');
    expect(detailOf(last)).toMatchObject({ consentId, consentStatus: 'TerminatedByTpp' });
    for (const each of [next.access_token, last.refresh_token ?? ''])
      expect(detailOf(await client.tokenIntrospection(configuration, each))).toMatchObject({
        consentId,
        consentStatus: 'TerminatedByTpp',
      });
  });

  test('who is logged in already goes straight to the approval page', async () => {
    const service = use();
    const configuration = await discover(service);
    const { browser } = await approve(await toApproval(service, configuration, { details: accessDetail }));
    const second = await ask(service, configuration, { details: fundsDetail });
    const { page } = await browser.visit(second.url.href);
    expect(page.path).toMatch(/^\/authorise\//);
    const { leftTo } = await decide({ browser, page, path: page.path });
    expect(leftTo?.searchParams.get('state')).toBe(second.state);
    expect(leftTo?.searchParams.get('code')).toBeTruthy();
  });

  test('a capped last day is the one that is told', async () => {
    const details = { ...accessDetail, expirationDate: '9999-12-31' };
    const { tokens } = await obtain(use(), { details });
    expect(detailOf(tokens)?.expirationDate).toMatch(/^20\d\d-/);
  });
});

describe('the metadata', () => {
  const use = useService();

  test('lists the three types', async () => {
    const configuration = await discover(use());
    expect(configuration.serverMetadata()).toMatchObject({
      authorization_details_types_supported: ['account_access', 'funds_confirmation', 'payment_initiation'],
    });
  });

  test('an ordinary authorization tells of no consent', async () => {
    const service = use();
    const configuration = await discover(service);
    const tokens = await obtainTokens(service, configuration);
    expect(tokens).not.toHaveProperty('authorization_details');
    for (const each of [tokens.access_token, tokens.refresh_token ?? ''])
      expect(await client.tokenIntrospection(configuration, each)).not.toHaveProperty(
        'authorization_details',
      );
  });

  test('a date that passes between the request and the login ends in an error, not in a consent', async () => {
    const service = use();
    const configuration = await discover(service);
    const tomorrow = new Date(service.clock.now() + 24 * 3_600_000).toISOString().slice(0, 10);
    const started = await ask(service, configuration, {
      details: { ...accessDetail, expirationDate: tomorrow },
      withPar: true,
    });
    const browser = new Browser(service.url);
    const { page } = await browser.visit(started.url.href);
    const before = await begunConsents(service);
    await moveBankClock(service, 'P3D');
    const { leftTo } = await sendLogin(service, browser, page);
    expect(leftTo?.searchParams.get('error')).toBe('invalid_authorization_details');
    expect(leftTo?.searchParams.get('state')).toBe(started.state);
    expect(await begunConsents(service)).toEqual(before);
  });
});
