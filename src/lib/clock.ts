/** Time, the only place that reads it. Everything else is handed a Clock, so tests move time instead of waiting. */
import type { Kind } from './kind.js';

/** Milliseconds since 1970-01-01T00:00:00Z, by the clock of the machine: leases, tokens, sessions, limits. */
export type RealTime = Kind<number, 'RealTime'>;
/** The same by the bank's calendar, which a test system can move: consents, payments, events. */
export type BankTime = Kind<number, 'BankTime'>;

export interface Clock {
  now(): RealTime;
  /** Milliseconds since some moment, for windows and ages: never jumps and never runs backwards, whatever happens to the time of day. */
  elapsed(): number;
  /** In tests: by how much time itself has been moved, for other machines too. */
  moved?(): number;
}

/** The time of the store, which all nodes share, as far as this node can know it. */
export interface SharedClock extends Clock {
  /** False while the machine and the store disagree: this node claims nothing, does no job and is not ready. */
  isRight(): boolean;
  /** False also while the time may have jumped: what ends or deletes waits. */
  mayEnd(): boolean;
}

/** For durations. */
export const monotonicMs = (): number => performance.now();

export const systemClock: Clock = { now: () => Date.now(), elapsed: monotonicMs };

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The answer, or the error of `late` if it takes longer; what comes afterwards is dropped. */
export const within = async <T>(ms: number, answer: Promise<T>, late: () => Error): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms).unref();
  });
  try {
    return await Promise.race([answer, over]);
  } finally {
    clearTimeout(timer);
  }
};
