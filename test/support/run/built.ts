/** The program as users have it is built as soon as a test needs it: most of them need its modules alone. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleAll, isFresh } from '../../../build/bundle.js';
import { isClientPacked } from '../../../build/client.js';
import { BUILT, wantedOf } from '../../lib/build.js';

const LOOK_MS = 20;

/** A service gives the client away, so that is there from the start. The release tier packs what is built. */
const isNeededFirst = (): boolean => process.env.TEST_TIER === 'release' || !isClientPacked();

export const buildOnDemand = async (folder: string): Promise<void> => {
  const mark = join(folder, `trapeza-built-${process.pid}`);
  process.env[BUILT] = mark;
  process.once('exit', () => {
    for (const path of [mark, wantedOf(mark)]) rmSync(path, { force: true });
  });
  const build = async (): Promise<void> => {
    await bundleAll();
    writeFileSync(mark, '');
  };
  if (isFresh() || isNeededFirst()) return build();
  const look = setInterval(() => {
    if (!existsSync(wantedOf(mark))) return;
    clearInterval(look);
    build().catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  }, LOOK_MS).unref();
};
