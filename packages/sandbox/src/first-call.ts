/** Calls that a newcomer pastes: the first one, and the one after the account holder has come back from the bank. */

import { type BankTime, type ClientId, newId, type PsuId, type Queries } from 'trapeza/base';
import { type ConsentKind, type ConsentStatus, statusAt } from 'trapeza/extend';
import type { DemoApplication } from './applications.js';
import type { DemoPsu } from './bank/people.js';

const JSON_BODY = `-H 'Content-Type: application/json' -d`;

/** Reads a token out of the answer with what is surely installed. */
export const tokenCommand = (baseUrl: string, body?: object): string => {
  const data = body ? ` \\\n  ${JSON_BODY} '${JSON.stringify(body)}' \\\n  ` : ' ';
  return `TOKEN=$(curl -s -X POST ${baseUrl}/sandbox/tokens${data}| sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
};

/** With a token for the first application, or for the one that `wanted` names. */
export const firstCallOf = (baseUrl: string, key: string, wanted?: object): string =>
  [
    tokenCommand(baseUrl, wanted),
    `curl -s ${baseUrl}/psd2/v1/opendata/atm \\`,
    `  -H 'Ocp-Apim-Subscription-Key: ${key}' \\`,
    `  -H "Authorization: Bearer $TOKEN"`,
  ].join('\n');

export const firstCall = (baseUrl: string, [application]: readonly DemoApplication[]): string =>
  firstCallOf(baseUrl, application?.subscriptionKey ?? '');

export interface ReturnedConsent {
  readonly id: string;
  readonly kind: ConsentKind;
  readonly status: ConsentStatus;
  readonly psuId: PsuId;
  readonly iban: string | null;
}

interface Row {
  readonly kind: ConsentKind;
  readonly status: ConsentStatus;
  readonly psu_id: PsuId;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly iban: string | null;
}

const RETURNED = `
  select c.kind, c.status, c.psu_id, c.created_at, c.expires_at, a.iban
  from consents c left join consent_accounts a on a.consent_id = c.id and a.position = 0
  where c.id = ? and c.client_id = ?`;

/** The consent that an account holder comes back from, if it is this application's. */
export const findReturned = async (
  db: Queries,
  clientId: ClientId,
  id: string,
  bankNow: BankTime,
): Promise<ReturnedConsent | undefined> => {
  const row = await db.one<Row>(RETURNED, [id, clientId]);
  if (!row) return undefined;
  const times = { status: row.status, createdAt: row.created_at, expiresAt: row.expires_at };
  return { id, kind: row.kind, status: statusAt(times, bankNow), psuId: row.psu_id, iban: row.iban };
};

/** What an approved consent is for; of any other the status is all there is to ask. */
const useOf = ({ id, kind, status, iban }: ReturnedConsent): string => {
  switch (kind) {
    case 'AccountAccess':
      return status === 'Valid'
        ? `ais/psd2/v1/accounts \\\n  -H 'Consent-ID: ${id}'`
        : `ais/psd2/v1/consents/${id}/status`;
    case 'ConfirmationOfFunds': {
      const body = { account: { iban }, instructedAmount: { currency: 'EUR', amount: 25.5 } };
      return status === 'Valid' && iban !== null
        ? `piis/psd2/v1/funds-confirmations \\\n  ${JSON_BODY} '${JSON.stringify(body)}'`
        : `piis/psd2/v1/consents/${id}/status`;
    }
    case 'PaymentInitiation':
      return status === 'Valid' ? `pis/psd2/v1/${id}/payment -X POST` : `pis/psd2/v1/${id}/status`;
  }
};

export const nextCall = (
  baseUrl: string,
  { clientId, subscriptionKey }: DemoApplication,
  consent: ReturnedConsent,
  people: readonly DemoPsu[],
): string => {
  const psu = people.find(({ id }) => id === consent.psuId)?.username;
  return [
    tokenCommand(baseUrl, { psu, application: clientId }),
    `curl -s ${baseUrl}/${useOf(consent)} \\`,
    `  -H "Ocp-Apim-Subscription-Key: ${subscriptionKey}" \\`,
    `  -H "Authorization: Bearer $TOKEN" \\`,
    `  -H 'X-Request-ID: ${newId()}'`,
  ].join('\n');
};

/** The code verifier is the caller's own: only its hash has come this way. */
export const codeExchange = (
  baseUrl: string,
  { clientId, clientSecret, redirectUri }: DemoApplication,
  code: string,
): string =>
  [
    `curl -s ${baseUrl}/oauth/token -u "${clientId}:${clientSecret}" \\`,
    `  -d grant_type=authorization_code -d code=${code} \\`,
    `  -d redirect_uri=${redirectUri} -d code_verifier="$VERIFIER"`,
  ].join('\n');
