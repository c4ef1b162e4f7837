/**
 * `npm test` takes minutes and runs before every commit; `npm run test:release` proves the rest: files named *.release.test.ts, what a file
 * leaves to it by `inTier`, and on PostgreSQL what ran on SQLite alone (engines.ts). TEST_TIER=all: the files of both, as much as a release.
 */
export const isRelease = process.env.TEST_TIER === 'release' || process.env.TEST_TIER === 'all';

/** How much of one thing each of the two proves. */
export const inTier = <T>(test: T, release: T): T => (isRelease ? release : test);
