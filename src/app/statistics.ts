/** Counts calls for the figures that a bank publishes. */
import type { Operation } from '../http/operation.js';
import type { Observer } from '../observe/observer.js';
import { AREAS, type CountedArea } from '../statistics/counts.js';
import { StatisticsRecorder } from '../statistics/recorder.js';
import type { Foundation } from './foundation.js';
import type { AppOptions, Closers } from './options.js';

const isCounted = (area: Operation['area']): area is CountedArea =>
  (AREAS as readonly unknown[]).includes(area);

export interface Statistics {
  /** Calls are counted after the observer has seen them. */
  observing(observer: Observer): Observer;
  begin(): Promise<void>;
}

export const openStatistics = (
  { isGuest }: AppOptions,
  { db, clock, log, config }: Foundation,
  operations: readonly Operation[],
  closers: Closers,
): Statistics => {
  // The sandbox of a developer is not the bank's interface.
  if (isGuest) return { observing: (observer) => observer, begin: async () => undefined };
  const areas = new Map(
    operations.flatMap(({ id, area }): readonly [string, CountedArea][] =>
      isCounted(area) ? [[id, area]] : [],
    ),
  );
  const areaOf = (operation: string) => areas.get(operation);
  const recorder = new StatisticsRecorder({ db, clock, log, timeZone: config.timeZone, areaOf });
  closers.add(recorder, (each) => each.close());
  return {
    observing: (observer) => ({
      finished(facts) {
        observer.finished(facts);
        recorder.record(facts);
      },
    }),
    begin: () => recorder.begin(),
  };
};
