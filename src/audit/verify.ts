/** Checks the hash chain of the audit log and names the first row that is broken. */
import type { NamedKey, Vault } from '../lib/vault.js';
import type { Queries } from '../store/db.js';
import { knownAuditKeys } from '../store/kept-keys.js';
import {
  type AuditRow,
  FIRST_HASH,
  type Head,
  hashAfter,
  keyNameOf,
  readHead,
  SEAL,
  unkeyedHashAfter,
} from './audit-log.js';
import { eachAuditRow } from './read.js';

export interface Verdict {
  readonly rows: number;
  /** Of the last good row. Kept in another place, it shows later whether rows were cut off. */
  readonly head: string;
  /** The first broken row. */
  readonly broken?: { readonly position: number; readonly fault: string };
  /** The first row that was written without a key and that no seal covers. The chain is whole, but anybody could have written it. */
  readonly unsealed?: number;
}

const CHANGED = 'the row was changed, or another one was put in its place';
const CUT = 'the row is missing: the log was cut off before it';
const PINNED =
  'the given head is the hash of no row: rows were cut off after this one, or the chain was written anew';
const UNSEALED =
  'the row has no key: a version before this one wrote it, or somebody who does not have TRAPEZA_SECRET';

const faultOf = (before: Head, row: AuditRow, keys: ReadonlyMap<string, NamedKey>): string | undefined => {
  if (row.position !== before.position + 1) return 'the row is missing';
  const name = keyNameOf(row.hash);
  if (name === undefined) return row.hash === unkeyedHashAfter(before.hash, row) ? undefined : CHANGED;
  const key = keys.get(name);
  if (!key)
    return `the row is keyed under a TRAPEZA_SECRET (fingerprint ${name}) that is not configured, or was changed`;
  return row.hash === hashAfter(before.hash, row, key) ? undefined : CHANGED;
};

/** With a head that was kept in another place it also finds a tail that was cut off together with the head in the store. */
export const verifyAudit = async (db: Queries, vault: Vault, pinned?: string): Promise<Verdict> => {
  // Read first: rows may be added meanwhile.
  const kept = await readHead(db);
  const keys = await knownAuditKeys(db, vault);
  let last: Head = { position: 0, hash: FIRST_HASH };
  let isPinned = pinned === undefined || pinned === FIRST_HASH;
  let isKept = kept.position === 0;
  let unsealed: number | undefined;
  const verdict = (position: number, fault: string): Verdict => ({
    rows: last.position,
    head: last.hash,
    broken: { position, fault },
  });
  for await (const row of eachAuditRow(db)) {
    const fault = faultOf(last, row, keys);
    if (fault !== undefined) return verdict(last.position + 1, fault);
    if (keyNameOf(row.hash) === undefined) unsealed ??= row.position;
    else if (row.act === SEAL) unsealed = undefined;
    last = row;
    isPinned ||= row.hash === pinned;
    isKept ||= row.position === kept.position && row.hash === kept.hash;
  }
  if (!isKept) return verdict(Math.min(last.position + 1, kept.position), CUT);
  if (!isPinned) return verdict(last.position + 1, PINNED);
  if (unsealed !== undefined) return { ...verdict(unsealed, UNSEALED), unsealed };
  return { rows: last.position, head: last.hash };
};
