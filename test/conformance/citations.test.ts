/** What a case of the profile cites is in docs/spec-gaps.md: its section, and the gap in it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cases } from '../../packages/conformance/src/cases.js';
import { root } from '../lib/source.js';

const PREFIX = 'docs/spec-gaps.md, ';

/** By the name of each section: its text. */
const sections = new Map(
  readFileSync(join(root, 'docs/spec-gaps.md'), 'utf8')
    .toLowerCase()
    .split(/^#+ /m)
    .map((part) => [part.split('\n')[0] ?? '', part] as const),
);

/** A gap is the first cell of a row, or named in bold. */
const hasGap = (section: string, gap: string): boolean =>
  section.split('\n').some((line) => line.startsWith(`| ${gap} |`) || line.includes(`**${gap}`));

const isThere = (cited: string): boolean => {
  const [name = '', ...gaps] = cited
    .toLowerCase()
    .replace(/ \(.*\)$/, '')
    .split(', ');
  const section = sections.get(name);
  if (section === undefined) return false;
  const gap = gaps.join(', ');
  return gap === '' || hasGap(section, gap) || gap.split(' and ').every((each) => hasGap(section, each));
};

it('every gap that is cited is published', () => {
  const cited = [
    ...new Set(cases.filter(({ clause }) => clause.source === 'profile').map(({ clause }) => clause.text)),
  ];
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter((text) => !text.startsWith(PREFIX) || !isThere(text.slice(PREFIX.length)))).toEqual([]);
});
