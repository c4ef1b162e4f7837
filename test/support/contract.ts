/** Holds every answer against the committed OpenAPI document: status, media type, body, and the headers it promises. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Advice, advices } from '../../src/problem/advice.js';
import { fieldCodes } from '../../src/problem/field.js';
import { type ProblemKind, type ProblemSlug, problems } from '../../src/problem/problem.js';
import type { Answer } from './client.js';
import { declaredProblems, openApi } from './openapi.js';

interface Media {
  readonly schema?: object;
}
interface ResponseEntry {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
  readonly headers?: Readonly<Record<string, unknown>>;
}
interface OperationEntry {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, ResponseEntry>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationEntry>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** As the document, but without what a later release may add: this one answers nothing that is not described. */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const { 'x-extensible-enum': known, ...schema } = value as Readonly<Record<string, unknown>>;
  const { properties, additionalProperties: rest } = schema;
  const isOpen = typeof properties === 'object' && rest === undefined;
  return {
    ...Object.fromEntries(Object.entries(schema).map(([name, each]) => [name, closed(each)])),
    ...(known === undefined ? {} : { enum: known }),
    ...(isOpen ? { additionalProperties: false } : {}),
  };
};
const document = closed(openApi) as Document & object;
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(document, 'openapi.json');

const resolved = (entry: ResponseEntry): ResponseEntry => {
  if (!entry.$ref) return entry;
  const [, , group = '', name = ''] = entry.$ref.split('/');
  return document.components[group]?.[name] as ResponseEntry;
};

/** References inside the document are relative to it. */
const absolute = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, member: unknown) =>
    key === '$ref' && typeof member === 'string' ? member.replace(/^#/, 'openapi.json#') : member,
  ) as unknown;

const compiled = new Map<object, ValidateFunction>();
const checkerOf = (schema: object): ValidateFunction => {
  const known = compiled.get(schema);
  if (known) return known;
  const made = ajv.compile(absolute(schema) as object);
  compiled.set(schema, made);
  return made;
};

const patterns = Object.keys(document.paths).map((path) => ({
  path,
  matcher: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
}));

const operationsAt = (path: string): Readonly<Record<string, OperationEntry>> | undefined => {
  const known = patterns
    .filter(({ matcher }) => matcher.test(path))
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)[0];
  return known && document.paths[known.path];
};

const operationOf = ({ method, path }: Answer): OperationEntry | undefined =>
  operationsAt(path)?.[method === 'HEAD' ? 'get' : method.toLowerCase()];

const entryOf = (answer: Answer): ResponseEntry | undefined => {
  const operation = operationOf(answer) ?? Object.values(operationsAt(answer.path) ?? {})[0];
  const responses =
    operation?.responses ?? Object.values(Object.values(document.paths)[0] ?? {})[0]?.responses;
  const entry = responses?.[String(answer.status)];
  return entry && resolved(entry);
};

const broken = (answer: Answer, message: string): Error =>
  new Error(
    `${answer.method} ${answer.path} → ${answer.status} breaks the contract: ${message}\n${answer.text.slice(0, 2000)}`,
  );

const fail = (answer: Answer, message: string): void => {
  throw broken(answer, message);
};

/** Whether the same request can succeed. It can if and only if the answer says when to send it. */
const checkAdvice = (answer: Answer, type: unknown, error: unknown): boolean => {
  const slug = String(type).split('/').at(-1) as ProblemSlug;
  const { advice, exception }: ProblemKind = problems[slug];
  const told = error as { code?: unknown; retryable?: unknown; advice?: unknown } | undefined;
  if (typeof told?.code !== 'string' || (told.advice !== advice && told.advice !== exception?.advice))
    throw broken(answer, 'extensions.error has no code, or an advice that the catalogue does not know');
  const { isRetryable } = advices[told.advice as Advice];
  if (told.retryable !== isRetryable) fail(answer, 'retryable that does not follow from the advice');
  // A wrong key stays wrong; the time is that of the limit, which every 429 tells.
  if (slug !== 'rate-limited' && isRetryable !== (answer.headers['retry-after'] !== undefined))
    fail(answer, 'retryable without Retry-After, or the reverse');
  return isRetryable;
};

/** Every sentence about a member has its code beside it. */
const checkCodes = (answer: Answer, sentences: unknown, codes: unknown): void => {
  const found = (codes ?? {}) as Readonly<Record<string, readonly { code: string }[]>>;
  const counts = (each: object): string =>
    JSON.stringify(Object.entries(each).map(([name, list]) => [name, (list as unknown[]).length]));
  if (counts((sentences ?? {}) as object) !== counts(found)) fail(answer, 'errors without their codes');
  if (Object.values(found).some((list) => list.some(({ code }) => !Object.hasOwn(fieldCodes, code))))
    fail(answer, 'a code that is not in the list');
};

/** The schema says what each has; the catalogue, which problem has it. */
const checkExtensions = (
  answer: Answer,
  type: string,
  extensions: Readonly<Record<string, object>>,
): void => {
  const { extensions: own = [] }: ProblemKind = problems[type.split('/').at(-1) as ProblemSlug];
  const known: readonly string[] = [
    'error',
    ...('errors' in (answer.json as object) ? ['errors'] : []),
    ...own,
  ];
  const stray = Object.keys(extensions).filter((name) => !known.includes(name));
  if (stray.length > 0) fail(answer, `extensions that its problem does not name: ${stray.join(', ')}`);
};

const checkProblem = (answer: Answer): void => {
  const body = answer.json as Record<string, unknown>;
  if (body.status !== answer.status) fail(answer, `status ${String(body.status)} in the body`);
  if (answer.status !== 400 && 'errors' in body) fail(answer, 'errors outside 400');
  const extensions = body.extensions as Record<string, object>;
  checkExtensions(answer, String(body.type), extensions);
  checkCodes(answer, body.errors, extensions.errors);
  const isRetryable = checkAdvice(answer, body.type, extensions.error);
  const needed: Readonly<Record<number, readonly string[]>> = {
    401: ['www-authenticate'],
    405: ['allow'],
    // A one-off consent that is used up is not freed by waiting.
    429: isRetryable ? ['ratelimit'] : [],
  };
  for (const name of needed[answer.status] ?? [])
    if (!answer.headers[name]) fail(answer, `no ${name} header`);
  if (answer.headers['cache-control'] !== 'no-store') fail(answer, 'a problem that may be cached');
};

/** What any call may meet, or any signed one, whatever it is for: the page of each problem says so. */
const anywhere: ReadonlySet<string> = new Set<ProblemSlug>([
  ...([
    'malformed-http',
    'message-too-large',
    'duplicate-header',
    'invalid-query',
    'route-not-found',
  ] as const),
  ...(['method-not-allowed', 'not-acceptable', 'unsupported-media-type'] as const),
  ...(['request-incomplete', 'processing-timeout', 'request-in-progress'] as const),
  ...(['token-of-another-application', 'access-blocked', 'rate-limited'] as const),
  ...([
    'signature-headers-incomplete',
    'digest-mismatch',
    'signature-required',
    'certificate-invalid',
  ] as const),
  ...(['internal-error', 'dependency-unavailable', 'outcome-unknown', 'overloaded', 'draining'] as const),
]);

/** An operation answers no problem that its documentation does not name. */
const checkDeclared = (answer: Answer): void => {
  const id = operationOf(answer)?.operationId ?? '';
  const slug =
    String((answer.json as { type: unknown }).type)
      .split('/')
      .at(-1) ?? '';
  const declared = declaredProblems.get(id);
  if (declared && !declared.has(slug) && !anywhere.has(slug)) fail(answer, `${id} does not declare ${slug}`);
};

/** For pages and the management port there is no contract; every other answer must keep it. */
export const checkContract = (answer: Answer, { isRehearsed = false } = {}): void => {
  const entry = entryOf(answer);
  if (!entry) throw broken(answer, 'the status is not documented');
  const type = answer.headers['content-type'];
  if (!answer.headers['x-request-id']) fail(answer, 'no X-Request-ID');
  if (answer.method === 'HEAD' || entry.content === undefined) {
    if (answer.text !== '') fail(answer, 'a body where none belongs');
    return;
  }
  const media = entry.content[String(type).split(';')[0] ?? ''];
  if (!media?.schema || !/charset=utf-8$/.test(String(type)))
    throw broken(answer, `media type ${String(type)}`);
  const check = checkerOf(media.schema);
  if (!check(answer.json)) fail(answer, ajv.errorsText(check.errors));
  if (answer.status < 400) return;
  checkProblem(answer);
  if (!isRehearsed) checkDeclared(answer);
};
