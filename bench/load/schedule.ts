/**
 * When requests of a constant rate are due. The times are fixed before the first is sent, and latency counts from them: a server
 * that stalls does not slow the arrivals down, and the time a request could not even be sent is part of its latency.
 */
export interface Schedule {
  readonly count: number;
  /** Milliseconds after the start. */
  dueAt(index: number): number;
  /** How many are due by then. */
  dueBy(elapsedMs: number): number;
}

export const scheduleOf = (perSecond: number, seconds: number): Schedule => {
  const count = Math.floor(perSecond * seconds);
  const gapMs = 1000 / perSecond;
  return {
    count,
    dueAt: (index) => index * gapMs,
    dueBy: (elapsedMs) => (elapsedMs < 0 ? 0 : Math.min(count, Math.floor(elapsedMs / gapMs) + 1)),
  };
};
