/** The headers of the contract as its document describes them. */
import { type Json, publicSchema } from '../../../http/openapi-schema.js';
import { languages } from '../../../web/language.js';
import { BankId } from './basic-shapes.js';
import {
  APPLICATION_ID,
  CONSENT_DATA,
  CONSENT_ID,
  LANGUAGE,
  NOT_AFTER,
  PSU_ID,
  SANDBOX_TIME,
  TRACE,
} from './headers.js';

export const consentData = { type: 'string', pattern: '^[!-~]+$', minLength: 1, maxLength: 1024 };

export const parameters = {
  requestId: {
    name: 'X-Request-ID',
    in: 'header',
    required: true,
    description: 'New for each question, the same if it is repeated; Trapeza logs it if it got no answer.',
    schema: { type: 'string', format: 'uuid' },
  },
  psuId: {
    name: PSU_ID,
    in: 'header',
    required: true,
    description:
      'The person for whom the question is asked: the psuId of the login. Answer only if this person holds the account now, else 404.',
    schema: publicSchema(BankId),
    example: 'customer-4711',
  },
  knownPsuId: {
    name: PSU_ID,
    in: 'header',
    required: false,
    description: 'The person for whom the question is asked; absent if it is not known yet.',
    schema: publicSchema(BankId),
    example: 'customer-4711',
  },
  language: {
    name: LANGUAGE,
    in: 'header',
    required: false,
    description:
      'The language of the person, if the core writes to them or they read a text of the answer. Greek if it is absent.',
    schema: { type: 'string', enum: languages },
    example: 'el',
  },
  consentId: {
    name: CONSENT_ID,
    in: 'header',
    required: false,
    description:
      'The consent on whose behalf the question is asked. It was checked: the account is one of it.',
    schema: { type: 'string', format: 'uuid' },
  },
  consentData: {
    name: CONSENT_DATA,
    in: 'header',
    required: false,
    description: `What an earlier answer on the same consent said in ${CONSENT_DATA}.`,
    schema: consentData,
  },
  applicationId: {
    name: APPLICATION_ID,
    in: 'header',
    required: false,
    description:
      'The application of the third party that asks. Beside it come the headers by which it describes the device and the address of the person, as it sent them: PSU-IP-Address (present if and only if the person asked for this call), PSU-IP-Port, PSU-Accept, PSU-Accept-Charset, PSU-Accept-Encoding, PSU-Accept-Language, PSU-User-Agent, PSU-Http-Method, PSU-Device-ID, PSU-Geolocation. For your watch on fraud; none of them is proved.',
    schema: { type: 'string' },
    example: 'shop-checkout',
  },
  trace: {
    name: TRACE,
    in: 'header',
    required: false,
    description:
      'The trace that the call of the third party belongs to (W3C Trace Context), for your own tracing.',
    schema: { type: 'string' },
    example: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  },
  notAfter: {
    name: NOT_AFTER,
    in: 'header',
    required: false,
    description:
      'The moment, at least nine seconds ahead when it is sent, after which the payment must not be begun any more: whoever sent it may have stood still on the way, and another node may be asking about it by then. Optional for a core: one whose clock is kept in step compares it immediately before it begins, and answers 412 if it is past; Trapeza then asks with GET before it sends the payment again.',
    schema: { type: 'string', format: 'date-time' },
  },
  sandboxTime: {
    name: SANDBOX_TIME,
    in: 'header',
    required: false,
    description: 'Bank time of a sandbox, for simulators. Never sent in production.',
    schema: { type: 'string', format: 'date-time' },
  },
} as const satisfies Record<string, Json>;
