/**
 * Sends a request until it is answered. Every repetition has the same X-Request-ID and the same bytes, so the bank carries a write out
 * once and answers a repetition with the stored outcome: that is what makes repeating safe.
 */
import type { Clock, Fetch } from './clock.js';
import { ProblemError, problemOf, type Received } from './problem.js';

export interface RetryOptions {
  /** Repetitions of one call, beside the first attempt. */
  readonly retries: number;
  /** A bank that wants a longer pause gets no repetition: its problem is thrown, with `retryAfterSeconds`. */
  readonly maxWaitMs: number;
  /** How long one attempt may take. */
  readonly timeoutMs: number;
}

/** Gives an access token; `refused` is the one that the bank has just refused, to be replaced. */
export type TokenSource = (refused?: string) => Promise<string>;

export interface SendParts extends RetryOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly token: TokenSource | undefined;
}

export interface Prepared {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

const FIRST_PAUSE_MS = 250;

/** Doubled each time, and spread, so that many clients do not come back at the same moment. */
const pauseMs = (attempt: number): number => {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return FIRST_PAUSE_MS * 2 ** attempt * (0.5 + random / 2 ** 32);
};

const attempt = async (
  { fetch, timeoutMs }: SendParts,
  { method, url, headers, body, signal }: Prepared,
  token: string | undefined,
): Promise<Received> => {
  const late = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, late]) : late,
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
};

/** How long to wait before a repetition; undefined: there is none. */
const waitAfter = (error: unknown, repetition: number): number | undefined => {
  // No answer: fetch throws nothing else.
  if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return pauseMs(repetition);
  if (!(error instanceof ProblemError) || !error.retryable) return undefined;
  if (error.retryAfterSeconds !== undefined) return error.retryAfterSeconds * 1000;
  return error.status === 429 ? undefined : pauseMs(repetition);
};

/** Undefined: the token was not the reason, or there is no other. */
const tokenAfter = async (error: unknown, refused: string | undefined, source: TokenSource | undefined) => {
  if (!(error instanceof ProblemError) || error.advice !== 'refresh-token') return undefined;
  const token = await source?.(refused);
  return token === refused ? undefined : token;
};

/** An answer below 400; anything else is thrown. */
export const send = async (parts: SendParts, request: Prepared): Promise<Received> => {
  let token = await parts.token?.();
  let isRenewed = false;
  for (let repetition = 0; ; ) {
    try {
      const received = await attempt(parts, request, token);
      if (received.status < 400) return received;
      throw problemOf(received);
    } catch (error) {
      const renewed = isRenewed ? undefined : await tokenAfter(error, token, parts.token);
      if (renewed !== undefined) {
        token = renewed;
        isRenewed = true;
        continue;
      }
      const wait = waitAfter(error, repetition);
      const isOver = repetition >= parts.retries || request.signal?.aborted;
      if (isOver || wait === undefined || wait > parts.maxWaitMs) throw error;
      await parts.clock.sleep(wait);
      repetition += 1;
    }
  }
};
