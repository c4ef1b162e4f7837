/** The report for build servers. */
import type { Result } from '../run.js';
import { areasIn, countsOf, type Report } from './summary.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** For XML and HTML. Characters that XML has no way to write are dropped. */
export const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, (letter) => entities[letter] ?? '');

const insideOf = ({ verdict, expected = '', seen = '', reason = '', clause }: Result): string => {
  if (verdict === 'failed')
    return `<failure message="${escaped(`expected ${expected}, seen ${seen}`)}">${escaped(clause.text)}</failure>`;
  return verdict === 'not run' ? `<skipped message="${escaped(reason)}"/>` : '';
};

const countsIn = (results: readonly Result[]): string => {
  const counts = countsOf(results);
  const seconds = results.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  return `tests="${results.length}" failures="${counts.failed}" errors="0" skipped="${counts['not run']}" time="${seconds.toFixed(3)}"`;
};

export const junitReport = ({ results }: Report): string => {
  const suites = areasIn(results).flatMap((area) => {
    const own = results.filter((each) => each.area === area);
    return [
      `  <testsuite name="conformance.${area}" ${countsIn(own)}>`,
      ...own.map(
        (each) =>
          `    <testcase classname="conformance.${area}" name="${escaped(`${each.id}: ${each.title}`)}" time="${(each.ms / 1000).toFixed(3)}">${insideOf(each)}</testcase>`,
      ),
      '  </testsuite>',
    ];
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="conformance" ${countsIn(results)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
};
