/** The memory of X-Request-IDs: 24 hours, per application. The row is written in the transaction of the call's effect. */

import type { Call } from '../http/operation.js';
import { type Clock, DAY } from '../lib/clock.js';
import { Problem } from '../problem.js';
import type { Queries } from '../store/db.js';

const KEPT_MS = DAY;

const FIND = 'select fingerprint from request_ids where client_id = ? and request_id = ? and used_at > ?';
/** One statement decides a race: the row is taken if it is new, forgotten, or of the same content. */
const CLAIM = `
  insert into request_ids (client_id, request_id, fingerprint, used_at) values (?, ?, ?, ?)
  on conflict (client_id, request_id) do update set fingerprint = excluded.fingerprint, used_at = excluded.used_at
  where request_ids.fingerprint = excluded.fingerprint or request_ids.used_at <= ?`;

export interface RequestUse {
  readonly clientId: string;
  readonly requestId: string;
  readonly fingerprint: string;
}

export const useOf = (call: Call): RequestUse => ({
  clientId: call.caller.clientId,
  requestId: call.requestId.toLowerCase(),
  fingerprint: call.fingerprint,
});

export class RequestIds {
  readonly #db: Queries;
  readonly #clock: Clock;

  constructor(db: Queries, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Throws where the id was used for another content. */
  async check(use: RequestUse): Promise<void> {
    const oldest = this.#clock.now() - KEPT_MS;
    const row = await this.#db.one<{ fingerprint: string }>(FIND, [use.clientId, use.requestId, oldest]);
    if (row && row.fingerprint !== use.fingerprint) throw new Problem('request-id-conflict');
  }

  /** Takes the id inside the transaction of its effect; false where another content was faster. */
  async claim(tx: Queries, use: RequestUse): Promise<boolean> {
    const now = this.#clock.now();
    return (await tx.run(CLAIM, [use.clientId, use.requestId, use.fingerprint, now, now - KEPT_MS])) === 1;
  }
}
