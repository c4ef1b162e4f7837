/** The request headers of the interface, as data: documented in OpenAPI and checked by the gate from the same entries. */
import { isIP } from 'node:net';
import type { Requester } from '../bank/consent-note.js';
import type { Call, Field } from '../http/operation.js';
import { isUuid } from '../lib/id.js';
import { type FieldFault, fieldFault, isNoneOf } from '../problem/field.js';
import { coveredIfSent, leastCovered } from '../signature/coverage.js';

export const uuidFault = (value: string): FieldFault | undefined =>
  isUuid(value) ? undefined : fieldFault('format', 'must be a UUID', { format: 'uuid' });
/** For a parameter that counts, of three digits at most. */
export const wholeNumberFault =
  (max: number) =>
  (value: string): FieldFault | undefined => {
    const message = `must be a whole number from 1 to ${max}`;
    if (!/^\d+$/.test(value)) return fieldFault('format', message, { format: 'integer' });
    if (value.length > 3 || Number(value) > max) return fieldFault('too-large', message, { max });
    return Number(value) < 1 ? fieldFault('too-small', message, { min: 1 }) : undefined;
  };

const text = { type: 'string' };

export const credentialHeaders: readonly Field[] = [
  {
    name: 'Ocp-Apim-Subscription-Key',
    required: true,
    schema: text,
    description: 'Subscription key of the calling application.',
  },
  {
    name: 'Authorization',
    required: true,
    schema: text,
    description: 'OAuth 2.0 access token: `Bearer <token>`.',
  },
  {
    name: 'DPoP',
    schema: text,
    description:
      'Proof of possession (RFC 9449), made for this call; required beside `Authorization: DPoP <token>`.',
  },
];

const requestIdSchema = { type: 'string', format: 'uuid' };

export const requestId: Field = {
  name: 'X-Request-ID',
  required: true,
  schema: requestIdSchema,
  description: 'Unique per call, set by the caller; echoed in the answer.',
  example: '99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
  fault: uuidFault,
};

/** On the ATM read the header is optional and only echoed: whatever it holds is not refused. */
export const optionalRequestId: Field = {
  name: 'X-Request-ID',
  schema: requestIdSchema,
  description: 'Optional here; a UUID is echoed in the answer.',
};

/** With a length that is divisible by four. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const MAX_CERTIFICATE = 8192;

const certificateFault = (value: string): FieldFault | undefined =>
  value.length > MAX_CERTIFICATE || value.length % 4 !== 0 || !BASE64.test(value)
    ? fieldFault(
        'format',
        'must be base64 of the certificate (DER or PEM), at most 8 KiB, in one line and without escapes',
        { format: 'certificate' },
      )
    : undefined;

const DIGESTS = /^(?:(?:^|,)\s*SHA-(?:256|512)=[A-Za-z0-9+/]+={0,2}\s*)+$/i;

const digestFault = (value: string): FieldFault | undefined =>
  DIGESTS.test(value)
    ? undefined
    : fieldFault('format', 'must be SHA-256=<base64> or SHA-512=<base64>', { format: 'digest' });

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

export const signatureHeaders: readonly Field[] = [
  {
    name: 'Digest',
    schema: text,
    description: 'Hash of the raw body, `SHA-256=<base64>`; present if and only if Signature is present.',
    fault: digestFault,
  },
  {
    name: 'Signature',
    schema: text,
    description: `Application-level signature of the request. It covers at least ${listed(leastCovered.cavage)}, and ${listed(coveredIfSent)} if they are sent.`,
  },
  {
    name: 'TPP-Signature-Certificate',
    schema: { type: 'string', contentEncoding: 'base64' },
    description: 'Base64 of the signing certificate; required beside Signature.',
    fault: certificateFault,
  },
  {
    name: 'Content-Digest',
    schema: text,
    description:
      'In place of Digest, if the request is signed by RFC 9421: `sha-256=:<base64>:` or `sha-512=:<base64>:` of the raw body.',
  },
  {
    name: 'Signature-Input',
    schema: text,
    description: `Makes Signature one by RFC 9421: its components and parameters, under the same label. It covers at least ${listed(leastCovered.rfc9421)}, and ${listed(coveredIfSent)} if they are sent. \`keyid\` may be left out; if it is sent, it must name the certificate: \`SN=<serial>,CA=<issuer>\`.`,
  },
];

export const sessionConsentId: Field = {
  name: 'Consent-ID',
  schema: { type: 'string', format: 'uuid' },
  description:
    'Id of the earlier account information consent, when the call is part of a combined session; recorded only.',
  fault: uuidFault,
  hasEffect: true,
};

const PSU_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const portFault = (value: string): FieldFault | undefined =>
  /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535
    ? undefined
    : fieldFault('format', 'must be a port from 1 to 65535', { format: 'port' });

const free = (name: string, what: string): Field => ({
  name,
  schema: text,
  description: `${what} of the request between account holder and third party, if available.`,
});

export const psuHeaders: readonly Field[] = [
  {
    name: 'PSU-IP-Address',
    schema: text,
    description:
      'IP address of the account holder; present if and only if the account holder asked for this call.',
    fault: (value) =>
      isIP(value) === 0
        ? fieldFault('format', 'must be an IPv4 or IPv6 address', { format: 'ip-address' })
        : undefined,
    hasEffect: true,
  },
  { name: 'PSU-IP-Port', schema: text, description: 'Port of that request, if available.', fault: portFault },
  free('PSU-Accept', 'Accept header'),
  free('PSU-Accept-Charset', 'Accept-Charset header'),
  free('PSU-Accept-Encoding', 'Accept-Encoding header'),
  // The language of printed statements.
  { ...free('PSU-Accept-Language', 'Accept-Language header'), hasEffect: true },
  free('PSU-User-Agent', 'User agent'),
  {
    name: 'PSU-Http-Method',
    schema: { type: 'string', enum: PSU_METHODS },
    description: 'HTTP method used between account holder and third party.',
    fault: (value) => (PSU_METHODS.includes(value) ? undefined : isNoneOf(PSU_METHODS)),
  },
  {
    name: 'PSU-Device-ID',
    schema: { type: 'string', format: 'uuid' },
    description: 'Identifies the device or app installation.',
    fault: uuidFault,
  },
  free('PSU-Geolocation', 'Geo location'),
];

const psuNames = psuHeaders.map(({ name }) => [name, name.toLowerCase()] as const);

/** For the bank's watch on fraud. */
export const requesterOf = ({
  caller,
  headers,
  requestId,
  traceparent,
}: Pick<Call, 'caller' | 'headers' | 'requestId' | 'traceparent'>): Requester => {
  const sent: Record<string, string> = {};
  for (const [name, key] of psuNames) {
    const value = headers[key];
    if (value !== undefined) sent[name] = value;
  }
  return { clientId: caller.clientId, requestId, psuHeaders: sent, ...(traceparent ? { traceparent } : {}) };
};
