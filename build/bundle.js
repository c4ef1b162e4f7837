/**
 * What is published: each package in a few files, with the libraries that it uses. A command then loads ten files, not six hundred,
 * and starts in half the time.
 */
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { packClient } from './client.js';
import { entriesOf, filesIn, packages, root } from './packages.js';

/** Native code. */
const LEFT_OUTSIDE = ['@photostructure/sqlite'];
const OWN = /^(?:#|trapeza(?:\/|$)|@trapeza\/)/;

/** @type {(id: string) => boolean} */
const isOutside = (id) =>
  OWN.test(id) || LEFT_OUTSIDE.some((name) => id === name || id.startsWith(`${name}/`));

const LIBRARY = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** The licenses of what is inside, as they ask for.
 * @type {(moduleIds: readonly string[]) => string} */
const noticesOf = (moduleIds) => {
  const folders = new Set(moduleIds.flatMap((id) => LIBRARY.exec(id)?.[0] ?? []));
  const notices = [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder)
      .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
  return `The files in this folder contain these libraries.\n\n${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
};

/** @type {(which: import('./packages.js').Package) => Promise<void>} */
const bundlePackage = async (which) => {
  const built = await rolldown({
    input: entriesOf(which),
    platform: 'node',
    external: isOutside,
    tsconfig: join(root, 'tsconfig.json'),
    // A library's own affair: none of ours has these.
    checks: { eval: false },
  });
  const old = existsSync(which.bundled) ? filesIn(which.bundled) : [];
  const { output } = await built.write({
    dir: which.bundled,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
  });
  await built.close();
  const written = new Set(output.map(({ fileName }) => join(which.bundled, fileName)));
  for (const path of old) if (/\.js(\.map)?$/.test(path) && !written.has(path)) rmSync(path);
  const moduleIds = output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
  writeFileSync(join(which.bundled, 'THIRD-PARTY-NOTICES.txt'), noticesOf(moduleIds));
};

/** Written at the end of a build. */
const STAMP = join(root, 'dist/.built');

/** @type {() => boolean} */
export const isFresh = () => {
  if (!existsSync(STAMP)) return false;
  const builtAt = statSync(STAMP).mtimeMs;
  const made = [
    ...packages.flatMap(({ source, folder }) => [...filesIn(source), join(folder, 'package.json')]),
    ...filesIn(join(root, 'build')),
    join(root, 'package-lock.json'),
  ];
  // A folder's own time is that of its last added or removed file.
  const folders = made.map((path) => dirname(path));
  return [...made, ...new Set(folders)].every((path) => statSync(path).mtimeMs <= builtAt);
};

export const bundleAll = async () => {
  if (isFresh()) return;
  const startedAt = new Date();
  for (const each of packages) await bundlePackage(each);
  packClient();
  cpSync(join(root, 'src/web/assets/styles'), join(root, 'dist/styles'), { recursive: true });
  writeFileSync(STAMP, '');
  // What changed meanwhile is not in it.
  utimesSync(STAMP, startedAt, startedAt);
};
