/** What a node exposes, as series, and what a query asks for, as selectors. */

export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: string;
}

const labelsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value = '']) => [name, value]),
  );

/** Prometheus has a label `job` of its own, and renames ours. */
export const seriesOf = (text: string): readonly Series[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', inside = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const { job, ...labels } = labelsIn(inside);
      return { name, labels: { ...labels, ...(job === undefined ? {} : { exported_job: job }) }, value };
    });

export interface Selector {
  readonly name: string;
  readonly matches: (labels: Series['labels']) => boolean;
  readonly text: string;
}

const matcher = (label: string, sign: string, wanted: string) => (labels: Series['labels']) => {
  const value = labels[label] ?? '';
  const isThere = sign.includes('~') ? new RegExp(`^(?:${wanted})$`).test(value) : value === wanted;
  return sign.startsWith('!') ? !isThere : isThere;
};

/** Each value of a list is a selector of its own: one that exists must not hide one that was renamed. */
const alternatives = (sign: string, wanted: string): readonly string[] =>
  sign === '=~' ? wanted.split('|') : [wanted];

/** Labels that Prometheus adds. */
const ADDED = ['job', 'instance'];

export const selectorsIn = (query: string): readonly Selector[] =>
  [...query.matchAll(/\b((?:trapeza|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g)].flatMap(
    ([text, name = '', inside = '']) => {
      const parts = [...inside.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*["']([^"']*)["']/g)].filter(
        ([, label = '', , wanted = '']) => !ADDED.includes(label) && !wanted.includes('%s'),
      );
      const choices = parts.reduce<((labels: Series['labels']) => boolean)[][]>(
        (made, [, label = '', sign = '', wanted = '']) =>
          made.flatMap((each) =>
            alternatives(sign, wanted).map((one) => [...each, matcher(label, sign, one)]),
          ),
        [[]],
      );
      return choices.map((tests) => ({
        name,
        text,
        matches: (labels: Series['labels']) => tests.every((test) => test(labels)),
      }));
    },
  );

export const finds = ({ name, matches }: Selector, series: readonly Series[]): boolean =>
  series.some((each) => each.name === name && matches(each.labels));
