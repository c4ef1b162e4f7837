/** The developer pages behind a real listener, made from the real operations. Their handlers are never called here. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { demoAtms } from '../../packages/sandbox/src/atms/demo-atms.js';
import { demoPsus } from '../../packages/sandbox/src/bank/people.js';
import { pageAdditions } from '../../packages/sandbox/src/pages/additions.js';
import { scenariosPages } from '../../packages/sandbox/src/pages/scenarios-page.js';
import { sandbox as extension } from '../../packages/sandbox/src/sandbox.js';
import { type ApiParts, createApi, createOrderApi } from '../../src/api/index.js';
import type { Atm } from '../../src/atms/atm.js';
import type { Feed } from '../../src/atms/feed.js';
import type { Mount } from '../../src/http/exchange.js';
import { Exchange } from '../../src/http/exchange.js';
import { openApiDocument } from '../../src/http/openapi.js';
import type { Operation } from '../../src/http/operation.js';
import { createPageServer, type Page, type PageRequest } from '../../src/http/pages.js';
import { systemClock } from '../../src/lib/clock.js';
import { areasOf, operationPath } from '../../src/portal/areas.js';
import { createPages } from '../../src/portal/index.js';
import { frameOf } from '../../src/web/frame.js';

export const api: readonly Operation[] = [...createApi({} as ApiParts), ...createOrderApi({} as never)];
export const sandbox: readonly Operation[] = extension.describe(api);

/** The pages of the reference: one for each area of the sandbox, and one for each operation. */
const areas = areasOf(sandbox);
export const areaPaths = areas.map(({ path }) => path);
export const operationPaths = areas.flatMap((area) =>
  area.operations.map((operation) => operationPath(area, operation)),
);

/** Where each operation is described, by its id. */
export const operationIds = areas.flatMap((area) =>
  area.operations.map((operation) => [operation.id, operationPath(area, operation)] as const),
);

/** Those that are in both languages, the guides apart. */
export const homePaths = ['/?lang=el', '/?lang=en', '/banks?lang=el', '/banks?lang=en'];
/** Of a bank that has just begun. */
export const publicPaths = ['/statistics', '/status'].flatMap((path) => [
  `${path}?lang=el`,
  `${path}?lang=en`,
]);

/** A request that says nothing. */
export const pageRequest: PageRequest = {
  params: {},
  query: {},
  form: {},
  formLists: {},
  cookies: {},
  headers: {},
  requestId: '',
  raw: {} as PageRequest['raw'],
};

/** Pages on a server of their own, without the checks before them. */
export const mountListener =
  (mount: Mount, seen: Exchange[] = []): RequestListener =>
  (request, response) => {
    const route = { operation: undefined, mount, allowed: [], params: {}, searchParams: {} };
    const exchange = new Exchange(request, response, route, 0);
    seen.push(exchange);
    void mount.serve(request, response, exchange);
  };

/** A published list that changes no more. */
/** Of a bank that has just begun. */
export const noStatistics = {
  db: { all: async () => [], one: async () => undefined, run: async () => 0 },
  clock: systemClock,
};

export const feedWith = (atms: readonly Atm[]): Feed => {
  const plain = Buffer.from(JSON.stringify(atms));
  return { etag: '"list"', lastModifiedMs: 0, lastModified: '', plain, gzip: plain, brotli: plain };
};
const demoFeed = feedWith(demoAtms());

export interface PagesUnderTest {
  readonly url: string;
  readonly paths: readonly string[];
  close(): Promise<void>;
}

export interface PagesOptions {
  readonly isSandbox?: boolean;
  readonly bankName?: string;
  readonly more?: readonly Page[];
  readonly atms?: readonly Atm[];
}

const catalogue = { operations: () => api, people: () => demoPsus, hasOrders: true };
const additions = () =>
  pageAdditions({
    ...{ people: demoPsus, catalogue, isTestBank: true },
    ...{ hasDemoTpp: false, hasPortal: false, isOwn: false },
  });

export const startPages = async (options: PagesOptions = {}): Promise<PagesUnderTest> => {
  const { isSandbox = true, bankName = 'Trapeza', more = [] } = options;
  const feed = options.atms ? feedWith(options.atms) : demoFeed;
  const site = { baseUrl: '' };
  const operations = isSandbox ? sandbox : api;
  const catalogued = isSandbox
    ? scenariosPages({ ...catalogue, frame: () => frameOf(site.baseUrl, '1.2.3', additions()) })
    : [];
  const all: Page[] = [
    ...createPages({
      operations,
      openApi: () => openApiDocument(operations, { version: '1.2.3', serverUrl: site.baseUrl }),
      site,
      timeZone: 'Europe/Athens',
      atms: () => feed,
      statistics: noStatistics,
      ...(isSandbox ? { additions } : {}),
      version: '1.2.3',
      bankName: () => bankName,
      hasPage: (path) => all.some((each) => each.path === path),
    }),
    ...catalogued,
    ...more,
  ];
  const pages = await createPageServer(all, site);
  const server = createServer(mountListener(pages));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: site.baseUrl,
    paths: pages.routes.map(({ path }) => path),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pages.close();
    },
  };
};
