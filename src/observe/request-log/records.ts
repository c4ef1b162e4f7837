/** The request log in the store: the last calls of an application, and its calls by day. */
import type { ClientId } from '../../model/ids.js';
import type { Db, Queries } from '../../store/db.js';
import { callColumn, type LoggedCall } from './call.js';

/** So many calls of an application are kept. */
export const RING = 200;
/** So many days of use are kept, the present one included. */
export const USAGE_DAYS = 30;

/** One statement of each for all that is written together: both lists are rows in JSON. */
const statementsOf = (BATCHES: string, CALLS: string) => ({
  takePositions: `
    insert into request_positions (client_id, last) select client_id, kept from (${BATCHES}) batch where true
    on conflict (client_id) do update set last = request_positions.last + excluded.last`,
  /** So many places before the last that was taken. */
  put: `
    insert into request_log (client_id, slot, position, at, call)
    select client_id, (last - before) % ${RING}, last - before, at, call
    from (${CALLS}) each_call join request_positions using (client_id) where true
    on conflict (client_id, slot) do update set position = excluded.position, at = excluded.at, call = excluded.call`,
  count: `
    insert into usage_days (client_id, day, calls, refused, limited, failed)
    select client_id, day, calls, refused, limited, failed from (${BATCHES}) batch where true
    on conflict (client_id, day) do update set calls = usage_days.calls + excluded.calls,
      refused = usage_days.refused + excluded.refused, limited = usage_days.limited + excluded.limited,
      failed = usage_days.failed + excluded.failed`,
});
const STATEMENTS = {
  sqlite: statementsOf(
    `select value ->> 'clientId' as client_id, value ->> 'day' as day, value ->> 'kept' as kept, value ->> 'calls' as calls,
      value ->> 'refused' as refused, value ->> 'limited' as limited, value ->> 'failed' as failed from json_each(?)`,
    `select value ->> 'clientId' as client_id, value ->> 'before' as before, value ->> 'at' as at, value ->> 'call' as call
      from json_each(?)`,
  ),
  postgres: statementsOf(
    `select "clientId" as client_id, * from json_to_recordset(cast(cast(? as text) as json)) as each ("clientId" text, day text,
      kept bigint, calls bigint, refused bigint, limited bigint, failed bigint)`,
    `select "clientId" as client_id, * from json_to_recordset(cast(cast(? as text) as json)) as each ("clientId" text, before bigint,
      at bigint, call text)`,
  ),
} as const;

export interface Counts {
  readonly calls: number;
  /** Answered with 4xx, those over the quota excepted. */
  readonly refused: number;
  /** 429. */
  readonly limited: number;
  /** 5xx, and clients that left before the answer. */
  readonly failed: number;
}

/** What one application did since the last write. */
export interface Batch {
  readonly clientId: ClientId;
  readonly day: string;
  readonly counts: Counts;
  /** Oldest first, at most a ring of them. */
  readonly calls: readonly { readonly at: number; readonly call: LoggedCall }[];
}

const write = (db: Db, batches: readonly Batch[]): Promise<void> => {
  const { takePositions, put, count } = STATEMENTS[db.engine];
  const listed = JSON.stringify(
    batches.map(({ clientId, day, counts, calls }) => ({ clientId, day, kept: calls.length, ...counts })),
  );
  const listedCalls = batches.flatMap(({ clientId, calls }) =>
    calls.map(({ at, call }, index) => ({
      clientId,
      before: calls.length - 1 - index,
      at,
      call: callColumn.write(call),
    })),
  );
  return db.transaction(async (tx) => {
    await tx.run(takePositions, [listed]);
    await tx.run(put, [JSON.stringify(listedCalls)]);
    await tx.run(count, [listed]);
  });
};

/** Few enough that requests hardly wait for them, and enough that a commit is worth its price. */
const CALLS_AT_ONCE = 100;

/** In one order on all nodes, so that none waits for another in a circle. */
export const writeBatches = async (db: Db, batches: readonly Batch[]): Promise<void> => {
  let next: Batch[] = [];
  let size = 0;
  for (const batch of batches.toSorted((a, b) => (a.clientId < b.clientId ? -1 : 1))) {
    next.push(batch);
    size += batch.calls.length;
    if (size < CALLS_AT_ONCE) continue;
    await write(db, next);
    next = [];
    size = 0;
  }
  if (next.length > 0) await write(db, next);
};

export const removeUsageBefore = (db: Queries, day: string): Promise<number> =>
  db.run('delete from usage_days where day < ?', [day]);

export interface RequestLine extends LoggedCall {
  readonly clientId: ClientId;
  /** Grows with every call of the application. */
  readonly position: number;
  readonly at: number;
}

const READ = `
  select position, at, call from request_log where client_id = ? and position > ? order by position desc`;

/** Newest first. */
export const readRequests = async (
  db: Queries,
  clientId: ClientId,
  after = 0,
): Promise<readonly RequestLine[]> => {
  const rows = await db.all<{ position: number; at: number; call: string }>(READ, [clientId, after]);
  return rows.map(({ position, at, call }) => ({ clientId, position, at, ...callColumn.read(call) }));
};

/** How far the log of each application has come. */
export const requestPositions = (
  db: Queries,
): Promise<{ readonly clientId: ClientId; readonly last: number }[]> =>
  db.all('select client_id as "clientId", last from request_positions order by client_id limit 10000');

export interface UsageDay extends Counts {
  readonly day: string;
}

/** Oldest first; days without a call are not among them. */
export const readUsage = (db: Queries, clientId: ClientId): Promise<UsageDay[]> =>
  db.all('select day, calls, refused, limited, failed from usage_days where client_id = ? order by day', [
    clientId,
  ]);

const OF_TPP = 'client_id in (select client_id from applications where tpp_id = ?)';

/** Call before the applications of the third party are removed. */
export const removeRequestsOf = async (tx: Queries, tppId: string): Promise<void> => {
  await tx.run(`delete from request_log where ${OF_TPP}`, [tppId]);
  await tx.run(`delete from request_positions where ${OF_TPP}`, [tppId]);
  await tx.run(`delete from usage_days where ${OF_TPP}`, [tppId]);
};
