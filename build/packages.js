/** The packages of this project, and which of their modules are entries: what the manifest names, and the threads. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * @typedef {object} Package
 * @property {string} folder
 * @property {string} source
 * @property {string} bundled
 * @property {string} unbundled The modules one by one, for tests and measurements.
 */

/** @type {(folder: string) => Package} */
const packageIn = (folder) => ({
  folder,
  source: join(folder, 'src'),
  bundled: join(folder, 'dist'),
  unbundled: join(folder, '.unbundled'),
});

/** @type {readonly Package[]} */
export const packages = [
  root,
  ...readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name)),
].map(packageIn);

/** @type {(folder: string) => string[]} */
export const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** @type {(value: unknown) => string[]} */
const textsIn = (value) =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap((each) => textsIn(each));

/**
 * Bundled file (without its ending) to the source it begins with.
 * @type {(which: Package) => Record<string, string>}
 */
export const entriesOf = ({ folder, source }) => {
  const { bin, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const named = textsIn([bin, exports]).flatMap((path) => /^(?:\.\/)?dist\/(.*)\.js$/.exec(path)?.[1] ?? []);
  const threads = filesIn(source).flatMap(
    (path) => /(?:^|\/)((?:[^/]+\/)*[^/]+-thread)\.ts$/.exec(path.slice(source.length + 1))?.[1] ?? [],
  );
  return Object.fromEntries([...named, ...threads].map((name) => [name, join(source, `${name}.ts`)]));
};
