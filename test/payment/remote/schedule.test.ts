/** When a remote core is asked again. */
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../../src/lib/clock.js';
import { nextDelay, wishedLook } from '../../../src/payment/remote/schedule.js';

describe('the next question to a core', () => {
  it('comes later after each attempt in vain, then every two minutes, and rarely once people are asked', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 100].map((attempts) => nextDelay(attempts, false) / SECOND);
    expect(delays).toEqual([1, 2, 5, 10, 30, 60, 120, 120]);
    expect(nextDelay(1, true)).toBe(15 * MINUTE);
    expect(nextDelay(100, true)).toBe(15 * MINUTE);
  });

  it('is when the core wishes, from a second to a day ahead', () => {
    const now = 1_000_000;
    expect(wishedLook(now + MINUTE, now)).toBe(now + MINUTE);
    expect(wishedLook(now - DAY, now)).toBe(now + SECOND);
    expect(wishedLook(now, now)).toBe(now + SECOND);
    expect(wishedLook(now + 2 * DAY, now)).toBe(now + DAY);
  });
});
