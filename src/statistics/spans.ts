/** Sets of time as spans: sorted, apart from each other, their end excluded. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const union = (spans: readonly Span[]): readonly Span[] => {
  const joined: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && from <= last.to) joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else joined.push({ from, to });
  }
  return joined;
};

/** What of `whole` is in none of the others. */
export const without = (whole: Span, spans: readonly Span[]): readonly Span[] => {
  const rest: Span[] = [];
  let from = whole.from;
  for (const span of union(spans)) {
    if (span.from > from) rest.push({ from, to: Math.min(span.from, whole.to) });
    from = Math.max(from, span.to);
  }
  if (from < whole.to) rest.push({ from, to: whole.to });
  return rest.filter((span) => span.from < span.to);
};

export const both = (some: readonly Span[], others: readonly Span[]): readonly Span[] =>
  union(
    some.flatMap((a) =>
      others
        .map((b) => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) }))
        .filter(({ from, to }) => from < to),
    ),
  );

export const lengthOf = (spans: readonly Span[]): number =>
  union(spans).reduce((sum, { from, to }) => sum + to - from, 0);
