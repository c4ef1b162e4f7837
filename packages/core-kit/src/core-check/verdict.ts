/** How a case ends other than well: it failed, it cannot be judged, or there is nothing to try it on. */
import type { CoreOperations } from 'trapeza/bank';

type OperationId = keyof CoreOperations;

export class Failure extends Error {
  readonly expected: string;
  readonly seen: string;
  /** The operation without an answer; undefined if the answers were well formed but wrong. */
  readonly operation: OperationId | undefined;

  constructor(expected: string, seen: string, operation?: OperationId) {
    super(`expected ${expected}, seen: ${seen}`);
    this.name = 'Failure';
    this.expected = expected;
    this.seen = seen;
    this.operation = operation;
  }

  of(operation: OperationId): Failure {
    return new Failure(this.expected, this.seen, operation);
  }
}

export class Skip extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Skip';
  }
}

/** It cannot be judged before something else is done: what, and why. */
export class Blocked extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Blocked';
  }
}

/** Says what was expected, and what was seen instead: counts, statuses and ids, nothing personal. */
export const demand = (isTrue: boolean, expected: string, seen: string): void => {
  if (!isTrue) throw new Failure(expected, seen);
};
