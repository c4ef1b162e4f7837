/** Clients that third parties generate from the OpenAPI document: they compile, and read an error by its types alone. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUp, type Finished, Program, tempFolder } from '../cli/program.js';
import { root } from '../lib/source.js';

const shared = join(root, 'node_modules/.bin');
/** Installed for this test alone: with what they bring they are more packages than the whole product. */
const generatorFolder = join(root, 'node_modules/.cache/generators');
const own = join(generatorFolder, 'node_modules/.bin');

const run = (command: string, args: readonly string[], cwd: string): Promise<Finished> =>
  new Program(command, args, { cwd }).finished;

const document = join(root, 'docs/openapi.json');
const named = (from: string): string =>
  `import type { Problem, CreateDomesticTransferRequest as Transfer } from '${from}';`;

/** How each is called, and how its types are named. */
const generators: readonly (readonly [name: string, args: readonly string[], types: string])[] = [
  [
    'openapi-typescript',
    [document, '--output', 'openapi-typescript.d.ts'],
    `import type { components } from './openapi-typescript';
     type Problem = components['schemas']['Problem'];
     type Transfer = components['schemas']['CreateDomesticTransferRequest'];`,
  ],
  ['openapi-ts', ['--input', document, '--output', 'openapi-ts'], named('./openapi-ts/types.gen')],
  ['orval', ['--input', document, '--output', 'orval.ts', '--client', 'fetch'], named('./orval')],
];

const good = `
  declare const problem: Problem;
  const error = problem.extensions?.error;
  export const code: string | undefined = error?.code;
  export const isRetryable: boolean | undefined = error?.retryable;
  export const waits = error?.advice === 'wait';
  export const order: string | undefined = problem.extensions?.payment?.href;
  export const transfer: Transfer = {
    creditAccount: { iban: 'GR6899900010000000000001101' },
    creditorName: 'V',
    instructedAmount: { currency: 'EUR', amount: 1 },
  };`;

/** Each in a file of its own, because each must be refused. */
const wrong = {
  advice: `declare const problem: Problem; export const sleeps = problem.extensions?.error.advice === 'sleep';`,
  code: 'declare const problem: Problem; export const code: number | undefined = problem.extensions?.error.code;',
  transfer: "export const transfer: Transfer = { creditorName: 'V' };",
};

const strict = [
  '--noEmit',
  '--strict',
  '--noUncheckedIndexedAccess',
  '--target',
  'es2022',
  '--lib',
  'es2022,dom,dom.iterable',
];

beforeAll(async () => {
  mkdirSync(generatorFolder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(root, 'test/generators', file), join(generatorFolder, file));
  const args = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  expect(await run('npm', args, generatorFolder)).toMatchObject({ code: 0 });
}, 300_000);

let folder: string;
const refusedFiles = ({ stdout }: Finished): string[] => [
  ...new Set([...stdout.matchAll(/^(.+?)\(\d+,\d+\): error/gm)].map(([, path = '']) => path)),
];

describe('a client that is generated from the document', () => {
  const uses: string[] = [];
  const toRefuse: string[] = [];
  beforeAll(async () => {
    folder = tempFolder();
    for (const [name, args, types] of generators) {
      const { code, stderr } = await run(join(own, name), args, folder);
      expect({ name, code, stderr: code === 0 ? '' : stderr }).toEqual({ name, code: 0, stderr: '' });
      const write = (list: string[], file: string, text: string): void => {
        writeFileSync(join(folder, file), `${types}\n${text}\n`);
        list.push(file);
      };
      write(uses, `${name}-use.ts`, good);
      for (const [what, text] of Object.entries(wrong)) write(toRefuse, `${name}-wrong-${what}.ts`, text);
    }
  }, 300_000);

  it('compiles, and what is wrong does not', async () => {
    const tsc = join(shared, 'tsc');
    const args = [...strict, '--module', 'esnext', '--moduleResolution', 'bundler'];
    const compiled = await run(tsc, [...args, ...uses], folder);
    expect(compiled.stdout).toBe('');
    const refused = await run(tsc, [...args, ...toRefuse], folder);
    expect(refusedFiles(refused).toSorted()).toEqual(toRefuse.toSorted());
  });
});

describe('the client package', () => {
  it('is found by a compiler that does not read exports', async () => {
    const project = tempFolder();
    const place = join(project, 'node_modules/@trapeza/client');
    mkdirSync(place, { recursive: true });
    copyFileSync(join(root, 'packages/client/package.json'), join(place, 'package.json'));
    const types = ['-p', join(root, 'packages/client'), '--outDir', join(place, 'dist')];
    const declared = await run(
      join(shared, 'tsc'),
      [...types, '--composite', 'false', '--tsBuildInfoFile', 'null', '--incremental', 'false'],
      project,
    );
    expect(declared).toMatchObject({ code: 0, stdout: '' });
    writeFileSync(
      join(project, 'use.ts'),
      `import { type Advice, type ProblemSlug, ProblemError, remedies } from '@trapeza/client';
       import { createSigner } from '@trapeza/client/signing';
       declare const error: ProblemError;
       const advice: Advice | undefined = error.advice;
       export const remedy: string | undefined = advice && remedies[advice];
       export const isGone = error.slug === ('token-expired' satisfies ProblemSlug);
       export const since: string | undefined = error.extensions?.consent?.scaValidUntil;
       export const signs = typeof createSigner;`,
    );
    const args = [
      '--module',
      'commonjs',
      '--moduleResolution',
      'node10',
      '--ignoreDeprecations',
      '5.0',
      'use.ts',
    ];
    const node = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const { stdout } = await run(join(own, 'tsc'), [...strict, ...node, ...args], project);
    expect(stdout).toBe('');
  });
});

afterAll(cleanUp);
