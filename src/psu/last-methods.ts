/** Which way to confirm a person chose last: it comes first the next time, in every browser. */
import { type Clock, DAY } from '../lib/clock.js';
import type { PsuId } from '../model/ids.js';
import type { Queries } from '../store/db.js';

const FIND = 'select method_id as "methodId" from last_methods where psu_id = ?';
const STORE_LAST_METHOD = `insert into last_methods (psu_id, method_id, used_at) values (?, ?, ?)
  on conflict (psu_id) do update set method_id = excluded.method_id, used_at = excluded.used_at`;
const SWEEP = `delete from last_methods where psu_id in
  (select psu_id from last_methods where used_at <= ? limit 500)`;

/** Longer than the 180 days between two authentications of one permission. */
const KEPT_MS = 400 * DAY;

export class LastMethods {
  readonly #db: Queries;
  readonly #clock: Clock;

  constructor(db: Queries, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async find(psuId: PsuId): Promise<string | undefined> {
    return (await this.#db.one<{ readonly methodId: string }>(FIND, [psuId]))?.methodId;
  }

  async keep(psuId: PsuId, methodId: string): Promise<void> {
    await this.#db.run(STORE_LAST_METHOD, [psuId, methodId, this.#clock.now()]);
  }

  /** Removes some of what is too old; called by a job until nothing is left. */
  sweep(): Promise<number> {
    return this.#db.run(SWEEP, [this.#clock.now() - KEPT_MS]);
  }
}
