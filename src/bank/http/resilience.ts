/**
 * Protects against a core in trouble: a limit of concurrent calls with a short queue, separate ones for logins, because anyone
 * can cause those, for payments, which a core may take its time for, and for reports of consents; a circuit breaker for each operation, one retry if that is
 * harmless and the budget allows it, and one total timeout. No caller waits for a payment that is sent: it has no breaker.
 */
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  CountBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  retry,
  TaskCancelledError,
} from 'cockatiel';
import { monotonicMs } from '../../lib/clock.js';
import { INSTANT_MS, PAYMENTS_AT_ONCE } from '../payments.js';
import type { CoreOperation } from './contract/operations.js';
import { CoreFault, isOutage, isPassing } from './fault.js';

export interface GuardOptions {
  /** For one attempt. */
  readonly timeoutMs: number;
  /** For a question with everything: queue, attempts, pauses. */
  readonly totalMs: number;
  /** Calls at once; as many more may wait. */
  readonly maxCalls: number;
  /** How long an open breaker lets nothing through. */
  readonly halfOpenAfterMs?: number;
}

/** Retries are a tenth of the calls at most, so that they cannot multiply an outage. */
export class RetryBudget {
  static readonly #SHARE = 0.1;
  static readonly #MOST = 10;
  #tokens = 1;

  earn(): void {
    this.#tokens = Math.min(RetryBudget.#MOST, this.#tokens + RetryBudget.#SHARE);
  }
  get isEnough(): boolean {
    return this.#tokens >= 1;
  }
  spend(): void {
    this.#tokens -= 1;
  }
}

const HALF_OPEN_AFTER_MS = 2000;

/** At once, beside the calls of everybody else: a flood of logins must not turn a funds question into 503. */
const widths = (maxCalls: number) => ({
  login: Math.ceil(maxCalls / 4),
  payment: PAYMENTS_AT_ONCE,
  consent: 4,
});

export const besides = (maxCalls: number): number => {
  const { login, payment, consent } = widths(maxCalls);
  return login + payment + consent;
};

/** Opens when more than half of the last calls failed because the core is in trouble; never on what it answers to one question. */
const createBreaker = (halfOpenAfter: number) =>
  circuitBreaker(handleWhen(isOutage), {
    breaker: new CountBreaker({ threshold: 0.5, size: 20, minimumNumberOfCalls: 10 }),
    halfOpenAfter,
  });

const asFault = (error: unknown): unknown => {
  if (error instanceof BrokenCircuitError) return new CoreFault('open');
  if (error instanceof BulkheadRejectedError) return new CoreFault('full');
  return error instanceof TaskCancelledError ? new CoreFault('late') : error;
};

/** Who waits in the queue is not asked whether the time is over; this asks. */
const within = <T>(ms: number, run: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new CoreFault('late', 'total time')), ms);
    run()
      .then(resolve, (error: unknown) => reject(asFault(error)))
      .finally(() => clearTimeout(timer));
  });

export class Guard {
  readonly #options: GuardOptions;
  readonly #budget = new RetryBudget();
  readonly #breakers = new Map<string, ReturnType<typeof createBreaker>>();
  readonly #bulkhead;
  readonly #lanes;
  readonly #retry = retry(
    handleWhen((error) => isPassing(error) && this.#budget.isEnough),
    { maxAttempts: 1, backoff: new ExponentialBackoff({ initialDelay: 20, maxDelay: 100 }) },
  );

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#bulkhead = bulkhead(options.maxCalls, options.maxCalls);
    const { login, payment, consent } = widths(options.maxCalls);
    this.#lanes = {
      login: bulkhead(login, login),
      payment: bulkhead(payment, payment),
      consent: bulkhead(consent, consent),
    };
  }

  /** For a question with everything. */
  get totalMs(): number {
    return this.#options.totalMs;
  }

  get maxCalls(): number {
    return this.#options.maxCalls;
  }

  /** Counts an outage that one question of a call met. */
  count(operation: string, fault: CoreFault): void {
    const breaker = this.#breakerOf(operation);
    if (breaker.state === CircuitState.Closed)
      void breaker.execute(() => Promise.reject(fault)).catch(() => undefined);
  }

  /** One for each operation: a list of statements that is broken must not take the funds questions with it. */
  #breakerOf(operation: string): ReturnType<typeof createBreaker> {
    const known = this.#breakers.get(operation);
    if (known) return known;
    const made = createBreaker(this.#options.halfOpenAfterMs ?? HALF_OPEN_AFTER_MS);
    this.#breakers.set(operation, made);
    return made;
  }

  /** `attempt` receives its time limit. Throws a CoreFault if the core gave no answer. */
  run<T>(
    { id, lane, isSafe }: Pick<CoreOperation, 'id' | 'lane' | 'isSafe'>,
    attempt: (ms: number) => Promise<T>,
  ): Promise<T> {
    const limits = this.#options;
    const [timeoutMs, totalMs] =
      lane === 'payment' ? [INSTANT_MS, INSTANT_MS] : [limits.timeoutMs, limits.totalMs];
    const endsAt = monotonicMs() + totalMs;
    const breaker = lane === 'payment' ? undefined : this.#breakerOf(id);
    const inTurns = lane ? this.#lanes[lane] : this.#bulkhead;
    /** No signal of the library: making one takes 4 µs on Node 20. */
    const inTime = (): Promise<T> => {
      const left = endsAt - monotonicMs();
      return left > 0 ? attempt(Math.min(timeoutMs, left)) : Promise.reject(new TaskCancelledError());
    };
    const once = (): Promise<T> => {
      // The library lets others wait for the outcome of the probe; they get their answer at once instead.
      if (breaker?.state === CircuitState.HalfOpen) return Promise.reject(new CoreFault('open'));
      const inTurn = () => inTurns.execute(inTime);
      return breaker ? breaker.execute(inTurn) : inTurn();
    };
    this.#budget.earn();
    return within(totalMs, () =>
      isSafe
        ? this.#retry.execute((context) => {
            if (context.attempt > 0) this.#budget.spend();
            return once();
          })
        : once(),
    );
  }
}
