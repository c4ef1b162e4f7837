/**
 * Each of these wrong lines must be noticed by a test. `npm test` only looks whether the list still fits the code;
 * `npm run test:mutants` tries them, one after the other, on a copy. TEST_MUTANTS=P3,P7 picks some, TEST_MUTANTS_AFTER=P7 goes on
 * behind one.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { root } from '../lib/source.js';
import { mutants } from './list/index.js';
import { killerOf, type Mutant, mutated, PRODUCT } from './mutant.js';
import { copyProject, runKillers, tryMutant } from './trial.js';

const textOf = (mutant: Mutant): string => {
  const path = join(root, PRODUCT, mutant.file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

describe('the list of mutants', () => {
  it('has at least the 129 it began with, each under an id of its own', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
    expect(mutants.length).toBeGreaterThanOrEqual(129);
  });

  it('fits the code: each text occurs once, and what replaces it is code', () => {
    const wrong = mutants.flatMap((mutant) => {
      const { id, file, find } = mutant;
      const times = textOf(mutant).split(find).length - 1;
      if (times !== 1) return [`${id}: in ${file} ${times} times`];
      try {
        parseAst(mutated(textOf(mutant), mutant), { lang: file.endsWith('x') ? 'tsx' : 'ts' });
        return [];
      } catch (error) {
        return [`${id}: ${String(error)}`];
      }
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
      const { passed, failed, output } = await runKillers(copy, killers, inject('postgresUrl'));
      expect({ failed, output }).toEqual({ failed: [], output: '' });
      expect(passed).toBeGreaterThanOrEqual(killers.length);
      isGreen = true;
    });

    for (const mutant of picked)
      it(`${mutant.id} is noticed: ${mutant.means}`, { timeout: 600_000 }, async () => {
        expect(isGreen).toBe(true);
        const startedAt = performance.now();
        const { failed, output } = await tryMutant(copy, mutant, inject('postgresUrl'));
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
