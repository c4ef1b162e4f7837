/** Every module by itself, for the imports of tests and benchmarks. Only what has changed is written again. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';
import { filesIn, packages } from './packages.js';

const ENDING = /\.tsx?$/;
/** Texts. Node before 22 warns of modules in JSON, so each becomes a module of its own. */
const DATA = /\.json$/;
const DATA_IMPORT = /(["'])(\.[^"']*\.json)\1 with \{[^}]*\}/g;

/** @type {(path: string) => number} */
const changedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);
const toolAt = changedAt(fileURLToPath(import.meta.url));

/** @type {(from: string, to: string) => void} */
const compile = (from, to) => {
  const { code, map, errors } = transformSync(from, readFileSync(from, 'utf8'), {
    target: 'es2023',
    jsx: { runtime: 'automatic', importSource: 'preact' },
    typescript: { onlyRemoveTypeImports: true },
    sourcemap: true,
  });
  if (errors.length > 0) throw new Error(`${from}: ${errors.map(({ message }) => message).join('\n')}`);
  mkdirSync(dirname(to), { recursive: true });
  const sources = [relative(dirname(to), from)];
  writeFileSync(`${to}.map`, JSON.stringify({ ...map, sources, sourcesContent: undefined }));
  // The module last: its time says that both are there.
  writeFileSync(to, `${code.replace(DATA_IMPORT, '$1$2.js$1')}\n//# sourceMappingURL=${basename(to)}.map\n`);
};

/** @type {(from: string, to: string) => void} */
const writeData = (from, to) => {
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, `export default ${readFileSync(from, 'utf8')}`);
};

/** @type {(which: import('./packages.js').Package) => void} */
const compilePackage = ({ source, unbundled }) => {
  const made = new Map(
    filesIn(source)
      .filter((path) => ENDING.test(path) || DATA.test(path))
      .map((path) => [
        join(unbundled, relative(source, path)).replace(ENDING, '.js').replace(DATA, '.json.js'),
        path,
      ]),
  );
  for (const [to, from] of made)
    if (changedAt(to) < Math.max(changedAt(from), toolAt)) (DATA.test(from) ? writeData : compile)(from, to);
  for (const path of existsSync(unbundled) ? filesIn(unbundled) : [])
    if (!made.has(path.replace(/\.map$/, ''))) rmSync(path);
};

export const compileAll = () => {
  for (const each of packages) compilePackage(each);
};
