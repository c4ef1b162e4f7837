/** Which of the two stores a test runs on. Both take twice the time, so a file that runs on both says why. */
import { inTier } from './tier.js';

export type Engine = 'sqlite' | 'postgres';

/** For one run: `sqlite` starts no PostgreSQL; `both` leaves nothing out. Otherwise the tier decides. */
const asked = process.env.TEST_ENGINES;
if (asked !== undefined && !['sqlite', 'postgres', 'both'].includes(asked))
  throw new Error(`TEST_ENGINES is sqlite, postgres or both, not ${asked}`);

const both: readonly Engine[] = ['sqlite', 'postgres'];

const only = asked === 'sqlite' || asked === 'postgres' ? asked : undefined;

/** Of a file in which neither store decides anything: `npm test` takes one of them, a release the other. */
export const engines: readonly Engine[] =
  asked === 'both' ? both : [only ?? inTier<Engine>('sqlite', 'postgres')];

/** Of tests that a lock or a race decides: PostgreSQL, where several hold one; that the one writer of SQLite does as well, a release proves. */
export const racingEngines = (_reason: string): readonly Engine[] =>
  asked === 'both' ? both : [only ?? inTier<Engine>('postgres', 'sqlite')];

/** Of tests in which the store decides by its types, its plans or its own ways. */
export const bothEngines = (_reason: string): readonly Engine[] => (only ? [only] : both);

/** Of tests that only PostgreSQL can have: several nodes, row locks, partitions, broken connections. */
export const hasPostgres = asked !== 'sqlite';
