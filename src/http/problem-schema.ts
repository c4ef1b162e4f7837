/** The error body as it is described to outsiders: its schema, an example of every problem, the headers that come with a status. */

import { exhaustedFields } from '../lib/rate-limit.js';
import { scopeOf } from '../model/caller.js';
import { advices } from '../problem/advice.js';
import { challengeOf } from '../problem/challenge.js';
import { ExtensionsSchema, type ThrownExtensions } from '../problem/extensions.js';
import { type FieldErrors, fieldFault, isRequired } from '../problem/field.js';
import { Problem, type ProblemKind, type ProblemSlug, problems } from '../problem/problem.js';
import type { Operation } from './operation.js';
import { type ProblemBody, problemBody } from './render.js';

const problemMembers = {
  type: {
    type: ['string', 'null'],
    description:
      'Address of the page that explains the problem. Its last segment names the problem and never changes.',
  },
  title: { type: ['string', 'null'], description: 'Fixed for each type.' },
  status: { type: ['integer', 'null'], format: 'int32', description: 'The HTTP status, repeated.' },
  detail: { type: ['string', 'null'], description: 'One sentence about this occurrence.' },
  instance: { type: ['string', 'null'], description: '`urn:uuid:` and the X-Request-ID.' },
  extensions: ExtensionsSchema,
};

const validationMembers = {
  ...problemMembers,
  errors: {
    type: ['object', 'null'],
    readOnly: true,
    additionalProperties: { type: 'array', items: { type: 'string' } },
    description: 'What is wrong, by the name of the member, header or parameter.',
  },
};

/** Of operations that answer clients of OAuth too. */
export const oauthProblemSchema = {
  type: 'object',
  properties: {
    ...validationMembers,
    error: {
      type: 'string',
      enum: ['invalid_redirect_uri', 'invalid_client_metadata'],
      isExtensible: true,
      description: 'As RFC 7591, 3.2.2, names it.',
    },
    error_description: { type: 'string', description: 'The same as `detail`.' },
  },
};

export const problemSchemas = {
  Problem: { type: 'object', properties: problemMembers, additionalProperties: false },
  ValidationProblem: {
    type: 'object',
    properties: validationMembers,
    additionalProperties: false,
  },
};

const exampleErrors: Readonly<Partial<Record<ProblemSlug, FieldErrors>>> = {
  'duplicate-header': { 'header.X-Request-ID': [fieldFault('repeated', 'must not be repeated')] },
  'invalid-header': { 'header.X-Request-ID': [isRequired] },
  'invalid-query': {
    'query.if_Modified_Since': [
      fieldFault('format', 'must be a date and time with offset such as 2026-11-15T09:30:00Z', {
        format: 'date-time',
      }),
    ],
  },
  'signature-headers-incomplete': {
    'header.Digest': [fieldFault('required', 'is required beside the other signature headers')],
  },
  'validation-failed': {
    'account.iban': [
      fieldFault('format', 'must be an IBAN with the right length and checksum', { format: 'iban' }),
    ],
    'instructedAmount.amount': [fieldFault('too-small', 'must be greater than 0', { above: 0 })],
  },
};

export const EXAMPLE_ID = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';

const EXAMPLE_ORDER = '5f1c7d38-2d0e-4a7c-8a51-0c6f5b2d9e77';
const CONSENT = '88413019-90f6-4216-a615-c3042e30d761';

const renewalLinks = (baseUrl: string) => ({
  startAuthorisation: { href: `${baseUrl}/ais/psd2/v1/consents/${CONSENT}/authorisations` },
});

const orderAt = (baseUrl: string) => ({
  payment: {
    paymentId: EXAMPLE_ORDER,
    href: `${baseUrl}/pis/psd2/v1/${EXAMPLE_ID}/payment`,
  },
});

const sampleExtensions: Readonly<Partial<Record<ProblemSlug, (baseUrl: string) => ThrownExtensions>>> = {
  'consent-not-valid': () => ({ consent: { status: 'RevokedByPsu', statusReason: 'withdrawn' } }),
  'sca-renewal-required': (baseUrl) => ({
    consent: { status: 'Valid', scaValidUntil: '2026-11-15T09:30:00.000Z' },
    _links: renewalLinks(baseUrl),
  }),
  'history-needs-authentication': (baseUrl) => ({
    history: { dateFrom: '2026-08-17' },
    _links: renewalLinks(baseUrl),
  }),
  'access-exceeded': () => ({ access: { kind: 'balances', limit: 4, retryAt: '2026-11-16T09:30:00Z' } }),
  'too-many-open-consents': () => ({ openConsents: { kind: 'ConfirmationOfFunds', limit: 20 } }),
  'payment-already-submitted': orderAt,
  'payment-executed': orderAt,
  'signature-invalid': () => ({ signature: { failed: 'coverage' } }),
  'certificate-invalid': () => ({ signature: { failed: 'certificate-chain' } }),
};

const [MINUTE_S, DAY_S] = [60, 86_400];
const usedUp = (name: string, quota: number, windowSeconds: number, resetMs: number) =>
  exhaustedFields({ name, quota, windowSeconds, resetMs });

/** The operation that a sample is of. */
type Sampled = Pick<Operation, 'area' | 'method'>;

const sampleHeaders: Readonly<Partial<Record<ProblemSlug, (of: Sampled) => Record<string, string>>>> = {
  'method-not-allowed': ({ method }) => ({ Allow: method === 'GET' ? 'GET, HEAD' : method }),
  'insufficient-scope': ({ area }) => ({
    'WWW-Authenticate': `Bearer realm="trapeza", error="insufficient_scope", scope="${(typeof area === 'string' && scopeOf[area]) || 'piis'}"`,
  }),
  'rate-limited': () => usedUp('failed-attempts', 60, MINUTE_S, 17_000),
  'quota-exceeded': () => usedUp('minute', 600, MINUTE_S, 17_000),
  'access-exceeded': () => usedUp('unattended', 4, DAY_S, 3_600_000),
  'too-many-open-consents': () => usedUp('open-consents', 20, DAY_S, 3_600_000),
};

/** A problem as a caller meets it: with the headers, faults and further facts that a real one has. */
export const sampleProblem = (slug: ProblemSlug, baseUrl: string, of: Sampled): Problem => {
  const { status }: ProblemKind = problems[slug];
  const [errors, extensions] = [exampleErrors[slug], sampleExtensions[slug]?.(baseUrl)];
  const challenge = status === 401 ? { 'WWW-Authenticate': challengeOf(slug) } : {};
  return new Problem(slug, {
    ...(errors ? { errors } : {}),
    ...(extensions ? { extensions } : {}),
    headers: { ...challenge, ...sampleHeaders[slug]?.(of) },
    isRehearsed: true,
  });
};

/** The body of a problem as a caller would see it. */
export const problemExample = (slug: ProblemSlug, baseUrl: string): ProblemBody =>
  problemBody(sampleProblem(slug, baseUrl, { area: 'piis', method: 'GET' }), { baseUrl }, EXAMPLE_ID);

export const problemSlugs = Object.keys(problems) as readonly ProblemSlug[];

export const slugsOf = (status: number): readonly ProblemSlug[] =>
  problemSlugs.filter((slug) => problems[slug].status === status);

const headersOfStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
};

/** The headers of a problem beside X-Request-ID. */
export const headersOfProblem = (slug: ProblemSlug): readonly string[] => {
  const { status, advice }: ProblemKind = problems[slug];
  const challenge = slug === 'insufficient-scope' ? ['WWW-Authenticate'] : [];
  const retry = advices[advice].isRetryable ? ['Retry-After'] : [];
  return [...new Set([...(headersOfStatus[status] ?? []), ...challenge, ...retry])];
};

/** Those that the problems of a status may have. */
export const responseHeadersOf = (status: number): readonly string[] => [
  ...new Set(slugsOf(status).flatMap(headersOfProblem)),
];
