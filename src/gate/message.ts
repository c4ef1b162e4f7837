/** Whether the message itself is in order: size, repeated headers, media types, header and query formats, body. */
import Negotiator from 'negotiator';
import type { Config } from '../config/config.js';
import { hasBody, readBody } from '../http/body.js';
import type { Exchange } from '../http/exchange.js';
import { parseJson } from '../http/json.js';
import type { Field, Operation } from '../http/operation.js';
import { shownName, validator } from '../http/validate.js';
import { type Completion, joinTurn } from '../lib/turn.js';
import { type FieldFault, fieldFault, isRequired } from '../problem/field.js';
import { Problem } from '../problem/problem.js';
import { nearest } from './nearest.js';
import { checkCoupling, isSignable, type SignedCall } from './signature.js';

const MAX_HEADERS = 100;
const MAX_QUERY_PAIRS = 20;

/** What the parser lets through, but we do not. */
export const checkSize =
  (config: Config) =>
  (exchange: Exchange): void => {
    const { request } = exchange;
    if ((request.url?.length ?? 0) > config.urlLimit) {
      throw new Problem('message-too-large', {
        detail: `The address is longer than ${config.urlLimit} bytes.`,
      });
    }
    if (request.rawHeaders.length > 2 * MAX_HEADERS) {
      throw new Problem('message-too-large', { detail: `There are more than ${MAX_HEADERS} headers.` });
    }
    // The parser also takes 0.9 and 2.0 for a version, and any coding before chunked.
    const { 'transfer-encoding': coding = 'chunked' } = request.headers;
    if (request.httpVersionMajor !== 1 || coding.toLowerCase() !== 'chunked')
      throw new Problem('malformed-http');
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      throw new Problem('malformed-http', { detail: 'The Host header is missing.' });
    }
  };

/** Headers that HTTP defines as lists may be repeated; every other one may not. */
const listHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'baggage',
  'cache-control',
  'client-cert-chain',
  'connection',
  'cookie',
  'forwarded',
  'if-match',
  'if-none-match',
  'keep-alive',
  'pragma',
  'prefer',
  'te',
  'trailer',
  'transfer-encoding',
  'tracestate',
  'upgrade',
  'via',
  'warning',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]);

const isRepeated = fieldFault('repeated', 'must not be repeated');

/** On the raw list: Node would silently keep the first Authorization and join two X-Request-IDs. */
export const checkRepeatedHeaders = (exchange: Exchange): void => {
  const { rawHeaders } = exchange.request;
  let names = 0;
  for (const _name in exchange.headers) names += 1;
  // Node joins or drops repetitions: equal counts mean that no header was repeated.
  if (2 * names === rawHeaders.length) return;
  const seen = new Set<string>();
  const repeated = new Map<string, FieldFault[]>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index] ?? '';
    const name = raw.toLowerCase();
    if (seen.has(name) && !listHeaders.has(name)) repeated.set(`header.${raw}`, [isRepeated]);
    seen.add(name);
  }
  if (repeated.size > 0) throw new Problem('duplicate-header', { errors: Object.fromEntries(repeated) });
};

/** Both spellings of what is sent, so that a caller may name the charset. */
const JSON_TYPES = ['application/json', 'application/json; charset=utf-8'];

const PROBLEM_TYPES = JSON_TYPES.map((type) => type.replace('json', 'problem+json'));

export const checkAccept = (exchange: Exchange): void => {
  const { accept } = exchange.headers;
  if (!accept || accept === '*/*' || accept === 'application/json') return;
  const { otherMedia = [], success } = exchange.operation ?? {};
  // An answer without body is a problem or nothing.
  const problems = success?.status === 204 ? PROBLEM_TYPES : [];
  const negotiator = new Negotiator(exchange.request);
  const wanted = negotiator.mediaType([...JSON_TYPES, ...problems, ...otherMedia]);
  if (wanted === undefined) throw new Problem('not-acceptable');
  if (!otherMedia.includes(wanted)) return;
  exchange.mediaType = wanted;
  exchange.takesJson = negotiator.mediaType(JSON_TYPES) !== undefined;
};

const MEDIA_TYPE = /^application\/(?:json|json-patch\+json)\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

/** Only if there is a body; its type may be left out. */
export const checkContentType = (exchange: Exchange): void => {
  const takesBody = exchange.operation?.body !== undefined;
  if (!takesBody && !hasBody(exchange.request)) return;
  const { 'content-type': type, 'content-encoding': encoding } = exchange.headers;
  if (encoding !== undefined) {
    throw new Problem('unsupported-media-type', {
      detail: 'The body must be sent without Content-Encoding.',
    });
  }
  if (type !== undefined && type !== '' && !MEDIA_TYPE.test(type))
    throw new Problem('unsupported-media-type');
};

type Faults = Record<string, FieldFault[]>;
type Sent = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The rules of these fields, each by the key it is sent under. Undefined if there is no fault. */
const createFieldCheck = (fields: readonly Field[], prefix: string, keyOf: (name: string) => string) => {
  const ruled = fields
    .filter(({ required, fault }) => required || fault)
    .map(({ name, required, fault }) => ({ at: `${prefix}.${name}`, key: keyOf(name), required, fault }));
  return (sent: Sent): Faults | undefined => {
    let faults: Faults | undefined;
    for (const { at, key, required, fault } of ruled) {
      const given = sent[key];
      const isAbsent = given === undefined || given === '';
      const found = isAbsent ? required && isRequired : typeof given === 'string' && fault?.(given);
      if (!found) continue;
      faults ??= {};
      faults[at] = [found];
    }
    return faults;
  };
};

/** What is wrong with a parameter that the operation does not have, and which one was probably meant. */
const unknownParameter = (name: string, known: readonly string[]): FieldFault => {
  if (known.length === 0)
    return fieldFault('unknown', 'is not a parameter of this operation, which has none; leave it out');
  const meant = nearest(name, known);
  return meant
    ? fieldFault('unknown', `is not a parameter of this operation; did you mean ${meant}?`, {
        nearest: meant,
      })
    : fieldFault('unknown', `is not a parameter of this operation; it has ${known.join(', ')}`);
};

/** Parameters as texts, with the faults of unknown ones, of repeating one and of sending too many. */
const createQueryReader = (fields: readonly Field[]) => {
  const names = fields.map(({ name }) => name);
  const known = new Set(names);
  return (searchParams: Sent): { query: Record<string, string>; faults: Faults | undefined } => {
    const query: Record<string, string> = {};
    let faults: Faults | undefined;
    let count = 0;
    for (const name in searchParams) {
      const value = searchParams[name];
      count += 1;
      if (count > MAX_QUERY_PAIRS) {
        const message = `has more than ${MAX_QUERY_PAIRS} parameters`;
        faults = { ...faults, query: [fieldFault('too-many', message, { max: MAX_QUERY_PAIRS })] };
        break;
      }
      const at = `query.${shownName(name)}`;
      if (!known.has(name)) faults = { ...faults, [at]: [unknownParameter(name, names)] };
      else if (typeof value === 'string') query[name] = value;
      else faults = { ...faults, [at]: [isRepeated] };
    }
    return { query, faults };
  };
};

/** Formats of headers and query, all faults together; then the rule that Digest and Signature come with a certificate. */
export const checkHeadersAndQuery = (operation: Operation) => {
  const headerFaults = createFieldCheck(operation.headers, 'header', (name) => name.toLowerCase());
  const queryFaults = createFieldCheck(operation.query, 'query', (name) => name);
  const readQuery = createQueryReader(operation.query);
  const hasSignature = isSignable(operation);
  return (call: SignedCall): void => {
    const badHeaders = headerFaults(call.headers);
    const { query, faults } = readQuery(call.searchParams);
    const badQuery = queryFaults(call.searchParams) ?? faults;
    if (badHeaders || badQuery)
      throw new Problem(badHeaders ? 'invalid-header' : 'invalid-query', {
        errors: { ...badHeaders, ...badQuery, ...faults },
      });
    call.query = query;
    if (hasSignature) checkCoupling(call);
  };
};

export const readWholeBody =
  (config: Config, { bodyLimit }: Operation) =>
  (exchange: Exchange): Completion => {
    const body = readBody(exchange.request, bodyLimit?.bytes ?? config.bodyLimit);
    if (!(body instanceof Promise)) {
      exchange.rawBody = body;
      return;
    }
    exchange.isReading = true;
    return joinTurn(body)
      .then((bytes) => {
        exchange.rawBody = bytes;
      })
      .finally(() => {
        exchange.isReading = false;
      });
  };

export const checkBody = (operation: Operation) => {
  const faults = operation.body ? validator(operation.body) : undefined;
  if (!faults) return undefined;
  return (exchange: Exchange): void => {
    const bytes = exchange.rawBody ?? Buffer.alloc(0);
    exchange.body =
      bytes.length === 0 && operation.isBodyOptional ? {} : parseJson(bytes, operation.bodyLimit?.members);
    const errors = faults(exchange.body);
    if (errors) throw new Problem('validation-failed', { errors });
  };
};
