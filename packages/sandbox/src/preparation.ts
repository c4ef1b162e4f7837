/** Commands that set what the examples of the reference expect in a shell: a key, a token, and consents that are approved. */

import { demoApplications } from './applications.js';
import { demoPsus } from './bank/people.js';

const iban = demoPsus[0]?.accounts[0]?.iban;

const json = (value: object): string => `-H 'Content-Type: application/json' -d '${JSON.stringify(value)}'`;

/** `pick` reads the first member of a name with what is surely installed. */
const credentials = (baseUrl: string): readonly string[] => [
  `BASE=${baseUrl}`,
  `pick() { grep -o "\\"$1\\":\\"[^\\"]*\\"" | head -1 | cut -d '"' -f 4; }`,
  'id() { cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen; }',
  `SUBSCRIPTION_KEY=${demoApplications[0]?.subscriptionKey}`,
  'TOKEN=$(curl -s -X POST $BASE/sandbox/tokens | pick access_token)',
];

const CALL = `call() { curl -s "$@" -H "Ocp-Apim-Subscription-Key: $SUBSCRIPTION_KEY" -H "Authorization: Bearer $TOKEN" -H "X-Request-ID: $(id)"; }`;

/** Two new consents, one of which is approved in the place of the account holder. */
const consents = (path: string, body: object, name = 'CONSENT_ID'): readonly string[] => [
  CALL,
  `new() { call $BASE${path} ${json(body)} | pick consentId; }`,
  `${name}=$(new) ${name}_TO_END=$(new)`,
  `curl -s -o /dev/null $BASE/sandbox/consents/$${name}/decision ${json({ decision: 'approve' })}`,
];

const access = {
  permissions: ['AccountsDetail', 'Balances', 'TransactionsDetail', 'Statements'],
  accounts: [{ iban }],
  recurring: true,
};

/** It is settled a day later, so that it can be cancelled until then. */
const abroad = {
  debitAccount: { iban },
  creditAccount: { iban: 'GB29NWBK60161331926819' },
  creditorName: 'London Books',
  instructedAmount: { currency: 'USD', amount: 20 },
};

const ofArea: Readonly<Record<string, readonly string[]>> = {
  piis: consents('/piis/psd2/v1/consents', { account: { iban } }),
  ais: [
    ...consents('/ais/psd2/v1/consents', access),
    'get() { call $BASE/ais/psd2/v1/accounts$1 -H "Consent-ID: $CONSENT_ID"; }',
    'ACCOUNT_ID=$(get | pick resourceId)',
    'TRANSACTION_ID=$(get /$ACCOUNT_ID/transactions | pick transactionId)',
    'STATEMENT_ID=$(get /$ACCOUNT_ID/statements | pick statementId)',
  ],
  pis: consents('/pis/psd2/v1/transfers/international', abroad, 'PAYMENT_CONSENT_ID'),
  sandbox: [
    CALL,
    `ID=$(call $BASE/piis/psd2/v1/consents ${json({ account: { iban } })} | pick consentId)`,
    'SERIAL_TO_END=$(curl -s -X POST $BASE/sandbox/pki/certificates | pick serial)',
  ],
};

/** The samples in JavaScript and Python read the environment. */
const exported = (commands: string): string => {
  const names = [...commands.matchAll(/(?<=^| )([A-Z_]+)=/gm)].map(([, name]) => name);
  return `${commands}\nexport ${names.join(' ')}`;
};

export const preparation = (baseUrl: string, area: string): string =>
  exported([...credentials(baseUrl), ...(ofArea[area] ?? [])].join('\n'));
