import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Makes pictures instead of a verdict: `npm run look`.
    exclude: process.env.TEST_LOOK ? [] : ['test/web/looks/contact-sheet.browser.test.ts'],
    globalSetup: ['test/support/run/setup.ts'],
    // Two cores: one for the tests, one for PostgreSQL, the browser and child processes.
    maxWorkers: 2,
    // Nothing in src keeps state in a module, so files share what they import: a fifth of the run.
    isolate: false,
    // For a busy machine: no test is about how long it takes.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default'],
  },
});
