/**
 * The pulse of each node in the store, and the two facts that all nodes share about it: when an operator last accepted the store as it is,
 * and that something was forgotten.
 */
import type { RealTime } from '../../lib/clock.js';
import type { Db, Queries, Reads } from '../db.js';
import { jsonColumn, members, text } from '../json-column.js';
import { migrationState } from '../migrate.js';
import { storePulses } from '../migrations/070-store-pulses.js';
import { lockSetting, putSetting, readSetting, removeSetting } from '../settings.js';

const ACCEPTED = 'store-accepted';
const LOSS = 'store-loss';

/** What showed that the store has forgotten something. */
export const evidences = ['pulse', 'marker', 'file', 'restored', 'core'] as const;
export type Evidence = (typeof evidences)[number];

export interface Loss {
  readonly evidence: Evidence;
  /** When it was noticed, as ISO 8601. */
  readonly noticedAt: string;
  /** What was seen, for operators: no secret, no person. */
  readonly detail: string;
}

const lossColumn = jsonColumn<Loss>(
  'the loss of the store',
  members({ evidence: text, noticedAt: text, detail: text }),
);

export interface Pulse {
  /** How far this node has counted; null if the store does not know it. */
  readonly number: number | null;
  /** Of the last acceptance; 0 if there was none. Counting begins anew with each. */
  readonly accepted: number;
  readonly loss: Loss | null;
}

/** As far as a node has seen the store get. */
export interface Seen {
  readonly node: string;
  readonly number: number;
  readonly accepted: number;
}

const SHARED = `
    cast(coalesce((select value from settings where name = 'store-accepted'), '0') as bigint) as accepted,
    (select value from settings where name = 'store-loss') as loss`;
/** On a row of the node's own: a node that stops in the middle of it keeps no lock that another one needs. */
const BEAT = `
  insert into store_pulses (node, number, beaten_at) values (?, 1, ?)
  on conflict (node) do update set number = store_pulses.number + 1, beaten_at = excluded.beaten_at
  returning number, ${SHARED}`;
const READ = `
  select (select number from store_pulses where node = ?) as number, ${SHARED}`;
/** Each start of a node leaves a row. The newest are enough for every node that runs, and for every marker that is still of use. */
const FORGET_OLD = `
  delete from store_pulses
  where node in (select node from store_pulses order by beaten_at desc, node limit 1000000 offset 1000)`;
/** Unless an operator has accepted the store since: a node that stood still would accuse it of what is settled. */
const RECORD = `
  insert into settings (name, value) select cast(? as text), cast(? as text)
  where not exists (select 1 from settings where name = ? and cast(value as bigint) > ?)
  on conflict (name) do nothing`;

type PulseRow = Omit<Pulse, 'loss'> & { readonly loss: string | null };

const pulseOf = (row: PulseRow | undefined): Pulse => {
  if (!row) throw new Error('both statements always have a row');
  return { ...row, loss: row.loss === null ? null : lossColumn.read(row.loss) };
};

/** Counts on; committed when it returns. */
export const beat = async (db: Queries, node: string, now: RealTime): Promise<Pulse> =>
  pulseOf(await db.one<PulseRow>(BEAT, [node, now]));

export const readPulse = async (db: Reads, node: string): Promise<Pulse> =>
  pulseOf(await db.one<PulseRow>(READ, [node]));

export const forgetOldPulses = async (db: Queries): Promise<void> => {
  await db.run(FORGET_OLD);
};

/** Of an empty store, or one of an older version. */
export const NO_PULSE: Pulse = { number: null, accepted: 0, loss: null };

/** For a store that may not have been migrated. */
export const readPulseIfAny = async (db: Db, node: string): Promise<Pulse> => {
  const { pending } = await migrationState(db);
  return pending.some(({ id }) => id === storePulses.id) ? NO_PULSE : readPulse(db, node);
};

/** Whether the store is behind what was seen. An acceptance since then makes it good. */
export const isBehind = ({ number, accepted }: Pulse, seen: Seen): boolean =>
  accepted < seen.accepted || (accepted === seen.accepted && (number ?? 0) < seen.number);

/** The first loss that is recorded stands until an operator accepts the store. `accepted`: the last acceptance that a witness of it knows. */
export const recordLoss = async (
  db: Queries,
  loss: Loss,
  accepted = Number.MAX_SAFE_INTEGER,
): Promise<void> => {
  await db.run(RECORD, [LOSS, lossColumn.write(loss), ACCEPTED, accepted]);
};

/** Call within a transaction. Returns what had been recorded. */
export const acceptStore = async (tx: Queries, now: RealTime): Promise<Loss | undefined> => {
  // Of two operators at once the second one must not set it back.
  const before = Number(await lockSetting(tx, ACCEPTED, '0'));
  const loss = await readSetting(tx, LOSS);
  await putSetting(tx, ACCEPTED, String(Math.max(now, before + 1)));
  await removeSetting(tx, LOSS);
  return loss === undefined ? undefined : lossColumn.read(loss);
};
