/** One question to the core, and the request that it becomes: path and headers from the operation, what it is about from the question. */
import { instantText } from '../../lib/instant.js';
import type { PsuId } from '../../model/ids.js';
import type { Language } from '../../web/language.js';
import type { ConsentNote, Requester } from '../consent-note.js';
import type { SendBy } from '../payments.js';
import type { RawRequest } from './client.js';
import {
  APPLICATION_ID,
  CONSENT_DATA,
  CONSENT_ID,
  LANGUAGE,
  NOT_AFTER,
  PSU_ID,
  SANDBOX_TIME,
  TRACE,
} from './contract/headers.js';
import { acceptOf, type CoreOperation } from './contract/operations.js';

export interface Question {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | null>>;
  readonly body?: object;
  /** For whom an account is asked about. */
  readonly psuId?: PsuId | undefined;
  /** Of the person, if a text of the bank is read by one. */
  readonly language?: Language | undefined;
  readonly consent?: ConsentNote | undefined;
  readonly requester?: Requester | undefined;
  /** Of a payment. */
  readonly by?: SendBy | undefined;
  /** Takes what the core wants to be reminded of, in place of `keep`. */
  readonly onBankData?: ((bankData: string) => void) | undefined;
}

const pathOf = ({ path }: CoreOperation, { params = {}, query = {} }: Question): string => {
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === null ? [] : [[name, String(value)]],
  );
  return pairs.length > 0 ? `${filled}?${new URLSearchParams(pairs).toString()}` : filled;
};

const PRINTABLE = /^[ -~]{1,512}$/;

/** What could not be sent on as it came is left out. */
const requesterHeaders = ({ clientId, psuHeaders }: Requester): Readonly<Record<string, string>> => ({
  [APPLICATION_ID]: clientId,
  ...Object.fromEntries(Object.entries(psuHeaders).filter(([, value]) => PRINTABLE.test(value))),
});

interface Sending {
  readonly requestId: string;
  readonly traceparent: string | undefined;
  /** Bank time, if the core follows it. */
  readonly sandboxTime: number | undefined;
}

export const requestOf = (
  operation: CoreOperation,
  question: Question,
  { requestId, traceparent, sandboxTime }: Sending,
): RawRequest => {
  const { consent, body, psuId, language, requester, by } = question;
  return {
    method: operation.method,
    path: pathOf(operation, question),
    headers: {
      'X-Request-ID': requestId,
      ...acceptOf(operation),
      ...(psuId === undefined ? {} : { [PSU_ID]: psuId }),
      ...(language === undefined ? {} : { [LANGUAGE]: language }),
      ...(requester ? requesterHeaders(requester) : {}),
      ...(traceparent === undefined ? {} : { [TRACE]: traceparent }),
      ...(consent ? { [CONSENT_ID]: consent.id } : {}),
      ...(consent?.bankData ? { [CONSENT_DATA]: consent.bankData } : {}),
      ...(by ? { [NOT_AFTER]: instantText(by.notAfter) } : {}),
      ...(sandboxTime === undefined ? {} : { [SANDBOX_TIME]: instantText(sandboxTime) }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    mayStart: by?.mayStart,
  };
};
