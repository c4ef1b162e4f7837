/** What a call fails by although nothing of ours is broken: counted by its word, and logged without a stack. */
export const outages = ['core', 'core-maintenance', 'core-busy', 'store'] as const;
export type Outage = (typeof outages)[number];

/** For an error to say so of itself. */
export interface OutageError extends Error {
  readonly outage: Outage;
}

/** Undefined for anything else, which may be a bug. */
export const outageOf = (error: unknown): Outage | undefined => {
  if (!(error instanceof Error)) return undefined;
  const { outage } = error as Partial<OutageError>;
  return outages.find((each) => each === outage);
};
