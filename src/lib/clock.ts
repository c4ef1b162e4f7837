/** Time, the only place that reads it. Everything else is handed a Clock, so tests move time instead of waiting. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock for durations: never runs backwards, unrelated to the calendar. */
export const monotonicMs = (): number => performance.now();

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
