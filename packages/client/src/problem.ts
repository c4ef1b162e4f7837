/** A refusal of the bank, with what a program needs to go on. */
import {
  type Advice,
  type Extensible,
  type Extensions,
  type ProblemSlug,
  remedies,
  type ValidationProblem,
} from './interface.js';

export type ProblemBody = ValidationProblem;

/** What stands between us and the bank answers so, and a repetition helps. */
const passing = [408, 429, 502, 503, 504];

const secondsOf = (headers: Headers): number | undefined => {
  const text = headers.get('retry-after');
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
};

const messageOf = (status: number, { title, detail, errors }: ProblemBody): string =>
  [
    `${status} ${title ?? 'without a problem body'}`,
    ...(detail ? [detail] : []),
    ...Object.entries(errors ?? {}).map(([name, sentences]) => `${name} ${sentences.join(' ')}`),
  ].join(': ');

export class ProblemError extends Error {
  readonly status: number;
  /** The last part of `type`, which never changes; undefined if the answer is not one of the bank. */
  readonly slug: Extensible<ProblemSlug> | undefined;
  readonly code: string | undefined;
  readonly detail: string | undefined;
  /** What kind of thing to do: `refresh-token`, `new-consent`, … */
  readonly advice: Advice | undefined;
  /** The same as sentences for people. */
  readonly remedy: string | undefined;
  /** For the bank's support. */
  readonly requestId: string | undefined;
  /** The same request can succeed, with the same X-Request-ID. */
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Headers;
  /** Facts for programs, each member by its type; undefined if the answer is not one of the bank. */
  readonly extensions: NonNullable<Extensions> | undefined;
  readonly problem: ProblemBody;

  constructor(status: number, headers: Headers, problem: ProblemBody) {
    super(messageOf(status, problem));
    this.name = 'ProblemError';
    const extensions = problem.extensions ?? undefined;
    // Another program's answer may look like a problem and lack it.
    const error: NonNullable<Extensions>['error'] | undefined = extensions?.error;
    this.status = status;
    this.slug = /\/problems\/([a-z0-9-]+)$/.exec(problem.type ?? '')?.[1];
    this.code = error?.code;
    this.detail = problem.detail ?? undefined;
    this.advice = error?.advice;
    this.remedy = error?.advice === undefined ? undefined : remedies[error.advice];
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAfterSeconds = secondsOf(headers);
    this.retryable = error?.retryable ?? passing.includes(status);
    this.headers = headers;
    this.extensions = extensions;
    this.problem = problem;
  }
}

/** An answer with its whole body. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

export const problemOf = ({ status, headers, bytes }: Received): ProblemError => {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // Not of the bank: the status says all there is.
  }
  const isObject = typeof body === 'object' && body !== null;
  return new ProblemError(status, headers, isObject ? (body as ProblemBody) : {});
};
