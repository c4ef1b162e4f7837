/** The map for newcomers is true: what it names exists, what exists is on it, and its links lead somewhere. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder, foldersUnder, roomOf, root, sourceFolders } from './lib/source.js';
import { proofs } from './prove/call.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const withoutFences = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, '');

/** Names in backticks that can only be a file or a folder of this repository. */
const pathsIn = (text: string): string[] =>
  [...withoutFences(text).matchAll(/`([\w.-]+(?:\/[\w.-]*)*)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => name.includes('/') || /\.(tsx?|css|md|json|js|mjs)$/.test(name));

/** Rooms are named without the folder that holds them all. */
const isThere = (path: string): boolean => [path, `src/${path}`].some((each) => existsSync(join(root, each)));

const markdown = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

describe.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('the paths in %s', (document) => {
  it('exist', () => {
    const paths = pathsIn(read(document));
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });
});

describe('reading a document', () => {
  it('finds files and folders, and nothing else that stands in backticks', () => {
    const text =
      'See `src/app/app.ts`, `cli/`, `main.ts`, not `npm test`, `/docs`, `node:http` or `@x/y`.\n```\n`a/b.ts`\n```';
    expect(pathsIn(text)).toEqual(['src/app/app.ts', 'cli/', 'main.ts']);
  });

  it('knows what is missing', () => {
    expect(isThere('src/no-such-room/')).toBe(false);
    expect(isThere('cli/')).toBe(true);
  });
});

describe('ARCHITECTURE.md', () => {
  const text = read('ARCHITECTURE.md');
  const entries = readdirSync(join(root, 'src'), { withFileTypes: true });

  it('has every room in its table', () => {
    const rooms = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(rooms.filter((name) => !text.includes(`\`${name}/\``))).toEqual([]);
  });

  it('has every room on a level of the imports', () => {
    const levels = /^```\nmain\b[\s\S]*?^```$/m.exec(text)?.[0] ?? '';
    const listed = levels.replaceAll('`', '').split(/[>,\s]+/);
    const rooms = new Set(entries.map(({ name }) => roomOf(`src/${name}`).replace(/^problems$/, 'problem')));
    expect([...rooms].filter((room) => !listed.includes(room))).toEqual([]);
  });
});

describe('the commands of package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const folders = ['.ci', 'bench', 'deploy', 'docs', 'packages', 'src', 'test'].flatMap(foldersUnder);
  const files = folders
    .filter(({ path }) => !/\b(node_modules|dist)\b/.test(path))
    .flatMap(({ path, entries }) => entries.map((entry) => join(path, entry)))
    .concat(...markdown('.'), 'package.json', 'vitest.config.ts')
    .filter((path) => path !== 'test/docs-paths.test.ts' && statSync(join(root, path)).isFile());

  /** Commands that a text mentions and nobody can run. A name in capitals stands for any. */
  const unknownIn = (text: string): string[] => [
    ...[...text.matchAll(/\bnpm run ([a-z][\w:-]*)|`(test:[\w-]+)`/g)]
      .map(([, run, alone]) => run ?? alone ?? '')
      .filter((name) => !Object.hasOwn(scripts, name)),
    ...[...text.matchAll(/\bnpm run prove -- ([a-z][\w-]*)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !Object.hasOwn(proofs, name)),
  ];

  it('name tests that exist', () => {
    const paths = Object.values(scripts).flatMap((script) => script.match(/\btest\/[\w./-]*[\w]/g) ?? []);
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('are few: what takes long is a proof (test/prove/proofs.js)', () => {
    expect(Object.keys(scripts).length).toBeLessThanOrEqual(20);
  });

  it('are the only ones that are mentioned anywhere, as are the proofs', () => {
    expect(files.length).toBeGreaterThan(1000);
    expect(files.flatMap((path) => unknownIn(read(path)).map((name) => `${path}: ${name}`))).toEqual([]);
  });

  it('are told from others', () => {
    const text =
      '`npm run prove -- NAME`, `npm run prove -- fuzz`, npm run chek, `test:x`, npm run prove -- fuz';
    expect(unknownIn(text)).toEqual(['chek', 'test:x', 'fuz']);
  });
});

describe('the decisions', () => {
  const pages = markdown('docs/adr').filter((path) => /\d{4}-/.test(path));

  it('are all on their list', () => {
    const list = read('docs/adr/README.md');
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.filter((path) => !list.includes(`(${path.replace('docs/adr/', '')})`))).toEqual([]);
  });

  it.each(pages)('%s says why, what follows, and what would change it', (path) => {
    const headings = [...read(path).matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Context', 'Decision', 'Consequences', 'What would change our mind']);
  });
});

describe('links', () => {
  it.each([...markdown('.'), ...markdown('docs'), ...markdown('docs/adr'), ...markdown('docs/guides')])(
    'of %s lead to files',
    (path) => {
      const links = [...read(path).matchAll(/(?:\]\(|src=")(?!https?:|#|mailto:)([^)#\s"]+)/g)];
      const targets = links.map(([, target = '']) => normalize(join(dirname(path), target)));
      expect(targets.filter((target) => !existsSync(join(root, target)))).toEqual([]);
    },
  );
});

describe('docs/compliance.md', () => {
  const text = read('docs/compliance.md');

  it('names tests and settings that exist', () => {
    const tests = [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
    expect(tests.length).toBeGreaterThan(50);
    expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const known = read('docs/configuration.md');
    const settings = [...text.matchAll(/`(TRAPEZA_[A-Z_]+)/g)].map(([, name = '']) => name);
    expect(settings.filter((name) => !known.includes(`\`${name}\``))).toEqual([]);
  });
});

/** Commands that take a package of ours from a registry, where its name is not ours. `npx trapeza` runs what is installed. */
const FROM_REGISTRY =
  /\b(?:npm (?:install|i|add|view|exec)\b[^\n`#]*?\s(?:trapeza|@trapeza\/[\w-]+)|npx @trapeza\/[\w-]+)(?=[\s`'"]|$)/gm;

describe('what is told to install', () => {
  it('is in a registry, or comes from a file or a service', () => {
    const documents = ['docs', 'docs/adr', 'docs/guides', 'docs/collections', 'packages/client'];
    const texts = ['README.md', 'CONTRIBUTING.md', ...documents.flatMap(markdown)].map((path) => ({
      path,
      text: read(path),
    }));
    const told = [...texts, ...sourceFolders.flatMap(filesUnder)].flatMap(({ path, text }) =>
      (text.match(FROM_REGISTRY) ?? []).map((command) => `${path}: ${command}`),
    );
    expect(told).toEqual([]);
    const wrong = 'npm install --save-dev trapeza x\nnpm i @trapeza/client\n`npx @trapeza/conformance`';
    expect(wrong.match(FROM_REGISTRY)).toHaveLength(3);
  });
});
