import { tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import { compileAll } from './build/unbundled.js';
import { buildOnDemand } from './test/support/run/built.js';
import { filesOfTier } from './test/support/run/files.js';
import { memoryFolder } from './test/support/run/memory-folder.js';
import { ownModules } from './test/support/run/unbundled.js';

// Tests import modules and start the program: both are as young as their sources.
compileAll();

// Read by whatever makes a folder for a while: stores, PostgreSQL, the browser. Stores that are killed ask for the disk.
process.env.TEST_DISK ??= tmpdir();
process.env.TMPDIR = memoryFolder();
await buildOnDemand(process.env.TMPDIR);

// Makes pictures instead of a verdict: `npm run prove -- look`.
const pictures = process.env.TEST_LOOK ? [] : ['test/web/looks/contact-sheet.browser.test.ts'];
const seed = Number(process.env.TEST_ORDER ?? Date.now() % 1_000_000);

// Code is optimised when it has run longer than usual: most of it never pays for that here. Node 20 alone knows the flag.
const slowToOptimise = process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : [];

export default defineConfig({
  plugins: [ownModules()],
  test: {
    include: filesOfTier(process.env.TEST_TIER),
    exclude: pictures,
    globalSetup: ['test/support/run/setup.ts'],
    setupFiles: ['test/support/run/seed.ts'],
    // Loaded by Node, as they are.
    server: { deps: { external: [/\/\.unbundled\//] } },
    // One copy of each module of ours, also among those that Node loads itself; lines of its sources in traces.
    execArgv: ['--conditions=unbundled', '--enable-source-maps', ...slowToOptimise],
    // Twice the cores of a small machine: tests often wait for a database, a browser or another process.
    maxWorkers: 4,
    // No module keeps state that decides anything (test/module-state.test.ts), so files share what they import: a fifth of the run.
    isolate: false,
    // No file depends on another: each run has an order of its own, and TEST_ORDER repeats it.
    sequence: { shuffle: { files: true }, seed },
    // For a busy machine: no test is about how long it takes.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default'],
  },
});
