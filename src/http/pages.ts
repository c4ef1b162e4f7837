/**
 * Pages for people, served by the web framework behind the public listener; no other file knows the framework. It never
 * listens itself: server.ts hands it the requests whose path is a page.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { monotonicMs } from '../lib/clock.js';
import { sha256 } from '../lib/hash.js';
import type { Observer } from '../observe/observer.js';
import { Problem } from '../problem.js';
import { Exchange, type Params } from './exchange.js';
import { asProblem, type Site, sendProblem } from './render.js';
import type { PageRoute } from './router.js';

export interface PageRequest {
  readonly params: Params;
}

export interface PageAnswer {
  readonly status: number;
  /** The media type; the charset is added. */
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** The page is better with a script of ours. It must work without. */
  readonly hasScript?: boolean;
}

export interface Page extends PageRoute {
  readonly method: 'GET';
  /** With `:name` for parameters. */
  readonly path: string;
  render(request: PageRequest): PageAnswer | Promise<PageAnswer>;
}

export interface PageServerOptions {
  readonly site: Site;
  readonly observer?: Observer;
}

export interface PageServer {
  readonly routes: readonly PageRoute[];
  readonly serve: RequestListener;
  close(): Promise<void>;
}

const contentPolicy = (hasScript: boolean): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    ...(hasScript ? ["script-src 'self'"] : []),
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

const guardHeaders = (hasScript: boolean): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': contentPolicy(hasScript),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
});

const commonHeaders = (requestId: string, site: Site): Record<string, string> => ({
  'X-Request-ID': requestId,
  'X-Content-Type-Options': 'nosniff',
  ...(site.baseUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
});

const sendAnswer = (
  reply: FastifyReply,
  answer: PageAnswer,
  exchange: Exchange,
  site: Site,
): FastifyReply => {
  const { status, type, body, headers, hasScript = false } = answer;
  const etag = `"${sha256(body).slice(0, 22)}"`;
  reply.headers({
    ...commonHeaders(exchange.requestId, site),
    ...guardHeaders(hasScript),
    // Asked for anew every time, sent anew only when it has changed.
    'Cache-Control': 'no-cache',
    ETag: etag,
    ...headers,
  });
  if (status === 200 && exchange.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.code(status).header('Content-Type', `${type}; charset=utf-8`).send(body);
};

/** Written by the same hand as the problems of the API, so that an error looks the same wherever it happens. */
const sendPageProblem = (reply: FastifyReply, exchange: Exchange, site: Site, problem: Problem): void => {
  exchange.problem = problem;
  reply.hijack();
  const headers = { ...guardHeaders(false), ...problem.details.headers };
  sendProblem(exchange, site, new Problem(problem.slug, { ...problem.details, headers }), false);
};

const nowhere = { operation: undefined, allowed: [], params: {}, searchParams: {} } as const;

const observe = (observer: Observer, exchange: Exchange): void => {
  const { response } = exchange;
  response.on('close', () =>
    observer.finished({
      // One name for all pages keeps the labels of the metrics few.
      operation: 'page',
      status: response.headersSent ? response.statusCode : 0,
      ms: monotonicMs() - exchange.startedAt,
      requestId: exchange.requestId,
      slug: exchange.problem?.slug,
      cause: exchange.problem?.details.cause,
    }),
  );
};

export const createPageServer = async (
  pages: readonly Page[],
  { site, observer }: PageServerOptions,
): Promise<PageServer> => {
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  const exchangeOf = (request: FastifyRequest, reply: FastifyReply): Exchange =>
    exchanges.get(request.raw) ?? new Exchange(request.raw, reply.raw, nowhere, monotonicMs());
  const fail = (request: FastifyRequest, reply: FastifyReply, problem: Problem): void =>
    sendPageProblem(reply, exchangeOf(request, reply), site, problem);

  const app: FastifyInstance = fastify({
    logger: false,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 128 },
    // What the framework refuses by itself are addresses it cannot read.
    frameworkErrors: (_error, request, reply) =>
      fail(request as FastifyRequest, reply as FastifyReply, new Problem('route-not-found')),
  });
  app.setNotFoundHandler((request, reply) => fail(request, reply, new Problem('route-not-found')));
  app.setErrorHandler((error, request, reply) => fail(request, reply, asProblem(error)));
  for (const page of pages) {
    app.get(page.path, async (request, reply) => {
      const answer = await page.render({ params: request.params as Params });
      return sendAnswer(reply, answer, exchangeOf(request, reply), site);
    });
  }
  await app.ready();

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = new Exchange(request, response, nowhere, monotonicMs());
    exchanges.set(request, exchange);
    if (observer) observe(observer, exchange);
    app.routing(request, response);
  };
  return {
    routes: pages.map(({ method, path }) => ({ method, path })),
    serve,
    close: () => app.close(),
  };
};
