/** `npm run prove`: its list is true, and a call runs what the list says or says what is wrong. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder, root } from '../lib/source.js';
import { proofs, readCall } from './call.js';
import { meanings } from './parameters.js';

const all = Object.entries(proofs);
const VITEST = 'node node_modules/vitest/vitest.mjs run';

describe('a proof', () => {
  it.each(all)('%s runs something, and files that exist', (_name, { files = [], commands = [] }) => {
    const named = commands.flatMap((each) => each.match(/\b(?:test|deploy|tsconfig)[\w./-]*\.\w+/g) ?? []);
    expect([...files, ...commands].length).toBeGreaterThan(0);
    expect([...files, ...named].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('sets variables that tests read', () => {
    const read = [...filesUnder('test'), { text: readFileSync(join(root, 'vitest.config.ts'), 'utf8') }]
      .flatMap(({ text }) => [...text.matchAll(/process\.env\.(TEST_\w+)|\{ (TEST_\w+) \} = process\.env/g)])
      .map(([, one, other]) => one ?? other);
    const set = all.flatMap(([, { environment = {}, parameters = {} }]) => [
      ...Object.keys(environment),
      ...Object.values(parameters).map(([variable]) => variable),
    ]);
    expect(set.length).toBeGreaterThan(30);
    expect(set.filter((variable) => !read.includes(variable))).toEqual([]);
  });

  it('has parameters with a meaning, and no meaning is left over', () => {
    const named = new Set(all.flatMap(([, { parameters = {} }]) => Object.keys(parameters)).concat('FILES'));
    expect([...named].toSorted()).toEqual(Object.keys(meanings));
  });

  it('stands in CONTRIBUTING.md with its subject', () => {
    const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    const [table = ''] = /^\| Subject \| Proofs \|\n[\s\S]*?\n\n/m.exec(text) ?? [];
    const listed = [...table.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
    expect(listed).toEqual(Object.keys(proofs));
  });
});

describe('a call', () => {
  const runs = (...words: string[]): string[] => readCall(words).commands.map((command) => command.join(' '));

  it('builds, and runs the tests with the defaults of the proof', () => {
    expect(readCall(['kill-events']).environment).toEqual({
      TEST_TIER: 'all',
      TEST_KILL_EVENTS: '200',
      TEST_KILL_AT_ONCE: '1',
      TEST_KILL_SEED: '1',
    });
    expect(runs('kill-events')).toEqual([
      'node build/main.js unbundled',
      `${VITEST} test/events/kill.release.test.ts`,
    ]);
  });

  it('takes parameters, and leaves unset what has no default', () => {
    const { environment } = readCall(['kill-payments', 'COUNT=20', 'SEED=7', 'ENGINE=sqlite']);
    expect(environment).toMatchObject({ TEST_KILL_SUBMISSIONS: '20', TEST_KILL_SEED: '7' });
    expect(environment.TEST_KILL_ENGINE).toBe('sqlite');
    expect(readCall(['kill-payments']).environment).not.toHaveProperty('TEST_KILL_ENGINE');
  });

  it('takes other files, and flags for the last command', () => {
    expect(runs('attacks', 'FILES=test/attacks/a test/attacks/b', '--', '-t', 'part resets').at(-1)).toBe(
      `${VITEST} test/attacks/a test/attacks/b -t part resets`,
    );
    expect(runs('walk', '--', '--all')).toEqual([
      'node build/main.js unbundled',
      'tsc -p tsconfig.bench.json',
      'node --conditions=unbundled .bench/walk/main.js --all',
    ]);
  });

  it('runs the tests on each version of Node', () => {
    expect(runs('nodes', 'FILES=test/store').slice(1)).toEqual(
      [22, 24, 26].map(
        (version) =>
          `npm exec --yes --package=node@${version} -- ${VITEST} test/store --exclude **/*.browser.test.ts`,
      ),
    );
  });

  it.each([
    [['kill-payment'], /no proof "kill-payment"\. Did you mean "kill-payments"/],
    [['interleaving'], /Did you mean "interleavings"/],
    [['toString'], /no proof "toString"/],
    [['kill-events', 'CONT=3'], /"CONT=3" is no parameter.*\n {2}COUNT: .*\n {2}AT_ONCE: /],
    [['kill-events', 'COUNT='], /"COUNT=" is no parameter/],
    [['walk', 'FILES=test/store'], /It has: none/],
  ])('%j is refused', (words, message) => {
    expect(() => readCall(words)).toThrow(message);
  });
});

describe('npm run prove', () => {
  it('lists every proof with what it may be told', () => {
    const text = execFileSync(process.execPath, [join(root, 'test/prove/prove.js')], { encoding: 'utf8' });
    for (const [name, { about, takes }] of all)
      expect(text).toContain(`\n  ${name.padEnd(16)}${about} (${takes})\n`);
    expect(text).toContain('COUNT=2000 EVERY=60 SEED=1 ENGINE\n');
  });

  it('fails with the reason alone if it cannot run', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, 'test/prove/prove.js'), 'fuz'],
      {
        encoding: 'utf8',
      },
    );
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe('There is no proof "fuz". Did you mean "fuzz"? `npm run prove` lists all.\n');
  });
});
