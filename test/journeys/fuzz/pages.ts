/** The pages for developers and account holders. What a page is asked beside its fields is never refused: people type addresses. */

import { cookie, type Fields, form, formRules, writeForm } from './forms.js';
import { type Apply, all, header, path, type Rule, rule, type Target } from './target.js';
import type { World } from './world.js';

const nobody = cookie(() => undefined);
const asHolder = cookie(({ holder }) => holder.cookie);
const asStranger = cookie(({ stranger }) => stranger.cookie);

const elsewhere = (place: string): Rule =>
  rule(
    'path',
    '404 route-not-found',
    path(() => place),
  );

interface Shown {
  readonly path: string | ((world: World) => readonly string[]);
  readonly fill?: Apply;
  readonly success?: readonly number[];
  readonly alsoAllowed?: readonly string[];
  readonly rules?: readonly Rule[];
}

const anything = ['', '', '?lang=el', '?lang=en', '?utm_source=x&a=b&a=c', '?%00=1'];

const shown = ({ path: place, fill, success = [200], alsoAllowed = [], rules = [] }: Shown): Target => ({
  id: `GET ${typeof place === 'string' ? place : ''}`,
  kind: 'page',
  method: 'GET',
  alsoAllowed,
  success,
  rules: typeof place === 'string' ? [elsewhere(`${place}/x/y/z`), ...rules] : rules,
  fill: (draft, random, world) => {
    const known = typeof place === 'string' ? place : random.pick(place(world));
    draft.path = `${known}${random.pick(anything)}`;
    fill?.(draft, random, world);
  },
});

const named = (id: string, wanted: Shown): Target => ({ ...shown(wanted), id });

/** Some of the problems that the decisions name. */
const slugs = [
  ...['malformed-http', 'message-too-large', 'duplicate-header', 'invalid-header', 'invalid-query'],
  ...['invalid-json', 'validation-failed', 'currency-mismatch', 'token-invalid', 'access-blocked'],
  ...['route-not-found', 'resource-not-found', 'state-conflict', 'quota-exceeded', 'internal-error'],
];

const developerPages: readonly Target[] = [
  ...['/', '/docs', '/docs/changes', '/problems', '/openapi.json', '/robots.txt'].map((each) =>
    shown({ path: each }),
  ),
  shown({ path: '/favicon.ico' }),
  shown({ path: '/events/psd2/v1/keys' }),
  named('GET /docs/guides/:slug', {
    path: () => ['/docs/guides', '/docs/guides/first-call', '/docs/guides/first-call.md'],
    rules: [elsewhere('/docs/guides/x')],
  }),
  named('GET /docs/:area', { path: ({ areas }) => areas, rules: [elsewhere('/docs/nothing')] }),
  named('GET /assets/:file', { path: ({ assets }) => assets, rules: [elsewhere('/assets/x.css')] }),
  named('GET /problems/:slug', {
    path: () => slugs.map((slug) => `/problems/${slug}`),
    rules: [elsewhere('/problems/x')],
  }),
  ...['/sandbox/pki/root.pem', '/sandbox/pki/issuing.pem', '/sandbox/pki/crl', '/sandbox/tpp'].map((each) =>
    shown({ path: each }),
  ),
  shown({ path: '/sandbox/tpp/callback', success: [400] }),
  named('GET /sandbox/tpp/walks/:id', { path: () => ['/sandbox/tpp/walks/x'], success: [404] }),
];

const DASHBOARD = '/dashboard';
const toLogin = rule('login', '303', nobody);
const isOver = rule(
  'session',
  '303',
  cookie(() => 'trapeza_session=x'),
);

const unknownPermission = (end = ''): Rule =>
  rule(
    'id',
    '404',
    path((_known, random) => `${DASHBOARD}/permissions/${random.uuid()}${end}`),
  );
const notHers = (end = ''): Rule =>
  rule(
    'foreign id',
    '404',
    path((_known, _random, { foreignPermission }) => `${DASHBOARD}/permissions/${foreignPermission}${end}`),
  );

const permission = (end: string, more: Partial<Shown> = {}): Target =>
  named(`GET /dashboard/permissions/:id${end}`, {
    path: ({ access }) => [`${DASHBOARD}/permissions/${access.id}${end}`],
    fill: asHolder,
    ...more,
    rules: [toLogin, isOver, unknownPermission(end), notHers(end), ...(more.rules ?? [])],
  });

const holderPages: readonly Target[] = [
  shown({ path: DASHBOARD, fill: asHolder }),
  ...['/login', '/logout', '/code', '/permissions', '/apps'].map((end) =>
    shown({
      path: `${DASHBOARD}${end}`,
      success: [303],
      alsoAllowed: end === '/permissions' || end === '/apps' ? [] : ['POST'],
    }),
  ),
  ...['/payments', '/funds', '/accesses'].map((end) =>
    shown({ path: `${DASHBOARD}${end}`, fill: asHolder, rules: [toLogin, isOver] }),
  ),
  named('GET /dashboard/apps/:id', {
    path: () => [`${DASHBOARD}/apps/x`],
    fill: asHolder,
    success: [404],
    rules: [toLogin, isOver],
  }),
  permission(''),
  permission('/withdraw', {
    alsoAllowed: ['POST'],
    rules: [
      rule('state', '303', (draft, random, { over }) => {
        const ended = random.pick(over.filter(({ status }) => status !== 'Received'));
        draft.path = `${DASHBOARD}/permissions/${ended.id}/withdraw`;
      }),
    ],
  }),
  named('GET /dashboard/export/:file', {
    path: () =>
      ['permissions', 'payments', 'funds', 'accesses', 'everything'].flatMap((list) => [
        `${DASHBOARD}/export/${list}.csv`,
        `${DASHBOARD}/export/${list}.json`,
      ]),
    fill: asHolder,
    rules: [
      rule(
        'NUL',
        '400 malformed-http',
        path(() => `${DASHBOARD}/export/%00`),
      ),
      toLogin,
      isOver,
      rule(
        'file',
        '404',
        path((_known, random) => `${DASHBOARD}/export/${random.pick(['x.csv', 'funds.xml'])}`),
      ),
    ],
  }),
  named('GET /authorise/:id', {
    path: ({ undecided }) => [`/authorise/${undecided}`],
    fill: asHolder,
    rules: [
      rule(
        'id',
        '404',
        path((_known, random) => `/authorise/${random.uuid()}`),
      ),
    ],
  }),
  ...['login', 'logout', 'decision'].map((step) =>
    named(`GET /authorise/:id/${step}`, {
      path: ({ undecided }) => [`/authorise/${undecided}/${step}`],
      success: [303],
      alsoAllowed: ['POST'],
    }),
  ),
];

const staleToken = (status: number, more: Fields = {}): Rule =>
  rule('form token', String(status), (draft, random) =>
    writeForm(draft, { ...more, form_token: random.hex(43) }),
  );

interface Posted {
  readonly id: string;
  readonly path: (world: World) => string;
  readonly fill: Apply;
  readonly rules: readonly Rule[];
  readonly isNeverGood?: boolean;
}

const posted = ({ id, path: place, fill, rules, isNeverGood = false }: Posted): Target => ({
  id,
  kind: 'page',
  method: 'POST',
  alsoAllowed: ['GET'],
  success: [303],
  isNeverGood,
  rules: [...formRules, ...rules],
  fill: (draft, random, world) => {
    draft.path = place(world);
    fill(draft, random, world);
  },
});

/** Several of them, because more than ten logins of one name at the same moment are too many. */
const people = ['nikos', 'maria', 'giorgos', 'katerina', 'dimitris', 'sofia', 'kostas', 'anna'];
const right = { username: 'nikos', password: 'nikos-demo' };

const loginForm = (id: string, place: Posted['path']): Target =>
  posted({
    id,
    path: place,
    fill: all(asStranger, (draft, random, { stranger }) => {
      const username = random.pick(people);
      writeForm(draft, { form_token: stranger.formToken, username, password: `${username}-demo` });
    }),
    rules: [
      staleToken(403, right),
      rule('form of another browser', '403', nobody),
      // Of somebody else each time: ten failures under one name are followed by a pause.
      rule('password', '400', (draft, random, { stranger }) =>
        writeForm(draft, { form_token: stranger.formToken, username: random.hex(12), password: 'x' }),
      ),
    ],
  });

const holderForm = (id: string, place: Posted['path'], isNeverGood = false): Target =>
  posted({
    id,
    path: place,
    isNeverGood,
    fill: all(
      asHolder,
      form(({ holder }) => ({ form_token: holder.formToken })),
    ),
    rules: [
      rule('login', '403', nobody),
      rule('login before the body', '403', all(nobody, header('Content-Type', 'text/plain'))),
      staleToken(403),
    ],
  });

/** Never good: it would end the session of all others. A logout that is not ours leads away like a good one, and ends nothing. */
const logoutForm = (id: string, place: Posted['path']): Target =>
  posted({
    id,
    path: place,
    isNeverGood: true,
    fill: all(
      asHolder,
      form(({ holder }) => ({ form_token: holder.formToken })),
    ),
    rules: [
      rule('login', '303', nobody),
      rule('login before the body', '303', all(nobody, header('Content-Type', 'text/plain'))),
      staleToken(303),
    ],
  });

const forms: readonly Target[] = [
  loginForm('POST /dashboard/login', () => `${DASHBOARD}/login`),
  loginForm('POST /authorise/:id/login', ({ undecided }) => `/authorise/${undecided}/login`),
  holderForm('POST /dashboard/code', () => `${DASHBOARD}/code`, true),
  holderForm('POST /authorise/:id/decision', ({ undecided }) => `/authorise/${undecided}/decision`, true),
  holderForm(
    'POST /dashboard/permissions/:id/withdraw',
    ({ ending }) => `${DASHBOARD}/permissions/${ending.funds[0]}/withdraw`,
  ),
  ...['/dashboard/logout', '/authorise/:id/logout'].map((id) =>
    logoutForm(`POST ${id}`, ({ undecided }) => id.replace(':id', undecided)),
  ),
];

export const pageTargets: readonly Target[] = [...developerPages, ...holderPages, ...forms];
