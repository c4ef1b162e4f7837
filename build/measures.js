/** `npm run check` ends with these: how large the house is, so that a change shows what it does to it. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { filesIn, packages, root } from './packages.js';

const SHORT = 40;
const SOURCE = /\.tsx?$/;
const [{ source }] = packages;

/** @type {(path: string) => string} */
const textOf = (path) => readFileSync(path, 'utf8');
/** @type {(text: string) => number} */
const linesOf = (text) => text.split('\n').length - 1;
/** @type {(counts: readonly number[]) => number} */
const sum = (counts) => counts.reduce((total, each) => total + each, 0);

const sources = new Map(
  filesIn(source)
    .filter((path) => SOURCE.test(path))
    .map((path) => [path, textOf(path)]),
);
const everywhere = packages.flatMap((each) => filesIn(each.source)).filter((path) => SOURCE.test(path));

/** How many modules import each one by its path. */
const importers = new Map();
for (const path of everywhere)
  for (const [, specifier = ''] of textOf(path).matchAll(/from '(\.[^']+)\.js'/g)) {
    const imported = resolve(dirname(path), specifier);
    importers.set(imported, (importers.get(imported) ?? 0) + 1);
  }

const relative = [...sources.keys()].map((path) => path.slice(source.length + 1));
const crumbs = [...sources].filter(
  ([path, text]) => linesOf(text) <= SHORT && importers.get(path.replace(SOURCE, '')) === 1,
);
const documents = [
  ...filesIn(join(root, 'docs')),
  ...['README', 'ARCHITECTURE', 'CONTRIBUTING', 'SECURITY'].map((name) => join(root, `${name}.md`)),
].filter((path) => path.endsWith('.md'));

const measures = {
  'lines of TypeScript in src': sum([...sources.values()].map(linesOf)),
  'files there': sources.size,
  rooms: new Set(relative.filter((path) => path.includes('/')).map((path) => path.split('/')[0])).size,
  'types called …Parts': sum(
    [...sources.values()].map((text) => [...text.matchAll(/\b(?:interface|type) \w*Parts\b/g)].length),
  ),
  migrations: relative.filter((path) => /^store\/migrations\/\d/.test(path)).length,
  [`files of ${SHORT} lines and less with one importer`]: crumbs.length,
  'texts as TypeScript': relative.filter((path) => /(^|\/)messages\//.test(path)).length,
  'words of documents': sum(documents.map((path) => textOf(path).split(/\s+/).filter(Boolean).length)),
};
for (const [name, count] of Object.entries(measures))
  process.stdout.write(`${count.toLocaleString('en').padStart(8)}  ${name}\n`);
