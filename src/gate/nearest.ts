/** Finds the known name that a misspelt one most likely means. */

/** Levenshtein distance, one row at a time. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
};

/** Case, hyphens and underscores are the usual mistakes, so they cost nothing. */
const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');

/** Undefined if no name is closer than about a third of its letters. `name` should be short: the cost grows with its length. */
export const nearest = (name: string, known: readonly string[]): string | undefined => {
  const ranked = known
    .map((each) => ({ each, far: distance(plain(name), plain(each)) }))
    .filter(({ each, far }) => far <= Math.max(1, Math.floor(each.length / 3)))
    .sort((one, other) => one.far - other.far);
  return ranked[0]?.each;
};
