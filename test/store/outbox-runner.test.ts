/** The loop under payments and notifications, with work and a store that answer at once. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { OutboxRunner } from '../../src/store/outbox-runner.js';

/** So many polls in one turn would be without end. */
const MANY = 10_000;

const fail = (error: unknown): never => {
  throw error;
};

class AlwaysDue extends OutboxRunner {
  polls = 0;
  constructor() {
    super({ onPollError: fail, graceMs: 0, mayClaim: () => true });
  }
  protected async claimDue(): Promise<void> {
    this.polls += 1;
    if (this.polls < MANY && this.mayStart('row')) this.start('row', Promise.resolve(), fail);
  }
}

describe('an outbox in which something is always due', () => {
  it('lets the process go on with everything else, and ends when it is closed', async () => {
    const runner = new AlwaysDue();
    const drained = runner.drain();
    await setImmediate();
    expect(runner.polls).toBeLessThan(MANY);
    await runner.close();
    await drained;
    const { polls } = runner;
    expect(polls).toBeLessThan(MANY);
    runner.wake();
    await setImmediate();
    expect(runner.polls).toBe(polls);
  });
});
