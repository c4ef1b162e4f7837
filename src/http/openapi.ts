/**
 * The OpenAPI 3.1 document, made from the operations alone: what is served and what is described cannot drift apart.
 * The same operations always give the same bytes.
 */
import { STATUS_CODES } from 'node:http';
import type { TSchema } from 'typebox';
import { type CallArea, scopeOf } from '../model/caller.js';
import { problems } from '../problem/problem.js';
import { CHANGE_RULE, openContract } from './openapi-contract.js';
import { bodyName, componentOf, type Json, namedSchemas, publicSchema, ref } from './openapi-schema.js';
import { subscriptionKey, tokenScheme } from './openapi-security.js';
import { errorStatuses, type Field, type Operation, type Webhook } from './operation.js';
import {
  EXAMPLE_ID,
  oauthProblemSchema,
  problemExample,
  problemSchemas,
  problemSlugs,
  responseHeadersOf,
  slugsOf,
} from './problem-schema.js';

export interface OpenApiOptions {
  readonly version: string;
  /** The public address of this service; without it that of an example. */
  readonly serverUrl?: string;
  /** The bank's own identity provider; without it the embedded one gives out tokens. */
  readonly issuer?: string | undefined;
  readonly webhooks?: readonly Webhook[];
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

const OAUTH_PROBLEM = 'RegistrationProblem';

const problemResponse = (status: number, schema = status === 400 ? 'ValidationProblem' : 'Problem'): Json => {
  const found = slugsOf(status);
  return {
    description: `${STATUS_CODES[status]}: ${found.map((slug) => problems[slug].title).join('; ')}.`,
    headers: headerRefs(responseHeadersOf(status)),
    content: sameFor(problemMediaTypes, {
      schema: ref('schemas', schema),
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

const requestOf = ({ id, body }: Operation) => named(body, id, 'Request');
const responseOf = ({ id, success }: Operation) => named(success.schema, id, 'Response');

/** The component that a body is: one that several share, or one of the operation alone. */
const named = (schema: TSchema | undefined, id: string, suffix: 'Request' | 'Response') =>
  schema && { name: (schema as { title?: string }).title ?? bodyName(id, suffix), schema };

const mediaOf = (body: ReturnType<typeof named>, example: unknown): Json => ({
  ...(body === undefined ? {} : { schema: ref('schemas', body.name) }),
  ...(example === undefined ? {} : { example }),
});

const responsesOf = (operation: Operation): Json => {
  const { success, others = {}, otherMedia = [] } = operation;
  // A client needs a validator to be answered with 304.
  const validators: readonly ResponseHeader[] = 304 in others ? ['ETag', 'Last-Modified'] : [];
  const plain = (description: string): Json => ({ description, headers: headerRefs(validators) });
  const files = otherMedia.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]);
  const media = mediaOf(responseOf(operation), success.example);
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
    ...(operation.oauthError ? { 400: ref('responses', OAUTH_PROBLEM) } : {}),
  };
};

const securityOf = ({ area }: Operation): readonly Json[] => {
  if (typeof area !== 'string') return [];
  const scope = scopeOf[area];
  return [{ subscriptionKey: [], accessToken: scope ? [scope] : [] }];
};

const operationObject = (operation: Operation): Json => {
  const { id, area, summary, description, body, bodyExample, isBodyOptional = false } = operation;
  const media = mediaOf(requestOf(operation), bodyExample);
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

const schemasOf = (operations: readonly Operation[], webhooks: readonly Webhook[]): Json => {
  const bodies = operations.flatMap((operation) =>
    [requestOf(operation) ?? [], responseOf(operation) ?? []].flat(),
  );
  const errors = {
    ...problemSchemas,
    ...(operations.some(({ oauthError }) => oauthError) ? { [OAUTH_PROBLEM]: oauthProblemSchema } : {}),
  };
  return {
    ...Object.fromEntries(bodies.map(({ name, schema }) => [name, componentOf(schema)])),
    ...Object.fromEntries(namedSchemas([bodies, webhooks.map(({ body }) => body)])),
    ...Object.fromEntries(Object.entries(errors).map(([name, schema]) => [name, componentOf(schema)])),
    ...Object.fromEntries(namedSchemas(errors)),
  };
};

/** What the bank sends to third parties. */
const webhookObject = ({ id, summary, description, headers, body, example }: Webhook): Json => ({
  post: {
    operationId: id,
    summary,
    description,
    security: [],
    parameters: headers.map((field) => parameter(field, 'header')),
    requestBody: {
      required: true,
      content: { 'application/json': { ...mediaOf(named(body, id, 'Request'), example) } },
    },
    responses: {
      '2XX': { description: 'It has arrived. Anything else is a failure, and it is sent again.' },
    },
  },
});

export const daysAndMoments = (timeZone: string): string =>
  `Days, such as 2026-11-15, are those of the time zone of the bank, ${timeZone}: "today" and the last day of a consent as well. Moments are RFC 3339 with offset; those of answers are in UTC.`;

export const openApiDocument = (
  served: readonly Operation[],
  { version, serverUrl, issuer, webhooks: sent = [], timeZone = 'Europe/Athens' }: OpenApiOptions,
): object => {
  const { operations, webhooks } = openContract(served, sent);
  const tagOf = (area: Operation['area']): Json =>
    typeof area === 'string'
      ? { name: areaTitles[area], description: areaPurposes[area] }
      : { name: area.title, description: area.description };
  const baseUrl = serverUrl ?? 'https://bank.example';
  const hooks = webhooks.map((each) => [each.name, webhookObject(each)]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trapeza',
      version,
      summary: 'The PSD2 interface of a bank for registered third parties.',
      description: `${daysAndMoments(timeZone)}\n\n${CHANGE_RULE}`,
      contact: { name: 'Documentation', url: `${baseUrl}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: areasInOrder(operations).map(tagOf),
    paths: pathsOf(operations),
    ...(hooks.length === 0 ? {} : { webhooks: Object.fromEntries(hooks) }),
    components: {
      schemas: schemasOf(operations, webhooks),
      responses: {
        ...Object.fromEntries(errorStatuses.map((status) => [responseName(status), problemResponse(status)])),
        ...(operations.some(({ oauthError }) => oauthError)
          ? { [OAUTH_PROBLEM]: problemResponse(400, OAUTH_PROBLEM) }
          : {}),
      },
      headers: responseHeaders,
      examples: Object.fromEntries(
        problemSlugs.map((slug) => [
          slug,
          { summary: problems[slug].title, value: problemExample(slug, baseUrl) },
        ]),
      ),
      securitySchemes: { subscriptionKey, accessToken: tokenScheme(baseUrl, issuer) },
    },
  };
};
