/** What operations need of other rooms, named once. */
import type { Db } from '../store/db.js';

/** The bank's time: moved in the sandbox, the real one in production. */
export type BankTime = () => Promise<number>;

export interface ConsentReadParts {
  readonly db: Db;
  readonly bankTime: BankTime;
}
