/** What the examples of the reference expect: a key, a token, and consents that are approved; as calls, and as commands for a shell. */

import type { PreparingCall } from 'trapeza/pages';
import { demoApplications } from './applications.js';
import { demoPsus } from './bank/people.js';

const iban = demoPsus[0]?.accounts[0]?.iban;

const token: PreparingCall = {
  method: 'POST',
  path: '/sandbox/tokens',
  isOpen: true,
  // Any key gets a token of its own application.
  headers: { 'Ocp-Apim-Subscription-Key': '$SUBSCRIPTION_KEY' },
  finds: { name: 'TOKEN', member: 'access_token' },
};

const created = (path: string, body: object, name: string): PreparingCall => ({
  method: 'POST',
  path,
  body,
  finds: { name, member: 'consentId' },
});

/** Two new consents, one of which is approved in the place of the account holder. */
const consents = (path: string, body: object, name = 'CONSENT_ID'): readonly PreparingCall[] => [
  created(path, body, name),
  created(path, body, `${name}_TO_END`),
  {
    method: 'POST',
    path: `/sandbox/consents/$${name}/decision`,
    body: { decision: 'approve' },
    isOpen: true,
  },
];

const read = (path: string, name: string, member: string): PreparingCall => ({
  method: 'GET',
  path: `/ais/psd2/v1/accounts${path}`,
  headers: { 'Consent-ID': '$CONSENT_ID' },
  finds: { name, member },
});

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

const ofArea: Readonly<Record<string, readonly PreparingCall[]>> = {
  piis: consents('/piis/psd2/v1/consents', { account: { iban } }),
  ais: [
    ...consents('/ais/psd2/v1/consents', access),
    read('', 'ACCOUNT_ID', 'resourceId'),
    read('/$ACCOUNT_ID/transactions', 'TRANSACTION_ID', 'transactionId'),
    read('/$ACCOUNT_ID/statements', 'STATEMENT_ID', 'statementId'),
  ],
  pis: consents('/pis/psd2/v1/transfers/international', abroad, 'PAYMENT_CONSENT_ID'),
  sandbox: [
    created('/piis/psd2/v1/consents', { account: { iban } }, 'ID'),
    {
      method: 'POST',
      path: '/sandbox/pki/certificates',
      isOpen: true,
      finds: { name: 'SERIAL_TO_END', member: 'serial' },
    },
  ],
};

export const preparingCalls = (area: string): readonly PreparingCall[] => [token, ...(ofArea[area] ?? [])];

/** `pick` reads the first member of a name with what is surely installed. */
const tools = [
  `pick() { grep -o "\\"$1\\":\\"[^\\"]*\\"" | head -1 | cut -d '"' -f 4; }`,
  'id() { cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen; }',
];
const CALL = `call() { curl -s "$@" -H "Ocp-Apim-Subscription-Key: $SUBSCRIPTION_KEY" -H "Authorization: Bearer $TOKEN" -H "X-Request-ID: $(id)"; }`;

const command = ({ method, path, headers = {}, body, isOpen, finds }: PreparingCall): string => {
  const parts = [
    isOpen ? 'curl -s' : 'call',
    ...(method === 'POST' && !body ? ['-X POST'] : []),
    `$BASE${path}`,
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body ? [`-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`] : []),
  ].join(' ');
  return finds ? `${finds.name}=$(${parts} | pick ${finds.member})` : `${parts} -o /dev/null`;
};

/** The samples in JavaScript and Python read the environment. */
const exported = (commands: string): string => {
  const names = [...commands.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  return `${commands}\nexport ${names.join(' ')}`;
};

export const preparation = (baseUrl: string, area: string): string => {
  const calls = preparingCalls(area);
  const lines = [
    `BASE=${baseUrl}`,
    `SUBSCRIPTION_KEY=${demoApplications[0]?.subscriptionKey}`,
    ...tools,
    ...(calls.some(({ isOpen }) => !isOpen) ? [CALL] : []),
    ...calls.map(command),
  ];
  return exported(lines.join('\n'));
};
