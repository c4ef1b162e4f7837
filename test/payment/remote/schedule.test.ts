/** When a remote core is asked again. */
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../../src/lib/clock.js';
import { nextDelay, wishedLook } from '../../../src/payment/remote/schedule.js';

describe('the next question to a core', () => {
  it('comes after a fifth of the time since nobody knows, and rarely once people are asked', () => {
    const delays = [0, 5, 10, 60, 600, 6000].map((age) => nextDelay(age * SECOND, false) / SECOND);
    expect(delays).toEqual([1, 1, 2, 12, 120, 120]);
    expect(nextDelay(0, true)).toBe(15 * MINUTE);
    expect(nextDelay(DAY, true)).toBe(15 * MINUTE);
  });

  it('is when the core wishes, a second ahead at least', () => {
    const now = 1_000_000;
    expect(wishedLook(now + MINUTE, now, now)).toBe(now + MINUTE);
    expect(wishedLook(now + 1, now, 0)).toBe(now + SECOND);
  });

  it('is soon if the core names no time, or a past one', () => {
    const now = 1_000_000;
    expect(wishedLook(0, now, now)).toBe(now + SECOND);
    expect(wishedLook(now, now, now - MINUTE)).toBe(now + 12 * SECOND);
    expect(wishedLook(now - DAY, now, now - DAY)).toBe(now + 2 * MINUTE);
  });
});
