/**
 * From nothing to a Valid consent, the way a third party goes with a real bank: discovery, pushed request, login, tokens,
 * consents, approval on the pages by the same person, and then all four operations of the interface.
 */
import { randomUUID } from 'node:crypto';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { applicationOf, authorize, discover, redeem } from '../oauth/provider-journey.js';
import { type Answer, send } from '../support/client.js';
import { bothEngines } from '../support/engines.js';
import { ATMS, FUNDS, ibanOf, paymentPath, statusPath } from '../support/operations.js';
import { journeyPlaces } from '../support/service.js';
import { useService } from '../support/use-service.js';
import { approveRequest } from './approve-request.js';

const places = journeyPlaces(
  bothEngines('the one way through everything: what an engine gives back decides in each step'),
);

describe.each(places)('with %s and the bank %s', (engine, core) => {
  const use = useService({ engine, core });

  it('a third party gets its consents approved and uses all four operations, with one login', async () => {
    const service = use();
    const configuration = await discover(service);
    const authorized = await authorize(service, configuration, { withPar: true });
    const first = await redeem(configuration, authorized);
    const tokens = await client.refreshTokenGrant(configuration, first.refresh_token ?? '');

    const call = (path: string, body?: object, token = tokens.access_token): Promise<Answer> =>
      send(service.url, {
        method: body ? 'POST' : 'GET',
        path,
        headers: {
          'Ocp-Apim-Subscription-Key': applicationOf(service).subscriptionKey,
          Authorization: `Bearer ${token}`,
          'X-Request-ID': randomUUID(),
          ...(body ? { 'TPP-State': 'state-1' } : {}),
        },
        ...(body ? { body } : {}),
      });
    const createApproved = async (path: string, body: object): Promise<string> => {
      const answer = await call(path, body);
      expect(answer.status, answer.text).toBe(201);
      const { consentId, _links } = answer.json as {
        consentId: string;
        _links: { scaRedirect: { href: string } };
      };
      const back = await approveRequest(authorized.browser, _links.scaRedirect.href);
      expect(back?.href).toBe(
        `${applicationOf(service).redirectUri}?consentId=${consentId}&state=state-1&result=approved`,
      );
      return consentId;
    };

    const savings = ibanOf('eleni', 102);
    const question = { account: { iban: savings }, instructedAmount: { currency: 'EUR', amount: 10 } };
    expect((await call(FUNDS, question)).status).toBe(403);
    await createApproved('/piis/psd2/v1/consents', { account: { iban: savings } });
    expect((await call(FUNDS, question)).json).toEqual({ fundsAvailable: true });

    const access = await createApproved('/ais/psd2/v1/consents', {
      permissions: ['AccountsBasic', 'Balances'],
      recurring: true,
    });
    expect((await call(statusPath(access))).json).toEqual({ status: 'Valid' });

    const transfer = {
      creditAccount: { iban: ibanOf('vasilis', 1101) },
      creditorName: 'Βασίλης Αλεξίου',
      instructedAmount: { currency: 'EUR', amount: 12.5 },
    };
    const payment = await createApproved('/pis/psd2/v1/transfers/domestic', transfer);
    expect((await call(paymentPath(payment))).json).toMatchObject({
      id: payment,
      consentStatus: 'Valid',
      details: { ...transfer, paymentProduct: 'domestic' },
    });
    expect((await call(ATMS)).status).toBe(200);

    await client.tokenRevocation(configuration, tokens.refresh_token ?? '');
    service.clock.advance(5000);
    expect((await call(ATMS)).status).toBe(401);
  });
});
