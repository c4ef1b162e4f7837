/**
 * The collections for Postman and Bruno: up to date, and green on a fresh sandbox. Here a small runner follows the Postman file;
 * `npm run prove -- collections` runs newman, the Bruno CLI and openapi-typescript, which are too large to be dependencies.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, it } from 'vitest';
import { collectionsFolder, generateCollections } from '../../packages/client/collections.js';
import { operations } from '../../packages/client/src/index.js';
import { cleanUp, Program, tempFolder } from '../cli/program.js';
import { root } from '../lib/source.js';
import { useService } from '../support/use-service.js';

afterAll(cleanUp);

const POSTMAN = 'trapeza.postman_collection.json';
const read = (path: string): string => readFileSync(join(collectionsFolder, path), 'utf8');

interface Item {
  readonly name: string;
  readonly event: readonly [{ readonly script: { readonly exec: readonly string[] } }];
  readonly request: {
    readonly method: string;
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly url: { readonly raw: string };
    readonly body?: { readonly raw: string };
  };
}

/** Sends one request with the variables, and runs its script as Postman does. */
const run = async ({ name, event, request }: Item, variables: Map<string, string>): Promise<string> => {
  const filled = (text: string): string =>
    text.replace(/\{\{(\$?\w+)\}\}/g, (_whole, key: string) => {
      if (key === '$guid') return crypto.randomUUID();
      const value = variables.get(key);
      if (value === undefined) throw new Error(`${name} needs ${key}`);
      return value;
    });
  const response = await fetch(filled(request.url.raw), {
    method: request.method,
    headers: request.header.map(({ key, value }): [string, string] => [key, filled(value)]),
    ...(request.body ? { body: filled(request.body.raw) } : {}),
  });
  const text = await response.text();
  const pm = {
    test: (_title: string, check: () => void) => check(),
    response: {
      json: () => JSON.parse(text) as unknown,
      to: { have: { status: (wanted: number) => expect(response.status, `${name}: ${text}`).toBe(wanted) } },
    },
    collectionVariables: { set: (key: string, value: string) => variables.set(key, value) },
  };
  runInNewContext(event[0].script.exec.join('\n'), { pm });
  return `${request.method} ${request.url.raw.replace('{{baseUrl}}', '').replace(/\{\{\w+\}\}/g, '{}')}`;
};

describe('the collections', () => {
  const service = useService();

  it('are up to date (if not: npm run docs)', () => {
    const files = readdirSync(collectionsFolder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && each.name !== 'README.md')
      .map(({ parentPath, name }) => join(parentPath, name).slice(collectionsFolder.length + 1));
    expect(Object.fromEntries(files.map((path) => [path, read(path)]))).toEqual(generateCollections());
  });

  it('have every operation of the interface, each succeeds, and a second run does too', async () => {
    const { item } = JSON.parse(read(POSTMAN)) as { item: { item: Item[] }[] };
    const called = new Set<string>();
    for (const _ of [1, 2]) {
      const variables = new Map([['baseUrl', service().url]]);
      for (const each of item.flatMap((folder) => folder.item)) called.add(await run(each, variables));
    }
    // A registration is signed, which these tools cannot.
    const nameless = Object.values(operations)
      .filter(([, path]) => !path.startsWith('/registration'))
      .map(([method, path]) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
    expect(nameless.filter((each) => !called.has(each))).toEqual([]);
  });

  const tools: readonly (readonly [string, string, readonly string[]])[] = [
    ['newman@6.2.2', 'newman', ['run', POSTMAN, '--env-var']],
    ['@usebruno/cli@4.1.0', 'bru', ['run', '-r', '--env', 'sandbox', '--env-var']],
  ];
  const npx = async (cwd: string, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await new Program('npx', ['--yes', ...args], { cwd }).finished;
    expect(code, stdout + stderr).toBe(0);
    return stdout;
  };

  it.each(process.env.TEST_COLLECTIONS ? tools : [])('run green with %s', async (name, command, args) => {
    const cwd = command === 'bru' ? join(collectionsFolder, 'bruno') : collectionsFolder;
    console.log(await npx(cwd, '-p', name, command, ...args, `baseUrl=${service().url}`));
  });

  it.each(process.env.TEST_COLLECTIONS ? ['openapi-typescript@7.13.0'] : [])(
    'compile strictly by %s',
    async (name) => {
      const folder = tempFolder();
      const document = join(root, 'docs/openapi.json');
      const packages = ['-p', name, '-p', 'typescript@5.9.3'];
      await npx(folder, ...packages, 'openapi-typescript', document, '-o', join(folder, 'bank.d.ts'));
      const names = Object.keys(operations).map((each) => `operations['${each}']['responses']`);
      writeFileSync(
        join(folder, 'use.ts'),
        `import type { operations } from './bank.js';\nexport type Answers = [${names.join(', ')}];\n`,
      );
      await npx(folder, ...packages, 'tsc', '--noEmit', '--strict', '--module', 'nodenext', 'use.ts');
    },
  );
});
