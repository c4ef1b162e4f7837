/** What the sandbox does periodically. */
import { type Clock, type Db, MINUTE, SECOND } from 'trapeza/base';
import type { OpenExtension } from 'trapeza/extend';
import type { DemoLife } from './bank/living/demo-life.js';
import type { Tenancy } from './developers/tenancy.js';
import type { Roster } from './roster.js';
import { sweepDemoTpp } from './tpp/index.js';

/** At the end of a bank day, and after a leap of the clock that took longer than its answer may. */
const LIVE_EVERY_MS = 10 * SECOND;
/** For pages that name people; a person who is asked for by name is looked up in the store. */
const READ_PEOPLE_MS = 5 * SECOND;

export interface JobParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly life: DemoLife | undefined;
  readonly roster: Roster;
  readonly tenancy: Tenancy | undefined;
}

export const sandboxJobs = ({
  db,
  clock,
  life,
  roster,
  tenancy,
}: JobParts): NonNullable<OpenExtension['jobs']> => [
  { name: 'sweep demo third party', everyMs: MINUTE, step: () => sweepDemoTpp(db, clock) },
  {
    name: 'read people',
    everyMs: READ_PEOPLE_MS,
    isLocal: true,
    step: async () => {
      await roster.read();
      return 0;
    },
  },
  ...(life ? [{ name: 'live', everyMs: LIVE_EVERY_MS, step: () => life.catchUp(SECOND) }] : []),
  ...(tenancy
    ? [
        { name: 'sweep developers', everyMs: MINUTE, step: () => tenancy.sweep() },
        { name: 'close idle sandboxes', everyMs: MINUTE, isLocal: true, step: () => tenancy.sweepServices() },
      ]
    : []),
];
