/** Problems of the moment: conflicts, limits, and a service or bank that cannot answer now. */
import type { ProblemKind } from './kind.js';

export const stateProblems = {
  'request-id-conflict': {
    status: 409,
    title: 'X-Request-ID already used',
    code: 'REQUEST_ID_CONFLICT',
    advice: 'fix-request',
    when: 'The X-Request-ID was used within 24 hours for a request with another content.',
    remedy: 'Make a new X-Request-ID for every new request; keep it only for an exact repetition.',
  },
  'request-in-progress': {
    status: 409,
    title: 'Request still in progress',
    code: 'REQUEST_IN_PROGRESS',
    advice: 'repeat',
    when: 'A request with this X-Request-ID is still being processed.',
    remedy: 'Wait a moment and repeat the request with the same X-Request-ID to learn its outcome.',
  },
  'reference-conflict': {
    status: 409,
    title: 'References name different accounts',
    code: 'REFERENCE_CONFLICT',
    advice: 'fix-request',
    when: 'The card number and account references of one request belong to different accounts.',
    remedy: 'Send references of a single account.',
  },
  'state-conflict': {
    status: 409,
    title: 'Not possible in the current state',
    code: 'STATE_CONFLICT',
    advice: 'read-existing',
    extensions: ['registration'],
    when: 'The state of the resource does not allow this change.',
    remedy: 'Read the status of the resource and act on it.',
  },
  'payment-already-submitted': {
    status: 409,
    title: 'Payment submitted already',
    code: 'PAYMENT_ALREADY_SUBMITTED',
    advice: 'read-existing',
    extensions: ['payment'],
    when: 'The payment of this consent was submitted before; extensions.payment has its paymentId and, in href, where it can be read.',
    remedy: 'Read the order: the payment is on its way or over. Do not ask for another consent.',
  },
  'payment-executed': {
    status: 409,
    title: 'Payment cannot be cancelled',
    code: 'PAYMENT_EXECUTED',
    advice: 'read-existing',
    extensions: ['payment'],
    when: 'The payment was carried out or rejected, or the bank cannot call it back any more; the detail says which. extensions.payment has its paymentId and, in href, where it can be read.',
    remedy:
      'Read the order for its status. To get back what was paid, the account holder asks the payee or the bank.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many failed attempts',
    code: 'RATE_LIMITED',
    advice: 'fix-request',
    when: 'Too many requests with missing or wrong subscription keys came from this address.',
    remedy:
      'Use a valid key: this limit never refuses one. Retry-After says when a failed attempt gets its own answer again.',
  },
  'quota-exceeded': {
    status: 429,
    title: 'Quota exceeded',
    code: 'QUOTA_EXCEEDED',
    advice: 'wait',
    when: 'The subscription has used up the requests of its current period.',
    remedy: 'Wait for the seconds given in Retry-After; ask the bank for a larger quota if you need it.',
  },
  'access-exceeded': {
    status: 429,
    title: 'Daily accesses used up',
    code: 'ACCESS_EXCEEDED',
    advice: 'wait',
    exception: {
      advice: 'new-consent',
      when: 'it is a one-off consent: waiting does not help, and there is no Retry-After',
    },
    extensions: ['access'],
    when: 'Without the account holder present, this data may be read only a few times in 24 hours. extensions.access names the kind of data, how often it may be read, and when it can be read again.',
    remedy:
      'Wait for the seconds given in Retry-After (a one-off consent has none: waiting does not help), or read while the account holder is present and send PSU-IP-Address.',
  },
  'too-many-open-consents': {
    status: 429,
    title: 'Too many open consents',
    code: 'TOO_MANY_OPEN_CONSENTS',
    advice: 'wait',
    extensions: ['openConsents'],
    when: 'Twenty consents of this kind already wait for the decision of this account holder. extensions.openConsents names the kind and the limit.',
    remedy:
      'Send the account holder to one of the open consents, or delete those you no longer need. Retry-After says when the next open one ends by itself.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    code: 'INTERNAL_SERVER_ERROR',
    advice: 'repeat',
    when: 'Something went wrong inside this service.',
    remedy:
      'Send the request again with the same X-Request-ID: it is never carried out twice. Quote that id when you contact the bank.',
  },
  overloaded: {
    status: 503,
    title: 'Service overloaded',
    code: 'OVERLOADED',
    advice: 'repeat',
    when: 'The service is processing more requests than it can answer in time.',
    remedy: 'Send the request again after the seconds given in Retry-After, with the same X-Request-ID.',
  },
  draining: {
    status: 503,
    title: 'Node is shutting down',
    code: 'DRAINING',
    advice: 'repeat',
    when: 'This node is being stopped and takes no new requests.',
    remedy:
      'Open a new connection and send the request again with the same X-Request-ID; another node will answer.',
  },
  'dependency-unavailable': {
    status: 503,
    title: 'Banking system unavailable',
    code: 'DEPENDENCY_UNAVAILABLE',
    advice: 'repeat',
    extensions: ['signature'],
    when: 'The database or the core banking system cannot be reached.',
    remedy:
      'Try again after the seconds given in Retry-After, with the same X-Request-ID. With the code MAINTENANCE the bank has closed the interface for a while; the page /status says more.',
  },
  'outcome-unknown': {
    status: 503,
    title: 'Outcome unknown',
    code: 'OUTCOME_UNKNOWN',
    advice: 'repeat',
    when: 'The connection to the database broke while the request was being completed, or the core of the bank has not answered about the payment yet.',
    remedy: 'Repeat the request with the same X-Request-ID: it is never carried out twice.',
  },
} as const satisfies Record<string, ProblemKind>;
