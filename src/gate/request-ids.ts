/**
 * The memory of X-Request-IDs: 24 hours, per application. The row is written in the transaction of the call's effect, together with the
 * answer of a write; the same request again gets the same answer byte for byte, also when both run at once on two nodes: the second
 * waits for the first.
 */
import type { Call, Reply } from '../http/operation.js';
import { type Clock, DAY } from '../lib/clock.js';
import type { ClientId } from '../model/ids.js';
import { Problem } from '../problem/problem.js';
import { type Db, type Queries, type Reads, StoreBusy, type Write } from '../store/db.js';
import { jsonColumn, members, optional, whole } from '../store/json-column.js';

const KEPT_MS = DAY;

const FIND = 'select fingerprint from request_ids where client_id = ? and request_id = ? and used_at > ?';
/** One statement decides a race: the row is taken if it is new, forgotten, or of the same content. */
const CLAIM_FUNDS_REQUEST_IDS = `
  insert into request_ids (client_id, request_id, fingerprint, used_at) values (?, ?, ?, ?)
  on conflict (client_id, request_id) do update set fingerprint = excluded.fingerprint, used_at = excluded.used_at
  where request_ids.fingerprint = excluded.fingerprint or request_ids.used_at <= ?`;

/** The same for a batch of PostgreSQL: `entry` has the members of a `RequestUse`. */
export const CLAIM_ENTRIES = `
  insert into request_ids (client_id, request_id, fingerprint, used_at)
  select "clientId", "requestId", fingerprint, cast(? as bigint) from entry
  on conflict (client_id, request_id) do update set fingerprint = excluded.fingerprint, used_at = excluded.used_at
  where request_ids.fingerprint = excluded.fingerprint or request_ids.used_at <= cast(? as bigint)
  returning client_id, request_id`;

/** Waits for a transaction that has the same id in hand; afterwards the row is there or free. */
const CLAIM_REQUEST_ID = `
  insert into request_ids (client_id, request_id, fingerprint, used_at, outcome) values (?, ?, ?, ?, null)
  on conflict (client_id, request_id) do update
    set fingerprint = excluded.fingerprint, used_at = excluded.used_at, outcome = null
  where request_ids.used_at <= ?`;
const READ =
  'select fingerprint, outcome from request_ids where client_id = ? and request_id = ? and used_at > ?';
const COMPLETE = 'update request_ids set outcome = ? where client_id = ? and request_id = ?';

/** A batch at a time, so that no long lock is held. */
const SWEEP = `
  delete from request_ids where (client_id, request_id) in
    (select client_id, request_id from request_ids where used_at <= ? limit 500)`;
const OLDEST = 'select min(used_at) as "at" from request_ids';

export interface RequestUse {
  readonly clientId: ClientId;
  readonly requestId: string;
  readonly fingerprint: string;
}

export const useOf = (call: Call): RequestUse => ({
  clientId: call.caller.clientId,
  requestId: call.requestId.toLowerCase(),
  fingerprint: call.fingerprint,
});

export class RequestIds {
  readonly #db: Reads;
  readonly #clock: Clock;

  constructor(db: Pick<Db, 'batchedReads'>, clock: Clock) {
    this.#db = db.batchedReads;
    this.#clock = clock;
  }

  /** Throws if the id was used for another content. */
  async check(use: RequestUse): Promise<void> {
    const oldest = this.#clock.now() - KEPT_MS;
    const row = await this.#db.one<{ fingerprint: string }>(FIND, [use.clientId, use.requestId, oldest]);
    if (row && row.fingerprint !== use.fingerprint) throw new Problem('request-id-conflict');
  }

  /** When an id that is taken now was used, and up to when it is forgotten. */
  term(): [usedAt: number, forgottenUntil: number] {
    const now = this.#clock.now();
    return [now, now - KEPT_MS];
  }

  /** Claims the id in the transaction of its effect; changes nothing if another content claimed it first. */
  claim({ clientId, requestId, fingerprint }: RequestUse): Write {
    return { sql: CLAIM_FUNDS_REQUEST_IDS, params: [clientId, requestId, fingerprint, ...this.term()] };
  }

  /** Takes the id for a write, or tells what an earlier use of it has led to. */
  async take(
    tx: Queries,
    use: RequestUse,
  ): Promise<'taken' | 'other-content' | { readonly outcome: string }> {
    const now = this.#clock.now();
    const { clientId, requestId, fingerprint } = use;
    if ((await tx.run(CLAIM_REQUEST_ID, [clientId, requestId, fingerprint, now, now - KEPT_MS])) === 1)
      return 'taken';
    const row = await tx.one<{ fingerprint: string; outcome: string | null }>(READ, [
      clientId,
      requestId,
      now - KEPT_MS,
    ]);
    // Without an outcome the id belongs to a call that is no write, and so has another content.
    return row?.fingerprint === fingerprint && row.outcome !== null
      ? { outcome: row.outcome }
      : 'other-content';
  }

  async complete(tx: Queries, use: RequestUse, outcome: string): Promise<void> {
    await tx.run(COMPLETE, [outcome, use.clientId, use.requestId]);
  }

  /** The outcome of a finished write with this id and content. */
  async storedOutcome(db: Queries, use: RequestUse): Promise<string | undefined> {
    const oldest = this.#clock.now() - KEPT_MS;
    const row = await db.one<{ fingerprint: string; outcome: string | null }>(READ, [
      use.clientId,
      use.requestId,
      oldest,
    ]);
    return row?.fingerprint === use.fingerprint ? (row.outcome ?? undefined) : undefined;
  }

  /** Forgets some ids that are over; called by a job until nothing is left. Returns how many. */
  async sweep(db: Queries): Promise<number> {
    return db.run(SWEEP, [this.#clock.now() - KEPT_MS]);
  }

  /** For how long the oldest one has been over. */
  async overdueMs(db: Queries): Promise<number> {
    const row = await db.one<{ at: number | null }>(OLDEST);
    return Math.max(0, this.#clock.now() - KEPT_MS - (row?.at ?? Number.POSITIVE_INFINITY));
  }
}

export const clearRequestIds = async (tx: Queries): Promise<void> => {
  await tx.run('delete from request_ids');
};

export interface ReplayParts {
  readonly db: Db;
  readonly requestIds: RequestIds;
  /** Called before the transaction of an effect; a rejection leaves everything as it was. The sandbox rehearses faults here. */
  readonly beforeEffect?: () => Promise<void>;
}

/** The stored form of an answer. Bodies are kept as they were serialised from. */
type Outcome = Pick<Reply, 'status' | 'body' | 'headers' | 'clientId'>;
const outcomeColumn = jsonColumn<Outcome>(
  'the answer of a request id',
  members({ status: whole, headers: optional(members({})) }),
);

/** Runs `effect` unless this very request had its effect before. */
export const once = async (
  { db, requestIds, beforeEffect }: ReplayParts,
  call: Call,
  effect: (tx: Queries) => Promise<Outcome>,
): Promise<Reply> => {
  await beforeEffect?.();
  for (;;)
    try {
      return await attempt(db, requestIds, call, effect);
    } catch (error) {
      // The store waits for a moment only, a repetition for its first request until the deadline.
      const isWaiting = error instanceof StoreBusy && call.whenLate === 'request-in-progress';
      if (!isWaiting || call.isLate()) throw error;
    }
};

const attempt = (
  db: Db,
  requestIds: RequestIds,
  call: Call,
  effect: (tx: Queries) => Promise<Outcome>,
): Promise<Outcome> => {
  const use = useOf(call);
  return db.transaction(async (tx) => {
    // This waits only for a transaction that has the same id in hand.
    call.whenLate = 'request-in-progress';
    const earlier = await requestIds.take(tx, use);
    call.whenLate = 'processing-timeout';
    if (earlier === 'other-content') throw new Problem('request-id-conflict');
    if (earlier !== 'taken') return outcomeColumn.read(earlier.outcome);
    if (call.isLate()) throw new Problem('processing-timeout');
    const reply = await effect(tx);
    await requestIds.complete(tx, use, outcomeColumn.write(reply));
    return reply;
  });
};

/** For an answer with secrets, which is not kept: the same request again is refused. */
export const onceUnrepeated = async (
  { db, requestIds, beforeEffect }: ReplayParts,
  call: Call,
  effect: (tx: Queries) => Promise<Outcome>,
): Promise<Reply> => {
  await beforeEffect?.();
  return db.transaction(async (tx) => {
    if ((await requestIds.take(tx, useOf(call))) !== 'taken')
      throw new Problem('request-id-conflict', {
        detail: 'This X-Request-ID was used before. The answer had secrets, which are shown only once.',
      });
    const made = await effect(tx);
    // The caller has its 408, and must be able to send the request again.
    if (call.isLate())
      throw new Problem('processing-timeout', { detail: 'Nothing was done: send it again.' });
    return made;
  });
};

/** The answer of an earlier, finished call of the same content; asked before anything is looked up. */
export const replayOf = async ({ db, requestIds }: ReplayParts, call: Call): Promise<Reply | undefined> => {
  const outcome = await requestIds.storedOutcome(db, useOf(call));
  return outcome === undefined ? undefined : outcomeColumn.read(outcome);
};
