/** How many authorizations one address may begin: each writes a row, and anybody can ask for one. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PageAnswer } from '../../http/pages.js';
import { paths } from '../provider.js';

interface Wait {
  readonly ms: number;
}

export interface BeginningParts {
  readonly addressOf: (request: IncomingMessage) => string;
  /** Counts an authorization of this address; how long it must wait if that is too much. */
  readonly authorizeFrom: (address: string) => Promise<Wait | undefined>;
  /** The page for a browser in that case. */
  readonly tooManyPage: (request: IncomingMessage, wait: Wait) => PageAnswer;
}

/** Everything else goes on with one. */
const BEGINNING = new RegExp(`(${paths.authorize}|${paths.par})/?$`, 'i');

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";
/** Of every page that the authorization server shows itself: it has no form and leads nowhere. */
export const pageGuards = { 'Content-Security-Policy': POLICY, 'X-Frame-Options': 'DENY' } as const;
const tooMany = {
  error: 'temporarily_unavailable',
  error_description: 'too many requests of this address; see Retry-After',
} as const;

/** Answers with 429 and returns true: to an application as JSON, to a browser as a page. */
export const isTooMuch = async (
  { addressOf, authorizeFrom, tooManyPage }: BeginningParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> => {
  const [path = ''] = (request.url ?? '').split('?');
  if (!BEGINNING.test(path)) return false;
  const wait = await authorizeFrom(addressOf(request));
  if (!wait) return false;
  const { headers, body } = tooManyPage(request, wait);
  const isApplication = request.method === 'POST';
  const type = isApplication ? 'application/json' : 'text/html';
  response
    .writeHead(429, { ...headers, ...pageGuards, 'Content-Type': `${type}; charset=utf-8` })
    .end(isApplication ? JSON.stringify(tooMany) : body);
  return true;
};
