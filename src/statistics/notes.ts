/** What nodes note, in the store. */
import type { Db, Queries } from '../store/db.js';
import type { Noted } from './availability.js';
import type { Count } from './counts.js';
import type { Slot } from './failures.js';
import type { Span } from './spans.js';

export interface NodeSpan {
  readonly kind: 'beat' | 'answer';
  readonly firstAt: number;
  lastAt: number;
}

export interface NodeNotes {
  readonly node: string;
  /** Grows with every write: what is written again after an unknown outcome counts once. */
  readonly number: number;
  readonly at: number;
  readonly counts: readonly Count[];
  readonly slots: readonly Slot[];
  readonly spans: readonly NodeSpan[];
}

const NUMBER = `
  insert into statistics_writes (node, number, written_at) values (?, ?, ?)
  on conflict (node) do update set number = excluded.number, written_at = excluded.written_at
  where statistics_writes.number < excluded.number`;
const COUNT = `
  insert into statistics_calls (day, area, bucket, calls, micros, faults) values (?, ?, ?, ?, ?, ?)
  on conflict (day, area, bucket) do update set calls = statistics_calls.calls + excluded.calls,
    micros = statistics_calls.micros + excluded.micros, faults = statistics_calls.faults + excluded.faults`;
const SPAN = `
  insert into statistics_spans (kind, node, first_at, last_at) values (?, ?, ?, ?)
  on conflict (kind, node, first_at) do update set last_at = excluded.last_at`;
const FAILURE = `
  insert into statistics_failures (node, slot, place, received_at) values (?, ?, ?, ?)
  on conflict (node, slot, place) do update set received_at = excluded.received_at`;

/** Call within a transaction. */
export const putNotes = async (
  tx: Queries,
  { node, number, at, counts, slots, spans }: NodeNotes,
): Promise<void> => {
  if ((await tx.run(NUMBER, [node, number, at])) === 0) return;
  for (const { day, area, bucket, calls, micros, faults } of counts)
    await tx.run(COUNT, [day, area, bucket, calls, micros, faults]);
  for (const { kind, firstAt, lastAt } of spans) await tx.run(SPAN, [kind, node, firstAt, lastAt]);
  for (const { slot, received } of slots)
    for (const [place, receivedAt] of received.entries())
      await tx.run(FAILURE, [node, slot, place, receivedAt]);
};

export const writeNotes = (db: Db, notes: NodeNotes): Promise<void> =>
  db.transaction((tx) => putNotes(tx, notes));

const SPANS =
  'select kind, first_at as "from", last_at as "to" from statistics_spans where last_at >= ? and first_at <= ?';
const FAILURES =
  'select received_at as "at" from statistics_failures where received_at >= ? and received_at <= ?';

export const readNoted = async (db: Queries, { from, to }: Span): Promise<Noted> => {
  const spans = await db.all<Span & { kind: NodeSpan['kind'] }>(SPANS, [from, to]);
  const failures = await db.all<{ at: number }>(FAILURES, [from, to]);
  const of = (wanted: NodeSpan['kind']) => spans.filter(({ kind }) => kind === wanted);
  return { beats: of('beat'), answers: of('answer'), failures: failures.map(({ at }) => at) };
};

const NEIGHBOURS = `
  select (select max(last_at) from statistics_spans where last_at < ?) as before,
    (select min(first_at) from statistics_spans where first_at > ?) as after,
    (select min(first_at) from statistics_spans) as first`;

/** The moments around some time at which something is noted, and the first at all. */
export const readNeighbours = async (db: Queries, { from, to }: Span) =>
  (await db.one<{ before: number | null; after: number | null; first: number | null }>(NEIGHBOURS, [
    from,
    to,
  ])) ?? {
    before: null,
    after: null,
    first: null,
  };

const COUNTS = `
  select day, area, bucket, calls, micros, faults from statistics_calls where day >= ? and day <= ? order by day, area, bucket`;

export const readCounts = (db: Queries, first: string, last: string): Promise<Count[]> =>
  db.all<Count>(COUNTS, [first, last]);

const FORGET = [
  'delete from statistics_spans where last_at < ?',
  'delete from statistics_failures where received_at < ?',
  'delete from statistics_writes where written_at < ?',
] as const;

/** Days stay as they were published; what they were made of goes. */
export const removeNotesBefore = async (db: Queries, at: number): Promise<number> => {
  let removed = 0;
  for (const sql of FORGET) removed += await db.run(sql, [at]);
  return removed;
};
