/** A test that runs on both stores takes twice the time, so it says why; PostgreSQL alone is asked for by a word, too. */
import { describe, expect, it } from 'vitest';
import { filesUnder, type SourceFile } from './lib/source.js';

/** The benchmark has engines of its own. */
const others = ['test/tidy-engines.test.ts', 'test/bench/bench.test.ts'];
const tests = filesUnder('test').filter(({ path }) => path.endsWith('.test.ts') && !others.includes(path));

/** Calls of `bothEngines` and `racingEngines` whose reason is no sentence, given as one text. */
const unreasoned = ({ path, text }: SourceFile): string[] =>
  [...text.matchAll(/\b(?:both|racing)Engines\(\s*(?:(['"`])(.*?)\1)?/g)]

    .filter(([, , reason = '']) => reason.split(' ').length < 8)
    .map(([call]) => `${path}: ${call}`);

/** What starts a PostgreSQL, or a database there, whatever `TEST_ENGINES` says. */
const CHOICE =
  /\bengine: 'postgres'|\w\('postgres'\)|\beach\([^()]*'postgres'|\buseTwoNodes\(|\bstartPostgres\(/;
const choosesAlone = ({ text }: SourceFile): boolean =>
  CHOICE.test(text) && !/\b(hasPostgres|bothEngines|racingEngines)\b/.test(text);

describe('engines', () => {
  it('are two only for a reason, in a sentence', () => {
    expect(tests.filter(({ text }) => /\b(both|racing)Engines\(/.test(text)).length).toBeGreaterThan(30);
    expect(tests.flatMap(unreasoned)).toEqual([]);
  });

  it('are never PostgreSQL without asking whether the run has it', () => {
    expect(tests.filter(choosesAlone).map(({ path }) => path)).toEqual([]);
  });

  it.each([
    'describe.each(bothEngines())',
    "describe.each(racingEngines('locks'))",
    'describe.each(bothEngines(REASON))',
  ])('are two for no such reason: %s', (text) => {
    expect(unreasoned({ path: 'test/x.test.ts', text })).toHaveLength(1);
  });

  it.each([
    "useService({ engine: 'postgres' })",
    "await createDatabase('postgres')",
    "describe.each(['sqlite', 'postgres'] as const)('on %s', run)",
    'const nodes = useTwoNodes(() => ({ bank }));',
  ])('are not chosen like this: %s', (text) => {
    expect(choosesAlone({ path: 'test/x.test.ts', text })).toBe(true);
  });
});
