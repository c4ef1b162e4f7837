/**
 * Pages for people, served by the web framework behind the public listener; no other file knows the framework. It never
 * listens itself: server.ts hands it the requests whose path is a page.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import cookies from '@fastify/cookie';
import formbody from '@fastify/formbody';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteOptions,
} from 'fastify';
import { sha256 } from '../lib/hash.js';
import type { Eventual } from '../lib/turn.js';
import { Problem } from '../problem/problem.js';
import { type Audience, judge, neverJudged, render } from './audience.js';
import { createCopies, variesByEncoding } from './compress.js';
import type { Exchange, Mount, Params } from './exchange.js';
import { policyHeaders } from './page-policy.js';
import { headOf, withBody } from './page-request.js';
import { asProblem, type Site, sendProblem } from './render.js';
import { refusedUpload, Upload, type UploadThread } from './upload.js';

export interface PageRequest {
  readonly params: Params;
  readonly query: Params;
  /** The fields of a posted form; a field that came several times has all its values in `formLists`. */
  readonly form: Params;
  readonly formLists: Readonly<Record<string, readonly string[]>>;
  /** What the reader of the page made of its upload. */
  readonly uploaded?: unknown;
  readonly cookies: Params;
  readonly headers: Params;
  readonly requestId: string;
  /** The raw pair, for the authorization server, which reads its own cookies. */
  readonly raw: { readonly request: IncomingMessage; readonly response: ServerResponse };
}

/** Logs why a page could not be shown, with the id of its request if there is one. */
export type PageReport = (error: unknown, request?: Pick<PageRequest, 'requestId'>) => void;

export interface PageCookie {
  readonly name: string;
  readonly value: string;
  /** Seconds; absent: until the browser is closed; 0 removes it. */
  readonly maxAge?: number;
  /** One for all services of this host, whatever path they are below. */
  readonly isOfHost?: boolean;
}

export interface PageAnswer {
  readonly status: number;
  /** The media type; the charset is added. */
  readonly type: string;
  readonly body: string | Buffer;
  /** Instead of the body, for a long answer. */
  readonly stream?: Readable;
  readonly headers?: Readonly<Record<string, string>>;
  /** Loads a script of ours. The page must work without it. */
  readonly hasScript?: boolean;
  /** The script may call this service. */
  readonly mayCall?: boolean;
  /** For one person only: never kept by any cache. */
  readonly isPersonal?: boolean;
  readonly cookies?: readonly PageCookie[];
  /** The operator who asked, for the log. */
  readonly by?: string;
  /** Another origin to which a form of this page may lead, besides our own. */
  readonly formTarget?: string;
}

/** Sends the browser on with a GET, also after a form. */
export const seeOther = (location: string, cookies: readonly PageCookie[] = []): PageAnswer => ({
  status: 303,
  type: 'text/plain',
  body: '',
  headers: { Location: location },
  isPersonal: true,
  cookies,
});

export interface Page<Visitor = unknown> {
  readonly method: 'GET' | 'POST';
  /** With `:name` for parameters. */
  readonly path: string;
  readonly audience: Audience<Visitor>;
  /** It is there while the interface is closed for maintenance: it says what is the matter. */
  readonly staysOpen?: boolean;
  /** Its form may have files, which this reader of the upload thread reads; the form has so many bytes at most. */
  readonly upload?: { readonly reader: string; readonly bytes: number };
  render(request: PageRequest, visitor: Visitor): Eventual<PageAnswer>;
  /** The page for what is thrown; a problem if absent. */
  onFault?(request: PageRequest, error: unknown): PageAnswer;
}

/** Checks that the page expects the visitor that its audience admits. */
export const pageFor = <Visitor>(page: Page<Visitor>): Page => page;

export interface PageServer extends Mount {
  close(): Promise<void>;
}

/** Limit of a form without files. */
const FORM_BYTES = 16_384;

const commonHeaders = (requestId: string, site: Site): Record<string, string> => ({
  'X-Request-ID': requestId,
  'X-Content-Type-Options': 'nosniff',
  ...(site.baseUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
});

/** `__Host-` binds a cookie to this very host, but browsers take it over https alone. */
export const hostCookieName = (site: Site, name: string): string =>
  site.baseUrl.startsWith('https:') ? `__Host-${name}` : name;

/** Services below different paths of one host have cookies of their own. A path in the cookie would rule `__Host-` out. */
export const nameBelow = (baseUrl: string, name: string): string =>
  `${name}${new URL(baseUrl).pathname.replace(/\/+$/, '').replace(/[^\w-]+/g, '.')}`;

export const cookieName = (site: Site, name: string): string =>
  hostCookieName(site, nameBelow(site.baseUrl, name));

const setCookies = (reply: FastifyReply, cookies: readonly PageCookie[], site: Site): void => {
  for (const { name, value, maxAge, isOfHost } of cookies) {
    reply.setCookie((isOfHost ? hostCookieName : cookieName)(site, name), value, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: site.baseUrl.startsWith('https:'),
      ...(maxAge === undefined ? {} : { maxAge }),
    });
  }
};

const isPacked = (type: string): boolean => ['application/gzip', 'application/zip'].includes(type);

/** An answer that is personal or sets a cookie may hold a secret, whose length compression would reveal (BREACH). */
const isPublic = (
  { status, isPersonal, cookies, stream }: PageAnswer,
  { method }: IncomingMessage,
): boolean => status === 200 && method !== 'POST' && !isPersonal && !cookies?.length && !stream;

const createSend = (site: Site) => {
  const copyOf = createCopies();
  return async (reply: FastifyReply, answer: PageAnswer, exchange: Exchange): Promise<FastifyReply> => {
    const { status, type, body, headers, isPersonal = false, cookies = [], by } = answer;
    exchange.operator = by;
    const hash = sha256(body).slice(0, 22);
    const mayCompress = isPublic(answer, exchange.request) && !isPacked(type);
    const copy = mayCompress ? copyOf(body, hash, exchange.headers['accept-encoding']) : undefined;
    const etag = `"${hash}${copy ? `-${copy.coding}` : ''}"`;
    const bytes = await copy?.bytes;
    // The deadline has answered meanwhile.
    if (exchange.sent) return reply.hijack();
    setCookies(reply, cookies, site);
    reply.headers({
      ...commonHeaders(exchange.requestId, site),
      ...policyHeaders(answer),
      // Caches ask every time, and get a public page again only when it has changed. A personal one is never kept.
      ...(isPersonal ? { 'Cache-Control': 'no-store' } : { 'Cache-Control': 'no-cache', ETag: etag }),
      ...headers,
      ...(mayCompress ? { Vary: [headers?.Vary, variesByEncoding.Vary].filter(Boolean).join(', ') } : {}),
    });
    const isKnown = !isPersonal && status === 200 && exchange.headers['if-none-match'] === etag;
    if (isKnown) return reply.code(304).send();
    reply.code(status).header('Content-Type', `${type}; charset=utf-8`);
    if (copy) reply.header('Content-Encoding', copy.coding);
    return reply.send(bytes ?? answer.stream ?? body);
  };
};

/** Refuses a form that another site has posted. */
const checkOrigin = (request: FastifyRequest, site: Site): void => {
  const { origin, 'sec-fetch-site': fetchSite } = request.headers;
  const isForeign = origin !== undefined && origin !== new URL(site.baseUrl).origin;
  if (isForeign || fetchSite === 'cross-site') {
    throw new Problem('access-blocked', { detail: 'This form can be sent from our own pages only.' });
  }
};

/** Sent in the same way as the problems of the API, so that errors look the same everywhere. */
const sendPageProblem = (reply: FastifyReply, exchange: Exchange, site: Site, problem: Problem): void => {
  exchange.problem = problem;
  reply.hijack();
  const headers = { ...policyHeaders({}), ...problem.details.headers };
  sendProblem(exchange, site, new Problem(problem.slug, { ...problem.details, headers }));
};

/** The framework's refusal of a form, as a problem. */
const ownProblem = (error: unknown): unknown => {
  const status = (error as { statusCode?: unknown }).statusCode;
  if (error instanceof Problem || typeof status !== 'number' || status >= 500) return error;
  if (status === 415)
    return new Problem('unsupported-media-type', {
      detail: 'Forms are sent as application/x-www-form-urlencoded.',
    });
  return new Problem(status === 413 ? 'message-too-large' : 'malformed-http');
};

interface RouteParts {
  readonly site: Site;
  readonly send: ReturnType<typeof createSend>;
  readonly uploads: UploadThread | undefined;
  readonly exchangeOf: (request: FastifyRequest) => Exchange;
}

const routeOf = (page: Page, { site, send, uploads, exchangeOf }: RouteParts): RouteOptions => {
  const { upload } = page;
  if (upload && !uploads) throw new Error(`no thread reads the uploads of ${page.path}`);
  const admitted = new WeakMap<FastifyRequest, { readonly head: PageRequest; readonly visitor: unknown }>();
  return {
    method: page.method,
    url: page.path,
    ...(upload ? { bodyLimit: upload.bytes, config: { reader: upload.reader } } : {}),
    // The body is read after this.
    onRequest: async (request, reply) => {
      if (page.method === 'POST') checkOrigin(request, site);
      const exchange = exchangeOf(request);
      exchange.page = page.path;
      const head = headOf(request, reply.raw, exchange.requestId);
      const admission = await judge(page, head);
      if ('visitor' in admission) {
        admitted.set(request, { head, visitor: admission.visitor });
        return undefined;
      }
      return send(reply, admission.answer, exchange);
    },
    handler: async (request, reply) => {
      const { head, visitor } = admitted.get(request) ?? neverJudged();
      const sent = withBody(head, request.body);
      // A form without files may hold the text of one.
      const isRead = !upload || !uploads || request.body instanceof Upload;
      const whole = isRead ? sent : withBody(head, await uploads.read(upload.reader, { fields: sent.form }));
      return send(reply, await render(page, whole, visitor), exchangeOf(request));
    },
  };
};

export const createPageServer = async (
  pages: readonly Page[],
  site: Site,
  uploads?: UploadThread,
): Promise<PageServer> => {
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  const exchangeOf = (request: FastifyRequest): Exchange => {
    const exchange = exchanges.get(request.raw);
    if (!exchange) throw new Error('this request did not come through the listener');
    return exchange;
  };
  const fail = (request: FastifyRequest, reply: FastifyReply, problem: Problem): void =>
    sendPageProblem(reply, exchangeOf(request), site, problem);

  const send = createSend(site);

  const app: FastifyInstance = fastify({
    logger: false,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 128 },
    // The framework itself refuses addresses that it cannot read.
    frameworkErrors: (_error, request, reply) =>
      fail(request as FastifyRequest, reply as FastifyReply, new Problem('route-not-found')),
  });
  app.setNotFoundHandler((request, reply) => fail(request, reply, new Problem('route-not-found')));
  app.setErrorHandler((error, request, reply) => fail(request, reply, asProblem(ownProblem(error))));
  await app.register(cookies);
  // The framework also reads JSON and plain text, which no form of ours is sent as.
  app.removeAllContentTypeParsers();
  await app.register(formbody, { bodyLimit: FORM_BYTES });
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: FORM_BYTES },
    async ({ headers, routeOptions }: FastifyRequest, body: Buffer) => {
      const { reader } = routeOptions.config as { readonly reader?: string };
      if (reader === undefined || !uploads) throw refusedUpload(415);
      return uploads.read(reader, { type: headers['content-type'] ?? '', body: new Uint8Array(body) });
    },
  );
  for (const page of pages) app.route(routeOf(page, { site, send, uploads, exchangeOf }));
  await app.ready();
  const staysOpen = pages
    .filter((page) => page.staysOpen)
    .map(({ path }) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`));

  return {
    name: 'page',
    routes: pages.map(({ method, path, audience }) => ({ method, path, audience })),
    staysOpen: (path) => staysOpen.some((pattern) => pattern.test(path)),
    serve: (request, response, exchange) => {
      exchanges.set(request, exchange);
      app.routing(request, response);
    },
    close: () => app.close(),
  };
};
