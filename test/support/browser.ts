/** The machine's Chromium, one for the tests of a block. Without it the browser tests are skipped, and say so. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const executablePath = [process.env.CHROMIUM_PATH, '/usr/bin/chromium'].find(
  (path) => path !== undefined && path !== '' && existsSync(path),
);

export const hasBrowser = executablePath !== undefined;
if (!hasBrowser) {
  console.warn(
    'WARNING: no Chromium found (CHROMIUM_PATH, /usr/bin/chromium): the browser tests are SKIPPED.',
  );
}

/** `npm run test:pages`: all pages in all languages, widths and colours. */
export const areAllPagesWanted = process.env.TEST_PAGES === 'full';

/** Of a matrix of pages, languages, widths and colours: one in so many in `npm test`, all of it in `npm run test:pages`. */
export const oneIn = <T>(count: number, all: readonly T[]): readonly T[] =>
  areAllPagesWanted ? all : all.filter((_, index) => index % count === 0);

/** A function, because it runs only once the block has begun. */
export const useBrowser = (): (() => Browser) => {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
    });
  });
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error('the browser has not started');
    return browser;
  };
};
