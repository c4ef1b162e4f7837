/** One visit for login and approval: `authorization_details` through a client library, on both engines. */
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { describe, expect, test } from 'vitest';
import { send } from '../support/client.js';
import { FINANCE, FUNDS, fundsBody, ibanOf, paymentPath, psuId, statusPath } from '../support/operations.js';
import { engines, type Service } from '../support/service.js';
import { useService } from '../support/use-service.js';
import {
  accessDetail,
  approve,
  begunConsents,
  decide,
  fundsDetail,
  paymentDetail,
  toApproval,
} from './one-redirect.js';
import { applicationOf, discover, redeem } from './provider-journey.js';

const call = (service: Service, token: string, path: string, body?: object) =>
  send(service.url, {
    method: body ? 'POST' : 'GET',
    path,
    headers: {
      'Ocp-Apim-Subscription-Key': applicationOf(service).subscriptionKey,
      Authorization: `Bearer ${token}`,
      'X-Request-ID': randomUUID(),
    },
    ...(body ? { body } : {}),
  });

interface Told {
  readonly type: string;
  readonly consentId: string;
  readonly consentStatus: string;
}

const detailsOf = (answer: object): (Told & Record<string, unknown>)[] =>
  (answer as { authorization_details?: (Told & Record<string, unknown>)[] }).authorization_details ?? [];

describe.each(engines)('with %s', (engine) => {
  const use = useService({ engine });

  test.each([false, true])(
    'account access: one visit, one code, a Valid consent (PAR: %s)',
    async (withPar) => {
      const service = use();
      const configuration = await discover(service);
      const approving = await toApproval(service, configuration, { details: accessDetail, withPar });
      const authorized = await approve(approving);
      expect(authorized.callback.searchParams.get('iss')).toBe(service.url);
      const tokens = await redeem(configuration, authorized);
      expect(tokens.scope).toBe('ais');
      const [detail] = detailsOf(tokens);
      expect(detail).toMatchObject({
        ...accessDetail,
        consentId: approving.consentId,
        consentStatus: 'Valid',
      });
      expect((await call(service, tokens.access_token, statusPath(approving.consentId))).json).toEqual({
        status: 'Valid',
      });
    },
  );
});
