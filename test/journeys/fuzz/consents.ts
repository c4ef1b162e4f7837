/** Creating, reading, renewing and ending consents of the three kinds. */
import { ABROAD, OTHER_BANK } from '../../payment/support.js';
import { ibanOf, unknownIban } from '../../support/operations.js';
import type { Random } from './random.js';
import {
  type Apply,
  type Change,
  day,
  type Json,
  path,
  put,
  type Rule,
  rule,
  type Scope,
  type Target,
  writeJson,
} from './target.js';
import type { World } from './world.js';

const strange = ['%00', '%2e%2e', "'--", '__proto__', 'x'.repeat(200)];

/** In the place of an id: unknown, of another application, of another kind, no id at all. */
export const wrongId = (random: Random, { foreignIds }: World): string =>
  random.pick([random.uuid(), ...foreignIds, random.hex(20), ...strange]);

interface Place {
  readonly name: string;
  readonly base: string;
  readonly scope: Scope;
  /** In the world: what can be read, and what may be ended. */
  readonly readable: (world: World) => readonly string[];
  readonly ending: (world: World) => readonly string[];
}

const places: readonly Place[] = [
  {
    name: 'FundsConsent',
    base: '/piis/psd2/v1/consents',
    scope: 'piis',
    readable: ({ fundsIds }) => fundsIds,
    ending: ({ ending }) => ending.funds,
  },
  {
    name: 'Consent',
    base: '/ais/psd2/v1/consents',
    scope: 'ais',
    readable: ({ accessIds }) => accessIds,
    ending: ({ ending }) => ending.access,
  },
  {
    name: 'PaymentConsent',
    base: '/pis/psd2/v1',
    scope: 'pis',
    readable: ({ paymentIds }) => paymentIds,
    ending: ({ ending }) => ending.payments,
  },
];

const checks = ['request id', 'psu', 'signature'] as const;

const unknown = (base: string, end = ''): Rule =>
  rule(
    'id',
    '404 resource-not-found',
    path((_known, random, world) => `${base}/${wrongId(random, world)}${end}`),
  );

const submitted: Rule = rule(
  'submitted',
  '409 state-conflict',
  path((_known, _random, world) => `/pis/psd2/v1/${world.submitted}`),
);

const targetsOf = ({ name, base, scope, readable, ending }: Place): readonly Target[] => {
  const common = { kind: 'operation', scope, product: scope, checks } as const;
  const fill =
    (ids: Place['readable'], end = ''): Apply =>
    (draft, random, world) => {
      draft.path = `${base}/${random.pick(ids(world))}${end}`;
    };
  return [
    {
      ...common,
      id: `get${name}`,
      method: 'GET',
      alsoAllowed: ['DELETE'],
      success: [200],
      rules: [unknown(base)],
      fill: fill(readable),
    },
    {
      ...common,
      id: `get${name}Status`,
      method: 'GET',
      success: [200],
      rules: [unknown(base, '/status')],
      fill: fill(readable, '/status'),
    },
    {
      ...common,
      id: `end${name}`,
      method: 'DELETE',
      alsoAllowed: ['GET'],
      success: [204],
      claims: 'writes',
      rules: [unknown(base), ...(scope === 'pis' ? [submitted] : [])],
      fill: fill(ending),
    },
  ];
};

const past = day(-2);
const badDates = [past, '2026-02-30', '2026-1-1', 'tomorrow', '2027-01-01T00:00:00Z', 1];
const badAccounts = [null, {}, { iban: null }, { iban: 'GR00' }, { iban: 1 }, { colour: 'red' }, 'x'];

const each = (name: string, values: readonly unknown[]): readonly Change[] =>
  values.map((value) => put({ [name]: value }));

const without =
  (name: string): Change =>
  (body) =>
    delete body[name];

const badFundsConsents: readonly Change[] = [
  without('account'),
  ...each('account', badAccounts),
  ...each('expirationDate', badDates),
  ...each('cardNumber', ['x', '1234567', 4]),
  ...each('cardExpiryDate', ['2026-13-01', 7]),
  ...each('cardInformation', ['x'.repeat(141), 1]),
  ...each('registrationInformation', ['x'.repeat(141), 1]),
];

const badAccessConsents: readonly Change[] = [
  without('permissions'),
  ...each('permissions', [[], ['Everything'], ['AccountsBasic', 'AccountsBasic'], 'AccountsBasic', null]),
  ...each('accounts', [[], [{}], [{ iban: 'GR00' }], {}, Array(51).fill({ iban: unknownIban })]),
  ...each('expirationDate', badDates),
  ...each('transactionFrom', ['x', '2026-02-30']),
  put({ transactionFrom: day(-5), transactionTo: day(-6) }),
  ...each('recurring', ['yes', 1, null]),
  ...each('frequencyPerDay', [0, 5, 1.5, '4']),
];

const amount = (more: object): Change => put({ instructedAmount: { currency: 'EUR', amount: 10, ...more } });

const badTransfers: readonly Change[] = [
  ...['creditAccount', 'creditorName', 'instructedAmount'].map(without),
  ...each('creditAccount', badAccounts),
  ...each('debitAccount', badAccounts.slice(1)),
  ...each('creditorName', ['', 'x'.repeat(71), null, 1]),
  ...each('endToEndId', ['x'.repeat(36), 1]),
  ...each('remittanceInformation', ['x'.repeat(141), 1]),
  ...each('chargeBearer', ['SHA', 'x', null]),
  amount({ amount: 0 }),
  amount({ amount: -1 }),
  amount({ amount: 0.001 }),
  amount({ amount: '10' }),
  amount({ amount: 1_000_000_000 }),
  amount({ currency: null }),
  amount({ currency: 'euro' }),
  amount({ more: 1 }),
  put({ debitAccount: { iban: ibanOf('eleni', 101) }, creditAccount: { iban: ibanOf('eleni', 101) } }),
];

const badDomestic: readonly Change[] = [...badTransfers, ...each('chargeBearer', ['our', 'ben'])];

const agentless = { bban: '123456789' };
const badInternational: readonly Change[] = [
  ...badTransfers,
  put({ creditAccount: agentless, creditorAgent: undefined }),
  ...[
    {},
    { country: 'US' },
    { bic: 'BOFAUS3N' },
    { bic: 'x', country: 'US' },
    { bic: 'BOFAUS3N', country: 'DE' },
  ].map((creditorAgent) => put({ creditAccount: agentless, creditorAgent })),
];

const payees: Readonly<Record<string, readonly Json[]>> = {
  domestic: [{ creditAccount: { iban: OTHER_BANK } }, { creditAccount: { iban: ibanOf('vasilis', 1101) } }],
  international: [
    { creditAccount: { iban: ABROAD } },
    { creditAccount: agentless, creditorAgent: { bic: 'BOFAUS3N', country: 'US' } },
    { creditAccount: agentless, creditorAgent: { name: 'A bank', country: 'US' } },
  ],
};

const maybe = (random: Random, more: Json): Json => (random.chance(0.4) ? more : {});

const transferOf = (random: Random, product: string): Json => ({
  ...random.pick(payees[product] ?? []),
  creditorName: random.pick(['Βασίλης Αλεξίου', 'x'.repeat(70)]),
  instructedAmount: { currency: 'EUR', amount: (1000 + random.int(100_000)) / 100 },
  ...maybe(random, { chargeBearer: product === 'domestic' ? 'sha' : random.pick(['sha', 'our']) }),
  ...maybe(random, { endToEndId: random.hex(35) }),
  ...maybe(random, { remittanceInformation: random.pick(['x'.repeat(140), null]) }),
  ...maybe(random, { debitAccount: { iban: ibanOf('eleni', 101) } }),
});

const fundsConsentOf = (random: Random): Json => ({
  account: { iban: random.pick([ibanOf('eleni', 101), unknownIban]) },
  ...maybe(random, { cardNumber: '4111111111111111', cardExpiryDate: day(400) }),
  ...maybe(random, { cardInformation: random.pick(['x'.repeat(140), null]) }),
  ...maybe(random, { expirationDate: day(2 + random.int(300)) }),
});

const accessConsentOf = (random: Random): Json => ({
  permissions: ['AccountsBasic', ...random.some(['Balances', 'TransactionsDetail', 'Statements'], 2)],
  ...maybe(random, { accounts: [{ iban: ibanOf('eleni', 101) }] }),
  ...maybe(random, { expirationDate: day(2 + random.int(300)) }),
  ...maybe(random, { recurring: true, frequencyPerDay: 1 + random.int(4) }),
  ...maybe(random, { transactionFrom: day(-60), transactionTo: day(30) }),
});

const tooMany: Rule = rule('open consents', '429 too-many-open-consents', (draft, _random, { tokens }) => {
  draft.headers = draft.headers.map(([name, value]) =>
    name === 'Authorization' ? [name, `Bearer ${tokens.petros}`] : [name, value],
  );
});

const creation = (
  id: string,
  at: string,
  scope: Scope,
  bodyOf: (random: Random) => Json,
  badBodies: readonly Change[],
): Target => ({
  id,
  kind: 'operation',
  method: 'POST',
  success: [201],
  scope,
  product: scope,
  checks: [...checks, 'redirects'],
  badBodies,
  claims: 'writes',
  undo: (location) => new URL(location).pathname,
  rules: [tooMany],
  fill: (draft, random) => {
    draft.path = at;
    draft.json = bodyOf(random);
    writeJson(draft, random);
  },
});

const renewal: Target = {
  id: 'startConsentAuthorisation',
  kind: 'operation',
  method: 'POST',
  success: [201],
  scope: 'ais',
  product: 'ais',
  checks: [...checks, 'redirects'],
  claims: 'writes',
  rules: [
    unknown('/ais/psd2/v1/consents', '/authorisations'),
    rule('state', '409 state-conflict', (draft, random, { over }) => {
      draft.path = `/ais/psd2/v1/consents/${random.pick(over).id}/authorisations`;
    }),
  ],
  fill: (draft, _random, { access }) => {
    draft.path = `/ais/psd2/v1/consents/${access.id}/authorisations`;
  },
};

export const consentTargets: readonly Target[] = [
  ...places.flatMap(targetsOf),
  creation('createFundsConsent', '/piis/psd2/v1/consents', 'piis', fundsConsentOf, badFundsConsents),
  creation('createConsent', '/ais/psd2/v1/consents', 'ais', accessConsentOf, badAccessConsents),
  ...['domestic', 'international'].map((product) =>
    creation(
      product === 'domestic' ? 'createDomesticTransfer' : 'createInternationalTransfer',
      `/pis/psd2/v1/transfers/${product}`,
      'pis',
      (random) => transferOf(random, product),
      product === 'domestic' ? badDomestic : badInternational,
    ),
  ),
  renewal,
];
