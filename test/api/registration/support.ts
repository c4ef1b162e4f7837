/** A third party that has nothing but a certificate, and the calls it makes with it. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { readCertificate } from '../../../src/certificate/certificate.js';
import { nameText } from '../../../src/certificate/x509/name.js';
import { csrOf } from '../../certificate/csr.js';
import { getSeal, type Seal, type Spoil, signed, verdict } from '../../signature/support.js';
import { type Answer, done, sandboxToken, send } from '../../support/client.js';
import { FUNDS, ibanOf } from '../../support/operations.js';
import type { Service } from '../../support/service.js';

export const REGISTRATION = '/registration';
export const BACK = 'https://newcomer.example/back';
export const metadata = { client_name: 'Newcomer', redirect_uris: [BACK] };

export interface Party {
  readonly name: string;
  readonly registration: string;
}

let counter = 0;
export const newParty = (): Party => {
  counter += 1;
  return { name: `Νεοφερμένη ${counter} ΑΕ`, registration: `PSDGR-BOG-${70_000 + counter}` };
};

/** A QSealC of the sandbox for somebody whom nobody knows. */
export const sealOf = (service: Service, party: Party, more: object = {}): Promise<Seal> =>
  getSeal(service, { application: undefined, party, ...more });

/** A seal with a new key, proven by that of an earlier one. */
export const successorOf = async (
  service: Service,
  party: Party,
  earlier: Seal,
  more: object = {},
): Promise<Seal> => {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const csr = csrOf(keys);
  const proof = sign('sha256', Buffer.from(csr), earlier.key).toString('base64');
  const body = { party, csr, proof, ...more };
  const path = '/sandbox/pki/certificates';
  const { header, serial } = done(await send(service.url, { method: 'POST', path, body })).json as {
    readonly header: string;
    readonly serial: string;
  };
  const keyId = `SN=${serial},CA=${nameText(readCertificate(header).issuer)}`;
  const keyPem = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { certificate: header, key: keys.privateKey, keyPem, keyId, serial };
};

export interface Wish {
  readonly method?: string;
  readonly path?: string;
  readonly body?: object;
  readonly requestId?: string;
  readonly spoil?: Spoil;
}

/** Signed as the strict policy wants it, unless it is spoilt. */
export const ask = (service: Service, seal: Seal, wish: Wish = {}): Promise<Answer> => {
  const { method = 'POST', path = REGISTRATION, requestId = randomUUID(), spoil } = wish;
  const body = method === 'GET' || method === 'DELETE' ? '' : JSON.stringify(wish.body ?? metadata);
  const plain = { method, path, body, headers: { 'X-Request-ID': requestId } };
  return send(service.url, {
    method,
    path,
    headers: signed(seal, plain, { created: Math.floor(service.clock.now() / 1000), ...spoil }),
    ...(body === '' ? {} : { body }),
  });
};

export interface Registered {
  readonly client_id: string;
  readonly client_secret: string;
  readonly scope: string;
  readonly registration_client_uri: string;
  readonly registration_status: string;
  readonly subscription_keys: { readonly primary: string; readonly secondary: string };
}

export const register = async (service: Service, seal: Seal, body: object = metadata): Promise<Registered> =>
  done(await ask(service, seal, { body })).json as Registered;

export const ownPath = ({ client_id }: Registered): string => `${REGISTRATION}/${client_id}`;

export const callWithKey = async (
  service: Service,
  made: Registered,
  wanted: { readonly path: string; readonly body?: object; readonly key?: string; readonly scope?: string },
): Promise<Answer> => {
  const token = await sandboxToken(service.url, {
    application: made.client_id,
    scope: wanted.scope ?? 'piis',
  });
  return send(service.url, {
    method: wanted.body ? 'POST' : 'GET',
    path: wanted.path,
    ...(wanted.body ? { body: wanted.body } : {}),
    headers: {
      'X-Request-ID': randomUUID(),
      'Ocp-Apim-Subscription-Key': wanted.key ?? made.subscription_keys.primary,
      Authorization: `Bearer ${token}`,
    },
  });
};

export const question = {
  account: { iban: ibanOf('eleni', 102) },
  instructedAmount: { currency: 'EUR', amount: 10 },
};

/** Creates a consent for the funds question and has the account holder approve it. */
export const approvedConsent = async (service: Service, made: Registered): Promise<string> => {
  const body = { account: question.account };
  const created = done(await callWithKey(service, made, { path: '/piis/psd2/v1/consents', body }));
  const { consentId } = created.json as { consentId: string };
  const path = `/sandbox/consents/${consentId}/decision`;
  done(await send(service.url, { method: 'POST', path, body: { decision: 'approve' } }));
  return consentId;
};

export const askFunds = (service: Service, made: Registered): Promise<Answer> =>
  callWithKey(service, made, { path: FUNDS, body: question });

export { verdict };
