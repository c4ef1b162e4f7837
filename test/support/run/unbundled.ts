/**
 * What a test imports of the product, compiled once: `src/…` becomes the module of the same name in `.unbundled/`, loaded by Node itself.
 * With TEST_FROM=src the sources are read and changed by the test runner, for tools that put other sources in their place.
 */
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { packages, root } from '../../../build/packages.js';

const ENDING = /\.[jt]sx?$/;

/** By name, as other packages import it. */
const entries: Readonly<Record<string, string>> = {
  trapeza: 'src/index.ts',
  '@trapeza/client': 'packages/client/src/index.ts',
  '@trapeza/client/signing': 'packages/client/src/signing.ts',
  '@trapeza/sandbox/demo-bank': 'packages/sandbox/src/demo-bank.ts',
};

const sourceOf = (specifier: string): string | undefined => {
  const path =
    entries[specifier] ??
    specifier
      .replace(/^trapeza\/(\w+)$/, 'src/public/$1.ts')
      .replace(/^#trapeza\//, 'src/')
      .replace(/^#sandbox\//, 'packages/sandbox/src/');
  if (path === specifier) return undefined;
  return join(root, path);
};

const unbundledOf = (path: string): string | undefined => {
  const found = packages.find(({ source }) => path.startsWith(`${source}/`));
  return found && path.replace(found.source, found.unbundled).replace(ENDING, '.js');
};

export const ownModules = (): Plugin => ({
  name: 'own-modules',
  enforce: 'pre',
  resolveId(specifier, importer = '') {
    const named = sourceOf(specifier);
    if (process.env.TEST_FROM === 'src') return named;
    const path = named ?? (specifier.startsWith('.') ? join(dirname(importer), specifier) : specifier);
    const id = unbundledOf(path);
    return id && { id, external: true };
  },
});
