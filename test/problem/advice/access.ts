/** Problems of who asks: keys, tokens, signatures, permissions and consents. */
import { randomUUID } from 'node:crypto';
import * as oauth from 'openid-client';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.js';
import { addAccess, attended, type WantedAccess } from '../../api/ais/support.js';
import { discover, obtainTokens } from '../../oauth/provider-journey.js';
import { getSeal, type Spoil, setPolicy, signed } from '../../signature/support.js';
import {
  ACCOUNTS,
  ATMS,
  BUDGET,
  CARD,
  FUNDS,
  freshToken,
  fundsBody,
  goodRequest,
} from '../../support/operations.js';
import { subscribe, suspend } from '../../support/registry.js';
import type { Service } from '../../support/service.js';
import { type Case, calling, mistake, type Prepared, receivedConsent } from './support.js';

const KEY = 'Ocp-Apim-Subscription-Key';
const funds = { method: 'POST', path: FUNDS, body: fundsBody() };

/** A login of the account holder with its own refresh token. `spoil` is what happens to the tokens. */
const login = async (
  service: Service,
  spoil: (tokens: { access: string; refresh: string }, client: oauth.Configuration) => unknown,
): Promise<Prepared> => {
  const client = await discover(service);
  const tokens = { access: '', refresh: '' };
  const authorize = async (): Promise<string> => {
    const { access_token, refresh_token = '' } = await obtainTokens(service, client);
    tokens.access = access_token;
    tokens.refresh = refresh_token;
    return access_token;
  };
  await authorize();
  const { access } = tokens;
  await spoil(tokens, client);
  return {
    service,
    state: { token: access },
    send: calling(service, () => goodRequest(service, 'getAtms')),
    authorize,
    refresh: () =>
      oauth.refreshTokenGrant(client, tokens.refresh).then(
        ({ access_token }) => access_token,
        (error: { error?: string }) => {
          if (error.error !== 'invalid_grant') throw error;
          return undefined;
        },
      ),
  };
};

const tokenCases: readonly Case[] = [
  mistake('token-missing', (ok) => ({
    path: ATMS,
    ...(ok ? {} : { headers: { Authorization: undefined } }),
  })),
  {
    slug: 'token-expired',
    end: 'success',
    advice: ['refresh-token'],
    prepare: ({ main }) => login(main, () => main.clock.advance(11 * MINUTE)),
  },
  {
    slug: 'token-invalid',
    what: 'the token was revoked',
    end: 'success',
    advice: ['refresh-token'],
    prepare: ({ main }) => login(main, ({ access }, client) => oauth.tokenRevocation(client, access)),
  },
  {
    slug: 'token-invalid',
    what: 'the whole login was revoked',
    end: 'success',
    advice: ['refresh-token'],
    prepare: ({ main }) => login(main, ({ refresh }, client) => oauth.tokenRevocation(client, refresh)),
  },
  {
    slug: 'token-invalid',
    what: 'the token is bound to no key, but sent as DPoP',
    end: 'stop',
    advice: ['fix-request'],
    prepare: ({ main }) => {
      let scheme = 'DPoP';
      return {
        service: main,
        send: calling(main, ({ token }) => ({
          path: ATMS,
          headers: { Authorization: `${scheme} ${token}` },
        })),
        mend: () => {
          scheme = 'Bearer';
        },
      };
    },
  },
  {
    slug: 'token-of-another-application',
    end: 'stop',
    advice: ['fix-request'],
    prepare: async ({ main }) => {
      let key = main.keyOf();
      const token = await freshToken(main, { application: BUDGET });
      return {
        service: main,
        state: { token },
        send: calling(main, () => ({ path: ATMS, headers: { [KEY]: key } })),
        mend: () => {
          key = main.keyOf(BUDGET);
        },
      };
    },
  },
  {
    slug: 'insufficient-scope',
    end: 'success',
    advice: ['authorize'],
    prepare: async ({ main }) => ({
      service: main,
      state: { token: await freshToken(main, { scope: 'ais' }) },
      send: calling(main, () => funds),
    }),
  },
];

/** Signed in one way, and after the stop in another. */
const sealed = (
  slug: Case['slug'],
  wish: { readonly spoil?: Spoil; readonly application?: string; readonly isRequired?: boolean },
): Case => ({
  slug,
  end: 'stop',
  advice: ['fix-request'],
  prepare: async ({ sealed: service }) => {
    const { spoil, application, isRequired = false } = wish;
    if (isRequired) await setPolicy(service, 'required');
    const good = await getSeal(service);
    const first = application ? await getSeal(service, { application }) : good;
    const body = JSON.stringify(fundsBody());
    let isMended = false;
    return {
      service,
      send: calling(service, ({ requestId }) => {
        if (isRequired && !isMended) return { ...funds, body };
        const plain = { method: 'POST', path: FUNDS, body, headers: { 'X-Request-ID': requestId } };
        return { ...funds, body, headers: isMended ? signed(good, plain) : signed(first, plain, spoil) };
      }),
      mend: () => {
        isMended = true;
      },
      close: () => setPolicy(service, undefined),
    };
  },
});

/** Only the bank can change it. `key` before and after. */
const barred = (
  slug: Case['slug'],
  keys: (service: Service) => Promise<{ key: string; mend: () => unknown; application?: string }>,
): Case => ({
  slug,
  end: 'stop',
  advice: ['contact-bank'],
  prepare: async ({ main }) => {
    const { key, mend, application } = await keys(main);
    let current = { key, token: application && (await freshToken(main, { application, scope: 'piis' })) };
    return {
      service: main,
      send: calling(main, ({ token }) => ({
        ...funds,
        headers: { [KEY]: current.key, Authorization: `Bearer ${current.token ?? token}` },
      })),
      mend: async () => {
        const other = await mend();
        if (typeof other === 'string') current = { key: other, token: undefined };
      },
    };
  },
});

const credentialCases: readonly Case[] = [
  mistake('subscription-key-missing', (ok) => ({
    path: ATMS,
    ...(ok ? {} : { headers: { [KEY]: undefined } }),
  })),
  mistake('subscription-key-invalid', (ok) => ({
    path: ATMS,
    ...(ok ? {} : { headers: { [KEY]: 'wrong' } }),
  })),
  sealed('signature-required', { isRequired: true }),
  sealed('signature-invalid', { spoil: { signed: () => '' } }),
  sealed('certificate-invalid', { application: CARD }),
  barred('access-blocked', async (service) => {
    const { key, keyId } = await subscribe(service);
    await suspend(service, 'key', keyId);
    return { key, mend: () => suspend(service, 'key', keyId, false) };
  }),
  barred('product-not-subscribed', async (service) => {
    const { key } = await subscribe(service, { products: ['ais'] });
    return { key, mend: async () => (await subscribe(service, { products: ['piis'] })).key };
  }),
  barred('role-not-permitted', async (service) => {
    const { key } = await subscribe(service, { application: ACCOUNTS, products: ['piis'] });
    return { key, application: ACCOUNTS, mend: () => service.keyOf() };
  }),
];

/** A read of account data with a consent in this condition. */
const reading = async (
  service: Service,
  wanted: WantedAccess,
  query?: (dateFrom: string) => string,
): Promise<Prepared> => {
  const { id, first } = await addAccess(service, wanted);
  const path = query ? `/ais/psd2/v1/accounts/${first}/transactions` : '/ais/psd2/v1/accounts';
  return {
    service,
    state: { consentId: id },
    send: calling(service, ({ consentId, dateFrom }) => ({
      path: `${path}${query?.(dateFrom) ?? ''}`,
      headers: { 'Consent-ID': consentId, ...attended },
    })),
  };
};

const dayOf = (service: Service, daysAgo: number): string =>
  new Date(service.clock.now() - daysAgo * DAY).toISOString().slice(0, 10);

const consentCases: readonly Case[] = [
  {
    slug: 'consent-required',
    end: 'success',
    advice: ['new-consent'],
    prepare: async ({ main }) => ({ ...(await reading(main, {})), state: { consentId: randomUUID() } }),
  },
  {
    slug: 'consent-not-valid',
    what: 'withdrawn',
    end: 'success',
    advice: ['new-consent'],
    prepare: ({ main }) => reading(main, { status: 'RevokedByPsu' }),
  },
  {
    slug: 'consent-not-valid',
    what: 'not decided yet',
    end: 'success',
    advice: ['ask-account-holder'],
    prepare: async ({ main }) => {
      const consentId = await receivedConsent(main, await freshToken(main));
      return { ...(await reading(main, {})), state: { consentId } };
    },
  },
  {
    slug: 'sca-renewal-required',
    end: 'success',
    advice: ['renew-consent'],
    prepare: ({ main }) => reading(main, { scaAgeMs: 180 * DAY }),
  },
  {
    slug: 'history-needs-authentication',
    what: 'some of the days are open',
    end: 'success',
    advice: ['ask-for-less'],
    prepare: ({ main }) =>
      reading(main, { scaAgeMs: 2 * HOUR }, (dateFrom) => `?dateFrom=${dateFrom || dayOf(main, 200)}`),
  },
  {
    slug: 'history-needs-authentication',
    what: 'none of the days is open',
    end: 'success',
    advice: ['renew-consent'],
    prepare: ({ main }) => {
      const [transactionFrom, transactionTo] = [dayOf(main, 200), dayOf(main, 150)];
      const wanted = { scaAgeMs: 2 * HOUR, transactionFrom, transactionTo };
      return reading(main, wanted, () => `?dateFrom=${transactionFrom}`);
    },
  },
];

export const accessCases: readonly Case[] = [...tokenCases, ...credentialCases, ...consentCases];
