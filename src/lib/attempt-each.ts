/** Work on many things, of which one that fails keeps no other waiting. */

/** One after the other. Returns what was thrown. */
export const attemptEach = async <T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<readonly unknown[]> => {
  const faults: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => faults.push(error));
  return faults;
};
