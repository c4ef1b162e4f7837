import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  // From the sources, as the tests themselves: a second copy from dist/ would have classes of its own.
  resolve: {
    alias: [
      { find: /^trapeza\/(\w+)$/, replacement: here('src/public/$1.ts') },
      { find: /^trapeza$/, replacement: here('src/index.ts') },
      { find: /^@trapeza\/client$/, replacement: here('packages/client/src/index.ts') },
      { find: '@trapeza/client/signing', replacement: here('packages/client/src/signing.ts') },
      { find: '@trapeza/sandbox/demo-bank', replacement: here('packages/sandbox/src/demo-bank.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    // Makes pictures instead of a verdict: `npm run look`.
    exclude: process.env.TEST_LOOK ? [] : ['test/web/looks/contact-sheet.browser.test.ts'],
    globalSetup: ['test/support/run/setup.ts'],
    setupFiles: ['test/support/run/seed.ts'],
    // Two cores: one for the tests, one for PostgreSQL, the browser and child processes.
    maxWorkers: 2,
    // No module keeps state that decides anything (test/module-state.test.ts), so files share what they import: a fifth of the run.
    isolate: false,
    // For a busy machine: no test is about how long it takes.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default'],
  },
});
