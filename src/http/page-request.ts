/** A request as a page sees it: its head, which is judged, and then its form. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../problem/problem.js';
import type { Params } from './exchange.js';
import type { PageRequest } from './pages.js';
import { Upload } from './upload.js';

const lists = (fields: unknown): Record<string, string[]> => {
  const found: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of Object.entries((fields ?? {}) as Record<string, string | string[]>))
    found[name] = [value].flat();
  return found;
};

/** No store keeps it, and PostgreSQL does not even look for it. */
const demandNoNul = (texts: readonly unknown[]): void => {
  if (texts.some((text) => typeof text === 'string' && text.includes('\0')))
    throw new Problem('malformed-http', { detail: 'The address or the form holds a NUL character.' });
};

const firsts = (values: Readonly<Record<string, readonly string[]>>): Params =>
  Object.fromEntries(Object.entries(values).map(([name, [first]]) => [name, first]));

/** As the web framework hands it on. */
interface Framed {
  readonly params: unknown;
  readonly query: unknown;
  readonly cookies: Params;
  readonly raw: IncomingMessage;
}

/** Before its body is read. */
export const headOf = (request: Framed, response: ServerResponse, requestId: string): PageRequest => {
  const params = request.params as Params;
  const queryLists = lists(request.query);
  demandNoNul([params, queryLists].flatMap((each) => Object.values(each).flat()));
  return {
    params,
    query: firsts(queryLists),
    form: {},
    formLists: {},
    cookies: request.cookies,
    headers: request.raw.headers as Params,
    requestId,
    raw: { request: request.raw, response },
  };
};

export const withBody = (head: PageRequest, body: unknown): PageRequest => {
  if (body === undefined || body === null) return head;
  const formLists = lists(body instanceof Upload ? body.fields : body);
  demandNoNul(Object.values(formLists).flat());
  const uploaded = body instanceof Upload ? { uploaded: body.content } : {};
  return { ...head, form: firsts(formLists), formLists, ...uploaded };
};
