/**
 * Pages for people, served by the web framework behind the public listener; no other file knows the framework. It never
 * listens itself: server.ts hands it the requests whose path is a page.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import cookies from '@fastify/cookie';
import formbody from '@fastify/formbody';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { sha256 } from '../lib/hash.js';
import type { Eventual } from '../lib/turn.js';
import { Problem } from '../problem/problem.js';
import { createCopies, variesByEncoding } from './compress.js';
import type { Exchange, Params } from './exchange.js';
import type { Reply } from './operation.js';
import { asProblem, type Site, sendProblem } from './render.js';
import type { Mount, PageRoute } from './router.js';
import { readUpload, refusedUpload, Upload } from './upload.js';

export interface PageRequest {
  readonly params: Params;
  readonly query: Params;
  /** The fields of a posted form; a field that came several times has all its values in `formLists`. */
  readonly form: Params;
  readonly formLists: Readonly<Record<string, readonly string[]>>;
  /** Of a form with files, by field. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  readonly cookies: Params;
  readonly headers: Params;
  readonly requestId: string;
  /** The raw pair, for the authorization server, which reads its own cookies. */
  readonly raw: { readonly request: IncomingMessage; readonly response: ServerResponse };
}

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
  /** In the place of the body, for what may be long. */
  readonly stream?: Readable;
  readonly headers?: Readonly<Record<string, string>>;
  /** The page is better with a script of ours. It must work without. */
  readonly hasScript?: boolean;
  /** That script may call this service. */
  readonly mayCall?: boolean;
  /** For one person only: never kept by any cache. */
  readonly isPersonal?: boolean;
  readonly cookies?: readonly PageCookie[];
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

export interface Page extends PageRoute {
  readonly method: 'GET' | 'POST';
  /** With `:name` for parameters. */
  readonly path: string;
  /** Its form has files, of so many bytes together. */
  readonly uploadBytes?: number;
  render(request: PageRequest): Eventual<PageAnswer>;
}

export interface PageServer extends Mount {
  close(): Promise<void>;
}

/** Of a form without files. */
const FORM_BYTES = 16_384;

type Policed = Pick<PageAnswer, 'hasScript' | 'mayCall' | 'formTarget'>;

const contentPolicy = ({ hasScript, mayCall, formTarget }: Policed): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    ...(hasScript ? ["script-src 'self'"] : []),
    ...(mayCall ? ["connect-src 'self'"] : []),
    `form-action 'self'${formTarget ? ` ${formTarget}` : ''}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

const guardHeaders = (answer: Policed): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': contentPolicy(answer),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
});

/** A page as the answer of an operation that has both: JSON for programs, this for people. */
export const replyOf = (answer: PageAnswer): Reply => ({
  status: answer.status,
  bytes: Buffer.from(answer.body),
  headers: { ...guardHeaders(answer), 'Content-Type': `${answer.type}; charset=utf-8`, ...answer.headers },
});

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

/** What is for one person or sets a cookie may hold a secret, whose length compression would tell (BREACH). */
const isPublic = (
  { status, isPersonal, cookies, stream }: PageAnswer,
  { method }: IncomingMessage,
): boolean => status === 200 && method !== 'POST' && !isPersonal && !cookies?.length && !stream;

const createSend = (site: Site) => {
  const copyOf = createCopies();
  return async (reply: FastifyReply, answer: PageAnswer, exchange: Exchange): Promise<FastifyReply> => {
    const { status, type, body, headers, isPersonal = false, cookies = [] } = answer;
    const hash = sha256(body).slice(0, 22);
    const mayCompress = isPublic(answer, exchange.request) && !isPacked(type);
    const copy = mayCompress ? copyOf(body, hash, exchange.headers['accept-encoding']) : undefined;
    const etag = `"${hash}${copy ? `-${copy.coding}` : ''}"`;
    const bytes = await copy?.bytes;
    // Too late: it was answered meanwhile.
    if (exchange.sent) return reply.hijack();
    setCookies(reply, cookies, site);
    reply.headers({
      ...commonHeaders(exchange.requestId, site),
      ...guardHeaders(answer),
      // Asked for anew every time, sent anew only when it has changed; what is for one person is never kept.
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

const lists = (fields: unknown): Record<string, string[]> => {
  const found: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of Object.entries((fields ?? {}) as Record<string, string | string[]>))
    found[name] = [value].flat();
  return found;
};

const firsts = (values: Readonly<Record<string, readonly string[]>>): Params =>
  Object.fromEntries(Object.entries(values).map(([name, [first]]) => [name, first]));

/** A form that another site has posted into our page is refused before it is read. */
const checkOrigin = (request: FastifyRequest, site: Site): void => {
  const { origin, 'sec-fetch-site': fetchSite } = request.headers;
  const isForeign = origin !== undefined && origin !== new URL(site.baseUrl).origin;
  if (isForeign || fetchSite === 'cross-site') {
    throw new Problem('access-blocked', { detail: 'This form can be sent from our own pages only.' });
  }
};

const pageRequest = (request: FastifyRequest, reply: FastifyReply, requestId: string): PageRequest => {
  const { body } = request;
  const formLists = lists(body instanceof Upload ? body.fields : body);
  return {
    params: request.params as Params,
    query: firsts(lists(request.query)),
    form: firsts(formLists),
    formLists,
    ...(body instanceof Upload ? { files: body.files } : {}),
    cookies: request.cookies,
    headers: request.headers as Params,
    requestId,
    raw: { request: request.raw, response: reply.raw },
  };
};

/** Written by the same hand as the problems of the API, so that an error looks the same wherever it happens. */
const sendPageProblem = (reply: FastifyReply, exchange: Exchange, site: Site, problem: Problem): void => {
  exchange.problem = problem;
  reply.hijack();
  const headers = { ...guardHeaders({}), ...problem.details.headers };
  sendProblem(exchange, site, new Problem(problem.slug, { ...problem.details, headers }), false);
};

/** What the framework refuses of a form, in our words. */
const ownProblem = (error: unknown): unknown => {
  const status = (error as { statusCode?: unknown }).statusCode;
  if (error instanceof Problem || typeof status !== 'number' || status >= 500) return error;
  if (status === 415)
    return new Problem('unsupported-media-type', {
      detail: 'Forms are sent as application/x-www-form-urlencoded.',
    });
  return new Problem(status === 413 ? 'message-too-large' : 'malformed-http');
};

export const createPageServer = async (pages: readonly Page[], site: Site): Promise<PageServer> => {
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
    // What the framework refuses by itself are addresses it cannot read.
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
      if (!(routeOptions.config as { readonly hasFiles?: boolean }).hasFiles) throw refusedUpload(415);
      return readUpload(headers['content-type'] ?? '', body);
    },
  );
  for (const page of pages) {
    app.route({
      method: page.method,
      url: page.path,
      ...(page.uploadBytes === undefined ? {} : { bodyLimit: page.uploadBytes, config: { hasFiles: true } }),
      handler: async (request, reply) => {
        if (page.method === 'POST') checkOrigin(request, site);
        const exchange = exchangeOf(request);
        const answer = await page.render(pageRequest(request, reply, exchange.requestId));
        return send(reply, answer, exchange);
      },
    });
  }
  await app.ready();

  return {
    name: 'page',
    routes: pages.map(({ method, path }) => ({ method, path })),
    serve: (request, response, exchange) => {
      exchanges.set(request, exchange);
      app.routing(request, response);
    },
    close: () => app.close(),
  };
};
