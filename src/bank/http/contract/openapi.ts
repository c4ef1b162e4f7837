/** docs/core-openapi.json: the contract as a bank reads it, made from the same operations that the adapter asks by. */
import { templatePath } from '../../../http/openapi.js';
import {
  bodyName,
  componentOf,
  type Json,
  namedSchemas,
  publicSchema,
  ref,
} from '../../../http/openapi-schema.js';
import { BankId, Money, Problem } from './basic-shapes.js';
import { type CoreExample, coreExamples } from './examples.js';
import { CONSENT_DATA } from './headers.js';
import { NEWS_PATH, News, NewsResults, newsExample, newsResultsExample } from './news.js';
import { type CoreOperation, coreOperations, isOfConsent } from './operations.js';
import { consentData, parameters } from './parameters.js';

const pathNames = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

const parametersOf = (operation: CoreOperation, example: CoreExample): Json[] => [
  ...pathNames(operation.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: 'Sent percent-encoded.',
    schema: /^(payment|consent)Id$/.test(name) ? { type: 'string', format: 'uuid' } : publicSchema(BankId),
    example: example.params?.[name],
  })),
  ...Object.entries(operation.query ?? {}).map(([name, { schema, required }]) => ({
    name,
    in: 'query',
    required,
    schema: publicSchema(schema),
    example: example.query?.[name],
  })),
  ref('parameters', 'requestId'),
  ref('parameters', 'language'),
  ref('parameters', 'sandboxTime'),
  ...(operation.ofHolder ? [ref('parameters', 'psuId')] : []),
  ...(operation.tooLate ? [ref('parameters', 'notAfter')] : []),
  ...(/^\/(payments|transfer-terms)/.test(operation.path) ? [ref('parameters', 'knownPsuId')] : []),
  ...(isOfConsent(operation) || operation.id === 'quoteTransfer'
    ? [ref('parameters', 'applicationId'), ref('parameters', 'trace')]
    : []),
  ...(isOfConsent(operation) ? [ref('parameters', 'consentId'), ref('parameters', 'consentData')] : []),
];

/** Money is described anew in each place, so its own description comes last. */
const shared = () => namedSchemas([...Object.values<CoreOperation>(coreOperations), Money, Problem]);

/** The component that a body is: one that is shared, or one of the operation alone. */
const nameOf = (operation: CoreOperation, suffix: 'Question' | 'Answer'): string => {
  const { title } = (suffix === 'Answer' ? operation.answer : operation.body) as { readonly title?: string };
  return title ?? bodyName(operation.id, suffix);
};

const contentOf = (name: string, example: unknown): Json => ({
  'application/json': { schema: ref('schemas', name), example },
});

const refused = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: ref('schemas', 'Problem'), example: { error: 'In words.' } } },
});

const absentIn = ({ absent, ofHolder }: CoreOperation): string | undefined =>
  absent ?? (ofHolder ? 'The person does not hold such an account.' : undefined);

const answersOf = (operation: CoreOperation, example: CoreExample): Json => ({
  200: {
    description: 'The answer. Ids are those of the question.',
    ...(isOfConsent(operation) ? { headers: { [CONSENT_DATA]: ref('headers', 'consentData') } } : {}),
    content: operation.media
      ? { [operation.media]: {} }
      : contentOf(nameOf(operation, 'Answer'), example.answer),
  },
  ...(operation.id === 'ping'
    ? {}
    : {
        400: refused(
          `The question does not fit the contract${'after' in (operation.query ?? {}) ? ', or `after` is no cursor of this list' : ''}.`,
        ),
      }),
  401: ref('responses', 'WrongCredentials'),
  ...(absentIn(operation) ? { 404: refused(absentIn(operation) ?? '') } : {}),
  ...(operation.notOffered ? { 405: refused(operation.notOffered), 501: refused(operation.notOffered) } : {}),
  ...(operation.conflict ? { 409: refused(operation.conflict) } : {}),
  ...(operation.tooLate ? { 412: refused(operation.tooLate) } : {}),
  503: ref('responses', 'Unavailable'),
  default: ref('responses', 'Fault'),
});

/** By the first word of a path. Generated code has a class for each. */
const tags: Readonly<Record<string, string>> = {
  health: 'Whether the core can answer.',
  'account-holders': 'Persons: their accounts and how they approve.',
  accounts: 'What is on an account.',
  funds: 'Several questions about funds in one call.',
  'transfer-terms': 'Whether a transfer would be carried out, and for how much.',
  payments: 'Payments that were approved.',
  consents: 'What account holders have allowed.',
  logins: 'Who is in front of the screen.',
  news: 'What the core tells by itself.',
};

const operationObject = (operation: CoreOperation, example: CoreExample): Json => ({
  operationId: operation.id,
  tags: [operation.path.split('/')[1]],
  summary: operation.summary,
  description: `${operation.description} ${
    operation.isSafe
      ? 'May be asked once more after a broken connection or 502, 503, 504.'
      : 'Never repeated by itself.'
  }`,
  parameters: parametersOf(operation, example),
  ...(operation.body
    ? { requestBody: { required: true, content: contentOf(nameOf(operation, 'Question'), example.body) } }
    : {}),
  responses: answersOf(operation, example),
});

const components = (): Json => ({
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: 'The token of TRAPEZA_CORE_TOKEN.' },
    newsToken: { type: 'http', scheme: 'bearer', description: 'The token of TRAPEZA_CORE_NEWS_TOKEN.' },
    mutualTls: { type: 'mutualTLS', description: 'The certificate of TRAPEZA_CORE_CLIENT_CERTIFICATE.' },
  },
  parameters,
  headers: {
    consentData: {
      description:
        'Opaque text that Trapeza keeps with the consent and sends back with every later question on it; a new one takes its place.',
      schema: consentData,
    },
    retryAfter: {
      description: 'In how many seconds it is worth asking again, or the moment as an HTTP date.',
      schema: { type: 'string' },
      example: '600',
    },
  },
  responses: {
    WrongCredentials: refused('The bearer token or the client certificate is missing or wrong.'),
    Unavailable: {
      ...refused(
        'The core cannot answer now, for example because of maintenance. With Retry-After third parties are told the same time; without it, 5 seconds.',
      ),
      headers: { 'Retry-After': ref('headers', 'retryAfter') },
    },
    Fault: refused(
      'Anything else is a fault: the caller of the interface gets 503, or 408 if the core was late. The body is not read.',
    ),
  },
  schemas: {
    ...Object.fromEntries(
      Object.values<CoreOperation>(coreOperations).flatMap((operation) => [
        ...(operation.body ? [[nameOf(operation, 'Question'), componentOf(operation.body)]] : []),
        ...(operation.media ? [] : [[nameOf(operation, 'Answer'), componentOf(operation.answer)]]),
      ]),
    ),
    ...Object.fromEntries(shared()),
    News: componentOf(News),
    NewsResults: componentOf(NewsResults),
  },
});

/** The one call in the other direction. */
const newsCall: Json = {
  post: {
    operationId: 'sendNews',
    tags: ['news'],
    summary: 'Tell Trapeza what has changed',
    description: `Optional, beside Trapeza’s own questions: POST ${NEWS_PATH} on its management port, which is never public. It exists only with TRAPEZA_CORE_NEWS_TOKEN. News may be sent again: a repetition changes nothing. Of several nodes one acts; the others learn within a minute who holds an account.`,
    security: [{ newsToken: [] }],
    requestBody: { required: true, content: contentOf('News', newsExample) },
    responses: {
      200: {
        description: 'A result for each, in their order.',
        content: contentOf('NewsResults', newsResultsExample),
      },
      400: { description: 'The body does not fit, or has more than 64 KiB. Nothing was done.' },
      401: { description: 'The bearer token is missing or wrong.' },
    },
  },
};

export const coreOpenApiDocument = (version: string): Json => {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [id, operation] of Object.entries(coreOperations) as [
    keyof typeof coreOperations,
    CoreOperation,
  ][]) {
    const path = templatePath(operation.path);
    const object = operationObject(operation, coreExamples[id]);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: object };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Core banking system behind Trapeza',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'What a bank implements so that Trapeza can stand in front of its core. Questions arrive checked and clamped: the consent was looked up, the account belongs to it, days and amounts are within its limits. Answers are checked too: members that are not described, other ids than those asked for, another currency or too many decimals are faults. Amounts are decimal text; money that leaves an account is negative.',
    },
    servers: [{ url: '/', description: 'The address of TRAPEZA_CORE_URL.' }],
    security: [{ bearer: [] }, { mutualTls: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: { news: newsCall },
    components: components(),
  };
};
