/** The boring rules, so that nobody has to remember them: how rooms depend on each other, how large things are, what is banned. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problems } from '../src/problem/problem.js';
import {
  codeOf,
  exportsOf,
  filesUnder,
  importsOf,
  isGenerated,
  roomOf,
  root,
  type SourceFile,
  sourceFolders,
  stringsOf,
  wordsOf,
} from './lib/source.js';

const folders = sourceFolders.map(filesUnder);
const [product = [], sandbox = [], coreKit = [], client = [], conformance = []] = folders;
const source = folders.flat();
const everything = [...source, ...filesUnder('test')];

/** Paths of the files for which the rule fails, so that a failure names them. */
const offenders = (files: readonly SourceFile[], breaks: (file: SourceFile) => boolean): string[] =>
  files.filter(breaks).map(({ path }) => path);

describe('imports', () => {
  /** From the top down. Rooms of one line are siblings. */
  const levels = [
    ['main', 'public'],
    ['cli'],
    ['index', 'documents'],
    ['app'],
    ['api', 'account-pages', 'portal', 'operator', 'jobs'],
    ['admin'],
    ['gate'],
    ['oauth'],
    ['payment'],
    ['consent', 'tpp', 'bank', 'atms', 'psu', 'signature', 'statistics'],
    ['events', 'certificate'],
    ['console'],
    ['acts'],
    ['audit'],
    ['web'],
    ['http'],
    ['observe'],
    ['store'],
    ['config'],
    ['model'],
    ['problem'],
    ['version'],
    ['lib'],
  ];
  const levelOf = (room: string): number => levels.findIndex((rooms) => rooms.includes(room));

  it('know every room', () => {
    const rooms = new Set(product.map(({ path }) => roomOf(path)));
    expect([...rooms].filter((room) => levelOf(room) < 0)).toEqual([]);
  });

  it('point down only, and never to a sibling', () => {
    const wrong = product.flatMap((file) => {
      const from = roomOf(file.path);
      return importsOf(file)
        .filter((target) => target.startsWith('src/'))
        .filter((target) => roomOf(target) !== from && levelOf(roomOf(target)) <= levelOf(from))
        .map((target) => `${file.path} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('of the five packages: the product knows none of the others, they know its public entries alone, client and conformance kit know none', () => {
    const strangers = (files: readonly SourceFile[], allowed: RegExp): string[] =>
      files.flatMap((file) =>
        importsOf(file)
          .filter((target) => /^(src|packages|trapeza|@trapeza)\b/.test(target) && !allowed.test(target))
          .map((target) => `${file.path} imports ${target}`),
      );
    expect(strangers(product, /^src\//)).toEqual([]);
    expect(strangers(sandbox, /^(packages\/sandbox\/src|trapeza)\/|^@trapeza\/client$/)).toEqual([]);
    expect(strangers(client, /^packages\/client\/src\//)).toEqual([]);
    expect(strangers(conformance, /^packages\/conformance\/src\//)).toEqual([]);
    expect(strangers(coreKit, /^(packages\/core-kit\/src|trapeza|@trapeza\/sandbox)\//)).toEqual([]);
  });

  it('lead to files that exist, in the package of the file', () => {
    const exists = (target: string): boolean =>
      ['.ts', '.tsx'].some((end) => existsSync(join(root, target.replace(/\.js$/, end))));
    const wrong = source.flatMap((file) =>
      importsOf(file)
        .filter(
          (target) =>
            /^(\.\.|test|bench|dist)\b/.test(target) || (/^(src|packages)\//.test(target) && !exists(target)),
        )
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['a database driver', /^(pg|node:sqlite|@photostructure\/sqlite)$/, /^src\/store\//],
    ['the web framework', /^(fastify|@fastify\/.+)$/, /^src\/http\/pages\.ts$/],
    ['the command line parser', /^commander$/, /^src\/(main\.ts|cli\/)|\/cli\.ts$/],
  ])('of %s are made in one place', (_what, name, place) => {
    expect(
      offenders(source, (file) => !place.test(file.path) && importsOf(file).some((each) => name.test(each))),
    ).toEqual([]);
    expect(source.some((file) => place.test(file.path))).toBe(true);
  });
});

describe('size', () => {
  it('of a file is at most 500 lines', () => {
    const lines = ({ text }: SourceFile): number => text.trimEnd().split('\n').length;
    const large = everything.filter((file) => !isGenerated(file) && lines(file) > 500);
    expect(large.map((file) => `${file.path}: ${lines(file)} lines`)).toEqual([]);
  });

  it('of a function is under 60 lines', () => {
    const folder = mkdtempSync(join(tmpdir(), 'trapeza-tidy-'));
    const rule = { level: 'error', options: { maxLines: 59 } };
    const rules = { preset: 'none', complexity: { noExcessiveLinesPerFunction: rule } };
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ root: true, linter: { rules } }));
    const command = join(root, 'node_modules/.bin/biome');
    const args = [
      'lint',
      `--config-path=${folder}`,
      '--reporter=github',
      '--max-diagnostics=none',
      ...sourceFolders,
    ];
    let output = '';
    try {
      output = execFileSync(command, args, {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    } catch (error) {
      output =
        String((error as { stdout?: unknown }).stdout) + String((error as { stderr?: unknown }).stderr);
    }
    rmSync(folder, { recursive: true });
    const found = output.split('\n').filter((line) => line.startsWith('::'));
    expect(found.map((line) => line.replace(/^.*file=([^,]+),line=(\d+).*::/, '$1:$2 '))).toEqual([]);
    expect(output).not.toMatch(/internalError|configuration|unknown key/i);
  });
});

describe('names', () => {
  const banned = ['manager', 'helper', 'helpers', 'util', 'utils', 'service', 'services', 'impl', 'dto'];
  /** A member of the contract's ATM is called so. */
  const ofContract = ['ATM_SERVICES', 'AtmService'];
  const isBanned = (name: string): boolean =>
    !ofContract.includes(name) && wordsOf(name).some((word) => banned.includes(word));

  it('of files say what a thing is, not what kind of class it is', () => {
    const parts = (path: string): string[] => path.split('/').map((part) => part.replace(/\.tsx?$/, ''));
    expect(offenders(source, ({ path }) => parts(path).some(isBanned))).toEqual([]);
  });

  it('of exports do so too', () => {
    const wrong = source.flatMap((file) =>
      exportsOf(file)
        .filter(isBanned)
        .map((name) => `${file.path}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('are recognised in every spelling', () => {
    for (const name of ['UserManager', 'user-manager', 'userHelper', 'ServiceImpl', 'AccountDto', 'utils'])
      expect(isBanned(name)).toBe(true);
    for (const name of ['isServiceable', 'implicit', 'utility', 'managementUrl', 'helped'])
      expect(isBanned(name)).toBe(false);
  });
});

describe('text', () => {
  it('of every source file opens with what the file is for', () => {
    const opening = /^(#!.*\n)?\/\*\*[\s\S]{20,}?\*\//;
    expect(offenders(everything, ({ text }) => !opening.test(text))).toEqual([]);
  });

  it('has no postponed work and no commented-out code', () => {
    const postponed = /\b(TODO|FIXME|HACK)\b/;
    const others = everything.filter(({ path }) => path !== 'test/tidy.test.ts');
    expect(offenders(others, ({ text }) => postponed.test(text))).toEqual([]);
    const retired = /^\s*\/\/\s*(const|let|return|import|if \(|await|export) .*[;{]$/m;
    expect(offenders(everything, ({ text }) => retired.test(text))).toEqual([]);
  });
});

describe('code', () => {
  it.each([
    ['the type any', /(:|\bas|<|\|)\s*any\b(?!\s*[(:])|\bany\[\]/, everything, /^$/],
    ['a default export', /^export default\b/m, source, /^$/],
    ['an enum', /^(export )?(const )?enum\b/m, source, /^$/],
    ['a @ts- comment', /@ts-(ignore|expect-error|nocheck)/, everything, /^test\/tidy/],
    ['the environment outside config.ts', /\bprocess\.env\b/, source, /^src\/config\/config\.ts$/],
    [
      'the time outside the three files that tell it',
      /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bhrtime\b/,
      source,
      /^(src\/lib|packages\/(client|conformance)\/src)\/clock\.ts$/,
    ],
    ['Math.random', /\bMath\.random\b/, source, /^$/],
    ['eval', /\beval\(|\bnew Function\(/, source, /^$/],
  ] as const)('never has %s', (what, pattern, files, except) => {
    const text = what.startsWith('a @ts') ? (file: SourceFile) => file.text : codeOf;
    expect(offenders(files, (file) => !except.test(file.path) && pattern.test(text(file)))).toEqual([]);
  });
});

describe('problems', () => {
  const others = source.filter(({ path }) => !path.startsWith('src/problem/'));
  /** Compared with, or a member of a type: that throws nothing. */
  const isThrown = (slug: string): boolean =>
    others.some(({ text }) => new RegExp(`(?<![=!]== |\\| )'${slug}'(?! \\|)`).test(text));

  it('are each thrown somewhere, else nobody could meet what is documented', () => {
    const slugs = Object.keys(problems);
    expect(slugs.length).toBeGreaterThan(40);
    expect(slugs.filter((slug) => !isThrown(slug))).toEqual([]);
    expect(isThrown('no-such-problem')).toBe(false);
  });
});

describe('SQL', () => {
  const isSql = (text: string): boolean => /^[`'"]\s*(select|insert|update|delete|with|create)\b/i.test(text);
  const statements = source.flatMap((file) =>
    stringsOf(file)
      .filter(isSql)
      .map((sql) => ({ path: file.path, sql })),
  );
  const told = ({ path, sql }: { path: string; sql: string }): string =>
    `${path}: ${sql.replace(/\s+/g, ' ')}`;

  it('is found by this test at all', () => {
    expect(statements.length).toBeGreaterThan(40);
    expect(new Set(statements.map(({ path }) => roomOf(path))).size).toBeGreaterThan(5);
  });

  it('never asks for the time: times are parameters', () => {
    const clock =
      /\bnow\s*\(|\bcurrent_(timestamp|date|time)\b|\blocaltime|\b(statement|transaction)_timestamp\b|\bdatetime\s*\(|\bjulianday\s*\(|\bstrftime\s*\(|\bunixepoch\s*\(/i;
    expect(statements.filter(({ sql }) => clock.test(sql)).map(told)).toEqual([]);
    // One grants by the clock that all nodes share, one compares it with this machine's.
    const shared = statements.filter(({ sql }) => /\bclock_timestamp\b/i.test(sql)).map(({ path }) => path);
    expect(shared).toEqual(['src/gate/limits/quota-grants.ts', 'src/store/server-time.ts']);
  });

  it('reads and changes consents only for their own application or account holder', () => {
    const ofConsents = statements.filter(
      ({ path, sql }) =>
        /^src\/(consent|payment|api|gate|account-pages)\//.test(path) &&
        // What is forgotten is of everybody.
        path !== 'src/consent/retention.ts' &&
        /\b(from|join|update)\s+consents\b/i.test(sql),
    );
    expect(ofConsents.length).toBeGreaterThan(0);
    const wrong = ofConsents.filter(({ sql }) => !/\bwhere\b[\s\S]*\b(client|psu)_id\s*=\s*\?/i.test(sql));
    expect(wrong.map(told)).toEqual([]);
  });

  it('is never built from values: only from constants, such as a list of columns', () => {
    const isBuilt = (sql: string): boolean => /\$\{(?![A-Z][A-Z_]*\})/.test(sql);
    const built = statements.filter(({ path, sql }) => isBuilt(sql) && !path.startsWith('src/store/'));
    expect(built.map(told)).toEqual([]);
    const names = ['id', 'ID.x', 'COLUMNS'];
    expect(names.map((name) => isBuilt(['select $', `${name}}`].join('{')))).toEqual([true, true, false]);
  });
});

describe('package.json', () => {
  const manifestIn = (folder: string) =>
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string>
    >;
  const { dependencies, devDependencies } = manifestIn('.');
  const all = { ...manifestIn('test/generators').devDependencies, ...dependencies, ...devDependencies };

  it('pins every dependency exactly', () => {
    const loose = Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
    expect(loose).toEqual([]);
  });

  it('has only dependencies that docs/dependencies.md gives a reason for', () => {
    const text = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
    const named = (name: string): boolean =>
      new RegExp(`(?<![\\w/@-])${name.replace(/[/.]/g, '\\$&')}(?![\\w/-])`).test(text);
    // Types belong to the package they describe.
    const unnamed = Object.keys(all).filter((name) => !name.startsWith('@types/') && !named(name));
    expect(unnamed).toEqual([]);
  });
});
