/** A call as its developers may see it again: from lists of what may be kept, never the whole request. */
import type { IncomingHttpHeaders } from 'node:http';
import { isUuid } from '../../lib/id.js';
import { jsonColumn, listOf, members, numeric, optional, text } from '../../store/json-column.js';
import { scrub } from '../log.js';
import type { RequestFacts } from '../observer.js';

export interface LoggedCall {
  /** The operation's id, or `none` if no operation has the path. */
  readonly operation: string;
  readonly method: string;
  /** 0 if the client left before an answer. */
  readonly status: number;
  readonly requestId: string;
  readonly ms: number;
  readonly slug?: string;
  readonly detail?: string;
  /** Members of the request that were refused. */
  readonly fields?: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

export const callColumn = jsonColumn<LoggedCall>(
  'a call in the request log',
  members({
    operation: text,
    method: text,
    status: numeric,
    requestId: text,
    ms: numeric,
    slug: optional(text),
    detail: optional(text),
    fields: optional(listOf(text)),
    headers: members({}),
  }),
);

/** Kept with their value. */
const plain = [
  'accept',
  'accept-language',
  'content-type',
  'content-length',
  'consent-id',
  'user-agent',
  'x-request-id',
  'sandbox-scenario',
] as const;
/** Of these only that they were sent: what they say is a secret, or about an account holder. */
const present = [
  'authorization',
  'ocp-apim-subscription-key',
  'dpop',
  'digest',
  'content-digest',
  'signature',
  'signature-input',
  'tpp-signature-certificate',
  'psu-id',
  'psu-ip-address',
] as const;
/** In the place of a value that is not kept. */
const SENT = '•••';
const LONGEST = 200;
const MOST_FIELDS = 10;

/** An id may look like a long number, and is none. */
const shortText = (value: string): string => (isUuid(value) ? value : scrub(value.slice(0, LONGEST)));

const keptHeaders = (headers: IncomingHttpHeaders): Record<string, string> => {
  const kept: Record<string, string> = {};
  for (const name of plain) {
    const value = headers[name];
    if (value !== undefined) kept[name] = shortText(String(value));
  }
  for (const name of present) if (headers[name] !== undefined) kept[name] = SENT;
  return kept;
};

export const loggedCall = (facts: RequestFacts): LoggedCall => {
  const { operation, status, requestId = '', slug, problem, request } = facts;
  const { detail, errors } = problem?.details ?? {};
  return {
    operation,
    method: request?.method ?? '',
    status,
    requestId,
    ms: Math.round(facts.ms * 10) / 10,
    ...(slug === undefined ? {} : { slug }),
    ...(detail === undefined ? {} : { detail: shortText(detail) }),
    ...(errors === undefined ? {} : { fields: Object.keys(errors).slice(0, MOST_FIELDS).map(shortText) }),
    headers: keptHeaders(request?.headers ?? {}),
  };
};
