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

/** Of tests in which the store decides: by its locks, by who wins a race, by its types, by its plans. */
export const bothEngines = (_reason: string): readonly Engine[] => (only ? [only] : both);

/** Of tests that only PostgreSQL can have: several nodes, row locks, partitions, broken connections. */
export const hasPostgres = asked !== 'sqlite';
