/** What is installed is what was tested: every package by its hash, from whatever registry. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../lib/source.js';

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** Of the product, and of what one release test installs for itself. */
const lockFiles = ['package-lock.json', 'test/generators/package-lock.json'];
const lists = lockFiles.map(
  (path) => (JSON.parse(read(path)) as { packages: Readonly<Record<string, Locked>> }).packages,
);
/** Without our own, which lie in this repository. */
const lockedOf = (packages: Readonly<Record<string, Locked>>) =>
  Object.entries(packages).filter(
    ([path, { link }]) => path !== '' && !link && !path.startsWith('packages/'),
  );
const pathsOf = (wrong: (each: Locked) => boolean): string[] =>
  lists.flatMap((packages) =>
    lockedOf(packages)
      .filter(([, each]) => wrong(each))
      .map(([path]) => path),
  );

describe('security F7: the lock file', () => {
  it('has a hash of every package', () => {
    for (const packages of lists) expect(lockedOf(packages).length).toBeGreaterThan(200);
    expect(pathsOf(({ integrity }) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))).toEqual([]);
  });

  it('names no registry, and neither does any setting', () => {
    expect(pathsOf(({ resolved }) => resolved !== undefined)).toEqual([]);
    expect(read('.npmrc')).toBe('omit-lockfile-registry-resolved=true\n');
  });

  // Else `npm ci` refuses the whole file on every machine.
  it('has the native parts of every platform', () => {
    const missing = lists.flatMap((packages) =>
      lockedOf(packages).flatMap(([path, { optionalDependencies = {} }]) =>
        Object.keys(optionalDependencies).filter(
          (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
        ),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('is what CI installs', () => {
    expect(read('.ci/run')).toMatch(/^npm ci\b/m);
    expect(read('.ci/run')).not.toMatch(/\bnpm (install|i|update)\b/);
  });
});
