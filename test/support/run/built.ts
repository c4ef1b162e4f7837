/** The program as users have it is built beside the first tests: most of them need its modules alone. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleAll } from '../../../build/bundle.js';
import { isClientPacked } from '../../../build/client.js';
import { BUILT } from '../../lib/build.js';

/** A service gives the client away, so that is there from the start. The release tier packs what is built. */
export const buildBeside = async (folder: string): Promise<void> => {
  const mark = join(folder, `trapeza-built-${process.pid}`);
  process.env[BUILT] = mark;
  process.once('exit', () => rmSync(mark, { force: true }));
  const built = bundleAll().then(
    () => writeFileSync(mark, ''),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
  if (process.env.TEST_TIER === 'release' || !isClientPacked()) await built;
};
