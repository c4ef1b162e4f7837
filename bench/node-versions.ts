/** Which Node runs the programs under test: a path, or a version that npm brings into `.bench/versions`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('versions', import.meta.url));

const pathOf = (version: string): string => join(folder, version, 'node_modules/node/bin/node');

/** Installed once; a packed tree has it with it. */
const install = (version: string): string => {
  const path = pathOf(version);
  if (existsSync(path)) return path;
  const prefix = join(folder, version);
  mkdirSync(prefix, { recursive: true });
  const command = ['install', '--prefix', prefix, '--no-save', '--no-audit', '--no-fund', `node@${version}`];
  execFileSync('npm', command, { stdio: ['ignore', 'ignore', 'inherit'] });
  return path;
};

export const nodeProgram = (wanted: string): string =>
  /^\d+(\.\d+)*$/.test(wanted) ? install(wanted) : resolve(wanted);

export const versionOf = (path: string): string =>
  execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().slice(1);
