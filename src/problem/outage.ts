/** What a call fails by because something else is away, and how to tell that from a bug. */
import { Problem } from './problem.js';

/** What a call fails by although nothing of ours is broken: counted by its word, and logged without a stack. */
export const outages = ['core', 'core-maintenance', 'core-busy', 'store'] as const;
export type Outage = (typeof outages)[number];

/** For an error to say so of itself. */
export interface OutageError extends Error {
  readonly outage: Outage;
}

/** The error that says so: this one, or what it was turned into a problem for. Undefined for anything else, which may be a bug. */
export const outageErrorOf = (error: unknown): OutageError | undefined => {
  if (error instanceof Problem) return outageErrorOf(error.details.cause);
  if (!(error instanceof Error)) return undefined;
  return outages.some((each) => each === (error as Partial<OutageError>).outage)
    ? (error as OutageError)
    : undefined;
};

export const outageOf = (error: unknown): Outage | undefined => outageErrorOf(error)?.outage;
