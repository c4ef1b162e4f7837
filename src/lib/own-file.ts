/** Files that come with this package, wherever the module that asks for them has been bundled to. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const resolve = createRequire(import.meta.url).resolve;
const folder = dirname(resolve('#package.json'));

export const ownFile = (path: string): string => join(folder, path);

export const styleFile = (name: string): string => resolve(`#styles/${name}.css`);
