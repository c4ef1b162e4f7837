/**
 * Writes the collections for Postman and Bruno into docs/collections: every operation of the interface, in an order in which all
 * succeed on a fresh sandbox. `npm run docs` runs it; tests compare the files and run them.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {{ in: string, name: string, required?: boolean }} Parameter
 * @typedef {{ operationId: string, summary: string, description?: string, parameters?: Parameter[],
 *   security?: object[], responses: Record<string, unknown> }} Operation
 * @typedef {{ operation?: string, name?: string, method?: string, path?: string, params?: Record<string, string>,
 *   body?: unknown, status?: number, keep?: Record<string, string> }} Step
 * @typedef {{ name: string, words: string, method: string, path: string, headers: [string, string][], body: string | undefined,
 *   status: number, keep: [string, string][] }} Call
 */

const iban = '{{iban}}';

/** In the place of the account holder. @type {(consentId: string) => Step} */
const approve = (consentId) => ({
  name: 'Approve the consent as its account holder (sandbox)',
  method: 'POST',
  path: `/sandbox/consents/{{${consentId}}}/decision`,
  body: { decision: 'approve' },
  status: 200,
});

const read = 'Consent-ID';

/** What later calls need is kept: the name of the variable, and where the answer has it. @type {Record<string, Step[]>} */
const folders = {
  Preparation: [
    {
      name: 'Read the demo credentials (sandbox)',
      method: 'GET',
      path: '/sandbox/credentials',
      status: 200,
      keep: { subscriptionKey: 'applications[0].subscriptionKey', iban: 'psus[0].accounts[0].iban' },
    },
    {
      name: 'Get an access token (sandbox)',
      method: 'POST',
      path: '/sandbox/tokens',
      body: {},
      status: 200,
      keep: { token: 'access_token' },
    },
  ],
  'Confirmation of Funds': [
    {
      operation: 'createFundsConsent',
      body: { account: { iban }, cardInformation: 'Demo card' },
      keep: { fundsConsentId: 'consentId' },
    },
    approve('fundsConsentId'),
    { operation: 'getFundsConsent', params: { consentId: 'fundsConsentId' } },
    { operation: 'getFundsConsentStatus', params: { consentId: 'fundsConsentId' } },
    {
      operation: 'confirmFunds',
      body: {
        account: { iban },
        payee: 'Βιβλιοπωλείο Αθηνά',
        instructedAmount: { currency: 'EUR', amount: 25.5 },
      },
    },
    { operation: 'endFundsConsent', params: { consentId: 'fundsConsentId' } },
  ],
  'Account Information': [
    {
      operation: 'createConsent',
      body: {
        permissions: ['AccountsDetail', 'Balances', 'TransactionsDetail', 'Statements'],
        accounts: [{ iban }],
        recurring: true,
      },
      keep: { consentId: 'consentId' },
    },
    approve('consentId'),
    { operation: 'getConsent' },
    { operation: 'getConsentStatus' },
    { operation: 'getAccounts', keep: { accountId: 'accounts[0].resourceId' } },
    { operation: 'getAccount' },
    { operation: 'getBalances' },
    { operation: 'getTransactions', keep: { transactionId: 'transactions.booked[0].transactionId' } },
    { operation: 'getTransaction' },
    { operation: 'getStatements', keep: { statementId: 'statements[0].statementId' } },
    { operation: 'getStatement' },
    { operation: 'startConsentAuthorisation' },
    { operation: 'endConsent' },
  ],
  'Payment Initiation': [
    {
      operation: 'createDomesticTransfer',
      body: {
        debitAccount: { iban },
        creditAccount: { iban: 'GR6899900010000000000001101' },
        creditorName: 'Βασίλης Αλεξίου',
        instructedAmount: { currency: 'EUR', amount: 12.5 },
      },
      keep: { unusedConsentId: 'consentId' },
    },
    { operation: 'getPaymentConsent', params: { paymentConsentId: 'unusedConsentId' } },
    { operation: 'getPaymentConsentStatus', params: { paymentConsentId: 'unusedConsentId' } },
    { operation: 'endPaymentConsent', params: { paymentConsentId: 'unusedConsentId' } },
    {
      // It is settled a day later, so that it can be cancelled until then.
      operation: 'createInternationalTransfer',
      body: {
        debitAccount: { iban },
        creditAccount: { iban: 'GB29NWBK60161331926819' },
        creditorName: 'London Books',
        instructedAmount: { currency: 'USD', amount: 20 },
      },
      keep: { paymentConsentId: 'consentId' },
    },
    approve('paymentConsentId'),
    { operation: 'confirmPaymentFunds' },
    { operation: 'submitPayment' },
    { operation: 'getPayment' },
    { operation: 'cancelPayment' },
  ],
  'Open data and events': [{ operation: 'getAtms' }, { operation: 'getEvents' }],
};

/** @type {(document: { paths: Record<string, Record<string, Operation>> }) => Map<string, { method: string, path: string, operation: Operation }>} */
const operationsIn = ({ paths }) =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        operation.operationId,
        { method: method.toUpperCase(), path, operation },
      ]),
    ),
  );

const credentials = /** @type {[string, string][]} */ ([
  ['Ocp-Apim-Subscription-Key', '{{subscriptionKey}}'],
  ['Authorization', 'Bearer {{token}}'],
  ['X-Request-ID', '{{$guid}}'],
]);

/** @type {(known: ReturnType<typeof operationsIn>, step: Step) => Call} */
const callOf = (
  known,
  { operation: id = '', name = '', method = '', path = '', params = {}, body, status, keep = {} },
) => {
  const found = known.get(id);
  const { summary = name, description = '', parameters = [], responses = {} } = found?.operation ?? {};
  const namesConsent = parameters.some((each) => each.name === read && each.required);
  return {
    name: summary,
    words: description,
    method: found?.method ?? method,
    path: found?.path.replace(/\{(\w+)\}/g, (_whole, each) => `{{${params[each] ?? each}}}`) ?? path,
    headers: [
      ...(found ? credentials : []),
      ...(namesConsent ? [/** @type {[string, string]} */ ([read, '{{consentId}}'])] : []),
    ],
    body: body === undefined ? undefined : JSON.stringify(body, null, 2),
    status: status ?? Number(Object.keys(responses)[0]),
    keep: Object.entries(keep),
  };
};

/** @type {(call: Call) => object} */
const postmanItem = ({ name, words, method, path, headers, body, status, keep }) => ({
  name,
  event: [
    {
      listen: 'test',
      script: {
        type: 'text/javascript',
        exec: [
          `pm.test('answers ${status}', () => pm.response.to.have.status(${status}));`,
          ...keep.map(
            ([variable, place]) => `pm.collectionVariables.set('${variable}', pm.response.json().${place});`,
          ),
        ],
      },
    },
  ],
  request: {
    method,
    description: words,
    header: [
      ...headers.map(([key, value]) => ({ key, value })),
      ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ],
    url: { raw: `{{baseUrl}}${path}`, host: ['{{baseUrl}}'], path: path.slice(1).split('/') },
    ...(body === undefined
      ? {}
      : { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
  },
});

/** @type {(name: string, lines: string[]) => string} */
const block = (name, lines) => `${name} {\n${lines.join('\n').replace(/^(?=.)/gm, '  ')}\n}\n`;

/** @type {(call: Call, position: number) => string} */
const brunoText = ({ name, words, method, path, headers, body, status, keep }, position) =>
  [
    block('meta', [`name: ${name}`, 'type: http', `seq: ${position}`]),
    block(method.toLowerCase(), [
      `url: {{baseUrl}}${path}`,
      `body: ${body === undefined ? 'none' : 'json'}`,
      'auth: none',
    ]),
    ...(headers.length === 0
      ? []
      : [
          block(
            'headers',
            headers.map(([key, value]) => `${key}: ${value}`),
          ),
        ]),
    ...(body === undefined ? [] : [block('body:json', [body])]),
    block('assert', [`res.status: eq ${status}`]),
    ...(keep.length === 0
      ? []
      : [
          block(
            'script:post-response',
            keep.map(([variable, place]) => `bru.setVar('${variable}', res.body.${place});`),
          ),
        ]),
    ...(words === '' ? [] : [block('docs', [words])]),
  ].join('\n');

const baseUrl = 'http://127.0.0.1:8080';
const json = (/** @type {object} */ value) => `${JSON.stringify(value, null, 2)}\n`;

/** The files, by their path below docs/collections. @type {(document: Parameters<typeof operationsIn>[0]) => Record<string, string>} */
export const collectionFiles = (document) => {
  const known = operationsIn(document);
  const groups = Object.entries(folders).map(([name, steps]) => ({
    name,
    calls: steps.map((step) => callOf(known, step)),
  }));
  const bruno = groups.flatMap(({ name, calls }, index) => {
    const folder = `bruno/${index + 1} ${name}`;
    return [
      [`${folder}/folder.bru`, block('meta', [`name: ${name}`, `seq: ${index + 1}`])],
      ...calls.map((call, at) => [
        `${folder}/${String(at + 1).padStart(2, '0')} ${call.name}.bru`,
        brunoText(call, at + 1),
      ]),
    ];
  });
  return {
    'trapeza.postman_collection.json': json({
      info: {
        name: 'Trapeza',
        description: 'Every call of the interface. Run the whole collection against a fresh sandbox.',
        schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
      },
      variable: [{ key: 'baseUrl', value: baseUrl }],
      item: groups.map(({ name, calls }) => ({ name, item: calls.map(postmanItem) })),
    }),
    'trapeza.postman_environment.json': json({
      name: 'Trapeza sandbox',
      values: [{ key: 'baseUrl', value: baseUrl, enabled: true }],
    }),
    'bruno/bruno.json': json({ version: '1', name: 'Trapeza', type: 'collection' }),
    'bruno/environments/sandbox.bru': block('vars', [`baseUrl: ${baseUrl}`]),
    ...Object.fromEntries(bruno),
  };
};

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

export const collectionsFolder = here('../../docs/collections');
export const generateCollections = () =>
  collectionFiles(JSON.parse(readFileSync(here('../../docs/openapi.json'), 'utf8')));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync(join(collectionsFolder, 'bruno'), { recursive: true, force: true });
  for (const [path, text] of Object.entries(generateCollections())) {
    mkdirSync(dirname(join(collectionsFolder, path)), { recursive: true });
    writeFileSync(join(collectionsFolder, path), text);
  }
}
