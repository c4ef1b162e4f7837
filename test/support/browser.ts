/** The machine's Chromium, one for all browser tests of a worker. Without it they are skipped, and say so. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const found = (...paths: (string | undefined)[]): string | undefined =>
  paths.find((path) => path !== undefined && path !== '' && existsSync(path));

const FULL = '/usr/bin/chromium';
/** Draws and runs the same pages without what surrounds them, at half the cost. */
const shell = found(process.env.CHROMIUM_PATH, '/usr/bin/chromium-headless-shell', FULL);
const full = found(process.env.CHROMIUM_PATH, FULL, shell);

export const hasBrowser = shell !== undefined;
if (!hasBrowser) {
  console.warn(
    'WARNING: no Chromium found (CHROMIUM_PATH, chromium-headless-shell and chromium in /usr/bin): the browser tests are SKIPPED.',
  );
}

/** `npm run prove -- pages`: all pages in all languages, widths and colours. */
export const areAllPagesWanted = process.env.TEST_PAGES === 'full';

/** Of a matrix of pages, languages, widths and colours: one in so many in `npm test`, all of it in `npm run prove -- pages`. */
export const oneIn = <T>(count: number, all: readonly T[]): readonly T[] =>
  areAllPagesWanted ? all : all.filter((_, index) => index % count === 0);

const launched = new Map<string, Promise<Browser>>();

const launch = (executablePath = ''): Promise<Browser> => {
  const known = launched.get(executablePath);
  if (known) return known;
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'];
  const browser = chromium.launch({ executablePath, args });
  launched.set(executablePath, browser);
  return browser;
};

/** A function, because it runs only once the block has begun. One file asks for all of Chromium. */
export const useBrowser = ({ isFull = false } = {}): (() => Browser) => {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launch(isFull ? full : shell);
  });
  // What a block has opened ends with it; the browser ends with the worker.
  afterAll(async () => {
    await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
  });
  return () => {
    if (!browser) throw new Error('the browser has not started');
    return browser;
  };
};
