/**
 * The OpenAPI 3.1 document, made from the operations alone: what is served and what is described cannot drift apart.
 * The same operations always give the same bytes.
 */
import { STATUS_CODES } from 'node:http';
import { type CallArea, scopeOf } from '../model/caller.js';
import { problems } from '../problem/problem.js';
import { errorStatuses, type Field, type Operation } from './operation.js';
import {
  EXAMPLE_ID,
  problemExample,
  problemSchemas,
  problemSlugs,
  responseHeadersOf,
  slugsOf,
} from './problem-schema.js';

export interface OpenApiOptions {
  readonly version: string;
  /** The public address of this service; without it addresses are relative to the location of the document. */
  readonly serverUrl?: string;
  /** Of all days; the default of the configuration, if absent. */
  readonly timeZone?: string;
}

/** The areas in the order of the interface document, as people call them. */
export const areaTitles: Readonly<Record<CallArea, string>> = {
  piis: 'Confirmation of Funds',
  opendata: 'Open Data',
  ais: 'Account Information',
  pis: 'Payment Initiation',
  events: 'Events',
};

const areaPurposes: Readonly<Record<CallArea, string>> = {
  piis: 'For card issuers: whether a given amount is available on an account now.',
  opendata: 'For every subscriber: public information about ATMs.',
  ais: 'For account information service providers: consents, accounts, balances, transactions and statements.',
  pis: 'For payment initiation service providers: consents to pay from an account.',
  events: 'For every subscriber: status changes of its consents and payments.',
};

/** Those that have an operation: in the order of the interface document, then those of extensions. */
export const areasInOrder = (operations: readonly Operation[]): readonly Operation['area'][] => {
  const used = new Set(operations.map(({ area }) => area));
  const known = (Object.keys(areaTitles) as CallArea[]).filter((area) => used.has(area));
  return [...known, ...[...used].filter((area) => typeof area !== 'string')];
};

/** Credentials are described as security schemes; OpenAPI ignores them among the parameters. */
const credentialNames: ReadonlySet<string> = new Set(['Authorization', 'Ocp-Apim-Subscription-Key']);

export const requestMediaTypes = ['application/json-patch+json', 'application/json'] as const;
const problemMediaTypes = ['application/problem+json', 'application/json'] as const;

type Json = Readonly<Record<string, unknown>>;

const ref = (section: string, name: string): Json => ({ $ref: `#/components/${section}/${name}` });

/** Everything of JSON Schema that our schemas may use. Other keywords are rules of our own and stay inside. */
const plainKeywords: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'format', 'title', 'description', 'default', 'examples', 'deprecated', '$ref'],
  ...['minLength', 'maxLength', 'pattern', 'contentEncoding', 'contentMediaType', 'readOnly', 'writeOnly'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems'],
  ...['uniqueItems', 'minProperties', 'maxProperties', 'required', 'dependentRequired'],
]);
const schemaKeywords: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'propertyNames',
  'not',
  'contains',
]);
const listKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const mapKeywords: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A schema as outsiders may read it. */
export const publicSchema = (schema: unknown): unknown => {
  if (!isObject(schema)) return schema;
  const kept: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (plainKeywords.has(keyword)) kept[keyword] = value;
    else if (schemaKeywords.has(keyword)) kept[keyword] = publicSchema(value);
    else if (listKeywords.has(keyword) && Array.isArray(value)) kept[keyword] = value.map(publicSchema);
    else if (mapKeywords.has(keyword) && isObject(value))
      kept[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, publicSchema(each)]),
      );
  }
  return kept;
};

const text = (description: string, example: string): Json => ({
  description,
  schema: { type: 'string' },
  example,
});

const responseHeaders = {
  'X-Request-ID': {
    description: 'The id of the request, or one made by the service if none was sent.',
    schema: { type: 'string', format: 'uuid' },
    example: EXAMPLE_ID,
  },
  'WWW-Authenticate': text(
    'Which credential is missing or not accepted.',
    'Bearer realm="trapeza", error="invalid_token"',
  ),
  Allow: text('The methods of this path.', 'GET, HEAD'),
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 0 },
    example: 5,
  },
  RateLimit: text('What is left of the quota and when it is renewed.', '"minute";r=0;t=17'),
  'RateLimit-Policy': text('The quota and its period in seconds.', '"minute";q=600;w=60'),
  ETag: text('Identifies this version of the data.', '"5d8c72a5edda8d6a"'),
  'Last-Modified': text('When the data last changed.', 'Sun, 15 Nov 2026 09:30:00 GMT'),
} as const satisfies Record<string, Json>;
type ResponseHeader = keyof typeof responseHeaders;

const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(['X-Request-ID', ...names].map((name) => [name, ref('headers', name)]));

const sameFor = (types: readonly string[], content: Json): Json =>
  Object.fromEntries(types.map((type) => [type, content]));

/** `Not Found` is the component `NotFound`. */
const responseName = (status: number): string => (STATUS_CODES[status] ?? String(status)).replaceAll(' ', '');

const problemResponse = (status: number): Json => {
  const found = slugsOf(status);
  return {
    description: `${STATUS_CODES[status]}: ${found.map((slug) => problems[slug].title).join('; ')}.`,
    headers: headerRefs(responseHeadersOf(status)),
    content: sameFor(problemMediaTypes, {
      schema: ref('schemas', status === 400 ? 'ValidationProblem' : 'Problem'),
      examples: Object.fromEntries(found.map((slug) => [slug, ref('examples', slug)])),
    }),
  };
};

const parameter = (field: Field, where: 'header' | 'query' | 'path'): Json => ({
  name: field.name,
  in: where,
  required: where === 'path' || field.required === true,
  description: field.description,
  schema: publicSchema(field.schema),
  ...(field.example === undefined ? {} : { example: field.example }),
});

const parametersOf = (operation: Operation): Json[] => [
  ...operation.params.map((field) => parameter(field, 'path')),
  ...operation.query.map((field) => parameter(field, 'query')),
  ...operation.headers
    .filter(({ name }) => !credentialNames.has(name))
    .map((field) => parameter(field, 'header')),
];

const typeName = (operation: Operation, suffix: 'Request' | 'Response'): string =>
  `${operation.id.charAt(0).toUpperCase()}${operation.id.slice(1)}${suffix}`;

const mediaOf = (schema: unknown, name: string, example: unknown): Json => ({
  ...(schema === undefined ? {} : { schema: ref('schemas', name) }),
  ...(example === undefined ? {} : { example }),
});

const responsesOf = (operation: Operation): Json => {
  const { success, others = {}, otherMedia = [] } = operation;
  // A client needs a validator to be answered with 304.
  const validators: readonly ResponseHeader[] = 304 in others ? ['ETag', 'Last-Modified'] : [];
  const plain = (description: string): Json => ({ description, headers: headerRefs(validators) });
  const files = otherMedia.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]);
  const media = mediaOf(success.schema, typeName(operation, 'Response'), success.example);
  return {
    [success.status]: {
      description: success.description,
      headers: headerRefs([...validators, ...(success.headers ?? [])]),
      ...(Object.keys(media).length > 0
        ? { content: { 'application/json': media, ...Object.fromEntries(files) } }
        : {}),
    },
    ...Object.fromEntries(Object.entries(others).map(([status, text]) => [status, plain(text)])),
    ...Object.fromEntries(errorStatuses.map((status) => [status, ref('responses', responseName(status))])),
  };
};

const securityOf = ({ area }: Operation): readonly Json[] => {
  if (typeof area !== 'string') return [];
  const scope = scopeOf[area];
  return [{ subscriptionKey: [], accessToken: scope ? [scope] : [] }];
};

const operationObject = (operation: Operation): Json => {
  const { id, area, summary, description, body, bodyExample, isBodyOptional = false } = operation;
  const media = mediaOf(body, typeName(operation, 'Request'), bodyExample);
  return {
    operationId: id,
    tags: [typeof area === 'string' ? areaTitles[area] : area.title],
    summary,
    description,
    security: securityOf(operation),
    parameters: parametersOf(operation),
    ...(body
      ? { requestBody: { required: !isBodyOptional, content: sameFor(requestMediaTypes, media) } }
      : {}),
    responses: responsesOf(operation),
  };
};

/** `/consents/:consentId` is `/consents/{consentId}` in OpenAPI. */
export const templatePath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

const pathsOf = (operations: readonly Operation[]): Json => {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const path = templatePath(operation.path);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationObject(operation) };
  }
  return paths;
};

const schemasOf = (operations: readonly Operation[]): Json => {
  const bodies = operations.flatMap((operation) => [
    [typeName(operation, 'Request'), operation.body] as const,
    [typeName(operation, 'Response'), operation.success.schema] as const,
  ]);
  const present = bodies.filter(([, schema]) => schema !== undefined);
  return {
    ...Object.fromEntries(present.map(([name, schema]) => [name, publicSchema(schema)])),
    ...problemSchemas,
  };
};

const securitySchemes = {
  subscriptionKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Ocp-Apim-Subscription-Key',
    description: 'A subscription key of the calling application.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An OAuth 2.0 access token from the authorization code grant, issued to the application that owns the subscription key. One that is bound to a key (RFC 9449) is sent as `Authorization: DPoP <token>` with a proof in the header `DPoP`. The names listed with an operation are the scopes it demands.',
  },
};

export const daysAndMoments = (timeZone: string): string =>
  `Days, such as 2026-11-15, are those of the time zone of the bank, ${timeZone}: "today" and the last day of a consent as well. Moments are RFC 3339 with offset; those of answers are in UTC.`;

export const openApiDocument = (
  operations: readonly Operation[],
  { version, serverUrl, timeZone = 'Europe/Athens' }: OpenApiOptions,
): object => {
  const tagOf = (area: Operation['area']): Json =>
    typeof area === 'string'
      ? { name: areaTitles[area], description: areaPurposes[area] }
      : { name: area.title, description: area.description };
  const baseUrl = serverUrl ?? 'https://bank.example';
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trapeza',
      version,
      summary: 'The PSD2 interface of a bank for registered third parties.',
      description: daysAndMoments(timeZone),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    ...(serverUrl === undefined ? {} : { servers: [{ url: serverUrl }] }),
    tags: areasInOrder(operations).map(tagOf),
    paths: pathsOf(operations),
    components: {
      schemas: schemasOf(operations),
      responses: Object.fromEntries(
        errorStatuses.map((status) => [responseName(status), problemResponse(status)]),
      ),
      headers: responseHeaders,
      examples: Object.fromEntries(
        problemSlugs.map((slug) => [
          slug,
          { summary: problems[slug].title, value: problemExample(slug, baseUrl) },
        ]),
      ),
      securitySchemes,
    },
  };
};
