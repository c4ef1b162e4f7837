/** Payment orders, and the controls of the sandbox. */
import { wrongId } from './consents.js';
import {
  type Change,
  type Json,
  json,
  path,
  put,
  type Rule,
  rule,
  type Target,
  writeJson,
} from './target.js';

const unknown = (base: string, end = ''): Rule =>
  rule(
    'id',
    '404 resource-not-found',
    path((_known, random, world) => `${base}/${wrongId(random, world)}${end}`),
  );

const PIS = '/pis/psd2/v1';
const order = {
  kind: 'operation',
  scope: 'pis',
  product: 'pis',
  checks: ['request id', 'psu', 'signature'],
} as const;

/** Neither approved nor submitted, or already submitted. */
const states = (end: string): readonly Rule[] => [
  rule('state', '403 consent-not-valid', (draft, random, { unpayable }) => {
    draft.path = `${PIS}/${random.pick(unpayable)}/${end}`;
  }),
  rule('submitted', '409 payment-already-submitted', (draft, _random, { submitted }) => {
    draft.path = `${PIS}/${submitted}/${end}`;
  }),
];

export const orderTargets: readonly Target[] = [
  {
    ...order,
    id: 'confirmPaymentFunds',
    method: 'GET',
    success: [200],
    rules: [unknown(PIS, '/funds-confirmation'), ...states('funds-confirmation')],
    fill: (draft, _random, { payable }) => {
      draft.path = `${PIS}/${payable}/funds-confirmation`;
    },
  },
  {
    ...order,
    id: 'submitPayment',
    method: 'POST',
    alsoAllowed: ['GET', 'DELETE'],
    success: [201],
    badBodies: [],
    isBodyOptional: true,
    claims: 'writes',
    pool: 'submissions',
    rules: [unknown(PIS, '/payment'), ...states('payment')],
    fill: (draft, random, { payable }) => {
      draft.path = `${PIS}/${payable}/payment`;
      if (random.chance(0.5)) draft.body = Buffer.from('{}');
    },
  },
  {
    ...order,
    id: 'getPayment',
    method: 'GET',
    alsoAllowed: ['POST', 'DELETE'],
    success: [200],
    rules: [
      unknown(PIS, '/payment'),
      rule('not submitted', '404 resource-not-found', (draft, _random, { payable }) => {
        draft.path = `${PIS}/${payable}/payment`;
      }),
    ],
    fill: (draft, _random, { submitted }) => {
      draft.path = `${PIS}/${submitted}/payment`;
    },
  },
  {
    ...order,
    id: 'cancelPayment',
    method: 'DELETE',
    alsoAllowed: ['POST', 'GET'],
    success: [204],
    claims: 'writes',
    rules: [
      unknown(PIS, '/payment'),
      rule('carried out', '409 payment-executed', (draft, _random, { submitted }) => {
        draft.path = `${PIS}/${submitted}/payment`;
      }),
    ],
    fill: (draft, _random, { cancelled }) => {
      draft.path = `${PIS}/${cancelled}/payment`;
    },
  },
];

interface Control extends Omit<Target, 'kind' | 'fill' | 'success'> {
  readonly path: string;
  readonly success?: readonly number[];
  readonly bodies?: readonly Json[];
}

const control = ({ path: place, success = [200], bodies, ...rest }: Control): Target => ({
  ...rest,
  kind: 'control',
  success,
  fill: (draft, random) => {
    draft.path = place;
    if (!bodies) return;
    draft.json = { ...random.pick(bodies) };
    writeJson(draft, random);
  },
});

const badDecisions: readonly Change[] = [
  put({ decision: 'yes' }),
  (body) => delete body.decision,
  put({ accounts: [] }),
  put({ accounts: 'x' }),
  put({ accounts: [1] }),
];

const SANDBOX = '/sandbox';

const decision: Target = {
  id: 'decideSandboxConsent',
  kind: 'control',
  method: 'POST',
  success: [200],
  badBodies: badDecisions,
  pool: 'decisions',
  rules: [
    rule(
      'id',
      '404 resource-not-found',
      path((_known, random) => `${SANDBOX}/consents/${random.pick([random.uuid(), random.hex(9)])}/decision`),
    ),
    rule('state', '409 state-conflict', (draft, random, { over }) => {
      const { id } = random.pick(over.filter(({ status }) => status !== 'Received'));
      draft.path = `${SANDBOX}/consents/${id}/decision`;
    }),
  ],
  fill: (draft, random, { undecided }) => {
    draft.path = `${SANDBOX}/consents/${undecided}/decision`;
    draft.json = { decision: random.pick(['approve', 'reject']) };
    writeJson(draft, random);
  },
};

export const controlTargets: readonly Target[] = [
  control({ id: 'getSandboxCredentials', method: 'GET', path: `${SANDBOX}/credentials` }),
  control({
    id: 'createSandboxToken',
    method: 'POST',
    path: `${SANDBOX}/tokens`,
    isBodyOptional: true,
    bodies: [{}, { psu: 'nikos' }, { scope: 'ais' }, { application: 'demo-budget-app' }],
    badBodies: [put({ psu: 'nobody' }), put({ application: 'x' }), put({ scope: 'all' }), put({ psu: 1 })],
  }),
  control({ id: 'getSandboxClock', method: 'GET', alsoAllowed: ['PUT'], path: `${SANDBOX}/clock` }),
  control({
    id: 'setSandboxClock',
    method: 'PUT',
    alsoAllowed: ['GET'],
    path: `${SANDBOX}/clock`,
    bodies: [{ advance: 'PT0S' }],
    badBodies: [
      put({ advance: 'soon' }),
      put({ advance: undefined }),
      put({ advance: 1 }),
      put({ now: '2030-01-01T00:00:00Z' }),
      put({ advance: undefined, now: 'x' }),
      put({ advance: 'P99999999Y' }),
    ],
    rules: [
      rule(
        'time goes forward',
        '409 state-conflict',
        json(put({ advance: undefined, now: '2001-01-01T00:00:00Z' })),
      ),
    ],
  }),
  control({
    id: 'resetSandbox',
    method: 'POST',
    success: [204],
    path: `${SANDBOX}/reset`,
    isNeverGood: true,
  }),
  control({
    id: 'putSandboxPeople',
    method: 'PUT',
    alsoAllowed: ['DELETE'],
    success: [204],
    path: `${SANDBOX}/people`,
    isNeverGood: true,
    bodies: [{ people: [{ username: 'iro', password: 'iro-test', name: 'Iro', accounts: [] }] }],
    badBodies: [
      put({ people: [] }),
      put({ people: 'x' }),
      put({ people: [{ username: 'eleni', password: 'x', name: 'x', accounts: [] }] }),
      put({ people: [{ username: 'a b', password: 'x', name: 'x', accounts: [] }] }),
      put({ accounts: [] }),
    ],
  }),
  control({
    id: 'deleteSandboxPeople',
    method: 'DELETE',
    alsoAllowed: ['PUT'],
    success: [204],
    path: `${SANDBOX}/people`,
    isNeverGood: true,
  }),
  control({
    id: 'createSandboxCertificate',
    method: 'POST',
    path: `${SANDBOX}/pki/certificates`,
    isBodyOptional: true,
    bodies: [{ key: 'ec' }, { key: 'ec', use: 'web' }, { key: 'ec', roles: ['PSP_AI'] }],
    badBodies: [
      put({ application: 'x' }),
      put({ use: 'x' }),
      put({ roles: [] }),
      put({ roles: ['PSP_AI', 'PSP_AI'] }),
      put({ csr: 'x' }),
      put({ key: 'dsa' }),
    ],
  }),
  control({
    id: 'createSandboxDeveloper',
    method: 'POST',
    // The second of a name is refused, and after some more the address.
    success: [201, 409, 429],
    path: `${SANDBOX}/developers`,
    bodies: [{ name: 'fuzz', passphrase: 'correct horse battery' }],
    badBodies: [
      (body) => delete body.name,
      put({ name: 'Ω' }),
      put({ name: '../x' }),
      put({ passphrase: 'short' }),
      put({ tppId: 'x' }),
    ],
  }),
  control({
    id: 'createSandboxApplication',
    method: 'POST',
    success: [201],
    path: `${SANDBOX}/applications`,
    bodies: [
      { name: 'Mine' },
      { name: 'Mine', redirectUris: ['https://app.example/back'], roles: ['PSP_AI'] },
    ],
    badBodies: [
      (body) => delete body.name,
      put({ name: '' }),
      put({ redirectUris: [] }),
      put({ redirectUris: ['http://app.example/back'] }),
      put({ webhook: 'ftp://app.example' }),
      put({ roles: ['PSP_AS'] }),
    ],
  }),
  {
    id: 'revokeSandboxCertificate',
    kind: 'control',
    method: 'DELETE',
    success: [204],
    rules: [unknown(`${SANDBOX}/pki/certificates`)],
    fill: (draft, _random, { serial }) => {
      draft.path = `${SANDBOX}/pki/certificates/${serial}`;
    },
  },
  control({
    id: 'checkSandboxSignature',
    method: 'POST',
    path: `${SANDBOX}/signature-check`,
    bodies: [{ method: 'GET', path: '/psd2/v1/opendata/atm', headers: { 'X-Request-ID': 'x' } }],
    badBodies: [
      (body) => delete body.method,
      put({ method: '' }),
      put({ path: 1 }),
      put({ headers: { 'a b': 'c' } }),
      put({ headers: { A: '1', a: '2' } }),
      put({ policy: 'maybe' }),
    ],
  }),
  decision,
];
