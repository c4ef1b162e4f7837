/**
 * Each of these wrong lines must be noticed by a test. Without TEST_MUTANTS this checks only that the list fits the code;
 * `npm run prove -- mutants` tries them, one after the other, on a copy. ONLY=P3,P7 picks some, AFTER=P7 goes on
 * behind one.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesUnder, root } from '../lib/source.js';
import { postgresUrl } from '../support/postgres-url.js';
import { disguise } from './disguise.js';
import { mutants } from './list/index.js';
import { killerOf, type Mutant, PRODUCT } from './mutant.js';
import { declarationsOf, mutate } from './mutate.js';
import { fits, parse } from './syntax.js';
import { copyProject, runKillers, tryMutant } from './trial.js';

const sources = filesUnder(PRODUCT);
const declarations = sources.flatMap(declarationsOf);

/** Ids of mutants with what is wrong with them. */
const faultsOf = (check: (mutant: Mutant) => void): string[] =>
  mutants.flatMap((mutant) => {
    try {
      check(mutant);
      return [];
    } catch (error) {
      return [`${mutant.id}: ${String(error)}`];
    }
  });

describe('a pattern', () => {
  const sum = {
    path: 'sum.ts',
    text: 'const sum = ({ a }, b = a) => { if (a < b.a) return 0; return a + b.a; };',
  };
  const made = (find: string, replace: string): string =>
    mutate({ id: 'X', in: 'sum', find, replace, killedBy: [], means: '' }, declarationsOf(sum)).text;

  it('says again what its names stand for', () => {
    expect(made('$x < $y.a', '$y.a <= $x')).toBe(sum.text.replace('a < b.a', 'b.a <= a'));
    expect(made('if ($x < $y) return 0;', '')).toBe(sum.text.replace('if (a < b.a) return 0;', ''));
  });

  it('is refused if nothing fits, if two places fit, or if a name stands for nothing', () => {
    expect(() => made('$x < $x', '0')).toThrow('0 times');
    expect(() => made('$x.a', '0')).toThrow('2 times');
    expect(() => made('$x < $y', '$z')).toThrow('nothing is bound to $z');
  });

  it('is one of several files by what is declared beside it', () => {
    const days = ['const KEPT = DAY; const cards = 1;', 'const KEPT = DAY; const loans = 1;'];
    const declared = days.flatMap((text, at) => declarationsOf({ path: `${at}.ts`, text }));
    const kept = { id: 'X', in: 'KEPT', find: 'DAY', replace: '0', killedBy: [], means: '' };
    expect(() => mutate(kept, declared)).toThrow('2 times');
    expect(mutate({ ...kept, beside: 'loans' }, declared).text).toBe('const KEPT = 0; const loans = 1;');
  });

  it('meets disguised code: other local names, other lines', () => {
    expect(disguise(sum).text).toBe(
      'const sum = ({ a: a_renamed }, b_renamed = a_renamed) => { if (a_renamed < b_renamed.a) return 0; return a_renamed + b_renamed.a; };',
    );
    expect(disguise({ ...sum, text: 'f(\n  1)' }).text).toBe('f(\n\n   1)');
  });
});

describe('the list of mutants', () => {
  it('has at least the 129 it began with, each under an id of its own', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
    expect(mutants.length).toBeGreaterThanOrEqual(129);
  });

  it('fits the code: each finds one place, and what replaces it is code that differs', () => {
    const wrong = faultsOf((mutant) => {
      const { path, text } = mutate(mutant, declarations);
      parse({ path, text });
      if (sources.some((source) => source.text === text)) throw new Error('changes nothing');
    });
    expect(wrong).toEqual([]);
  });

  it('fits the code whatever its files and local variables are called and however it is laid out', () => {
    const hit = new Set(mutants.map((mutant) => mutate(mutant, declarations).path));
    const elsewhere = sources
      .filter(({ path }) => hit.has(path))
      .map((file) => ({ path: file.path.replace(/\w[^/]*\./, 'moved.'), text: disguise(file).text }));
    const moved = elsewhere.flatMap(declarationsOf);
    const wrong = faultsOf((mutant) => {
      const [here, there] = [declarations, moved].map((all) => parse(disguise(mutate(mutant, all))));
      if (!fits(here, there, new Map())) throw new Error('is another mutant there');
    });
    expect(wrong).toEqual([]);
  });

  it('names tests that exist', () => {
    const wrong = mutants.flatMap(({ id, killedBy }) =>
      killedBy
        .map(killerOf)
        .filter(({ file, name }) => {
          const path = join(root, file);
          return name === '' || !existsSync(path) || !readFileSync(path, 'utf8').includes(name);
        })
        .map(({ file, name }) => `${id}: ${file} > ${name}`),
    );
    expect(wrong).toEqual([]);
  });
});

/** A test that fails by one of these has not noticed anything. */
const NO_KILL = /timed out in|is missing or older|SyntaxError|syntax error|is not defined/;

const asked = process.env.TEST_MUTANTS;
const after = process.env.TEST_MUTANTS_AFTER;

if (asked !== undefined) {
  const ids = asked === 'all' ? undefined : asked.split(',');
  const start = after === undefined ? 0 : mutants.findIndex(({ id }) => id === after) + 1;
  const picked = mutants.slice(start).filter(({ id }) => ids?.includes(id) ?? true);

  describe('a mutant', () => {
    let copy = '';
    let isGreen = false;
    const rows: string[] = [];
    beforeAll(() => {
      copy = copyProject();
    });
    afterAll(() => {
      rmSync(copy, { recursive: true, force: true });
      console.log(`\nid    killed by (seconds)\n${rows.join('\n')}`);
    });

    it('is none of the code as it is: all its tests pass', { timeout: 3_600_000 }, async () => {
      const killers = [...new Set(picked.flatMap(({ killedBy }) => killedBy))];
      const { passed, failed, output } = await runKillers(copy, killers, await postgresUrl());
      expect({ failed, output }).toEqual({ failed: [], output: '' });
      expect(passed).toBeGreaterThanOrEqual(killers.length);
      isGreen = true;
    });

    for (const mutant of picked)
      it(`${mutant.id} is noticed: ${mutant.means}`, { timeout: 600_000 }, async () => {
        expect(isGreen).toBe(true);
        const startedAt = performance.now();
        const { failed, output } = await tryMutant(
          copy,
          mutate(mutant, declarations),
          mutant.killedBy,
          await postgresUrl(),
        );
        const seconds = Math.round((performance.now() - startedAt) / 1000);
        const [first] = failed;
        const row = `${mutant.id.padEnd(5)} ${first?.name ?? 'NOTHING'} (${seconds} s)`;
        rows.push(row);
        console.log(row);
        expect(first, `survived ${mutant.killedBy.join(', ')}\n${output}`).toBeDefined();
        expect(first?.message).not.toMatch(NO_KILL);
      });
  });
}
