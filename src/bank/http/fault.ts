/** What can go wrong between us and the core, as a class: it is counted and logged, and never carries what was asked or answered. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Breach } from '../../http/validate.js';
import type { Outage, OutageError } from '../../problem/outage.js';
import { Problem } from '../../problem/problem.js';
import { unavailable, type WrongAnswer, wrongKinds } from '../guard/answers.js';

export const faultKinds = [
  'late',
  'too-late',
  'refused',
  'reset',
  'status',
  'maintenance',
  'too-large',
  ...wrongKinds,
  'open',
  'full',
] as const;
export type FaultKind = (typeof faultKinds)[number];

type FaultDetails = Partial<Pick<CoreFault, 'status' | 'breach' | 'retryAfter' | 'coreRequestId'>>;

const outagesOfKinds: Partial<Record<FaultKind, Outage>> = {
  maintenance: 'core-maintenance',
  full: 'core-busy',
};

export class CoreFault extends Error implements OutageError {
  readonly kind: FaultKind;
  /** For logs, where every error may have a code. */
  readonly code: string;
  /** Of an answer that was none. */
  readonly status: number | undefined;
  /** Of an answer that is not as it should be: counted by member and rule. */
  readonly breach: Breach | undefined;
  /** The code of an error or a few fixed words, never a text of the core's. */
  readonly reason: string;
  /** Seconds after which the core will answer again, as it says. */
  readonly retryAfter: number | undefined;
  /** The X-Request-ID that the core was sent, for the log line of the call that fails. */
  readonly coreRequestId: string | undefined;

  constructor(
    kind: FaultKind,
    reason = '',
    { status, breach, retryAfter, coreRequestId }: FaultDetails = {},
  ) {
    super(`the core: ${kind}${reason ? ` (${reason})` : ''}`);
    this.reason = reason;
    this.name = 'CoreFault';
    this.kind = kind;
    this.code = kind;
    this.status = status;
    this.breach = breach;
    this.retryAfter = retryAfter;
    this.coreRequestId = coreRequestId;
  }

  /** Of one question: several that travel in one call share what that call failed by. */
  ofQuestion(coreRequestId: string): CoreFault {
    return new CoreFault(this.kind, this.reason, { ...this, coreRequestId });
  }

  get outage(): Outage {
    return outagesOfKinds[this.kind] ?? 'core';
  }
}

/** Seconds, or a moment: counted from the Date of the same answer, so that no two clocks are compared. */
export const secondsOf = ({
  'retry-after': after,
  date,
}: Pick<IncomingHttpHeaders, 'retry-after' | 'date'>): number | undefined => {
  if (after === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(after)
    ? Number(after)
    : (Date.parse(after) - Date.parse(date ?? '')) / 1000;
  return seconds >= 0 ? seconds : undefined;
};

/** A core that cannot answer now and says when it can is not in trouble: it is under maintenance. */
export const statusFault = (status: number, headers: IncomingHttpHeaders = {}): CoreFault => {
  const retryAfter = status === 503 ? secondsOf(headers) : undefined;
  return retryAfter === undefined
    ? new CoreFault('status', `status ${status}`, { status })
    : new CoreFault('maintenance', `for ${Math.ceil(retryAfter)} seconds`, { retryAfter });
};

export const wrongFault = (wrong: WrongAnswer): CoreFault => {
  // Without the numbers of rows there are as many as the contract has members.
  const breach = { member: wrong.member.replace(/\/\d+/g, '/*'), rule: wrong.rule };
  return new CoreFault(wrong.kind, wrong.message, { breach });
};

/** The core itself is in trouble. A wrong answer to one question says nothing about the next. */
export const isOutage = (error: unknown): boolean =>
  error instanceof CoreFault &&
  (['late', 'refused', 'reset'].includes(error.kind) || (error.status !== undefined && error.status >= 500));

const GATEWAY_STATUSES: readonly (number | undefined)[] = [502, 503, 504];

/** The core did no work, or the work changes nothing: worth one retry. */
export const isPassing = (error: unknown): boolean =>
  error instanceof CoreFault &&
  (error.kind === 'refused' || error.kind === 'reset' || GATEWAY_STATUSES.includes(error.status));

/** The answer to the caller: 408 if the core is late, 503 for everything else, never a guess. */
export const asCoreProblem = (error: unknown): unknown => {
  if (!(error instanceof CoreFault)) return error;
  return error.kind === 'late'
    ? new Problem('processing-timeout', { cause: error })
    : unavailable(error, error.retryAfter);
};

const LATE = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/;
const TOO_LARGE = /^UND_ERR_(RES_EXCEEDED_MAX_SIZE|HEADERS_OVERFLOW)$/;
const GARBAGE = /^(HPE_\w+|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/;
const REFUSED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|E(HOST|NET)(UNREACH|DOWN)|ERR_(SSL|TLS)_\w+|\w*CERT\w*|UNABLE_TO_\w+)$/;

const codeOf = (error: unknown): string => {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^\w{1,60}$/.test(code)) return code;
  return cause instanceof Error ? codeOf(cause) : '';
};

const kindOf = (code: string): FaultKind => {
  if (LATE.test(code)) return 'late';
  if (TOO_LARGE.test(code)) return 'too-large';
  if (GARBAGE.test(code)) return 'garbage';
  return REFUSED.test(code) ? 'refused' : 'reset';
};

/** An error of the connection, by its code. */
export const connectionFault = (error: unknown): CoreFault => {
  if (error instanceof CoreFault) return error;
  // Several addresses were tried, and none would have us.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = first instanceof Error ? codeOf(first) : '';
  const kind = kindOf(code);
  return new CoreFault(kind, code, kind === 'too-large' ? { breach: { member: '', rule: 'too large' } } : {});
};
