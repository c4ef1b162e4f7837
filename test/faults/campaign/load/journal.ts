/**
 * What the clients of a campaign were told. Every answer is judged when it arrives, reads too: it must be what the client
 * knows to be true. The only other outcomes are 503 with Retry-After, 408, and a connection that broke because its node was
 * broken on purpose; none of them may come later than the deadline.
 */
import { type Answer, slugOf } from '../../../support/client.js';

/** What the node answers by, by default, and what a busy machine may add. */
export const DEADLINE_MS = 5000;
const GRACE_MS = 2500;
export const PATIENCE_MS = DEADLINE_MS + GRACE_MS;

/** A node as the clients see it. */
export interface Target {
  readonly url: string;
  /** Whether it was killed, paused or not there at some time since this moment: its connections may break. */
  wasBroken(since: number): boolean;
  /** Whether its clock was wrong at some time since this moment: it may take good tokens for expired ones. */
  wasAdrift(since: number): boolean;
}

export type Outcome = Answer | 'broken' | 'late';

export interface Question {
  readonly operation: string;
  readonly target: Target;
  readonly startedAt: number;
  /** The same request was sent before and had no answer. */
  readonly isRepeat: boolean;
  /** Undefined where the answer is right, else what was expected. */
  readonly fault: (answer: Answer) => string | undefined;
}

/** What has an effect, and is acknowledged only when that is durable. */
const writes = new Set(['funds', 'create', 'decide', 'end', 'submit']);

/** An answer that is not what the client knows to be true. It is in the journal; what the client has is no longer certain. */
export class WrongAnswer extends Error {}

/** The start of what is said in a fault: enough to know the problem, never a token. */
const shown = (answer: Answer): string => `${answer.status} ${slugOf(answer)} ${answer.text.slice(0, 160)}`;

export class Journal {
  readonly faults: string[] = [];
  readonly right = new Map<string, number>();
  readonly unanswered = new Map<string, number>();
  slowestMs = 0;
  #writtenAt = Date.now();
  #longestGapMs = 0;
  /** The campaign broke down: nobody can wait for an outcome any more. */
  isAbandoned = false;
  readonly #watchers = new Set<(target: Target) => void>();

  report(fault: string): void {
    this.faults.push(`${new Date().toISOString()} ${fault}`);
  }

  /** The answer, or undefined if none came that says anything. Throws if it is wrong. */
  judge(question: Question, outcome: Outcome): Answer | undefined {
    if (this.isAbandoned) throw new Error('the campaign was abandoned');
    const { operation, target, startedAt, isRepeat } = question;
    const tookMs = Date.now() - startedAt;
    const isBroken = target.wasBroken(startedAt);
    if (!isBroken) this.slowestMs = Math.max(this.slowestMs, tookMs);
    if (tookMs > PATIENCE_MS && !isBroken) this.report(`${operation}: no answer within ${tookMs} ms`);
    if (outcome === 'late') return this.#none('late');
    if (outcome === 'broken') {
      if (!isBroken) this.report(`${operation}: the connection to a healthy node broke`);
      return this.#none('broken');
    }
    if (outcome.status === 503 && outcome.headers['retry-after'] !== undefined) return this.#none('503');
    if (outcome.status === 408) return this.#none('408');
    if (outcome.status === 401 && target.wasAdrift(startedAt)) return this.#none('clock');
    if (isRepeat && slugOf(outcome) === 'request-in-progress') return this.#none('in progress');
    const fault = question.fault(outcome);
    if (fault !== undefined) {
      this.report(`${operation}: expected ${fault}, got ${shown(outcome)}`);
      throw new WrongAnswer();
    }
    this.right.set(operation, (this.right.get(operation) ?? 0) + 1);
    if (writes.has(operation)) this.#written();
    if (outcome.status < 300 && operation !== 'atms') for (const watcher of this.#watchers) watcher(target);
    return outcome;
  }

  #written(): void {
    this.#longestGapMs = Math.max(this.#longestGapMs, Date.now() - this.#writtenAt);
    this.#writtenAt = Date.now();
  }

  /** The longest time in which no third party had a write acknowledged, since this was called before. */
  takeLongestGap(): number {
    const longest = Math.max(this.#longestGapMs, Date.now() - this.#writtenAt);
    this.#longestGapMs = 0;
    return longest;
  }

  #none(kind: string): undefined {
    this.unanswered.set(kind, (this.unanswered.get(kind) ?? 0) + 1);
    return undefined;
  }

  /** How long it takes from now until this node has answered something that needs its store; at most `limitMs`. */
  firstSuccess(target: Target, limitMs: number): Promise<number> {
    const since = Date.now();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#watchers.delete(watcher);
        clearTimeout(timer);
        resolve(Date.now() - since);
      };
      const watcher = (of: Target): void => {
        if (of === target) done();
      };
      const timer = setTimeout(done, limitMs);
      this.#watchers.add(watcher);
    });
  }

  get rightCount(): number {
    return [...this.right.values()].reduce((sum, count) => sum + count, 0);
  }
}
