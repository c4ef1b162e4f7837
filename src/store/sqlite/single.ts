/** A file of the embedded engine for one command: one connection, beside the service or instead of it. */
import { type Queries, StoreUnavailable } from '../db.js';
import { guarded, PATIENT, Prepared } from './connections.js';
import { driver } from './driver.js';
import { queriesOn } from './sqlite.js';

/** Another process has the store open. */
export class StoreInUse extends Error {
  constructor(path: string) {
    super(`${path} is in use by a running process: stop the service first`);
    this.name = 'StoreInUse';
  }
}

export interface SingleStore extends Queries {
  readonly engine: 'sqlite';
  script(sql: string): void;
  /** Keeps every other process out until the end. Throws `StoreInUse` if one has the file open. */
  lock(): void;
  close(): void;
}

/** Every connection in WAL mode holds a shared lock on the file for as long as it is open. WAL cannot be left beside it. */
const LOCK = `pragma busy_timeout = 0; pragma locking_mode = exclusive; pragma journal_mode = delete;
  begin exclusive; commit;`;
/** The driver closes a file when the last of its statements is collected. The lock ends at the next read. */
const UNLOCK = 'pragma locking_mode = normal; select name from sqlite_master limit 1;';
const BUSY = 5;

const isBusy = (error: unknown): boolean =>
  error instanceof StoreUnavailable && ((error.cause as { errcode?: number }).errcode ?? 0) % 256 === BUSY;

/** Makes the file if it is not there. */
export const openSingle = (path: string): SingleStore => {
  const prepared = new Prepared(guarded(() => new (driver())(path)));
  const { connection } = prepared;
  const script = (sql: string): void => guarded(() => connection.exec(sql));
  script(PATIENT);
  let isLocked = false;
  return {
    engine: 'sqlite',
    ...queriesOn(prepared),
    script,
    lock: () => {
      try {
        script(LOCK);
        isLocked = true;
      } catch (error) {
        throw isBusy(error) ? new StoreInUse(path) : error;
      }
    },
    close: () => {
      if (isLocked) script(UNLOCK);
      connection.close();
    },
  };
};
