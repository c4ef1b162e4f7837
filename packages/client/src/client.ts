/** The client: a method for each operation of the interface, typed by the bank's own OpenAPI document. */
import { type Clock, type Fetch, systemClock, withoutSlash } from './clock.js';
import { type Operations, operations } from './interface.js';
import type { Received } from './problem.js';
import { type RetryOptions, type SendParts, send, type TokenSource } from './send.js';

export type OperationName = keyof Operations;

/** What the signature is made over, and what it adds. */
export type Signer = (request: {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}) => Promise<Readonly<Record<string, string>>>;

export interface ClientOptions extends Partial<RetryOptions> {
  /** Of the bank, with its path prefix if it has one. */
  readonly baseUrl: string;
  readonly subscriptionKey: string;
  /** An access token, or a function that gives one and renews it. */
  readonly token?: string | TokenSource;
  readonly signer?: Signer;
  readonly fetch?: Fetch;
  readonly clock?: Clock;
}

/** The sandbox has headers of its own. */
interface SandboxHeaders {
  readonly [name: `Sandbox-${string}`]: string;
}

interface CallOptions {
  /** If a call must be repeated after a restart: the id of the first time. */
  readonly requestId?: string;
  readonly signal?: AbortSignal;
}

type Sent<Name extends OperationName> = Omit<Operations[Name], 'answer' | 'file' | 'headers'> &
  (Operations[Name] extends { readonly headers: infer Headers }
    ? { readonly headers: Headers & SandboxHeaders }
    : Operations[Name] extends { readonly headers?: infer Headers }
      ? { readonly headers?: (NonNullable<Headers> & SandboxHeaders) | undefined }
      : { readonly headers?: SandboxHeaders });

export type Call<Name extends OperationName> = Sent<Name> & CallOptions;

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export type AnswerOf<Name extends OperationName> = Answer<Operations[Name]['answer']>;

/** Nothing need be said to call an operation without required parts. */
type Arguments<Given> = Record<never, never> extends Given ? [call?: Given] : [call: Given];

interface FileMethod<Name extends OperationName> {
  (
    call: Call<Name> & { readonly accept: Operations[Name] extends { file: infer Type } ? Type : never },
  ): Promise<Answer<Uint8Array>>;
  (...call: Arguments<Call<Name>>): Promise<AnswerOf<Name>>;
}

export type Method<Name extends OperationName> = Operations[Name] extends { file: string }
  ? FileMethod<Name>
  : (...call: Arguments<Call<Name>>) => Promise<AnswerOf<Name>>;

/** Operations that answer in pages. */
export type PagedOperation = {
  [Name in OperationName]: Operations[Name]['answer'] extends { _links: { next?: unknown } } ? Name : never;
}[OperationName];

export type Client = { readonly [Name in OperationName]: Method<Name> } & {
  /** One page after the other, following `_links.next`. */
  pages<Name extends PagedOperation>(
    operation: Name,
    ...call: Arguments<Call<Name>>
  ): AsyncGenerator<AnswerOf<Name>, void, undefined>;
};

type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** Any call, as it is sent. */
interface AnyCall extends CallOptions {
  readonly params?: Values;
  readonly query?: Values;
  readonly headers?: Values;
  readonly body?: unknown;
  readonly accept?: string;
}

const defined = (values: Values = {}): [string, string][] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));

const addressOf = (baseUrl: string, path: string, { params = {}, query }: AnyCall): string => {
  const place = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new TypeError(`params.${name} is missing`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(defined(query)).toString();
  return `${withoutSlash(baseUrl)}${place}${search && `?${search}`}`;
};

const bodyOf = ({ headers, bytes }: Received): unknown => {
  if (bytes.length === 0) return undefined;
  const isJson = headers.get('content-type')?.includes('json') ?? false;
  return isJson ? JSON.parse(new TextDecoder().decode(bytes)) : bytes;
};

const callWith =
  (options: ClientOptions, parts: SendParts) =>
  async (name: OperationName, call: AnyCall = {}): Promise<Answer<unknown>> => {
    const [method, path] = operations[name];
    const url = new URL(addressOf(options.baseUrl, path, call));
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const headers = {
      Accept: call.accept ?? 'application/json',
      'Ocp-Apim-Subscription-Key': options.subscriptionKey,
      'X-Request-ID': call.requestId ?? crypto.randomUUID(),
      ...Object.fromEntries(defined(call.headers)),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const signed = await options.signer?.({ method, url, headers, body: body ?? '' });
    const received = await send(parts, {
      method,
      url: url.href,
      headers: { ...headers, ...signed },
      body,
      signal: call.signal,
    });
    return { status: received.status, headers: received.headers, body: bodyOf(received) };
  };

type AnyMethod = (name: OperationName, call?: AnyCall) => Promise<Answer<unknown>>;

const queryOf = (href: string, baseUrl: string): Record<string, string> =>
  Object.fromEntries(new URL(href, `${withoutSlash(baseUrl)}/`).searchParams);

const isSame = (one: Values = {}, other: Values): boolean =>
  new URLSearchParams(defined(one)).toString() === new URLSearchParams(defined(other)).toString();

/** Only the query of a link is taken: credentials are never sent to another place. A link to the same page is for a later visit. */
const pagesOf = (method: AnyMethod, baseUrl: string) =>
  async function* (name: OperationName, call: AnyCall = {}): AsyncGenerator<Answer<unknown>> {
    for (let next: AnyCall | undefined = call; next !== undefined; ) {
      // A request id is of one page.
      const { requestId: _used, ...rest }: AnyCall = next;
      const answer: Answer<unknown> = await method(name, next);
      yield answer;
      const { _links } = answer.body as { _links?: { next?: { href: string } } };
      const query: Values | undefined = _links?.next && queryOf(_links.next.href, baseUrl);
      next = query && !isSame(rest.query, query) ? { ...rest, query } : undefined;
    }
  };

const tokenSource = (token: ClientOptions['token']): TokenSource | undefined =>
  typeof token === 'string' ? async () => token : token;

export const createClient = (options: ClientOptions): Client => {
  const parts: SendParts = {
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    clock: options.clock ?? systemClock,
    token: tokenSource(options.token),
    retries: options.retries ?? 3,
    maxWaitMs: options.maxWaitMs ?? 30_000,
    timeoutMs: options.timeoutMs ?? 30_000,
  };
  const method = callWith(options, parts);
  const names = Object.keys(operations) as OperationName[];
  const methods = names.map((name) => [name, (call?: AnyCall) => method(name, call)]);
  // The types are those of the table from which the methods are made.
  return { ...Object.fromEntries(methods), pages: pagesOf(method, options.baseUrl) } as Client;
};
