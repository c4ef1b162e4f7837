/**
 * Requests that differ: thousands of account holders, consents and tokens of dozens of applications. Each is kept in two halves,
 * between which the load program writes a fresh X-Request-ID.
 */
import { SignJWT } from 'jose';
import { systemClock } from '#trapeza/lib/clock.js';
import { Vault } from '#trapeza/lib/vault.js';
import { SigningKeys } from '#trapeza/oauth/signing-keys.js';
import type { Db } from '#trapeza/store/db.js';
import type { Dataset } from './data.js';
import { BASE_URL, secret } from './programs.js';

export interface Split {
  readonly head: string;
  readonly tail: string;
}

export type Kind = 'funds' | 'status' | 'payment' | 'atms' | 'atms-304';

const HOURS = 6;

/** One for each account holder that is asked about; signed by the service's own key. */
export const tokensFor = async (db: Db, { people }: Dataset): Promise<string[]> => {
  const keys = new SigningKeys(db, new Vault(secret), systemClock);
  await keys.ensure();
  const { key, privateKey } = await keys.current();
  const now = Math.floor(Date.now() / 1000);
  return Promise.all(
    people.map(({ psuId, clientId }) =>
      new SignJWT({ client_id: clientId, scope: 'piis ais pis' })
        .setProtectedHeader({ alg: key.algorithm, kid: key.kid, typ: 'at+jwt' })
        .setIssuer(BASE_URL)
        .setAudience(BASE_URL)
        .setSubject(psuId)
        .setJti(crypto.randomUUID())
        .setIssuedAt(now)
        .setExpirationTime(now + HOURS * 3600)
        .sign(privateKey),
    ),
  );
};

const amounts = [4.2, 12, 19.99, 25.5, 60, 149.9, 310, 999.95, 2500, 12_000];
const payees = ['Βιβλιοπωλείο Αθηνά', 'Super Market Ήλιος', 'Taxi Πειραιάς', 'Cafe Nero'];

const bodyOf = (index: number, iban: string): string =>
  JSON.stringify({
    account: { iban },
    payee: payees[index % payees.length],
    instructedAmount: { currency: 'EUR', amount: amounts[index % amounts.length] },
  });

/** The ids of a person's consents are derived from the same number. */
const linesOf = (kind: Kind, index: number, person: Dataset['people'][number], etag: string): string[] => {
  if (kind === 'funds')
    return ['POST /piis/psd2/v1/funds-confirmations HTTP/1.1', bodyOf(index, person.iban)];
  if (kind === 'status') return [`GET /ais/psd2/v1/consents/${person.accessId}/status HTTP/1.1`];
  if (kind === 'payment') return [`GET /pis/psd2/v1/${person.paymentId} HTTP/1.1`];
  const query = kind === 'atms-304' ? `?if_None_Match=${encodeURIComponent(etag)}` : '';
  return [`GET /psd2/v1/opendata/atm${query} HTTP/1.1`];
};

export const requestsOf = (kind: Kind, data: Dataset, tokens: readonly string[]): Split[] =>
  data.people.map((person, index) => {
    const [line = '', body] = linesOf(kind, index, person, data.etag);
    const head = [
      line,
      'Host: bench.example',
      `Ocp-Apim-Subscription-Key: ${person.key}`,
      `Authorization: Bearer ${tokens[index]}`,
      'Accept: application/json',
      'User-Agent: bench/1.0',
      'X-Request-ID: ',
    ].join('\r\n');
    const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
    const type = body === undefined ? [] : ['Content-Type: application/json-patch+json'];
    return { head, tail: ['', ...type, ...length, '', body ?? ''].join('\r\n') };
  });
