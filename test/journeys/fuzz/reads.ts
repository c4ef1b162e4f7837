/** Reads of account data, the ATM list and the feed of events. */
import { ATMS, EVENTS } from '../../support/operations.js';
import { wrongId } from './consents.js';
import type { Random } from './random.js';
import { type Apply, all, day, header, path, type Rule, rule, setHeader, type Target } from './target.js';
import type { Access, World } from './world.js';

const BASE = '/ais/psd2/v1/accounts';

interface Read {
  readonly id: string;
  readonly end: (access: Access) => string;
  /** It lacks the permission for this read. */
  readonly poor: (world: World) => Access;
  readonly hasDays?: boolean;
  readonly queries?: readonly string[];
  readonly badQueries?: readonly string[];
  /** The last segment is an id too. */
  readonly parent?: string;
}

const ofAccount = (end: string) => (access: Access) => `/${access.first}${end}`;
const onlyBasic = ({ onlyBasic: access }: World): Access => access;
const onlyBalances = ({ onlyBalances: access }: World): Access => access;

const goodDays = ['', `?dateFrom=${day(-20)}&dateTo=${day(-10)}`, `?dateFrom=${day(-40)}`];
const badDays = [
  'dateFrom=x',
  'dateFrom=2026-02-30',
  'dateTo=2026-1-1',
  `dateTo=${day(-1)}T00:00:00Z`,
  `dateFrom=${day(-5)}&dateFrom=${day(-6)}`,
  `dateFrom=${day(-5)}&dateTo=${day(-6)}`,
];

const reads: readonly Read[] = [
  {
    id: 'getAccounts',
    end: () => '',
    poor: onlyBalances,
    queries: ['', '?withBalance=true', '?withBalance=false'],
    badQueries: ['withBalance=1', 'withBalance=TRUE', 'withBalance=true&withBalance=true'],
  },
  {
    id: 'getAccount',
    end: ofAccount(''),
    poor: onlyBalances,
    queries: ['', '?withBalance=true'],
    badQueries: ['withBalance=yes'],
  },
  { id: 'getBalances', end: ofAccount('/balances'), poor: onlyBasic },
  {
    id: 'getTransactions',
    end: ofAccount('/transactions'),
    poor: onlyBasic,
    hasDays: true,
    queries: [...goodDays, '?bookingStatus=both&limit=5', '?limit=500', '?bookingStatus=pending'],
    badQueries: [
      ...badDays,
      'limit=0',
      'limit=501',
      'limit=1e2',
      'limit=-1',
      'bookingStatus=all',
      'page=x',
      `page=${'A'.repeat(60)}`,
    ],
  },
  {
    id: 'getTransaction',
    end: ({ first, transaction }) => `/${first}/transactions/${transaction}`,
    poor: onlyBasic,
    parent: '/transactions',
  },
  {
    id: 'getStatements',
    end: ofAccount('/statements'),
    poor: onlyBasic,
    hasDays: true,
    queries: goodDays,
    badQueries: badDays,
  },
  {
    id: 'getStatement',
    end: ({ first, statement }) => `/${first}/statements/${statement}`,
    poor: onlyBasic,
    parent: '/statements',
  },
];

type Pick = (world: World, random: Random) => Access;

/** The same read with another consent. */
const withAccess =
  ({ end }: Read, pick: Pick, query = ''): Apply =>
  (draft, random, world) => {
    const access = pick(world, random);
    draft.path = `${BASE}${end(access)}${query}`;
    setHeader(draft, 'Consent-ID', access.id);
  };

const unknownConsent: Apply = (draft, random, { foreignIds }) =>
  setHeader(draft, 'Consent-ID', random.pick([random.uuid(), ...foreignIds]));

const rulesOf = (read: Read): readonly Rule[] => {
  const { id, end, parent, hasDays } = read;
  const isList = id === 'getAccounts';
  return [
    rule('unknown consent', '403 consent-required', unknownConsent),
    rule(
      'state',
      '403 consent-not-valid',
      withAccess(read, ({ over }, random) => random.pick(over)),
    ),
    rule('permission', '403 consent-required', withAccess(read, read.poor)),
    rule(
      'authentication',
      '403 sca-renewal-required',
      withAccess(read, ({ stale }) => stale),
    ),
    rule(
      'reads a day',
      '429 access-exceeded',
      all(
        withAccess(read, ({ spent }) => spent),
        header('PSU-IP-Address', undefined),
      ),
    ),
    ...(isList
      ? []
      : [
          rule(
            'account',
            '404 resource-not-found',
            path((_known, random, world) => {
              const other = { ...world.access, first: wrongId(random, world) };
              return `${BASE}${end(other)}`;
            }),
          ),
        ]),
    ...(parent
      ? [
          rule(
            'item',
            '404 resource-not-found',
            path(
              (_known, random, world) => `${BASE}/${world.access.first}${parent}/${wrongId(random, world)}`,
            ),
          ),
        ]
      : []),
    ...(hasDays
      ? [
          rule(
            'days of the consent',
            '400 invalid-query',
            withAccess(read, ({ narrow }) => narrow, `?dateFrom=${day(-40)}&dateTo=${day(-15)}`),
          ),
          // Which of two problems it is, the decisions and the product see differently.
          rule(
            'old history',
            '403',
            withAccess(read, ({ aged }) => aged, `?dateFrom=${day(-200)}`),
          ),
        ]
      : []),
  ];
};

const accountTargets: readonly Target[] = reads.map((read) => ({
  id: read.id,
  kind: 'operation',
  method: 'GET',
  success: [200],
  scope: 'ais',
  product: 'ais',
  checks: ['request id', 'psu', 'signature', 'access'],
  ...(read.badQueries ? { badQueries: read.badQueries } : {}),
  rules: rulesOf(read),
  fill: (draft, random, world) => {
    const query = read.queries ? random.pick(read.queries) : '';
    withAccess(read, ({ access }) => access, query)(draft, random, world);
  },
}));

const atms: Target = {
  id: 'getAtms',
  kind: 'operation',
  method: 'GET',
  success: [200, 304],
  product: 'opendata',
  badQueries: [
    'if_None_Match=%22',
    'if_None_Match=a%20b',
    'if_None_Match=a&if_None_Match=b',
    'if_Modified_Since=x',
    'if_Modified_Since=2026-01-01',
    'if_Modified_Since=2026-01-01T00:00:00+02:00',
  ],
  fill: (draft, random, { etag, lastModified }) => {
    const bare = etag.slice(1, -1);
    const queries = [
      '',
      '?if_None_Match=*',
      `?if_None_Match=${bare}`,
      `?if_None_Match=W/%22${bare}%22,%22${random.hex(8)}%22`,
      `?if_Modified_Since=${new Date(lastModified).toISOString()}`,
      '?if_Modified_Since=2001-01-01T00:00:00%2B02:00',
      `?if_None_Match=${random.hex(16)}&if_Modified_Since=2001-01-01T00:00:00Z`,
    ];
    draft.path = `${ATMS}${random.pick(queries)}`;
    if (random.chance(0.5)) setHeader(draft, 'If-None-Match', etag);
    if (random.chance(0.5))
      setHeader(draft, 'Accept-Encoding', random.pick(['br', 'gzip', 'gzip, br', 'identity', '*']));
    if (random.chance(0.3)) setHeader(draft, 'X-Request-ID', undefined);
  },
};

const events: Target = {
  id: 'getEvents',
  kind: 'operation',
  method: 'GET',
  success: [200],
  checks: ['request id', 'signature'],
  badQueries: [
    'after=x',
    'after=1',
    `after=${'0'.repeat(36)}`,
    'after=99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
    'limit=0',
    'limit=501',
    'limit=1e2',
    'limit=-1&after=',
  ],
  fill: (draft, random) => {
    draft.path = `${EVENTS}${random.pick(['', '?limit=1', '?limit=500', '?after='])}`;
  },
};

export const readTargets: readonly Target[] = [atms, events, ...accountTargets];
