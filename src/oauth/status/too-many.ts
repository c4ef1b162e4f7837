/** How many authorizations one address may begin: each writes a row, and anybody can ask for one. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange } from '../../http/exchange.js';
import type { PageAnswer } from '../../http/pages.js';
import { paths } from '../provider.js';

interface Wait {
  readonly ms: number;
}

export interface BeginningParts {
  readonly guard: {
    /** Counts an authorization of its source; how long that must wait if it is too much. */
    authorize(exchange: Exchange): Wait | undefined;
  };
  /** The page for a browser in that case. */
  readonly tooManyPage: (request: IncomingMessage, wait: Wait) => PageAnswer;
}

/** Everything else goes on with one. */
const BEGINNING = new RegExp(`(${paths.authorize}|${paths.par})/?$`, 'i');

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";
/** Of every answer of the authorization server: its pages have no form and lead nowhere, and no page of a library gets past it. */
export const pageGuards = { 'Content-Security-Policy': POLICY, 'X-Frame-Options': 'DENY' } as const;
const tooMany = {
  error: 'temporarily_unavailable',
  error_description: 'too many requests of this address; see Retry-After',
} as const;

/** Answers with 429 and returns true: to an application as JSON, to a browser as a page. */
export const isTooMuch = (
  { guard, tooManyPage }: BeginningParts,
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
): boolean => {
  const [path = ''] = (request.url ?? '').split('?');
  if (!BEGINNING.test(path)) return false;
  const wait = guard.authorize(exchange);
  if (!wait) return false;
  const { headers, body } = tooManyPage(request, wait);
  const isApplication = request.method === 'POST';
  const type = isApplication ? 'application/json' : 'text/html';
  response
    .writeHead(429, { ...headers, 'Content-Type': `${type}; charset=utf-8` })
    .end(isApplication ? JSON.stringify(tooMany) : body);
  return true;
};
