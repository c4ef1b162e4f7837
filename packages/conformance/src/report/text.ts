/** The report for a terminal. */
import { areas } from '../case.js';
import type { Result, Verdict } from '../run.js';
import { areasIn, countsText, type Report } from './summary.js';

const marks: Readonly<Record<Verdict, string>> = {
  passed: '  ok       ',
  failed: '  FAILED   ',
  'not run': '  not run  ',
};

const linesOf = ({
  verdict,
  id,
  title,
  clause,
  expected,
  seen,
  reason,
  calls = [],
}: Result): readonly string[] => {
  const more = (label: string, text: string | undefined): string[] =>
    text === undefined ? [] : [`             ${label.padEnd(9)} ${text}`];
  return [
    `${marks[verdict]}${id}: ${title}`,
    ...(verdict === 'failed' ? more('clause', clause.text) : []),
    ...more('because', reason),
    ...more('expected', expected),
    ...more('seen', seen),
    ...calls.flatMap(({ method, path, status }) => more('call', `${method} ${path}: ${status}`)),
  ];
};

export const textReport = ({ results }: Report): string =>
  [
    ...areasIn(results).flatMap((area) => [
      '',
      areas[area],
      ...results.filter((each) => each.area === area).flatMap(linesOf),
    ]),
    '',
    countsText(results),
    '',
  ]
    .join('\n')
    .trimStart();
