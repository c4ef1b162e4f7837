/** What operations need of other rooms, named once. */
import type { BankTime } from '../lib/clock.js';
import type { Regime } from '../model/regime.js';
import type { Db } from '../store/db.js';

export interface ConsentReadParts {
  readonly db: Db;
  readonly bankTime: () => Promise<BankTime>;
  readonly regime: Regime;
}
