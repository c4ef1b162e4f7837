/**
 * Who may not use a page or an operation is answered by its headers: every route of every listener, from the tables of the service, is asked
 * with a body that is announced and never comes. Every answer has a policy that forbids frames.
 */
import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { type OperatorRole, operatorRoles } from '../../../src/acts/role.js';
import type { ServedRoute } from '../../../src/app/app.js';
import type { AudienceName } from '../../../src/http/audience.js';
import { inTurns } from '../../../src/lib/turn.js';
import { DashboardVisitor } from '../../account-pages/dashboard/support.js';
import { enrolOperator } from '../../operator/support.js';
import { portalOptions, VISITOR } from '../../portal/support.js';
import { formTokenIn, posted } from '../../support/form.js';
import { inTier } from '../../support/tier.js';
import { useService } from '../../support/use-service.js';

/** Later than the test may take: no answer is one of these. */
const patient = { TRAPEZA_HEADERS_TIMEOUT_MS: '600000', TRAPEZA_REQUEST_TIMEOUT_MS: '600000' };

const LATE_MS = 5_000;

interface Seen {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** The answer to a request whose body never comes. */
const announced = (
  base: string,
  { method, path }: Pick<ServedRoute, 'method' | 'path'>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Seen> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    const body = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '4000' };
    const all = { ...body, ...headers };
    const sent = request({ hostname, port, method, path, agent: false, headers: all });
    // Only a request that waits for its body is so late.
    sent.setTimeout(LATE_MS, () => sent.destroy(new Error(`${method} ${path} waits for its body`)));
    sent.on('response', ({ statusCode = 0, headers: told, socket }) => {
      socket.on('error', () => undefined);
      resolve({ status: statusCode, headers: told });
      sent.destroy();
    });
    sent.on('error', reject);
    sent.flushHeaders();
  });

/** An address of the route, of something that does not exist. */
const addressOf = ({ path }: ServedRoute): string =>
  path.replaceAll(/:\w+/g, () => randomUUID()).replaceAll('*', randomUUID());

const isPosted = ({ method }: ServedRoute): boolean => !['GET', 'HEAD'].includes(method);

const isGuarded = ({ headers }: Seen): boolean =>
  /frame-ancestors 'none'/.test(String(headers['content-security-policy'])) &&
  headers['x-content-type-options'] === 'nosniff';

const WAITS: Seen = { status: 0, headers: {} };

/** The statuses that a stranger may meet, by the audience. Undefined: the answer needs the body. */
const strangers: Readonly<Record<AudienceName, readonly number[] | undefined>> = {
  everybody: undefined,
  'application by its form': undefined,
  visitor: [400, 403, 404],
  'account holder': [303, 403],
  'account holder with both factors': [303, 403],
  operator: [303],
  developer: [303],
  application: [401],
  certificate: [401, 403],
};

type Ask = (route: ServedRoute) => { readonly path?: string; readonly headers?: Record<string, string> };

/** The routes that answer with another status, or without the policy. */
const misfits = async (
  bases: Readonly<Record<ServedRoute['listener'], string>>,
  routes: readonly ServedRoute[],
  ask: Ask,
  allowed: (route: ServedRoute) => readonly number[],
): Promise<readonly string[]> => {
  const found: string[] = [];
  await inTurns(routes, 16, async (route) => {
    const { path = addressOf(route), headers = {} } = ask(route);
    const seen = await announced(bases[route.listener], { method: route.method, path }, headers).catch(
      () => WAITS,
    );
    if (!allowed(route).includes(seen.status) || !isGuarded(seen))
      found.push(`${route.method} ${route.path} (${route.audience.name}): ${seen.status}`);
  });
  return found;
};

/** Signed by their sender, or a question that anybody may ask. */
const ofPrograms: readonly string[] = ['/sandbox/tpp/webhook', '/sandbox/pki/ocsp'];

const isPage = ({ audience }: ServedRoute): boolean =>
  !['application', 'application by its form', 'certificate'].includes(audience.name);

describe('a body that never comes', () => {
  const use = useService({ env: patient });
  const bases = () => ({ public: use().url, console: use().app.consoleUrl });
  /** Operations take no form of another site: they have no cookies. */
  const operations = () => new Set(use().app.operations.map(({ method, path }) => `${method} ${path}`));
  const pages = () =>
    use().app.routes.filter(
      (route) =>
        isPage(route) &&
        isPosted(route) &&
        !operations().has(`${route.method} ${route.path}`) &&
        !route.path.includes('*') &&
        !ofPrograms.includes(route.path),
    );

  it('is not waited for if a stranger announces it', async () => {
    const judged = use().app.routes.filter(
      (route) => strangers[route.audience.name] !== undefined && (isPosted(route) || !isPage(route)),
    );
    expect(judged.length).toBeGreaterThan(60);
    const json = { 'Content-Type': 'application/json', 'X-Request-ID': randomUUID() };
    const wrongClient = { Authorization: `Basic ${Buffer.from('nobody:wrong').toString('base64')}` };
    const ask: Ask = ({ path }) => ({
      headers: path.startsWith('/oauth/') ? wrongClient : json,
    });
    expect(await misfits(bases(), judged, ask, ({ audience }) => strangers[audience.name] ?? [])).toEqual([]);
  });

  it('is waited for only if the body decides', () => {
    const open = use().app.routes.filter(({ audience }) => audience.name === 'application by its form');
    expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'POST /oauth/par',
      'POST /oauth/token',
    ]);
  });

  it.each([{ Origin: 'https://evil.example' }, { Origin: 'null' }, { 'Sec-Fetch-Site': 'cross-site' }])(
    'is not waited for if another site posts it (%j)',
    async (headers) => {
      expect(pages().length).toBeGreaterThan(30);
      expect(
        await misfits(
          bases(),
          pages(),
          () => ({ headers }),
          () => [403],
        ),
      ).toEqual([]);
    },
  );

  it('is not waited for with the first factor alone, or without the token of the session', async () => {
    const visitor = new DashboardVisitor(use());
    await visitor.logIn();
    const token = formTokenIn((await visitor.get('/dashboard')).text);
    const Cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const of = (name: AudienceName) => pages().filter(({ audience }) => audience.name === name);
    const signed: Ask = (route) => ({
      path: posted(addressOf(route), { form_token: token }).path,
      headers: { Cookie },
    });
    const both = of('account holder with both factors');
    expect(both.length).toBeGreaterThan(4);
    expect(await misfits(bases(), both, signed, () => [303, 403])).toEqual([]);
    const holders = [...of('account holder'), ...both, ...of('visitor')];
    const refused = () => [303, 400, 403, 404];
    expect(await misfits(bases(), holders, () => ({ headers: { Cookie } }), refused)).toEqual([]);
  });

  it('is not waited for in a role that may not, or without the token of the session', async () => {
    const posts = pages().filter(({ audience }) => audience.name === 'operator');
    expect(posts.length).toBeGreaterThan(15);
    for (const role of inTier<readonly OperatorRole[]>(operatorRoles.slice(0, 1), operatorRoles)) {
      const visitor = await enrolOperator(use(), `walk-${role}`, role);
      const { cookie: Cookie, token } = await visitor.session();
      const unsigned = await misfits(
        bases(),
        posts,
        () => ({ headers: { Cookie } }),
        () => [403],
      );
      expect([role, unsigned]).toEqual([role, []]);
      const forbidden = posts.filter(({ audience }) => !audience.roles?.includes(role));
      if (role !== 'admin') expect(forbidden.length, role).toBeGreaterThan(0);
      const signed: Ask = (route) => ({
        path: posted(addressOf(route), { form_token: token }).path,
        headers: { Cookie },
      });
      expect([role, await misfits(bases(), forbidden, signed, () => [403])]).toEqual([role, []]);
    }
  });

  it('is not waited for by the management listener, which leads to the console', async () => {
    const { managementUrl, consoleUrl } = use().app;
    for (const [method, path, status] of [
      ['POST', '/core/news', 404],
      ['POST', '/operator/atms', 404],
      ['POST', '/health/ready', 404],
      ['GET', '/health/live', 200],
      ['GET', '/operator/parties?q=x', 307],
    ] as const) {
      const seen = await announced(managementUrl, { method, path });
      expect([path, seen.status, isGuarded(seen)]).toEqual([path, status, true]);
      if (status === 307) expect(seen.headers.location).toBe(`${consoleUrl}${path}`);
    }
  });
});

describe('a developer in the portal', () => {
  const use = useService({ ...portalOptions, env: { ...portalOptions.env, ...patient } });
  let tppId = '';
  beforeAll(async () => {
    [tppId = ''] = (await use().app.admin.tpps()).map(({ id }) => id);
  });

  it('is answered before a body that never comes, without a login and without the token', async () => {
    const posts = use().app.routes.filter((route) => route.audience.name === 'developer' && isPosted(route));
    expect(posts.length).toBeGreaterThan(8);
    const bases = { public: use().url, console: use().app.consoleUrl };
    expect(
      await misfits(
        bases,
        posts,
        () => ({}),
        () => [303],
      ),
    ).toEqual([]);
    const headers = { Cookie: `${VISITOR}=${tppId}` };
    expect(
      await misfits(
        bases,
        posts,
        () => ({ headers }),
        () => [403],
      ),
    ).toEqual([]);
  });
});
