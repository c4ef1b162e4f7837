/** Counters whose label values are known beforehand: each combination begins at 0, because an increase is only seen from a value before it. */
import { Counter, type Registry } from 'prom-client';

type Labels = Readonly<Record<string, readonly string[]>>;

export interface CounterOptions<L extends Labels> {
  readonly name: string;
  readonly help: string;
  /** Every value that a label can have. */
  readonly labels: L;
}

/** Every combination of the values. */
const combinations = (labels: Labels): Record<string, string>[] =>
  Object.entries(labels).reduce<Record<string, string>[]>(
    (made, [label, values]) => made.flatMap((each) => values.map((value) => ({ ...each, [label]: value }))),
    [{}],
  );

export const createCounter = <const L extends Labels>(
  registry: Registry,
  { name, help, labels }: CounterOptions<L>,
): Counter<keyof L & string> => {
  const labelNames = Object.keys(labels) as (keyof L & string)[];
  const counter = new Counter({ name, help, labelNames, registers: [registry] });
  for (const each of combinations(labels)) counter.inc(each as Record<keyof L & string, string>, 0);
  return counter;
};
