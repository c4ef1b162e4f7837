/** Commands that set what the examples of the reference expect in a shell: a key, a token, and consents that are approved. */

import { demoApplications } from './applications.js';
import { demoPsus } from './bank/people.js';
import { tokenCommand } from './first-call.js';

/** Reads one member of an answer with what is surely installed. */
const member = (name: string): string => `sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/'`;

/** Reads the first one of several. */
const firstMember = (name: string): string => `grep -o '"${name}":"[^"]*"' | head -1 | cut -d '"' -f 4`;

const json = (value: object): string => `-H 'Content-Type: application/json' -d '${JSON.stringify(value)}'`;

const iban = demoPsus[0]?.accounts[0]?.iban;

const credentials = (baseUrl: string): readonly string[] => [
  `SUBSCRIPTION_KEY=${demoApplications[0]?.subscriptionKey}`,
  tokenCommand(baseUrl),
  'id() { cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen; }',
  `call() { curl -s "$@" -H "Ocp-Apim-Subscription-Key: $SUBSCRIPTION_KEY" -H "Authorization: Bearer $TOKEN" -H "X-Request-ID: $(id)"; }`,
];

/** Two new consents, one of which is approved in the place of the account holder. */
const consents = (baseUrl: string, path: string, body: object, name = 'CONSENT_ID'): readonly string[] => [
  `new() { call ${baseUrl}${path} ${json(body)} | ${member('consentId')}; }`,
  `${name}=$(new) ${name}_TO_END=$(new)`,
  `curl -s -o /dev/null "${baseUrl}/sandbox/consents/$${name}/decision" ${json({ decision: 'approve' })}`,
];

const access = {
  permissions: ['AccountsDetail', 'Balances', 'TransactionsDetail', 'Statements'],
  accounts: [{ iban }],
  recurring: true,
  frequencyPerDay: 4,
};

/** It is settled a day later, so that it can be cancelled until then. */
const abroad = {
  debitAccount: { iban },
  creditAccount: { iban: 'GB29NWBK60161331926819' },
  creditorName: 'London Books',
  instructedAmount: { currency: 'USD', amount: 20 },
};

const read = (variable: string, place: string, name: string): string =>
  `${variable}=$(call "${place}" -H "Consent-ID: $CONSENT_ID" | ${firstMember(name)})`;

const more: Readonly<Record<string, (baseUrl: string) => readonly string[]>> = {
  piis: (baseUrl) => consents(baseUrl, '/piis/psd2/v1/consents', { account: { iban } }),
  ais: (baseUrl) => {
    const accounts = `${baseUrl}/ais/psd2/v1/accounts`;
    return [
      ...consents(baseUrl, '/ais/psd2/v1/consents', access),
      read('ACCOUNT_ID', accounts, 'resourceId'),
      read('TRANSACTION_ID', `${accounts}/$ACCOUNT_ID/transactions`, 'transactionId'),
      read('STATEMENT_ID', `${accounts}/$ACCOUNT_ID/statements`, 'statementId'),
    ];
  },
  pis: (baseUrl) => consents(baseUrl, '/pis/psd2/v1/transfers/international', abroad, 'PAYMENT_CONSENT_ID'),
  sandbox: (baseUrl) => [
    `ID=$(call ${baseUrl}/piis/psd2/v1/consents ${json({ account: { iban } })} | ${member('consentId')})`,
    `SERIAL_TO_END=$(curl -s -X POST ${baseUrl}/sandbox/pki/certificates | ${member('serial')})`,
  ],
};

export const preparation = (baseUrl: string, area: string): string =>
  [...credentials(baseUrl), ...(more[area]?.(baseUrl) ?? [])].join('\n');
