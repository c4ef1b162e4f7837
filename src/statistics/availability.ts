/**
 * When the interface was down, by the guidelines EBA/GL/2018/07: five consecutive requests that got no answer within 30 seconds in total,
 * from the receipt of the first until the next answer. An error of the bank is no answer. Beside it: the time in which no node
 * has shown that it lives.
 */
import { SECOND } from '../lib/clock.js';
import { both, lengthOf, type Span, union, without } from './spans.js';

/** As often nodes show that they live. */
export const BEAT_MS = 5 * SECOND;
/** A node that has not shown it for so long has stopped. */
export const SILENT_MS = 15 * SECOND;
/** Five consecutive requests, 30 seconds in total. */
export const REQUESTS = 5;
export const WITHIN_MS = 30 * SECOND;

/** What all nodes have noted about some time. */
export interface Noted {
  /** While a node lived. */
  readonly beats: readonly Span[];
  /** From answer to answer of a node, no two of them `WITHIN_MS` or more apart. */
  readonly answers: readonly Span[];
  /** When requests were received that were not answered, or by an error of the bank. */
  readonly failures: readonly number[];
}

export interface Downtimes {
  /** No node lived. */
  readonly gaps: readonly Span[];
  /** Nodes lived, but third parties got no answers. */
  readonly silences: readonly Span[];
}

const gapsIn = ({ beats, answers }: Noted, now: number): readonly Span[] => {
  const alive = union([...beats, ...answers]);
  const [first, last] = [alive[0], alive.at(-1)];
  if (!first || !last) return [];
  // The next sign of life is not due yet.
  const until = now - last.to <= SILENT_MS ? last.to : now;
  return without({ from: first.from, to: until }, alive);
};

const silencesIn = ({ answers, failures }: Noted, now: number): readonly Span[] => {
  const received = failures.toSorted((a, b) => a - b);
  const [first] = received;
  if (first === undefined) return [];
  // An answer at the very moment is an answer.
  const answered = answers.map(({ from, to }) => ({ from, to: to + 1 }));
  return without({ from: first, to: now }, answered).flatMap(({ from, to }) => {
    const inside = received.filter((at) => at >= from && at < to);
    const start = inside.find((at, index) => (inside[index + REQUESTS - 1] ?? Infinity) - at <= WITHIN_MS);
    return start !== undefined && to - start >= WITHIN_MS ? [{ from: start, to }] : [];
  });
};

export const downtimesIn = (noted: Noted, now: number): Downtimes => ({
  gaps: gapsIn(noted, now),
  silences: silencesIn(noted, now),
});

/** A day, or what of it is known, in milliseconds. */
export interface Availability {
  readonly known: number;
  readonly down: number;
  /** Of the time in which it was down, what was announced before. It is not part of `down`. */
  readonly planned: number;
  /** Part of both: no node lived. */
  readonly gap: number;
}

export const availabilityIn = (
  { gaps, silences }: Downtimes,
  planned: readonly Span[],
  known: Span,
): Availability => {
  const inside = both([...gaps, ...silences], [known]);
  const announced = both(inside, planned);
  return {
    known: Math.max(0, known.to - known.from),
    down: lengthOf(inside) - lengthOf(announced),
    planned: lengthOf(announced),
    gap: lengthOf(both(gaps, [known])),
  };
};
