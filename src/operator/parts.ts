/** What the pages of the console need of the rest. */
import type { Context } from '../acts/act.js';
import type { Admin } from '../admin/admin.js';
import type { DemoOperator, Operators } from '../admin/operators.js';
import type { SettingInForce } from '../config/in-force.js';
import type { ConsolePlace } from '../console/visit.js';
import type { Guard } from '../gate/guard/guard.js';
import type { Clock } from '../lib/clock.js';
import type { CallCount } from '../observe/live-calls.js';
import type { Log } from '../observe/log.js';
import type { Uploads } from './uploads.js';

export interface ConsoleParts extends ConsolePlace {
  readonly admin: Admin;
  /** What acts and lists are given. */
  readonly context: Context;
  readonly operators: Operators;
  readonly guard: Pick<Guard, 'logIn'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  /** The last calls of each application can be found by their ids. */
  readonly keepsCalls: boolean;
  /** Calls of the last minutes, of all processes of this node. */
  readonly calls: () => Promise<readonly CallCount[]>;
  readonly settings: () => readonly SettingInForce[];
  readonly uploads: Uploads;
  /** Its login page shows how to get in. */
  readonly demo?: DemoOperator | undefined;
}
