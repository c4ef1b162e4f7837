/** What people and third parties do through two nodes while the secret is changed. Each part throws at the first answer that is not right. */
import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as client from 'openid-client';
import { expect } from 'vitest';
import { totpCode } from '../../src/lib/totp.js';
import { applicationOf, authorize, discover, type Place, redeem } from '../oauth/provider-journey.js';
import { Visitor } from '../operator/visitor.js';
import { type Answer, sandboxToken, send } from '../support/client.js';
import { FUNDS } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { withStore } from '../support/use-service.js';
import { approveRequest } from './approve-request.js';

export const CARD = '5413330089010434';
const PASSPHRASE = 'a long passphrase';

interface Consoles {
  readonly first: Service;
  readonly consoleUrl: string;
}

interface Operator {
  readonly name: string;
  readonly totp: string;
}

const expectStatus = (what: string, wanted: number, { status, text }: Answer): void => {
  if (status !== wanted) throw new Error(`${what}: ${status} ${text.slice(0, 300)}`);
};

const callAs =
  (place: Place, token: string) =>
  (path: string, body?: object): Promise<Answer> =>
    send(place.url, {
      method: body ? 'POST' : 'GET',
      path,
      headers: {
        'Ocp-Apim-Subscription-Key': applicationOf(place).subscriptionKey,
        Authorization: `Bearer ${token}`,
        'X-Request-ID': randomUUID(),
      },
      ...(body ? { body } : {}),
    });

interface Created {
  readonly consentId: string;
  readonly _links: { readonly scaRedirect: { readonly href: string } };
}
interface Accounts {
  readonly accounts: readonly { readonly resourceId: string }[];
}
interface Page {
  readonly _links: { readonly next?: { readonly href: string } };
}

const pathIn = (href: string): string => {
  const { pathname, search } = new URL(href);
  return pathname + search;
};

/** Login, consent and approval by code, accounts, three pages of transactions by cursor. The ids of the accounts. */
export const readAccounts = async (place: Place, psu: string): Promise<string> => {
  const configuration = await discover(place);
  const authorized = await authorize(place, configuration, { withPar: true, psu });
  const first = await redeem(configuration, authorized);
  const tokens = await client.refreshTokenGrant(configuration, first.refresh_token ?? '');
  const call = callAs(place, tokens.access_token);
  const permissions = ['AccountsBasic', 'Balances', 'TransactionsDetail'];
  const created = await call('/ais/psd2/v1/consents', { permissions, recurring: true });
  expectStatus('a consent', 201, created);
  const { consentId, _links } = created.json as Created;
  const back = await approveRequest(authorized.browser, _links.scaRedirect.href);
  if (back?.searchParams.get('result') !== 'approved') throw new Error(`the approval led to ${back?.href}`);
  const read = (path: string): Promise<Answer> =>
    send(place.url, {
      path,
      headers: {
        'Ocp-Apim-Subscription-Key': applicationOf(place).subscriptionKey,
        Authorization: `Bearer ${tokens.access_token}`,
        'X-Request-ID': randomUUID(),
        'Consent-ID': consentId,
      },
    });
  const listed = await read('/ais/psd2/v1/accounts');
  expectStatus('the accounts', 200, listed);
  const ids = (listed.json as Accounts).accounts.map(({ resourceId }) => resourceId);
  let next: string | undefined = `/ais/psd2/v1/accounts/${ids[0]}/transactions?limit=2`;
  for (let page = 1; page <= 4 && next !== undefined; page += 1) {
    const answer = await read(next);
    expectStatus(`page ${page}`, 200, answer);
    const { href } = (answer.json as Page)._links.next ?? {};
    if (page === 1 && href === undefined) throw new Error('there is no second page');
    next = href && pathIn(href);
  }
  return ids.join(' ');
};

/** A consent that was made before the first change is found by its card number. */
export const askByCard = async (place: Place): Promise<void> => {
  const call = callAs(place, await sandboxToken(place.url, { psu: 'anna' }));
  const instructedAmount = { currency: 'EUR', amount: 1 };
  expectStatus('a card', 200, await call(FUNDS, { account: {}, cardNumber: CARD, instructedAmount }));
};

/** The nonce of one node is taken by the other, also at the endpoints of the library. */
export const proveKey = async (place: Place): Promise<void> => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const { clientId, clientSecret, redirectUri } = applicationOf(place);
  const wish = {
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope: 'ais' },
    code_challenge: await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
  };
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const ask = async (nonce?: string): Promise<Answer> => {
    const proof = {
      htm: 'POST',
      htu: `${place.url}/oauth/par`,
      jti: randomUUID(),
      ...(nonce ? { nonce } : {}),
    };
    // Too old without a nonce.
    const dpop = await new SignJWT(proof)
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .setIssuedAt(Math.floor(Date.now() / 1000) - (nonce ? 0 : 3600))
      .sign(privateKey);
    return send(place.url, {
      method: 'POST',
      path: '/oauth/par',
      headers: {
        Authorization: authorization,
        DPoP: dpop,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(wish).toString(),
      outsideContract: true,
    });
  };
  const refused = await ask();
  const nonce = String(refused.headers['dpop-nonce'] ?? '');
  if (nonce === '') throw new Error(`no nonce: ${refused.status} ${refused.text}`);
  for (let node = 0; node < 2; node += 1) {
    expectStatus('a proof with the nonce of another node', 201, await ask(nonce));
  }
};

export const enrol = async (pair: Consoles, name: string): Promise<Operator> => {
  const link = await pair.first.app.admin.addOperator(name, { role: 'service' });
  const visitor = new Visitor(pair.consoleUrl);
  const { body } = await visitor.get(`/operator/enrol/${link}`);
  const totp = /<code>([A-Z2-7 ]{39})<\/code>/.exec(body)?.[1]?.replaceAll(' ', '') ?? '';
  const form = { passphrase: PASSPHRASE, code: totpCode(totp, Date.now()) };
  expect((await visitor.post(`/operator/enrol/${link}`, form)).status).toBe(303);
  return { name, totp };
};

export const logInToConsole = async (pair: Consoles, { name, totp }: Operator): Promise<void> => {
  // A code is good for one login, and nobody waits half a minute here.
  await withStore(pair.first, (db) => db.run('update operators set totp_counter = 0 where name = ?', [name]));
  const visitor = new Visitor(pair.consoleUrl);
  const code = totpCode(totp, Date.now());
  const { status, body } = await visitor.logIn({ name, passphrase: PASSPHRASE, code });
  if (status !== 303) throw new Error(`the console: ${status} ${body.slice(0, 200)}`);
  const search = await visitor.get('/operator');
  if (search.status !== 200) throw new Error(`the console after the login: ${search.status}`);
};
