/**
 * A limit of calls of one kind from one source within a window. Counted by each process for itself, in bounded memory.
 */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../lib/clock.js';
import type { Source } from '../../lib/net/address.js';
import { exhaustedFields } from '../../lib/rate-limit.js';
import type { Security, SecurityEventKind } from '../../observe/security-events.js';
import { Problem } from '../../problem/problem.js';
import { WindowCounter } from '../limits/window.js';

/** Sources whose calls are remembered; the oldest are forgotten first. */
const MOST_SOURCES = 100_000;

/** Too many: the time until the next call is allowed. */
export interface Wait {
  readonly ms: number;
}

/** A request that has arrived: an exchange of an operation is one. */
export interface Inbound {
  readonly request: IncomingMessage;
  readonly requestId: string;
}

export interface SourceRule {
  /** What is counted, as the refusal names it. */
  readonly name: string;
  readonly most: number;
  readonly windowSeconds: number;
  /** The security event of a refusal. */
  readonly event: SecurityEventKind;
}

export interface SourceLimitParts {
  readonly clock: Clock;
  readonly security: Security;
  readonly sourceOf: (request: IncomingMessage) => Source;
}

export class SourceLimit {
  readonly #parts: SourceLimitParts;
  readonly #rule: SourceRule;
  readonly #counter: WindowCounter;

  constructor(rule: SourceRule, parts: SourceLimitParts) {
    this.#parts = parts;
    this.#rule = rule;
    this.#counter = new WindowCounter(rule.windowSeconds, parts.clock, MOST_SOURCES);
  }

  /** Counts a call. */
  take({ request, requestId }: Inbound): Wait | undefined {
    const { name, most, event } = this.#rule;
    const source = this.#parts.sourceOf(request);
    const { count, resetMs } = this.#counter.consume(source);
    if (count <= most) return undefined;
    this.#parts.security.event(event, { reason: `too-many-${name}`, address: source, requestId });
    return { ms: resetMs };
  }

  /** Counts a call; throws if there were too many. */
  demand(slug: 'rate-limited' | 'quota-exceeded', inbound: Inbound): void {
    const { name, most: quota, windowSeconds } = this.#rule;
    const wait = this.take(inbound);
    if (wait)
      throw new Problem(slug, {
        headers: exhaustedFields({ name, quota, windowSeconds, resetMs: wait.ms }),
      });
  }
}
