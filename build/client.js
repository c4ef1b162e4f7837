/**
 * The client as the service gives it away, `/client.tgz`: for people who have nothing else of ours, and for whom no registry has it. Packed
 * by npm, which writes the same bytes for the same files.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { transformSync } from 'rolldown/utils';
import { filesIn, packages, root } from './packages.js';

const TARBALL = join(root, 'dist/client.tgz');

/** @type {(path: string) => number} */
const changedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/**
 * The types of a module, as it writes them itself: each module alone, in a hundredth of the time that a compiler of types takes.
 * @type {(from: string, to: string) => void}
 */
const declare = (from, to) => {
  const { declaration, errors } = transformSync(from, readFileSync(from, 'utf8'), {
    typescript: { declaration: {} },
  });
  if (errors.length > 0) throw new Error(`${from}: ${errors.map(({ message }) => message).join('\n')}`);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, declaration ?? '');
};

const found = packages.find(({ folder }) => folder === join(root, 'packages/client'));
if (!found) throw new Error('there is no client to pack');
const { folder, source, bundled } = found;

/**
 * Of the bundle as it is; returns the file.
 * @type {(to: string) => string}
 */
export const packTo = (to) => {
  const answer = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', to],
    { cwd: folder, encoding: 'utf8', stdio: 'pipe' },
  );
  return join(to, JSON.parse(answer)[0].filename);
};

export const isClientPacked = () => {
  const made = [...filesIn(source), join(folder, 'package.json'), join(folder, 'README.md')];
  const tools = [...filesIn(join(root, 'build')), join(root, 'package-lock.json')];
  const packedAt = changedAt(TARBALL);
  return [...made, ...tools].every((path) => changedAt(path) <= packedAt);
};

/** If the client has changed. After the bundles, which are what is packed. */
export const packClient = () => {
  if (isClientPacked()) return;
  for (const path of filesIn(source))
    declare(path, join(bundled, relative(source, path)).replace(/\.ts$/, '.d.ts'));
  cpSync(join(root, 'LICENSE'), join(bundled, 'LICENSE'));
  renameSync(packTo(dirname(TARBALL)), TARBALL);
};
