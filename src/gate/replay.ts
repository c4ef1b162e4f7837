/**
 * Writes that may be repeated. The request id is taken in the transaction of its effect, together with the answer; the same
 * request again gets the same answer byte for byte, also when both run at once on two nodes: the second waits for the first.
 */
import type { Call, Reply } from '../http/operation.js';
import { Problem } from '../problem.js';
import { type Db, type Queries, StoreBusy } from '../store/db.js';
import { type RequestIds, useOf } from './request-ids.js';

export interface ReplayParts {
  readonly db: Db;
  readonly requestIds: RequestIds;
  /** Called before the transaction of an effect; a rejection leaves everything as it was. The sandbox rehearses faults here. */
  readonly beforeEffect?: () => Promise<void>;
}

/** The stored form of an answer. Bodies are kept as they were serialised from. */
type Outcome = Pick<Reply, 'status' | 'body' | 'headers'>;

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
    if (earlier !== 'taken') return JSON.parse(earlier.outcome) as Outcome;
    if (call.isLate()) throw new Problem('processing-timeout');
    const reply = await effect(tx);
    await requestIds.complete(tx, use, JSON.stringify(reply));
    return reply;
  });
};

/** The answer of an earlier, finished call of the same content; asked before anything is looked up. */
export const replayOf = async ({ db, requestIds }: ReplayParts, call: Call): Promise<Reply | undefined> => {
  const outcome = await requestIds.storedOutcome(db, useOf(call));
  return outcome === undefined ? undefined : (JSON.parse(outcome) as Outcome);
};
