/** Counts, and what else every form of the report needs. */
import { type Result, type Verdict, verdicts } from '../run.js';

export interface Report {
  readonly url: string;
  readonly at: string;
  readonly results: readonly Result[];
}

export type Counts = Readonly<Record<Verdict, number>>;

export const countsOf = (results: readonly Result[]): Counts =>
  Object.fromEntries(
    verdicts.map((verdict) => [verdict, results.filter((each) => each.verdict === verdict).length]),
  ) as Counts;

export const countsText = (results: readonly Result[]): string => {
  const counts = countsOf(results);
  return verdicts.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ');
};

export const areasIn = (results: readonly Result[]): readonly Result['area'][] => [
  ...new Set(results.map(({ area }) => area)),
];
