/**
 * What the store has sealed under TRAPEZA_SECRET: a room that seals rows describes them here once, so that they can be counted by
 * version and sealed anew. While nodes run: a row that has changed meanwhile is left for the next round.
 */
import type { Vault } from '../lib/vault.js';
import type { Db, Queries } from './db.js';

export interface SealedRow {
  readonly id: string;
  readonly sealed: string;
  /** With which it was sealed. */
  readonly place: string;
}

export interface Batch {
  /** The id of the last row before; empty for the first batch. */
  readonly after: string;
  readonly now: number;
}

export interface SealedKind {
  /** For people. */
  readonly name: string;
  /** The next rows that are of use, by id; none after the last. */
  read(db: Queries, batch: Batch): Promise<readonly SealedRow[]>;
  /** Compare-and-set. Absent if the rows end by themselves. */
  readonly write?: (tx: Queries, row: SealedRow, sealed: string) => Promise<boolean>;
  /** How long they live, if they end by themselves. */
  readonly lastsMs?: number;
}

/** Rows in one transaction. */
export const SEALED_BATCH = 200;

export interface SealedCount {
  readonly kind: string;
  /** The fingerprint of the secret they are sealed under. */
  readonly version: string;
  readonly count: number;
  /** How many of them the listed secrets do not open. */
  readonly unopened: number;
  readonly lastsMs?: number;
}

async function* batchesOf(db: Queries, kind: SealedKind, now: number): AsyncGenerator<readonly SealedRow[]> {
  let after = '';
  for (;;) {
    const rows = await kind.read(db, { after, now });
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.id;
  }
}

/** By kind and version. */
export const countSealed = async (
  db: Queries,
  vault: Vault,
  kinds: readonly SealedKind[],
  now: number,
): Promise<readonly SealedCount[]> => {
  const counts = new Map<string, SealedCount>();
  for (const kind of kinds)
    for await (const rows of batchesOf(db, kind, now))
      for (const { sealed, place } of rows) {
        const version = vault.sealedUnder(sealed);
        const key = `${kind.name} ${version}`;
        const before = counts.get(key) ?? { kind: kind.name, version, count: 0, unopened: 0 };
        counts.set(key, {
          ...before,
          count: before.count + 1,
          unopened: before.unopened + (vault.canOpen(sealed, place) ? 0 : 1),
          ...(kind.lastsMs === undefined ? {} : { lastsMs: kind.lastsMs }),
        });
      }
  return [...counts.values()];
};

/** Seals what is under another version under the first one. Returns how many rows by kind; what cannot be opened stays as it is. */
export const resealRows = async (
  db: Db,
  vault: Vault,
  kinds: readonly SealedKind[],
  now: number,
): Promise<Readonly<Record<string, number>>> => {
  const [current] = vault.fingerprints;
  const done: Record<string, number> = {};
  for (const kind of kinds) {
    const { write } = kind;
    if (!write) continue;
    for await (const rows of batchesOf(db, kind, now)) {
      const older = rows.filter(
        ({ sealed, place }) => vault.sealedUnder(sealed) !== current && vault.canOpen(sealed, place),
      );
      if (older.length === 0) continue;
      const changed = await db.transaction(async (tx) => {
        let count = 0;
        for (const row of older) {
          const sealed = vault.seal(vault.open(row.sealed, row.place), row.place);
          if (await write(tx, row, sealed)) count += 1;
        }
        return count;
      });
      done[kind.name] = (done[kind.name] ?? 0) + changed;
    }
  }
  return done;
};
