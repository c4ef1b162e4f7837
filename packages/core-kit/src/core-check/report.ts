/** The results for people, for programs, and for build servers (JUnit). */
import { cases } from './cases.js';
import { explanationOf } from './explain.js';
import type { Result, Verdict } from './run.js';

export const formats = ['text', 'json', 'junit'] as const;
export type Format = (typeof formats)[number];

export const summaryOf = (results: readonly Result[]): Readonly<Record<Verdict, number>> => {
  const count = (verdict: Verdict): number => results.filter((each) => each.verdict === verdict).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    blocked: count('blocked'),
    skipped: count('skipped'),
  };
};

const operationsIn = (results: readonly Result[]): readonly string[] => [
  ...new Set(results.map(({ operation }) => operation)),
];

const marks: Readonly<Record<Verdict, string>> = {
  passed: '  ok      ',
  failed: '  FAILED  ',
  blocked: '  blocked ',
  skipped: '  skipped ',
};

const linesOf = ({ verdict, id, title, expected, seen, hint, reason }: Result): readonly string[] => {
  const line = `${marks[verdict]}${id}: ${title}`;
  const more = (label: string, text: string | undefined): string[] =>
    text === undefined || text === '' ? [] : [`            ${label.padEnd(9)} ${text}`];
  if (verdict === 'passed') return [line];
  return [
    line,
    ...more('because', reason),
    ...more('expected', expected),
    ...more('seen', seen),
    ...more('hint', hint),
  ];
};

/** Of those that failed, if what was asked is known. */
const explanationsOf = (results: readonly Result[]): readonly string[] =>
  results.flatMap(({ id, asked }) => {
    const found = asked && cases.find((each) => each.id === id);
    return found ? ['', explanationOf(found, asked)] : [];
  });

const plainReport = (results: readonly Result[]): string => {
  const groups = operationsIn(results).flatMap((operation) => [
    '',
    operation,
    ...results.filter((each) => each.operation === operation).flatMap(linesOf),
  ]);
  const { passed, failed, blocked, skipped } = summaryOf(results);
  const total = `${passed} passed, ${failed} failed, ${blocked} blocked, ${skipped} skipped`;
  return [...groups, ...explanationsOf(results), '', total, ''].join('\n').trimStart();
};

const jsonOf = (url: string, results: readonly Result[]): string =>
  `${JSON.stringify({ url, summary: summaryOf(results), results }, null, 2)}\n`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Characters that XML has no way to write are dropped. */
const xml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, (letter) => entities[letter] ?? '');

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const insideOf = ({ verdict, expected = '', seen = '', hint = '', reason = '' }: Result): string => {
  switch (verdict) {
    case 'failed':
      return `<failure message="${xml(`expected ${expected}, seen ${seen}`)}">${xml(hint)}</failure>`;
    case 'blocked':
      return `<error message="${xml(reason)}"/>`;
    case 'skipped':
      return `<skipped message="${xml(reason)}"/>`;
    default:
      return '';
  }
};

const suiteOf = (operation: string, results: readonly Result[]): string => {
  const { failed, blocked, skipped } = summaryOf(results);
  const ms = results.reduce((sum, each) => sum + each.ms, 0);
  const testcases = results.map((each) => {
    const name = xml(`${each.id}: ${each.title}`);
    return `    <testcase classname="core.${xml(operation)}" name="${name}" time="${seconds(each.ms)}">${insideOf(each)}</testcase>`;
  });
  const counts = `tests="${results.length}" failures="${failed}" errors="${blocked}" skipped="${skipped}"`;
  return [
    `  <testsuite name="core.${xml(operation)}" ${counts} time="${seconds(ms)}">`,
    ...testcases,
    '  </testsuite>',
  ].join('\n');
};

const junitOf = (results: readonly Result[]): string => {
  const { failed, blocked, skipped } = summaryOf(results);
  const suites = operationsIn(results).map((operation) =>
    suiteOf(
      operation,
      results.filter((each) => each.operation === operation),
    ),
  );
  const counts = `tests="${results.length}" failures="${failed}" errors="${blocked}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="trapeza core-check" ${counts}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
};

export const reportOf = (format: Format, url: string, results: readonly Result[]): string => {
  if (format === 'json') return jsonOf(url, results);
  return format === 'junit' ? junitOf(results) : plainReport(results);
};
