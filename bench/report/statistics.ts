/** The few statistics that a report needs. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
};

/** Of sorted values; the smallest that so large a part does not exceed. */
export const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;

/** The median of the slopes of all pairs: one outlier, as a collection just before a sample, does not move it. */
export const slopeOf = (points: readonly (readonly [x: number, y: number])[]): number => {
  const slopes: number[] = [];
  for (const [index, [x, y]] of points.entries())
    for (const [laterX, laterY] of points.slice(index + 1))
      if (laterX !== x) slopes.push((laterY - y) / (laterX - x));
  return median(slopes);
};
