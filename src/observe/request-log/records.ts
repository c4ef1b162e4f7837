/** The request log in the store: the last calls of an application, and its calls by day. */
import type { ClientId } from '../../model/ids.js';
import type { Db, Queries, Write } from '../../store/db.js';
import { callColumn, type LoggedCall } from './call.js';

/** So many calls of an application are kept. */
export const RING = 200;
/** So many days of use are kept, the present one included. */
export const USAGE_DAYS = 30;

const TAKE_POSITIONS = `
  insert into request_positions (client_id, last) values (?, ?)
  on conflict (client_id) do update set last = request_positions.last + excluded.last`;
/** So many places before the last that was taken. */
const PUT = `
  insert into request_log (client_id, slot, position, at, call)
  select client_id, (last - ?) % ${RING}, last - ?, ?, ? from request_positions where client_id = ?
  on conflict (client_id, slot) do update set position = excluded.position, at = excluded.at, call = excluded.call`;
const COUNT = `
  insert into usage_days (client_id, day, calls, refused, limited, failed) values (?, ?, ?, ?, ?, ?)
  on conflict (client_id, day) do update set calls = usage_days.calls + excluded.calls,
    refused = usage_days.refused + excluded.refused, limited = usage_days.limited + excluded.limited,
    failed = usage_days.failed + excluded.failed`;

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

const writesOf = ({ clientId, day, counts, calls }: Batch): Write[] => [
  { sql: TAKE_POSITIONS, params: [clientId, calls.length] },
  ...calls.map(({ at, call }, index) => {
    const before = calls.length - 1 - index;
    return { sql: PUT, params: [before, before, at, callColumn.write(call), clientId] };
  }),
  { sql: COUNT, params: [clientId, day, counts.calls, counts.refused, counts.limited, counts.failed] },
];

/** Few enough that requests hardly wait for them, and enough that a commit is worth its price. */
const WRITES_TOGETHER = 100;

/** In one order on all nodes, so that none waits for another in a circle. */
export const writeBatches = async (db: Db, batches: readonly Batch[]): Promise<void> => {
  let writes: Write[] = [];
  for (const batch of batches.toSorted((a, b) => (a.clientId < b.clientId ? -1 : 1))) {
    writes.push(...writesOf(batch));
    if (writes.length < WRITES_TOGETHER) continue;
    await db.writeBatch(writes);
    writes = [];
  }
  await db.writeBatch(writes);
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
