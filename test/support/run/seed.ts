/** Fixes the seed of every property, so that a run can be repeated. `TEST_SEED=2 npx vitest run <file>` tries other values. */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });
