/** An older version of the program, built from history in a temp folder. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../cli/program.js';
import { root } from '../lib/source.js';

/** The version with which the current one must share a database. Its newest migration is 46. */
const OLDER = '3dbcc88bf18e4f85b6fb07de473062c168b6850d';
/** Its payments could meet a deadlock, upgrade or not. It gets the correction, as a patch release of it would. */
const CORRECTION = ['7030f2a5', '--', 'src/payment/in-transaction.ts'];

type Locked = Readonly<Record<string, { readonly version?: string; readonly link?: boolean }>>;

const lockedIn = (folder: string): Locked =>
  (JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: Locked }).packages;

/** Whether every package that the older version needs is installed here in its version. */
const sharesPackages = (folder: string): boolean => {
  const here = lockedIn(root);
  return Object.entries(lockedIn(folder)).every(
    ([path, { version, link }]) =>
      link || !path.startsWith('node_modules/') || here[path]?.version === version,
  );
};

/** The packages of others are those installed here; its own are its own. */
const linkPackages = (folder: string): void => {
  const installed = join(root, 'node_modules');
  const linked = join(folder, 'node_modules');
  mkdirSync(join(linked, '@trapeza'), { recursive: true });
  for (const name of readdirSync(installed).filter((each) => !/^@?trapeza$/.test(each)))
    symlinkSync(join(installed, name), join(linked, name));
  symlinkSync(folder, join(linked, 'trapeza'));
  for (const name of ['client', 'core-kit', 'sandbox'])
    symlinkSync(join(folder, 'packages', name), join(linked, '@trapeza', name));
};

/** Builds it and returns its program. TEST_OLDER names a folder in which it is built already. */
export const buildOlder = (): string => {
  if (process.env.TEST_OLDER) return join(process.env.TEST_OLDER, 'dist/main.js');
  const folder = tempFolder();
  const archive = execFileSync('git', ['archive', OLDER], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync('tar', ['x'], { cwd: folder, input: archive });
  const correction = execFileSync('git', ['show', ...CORRECTION], { cwd: root });
  execFileSync('git', ['apply'], { cwd: folder, input: correction });
  if (sharesPackages(folder)) linkPackages(folder);
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: folder });
  return join(folder, 'dist/main.js');
};
