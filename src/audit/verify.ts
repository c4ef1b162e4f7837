/** Checks the hash chain of the audit log and names the first row that is broken. */
import type { Queries } from '../store/db.js';
import { readSetting } from '../store/settings.js';
import { AUDIT_HEAD, type AuditRow, FIRST_HASH, type Head, hashAfter, headOf } from './audit-log.js';
import { eachAuditRow } from './read.js';

export interface Verdict {
  readonly rows: number;
  /** Of the last good row. Kept in another place, it shows later whether rows were cut off or the whole chain was written anew. */
  readonly head: string;
  /** The first broken row. */
  readonly broken?: { readonly position: number; readonly fault: string };
}

const faultOf = (before: Head, row: AuditRow): string | undefined => {
  if (row.position !== before.position + 1) return 'the row is missing';
  return row.hash === hashAfter(before.hash, row)
    ? undefined
    : 'the row was changed, or another one was put in its place';
};

const CUT = 'the row is missing: the log was cut off before it';
const PINNED =
  'the given head is the hash of no row: rows were cut off after this one, or the chain was written anew';

/** With a head that was kept in another place it also finds a tail that was cut off together with the head in the store. */
export const verifyAudit = async (db: Queries, pinned?: string): Promise<Verdict> => {
  // Read first: rows may be added meanwhile.
  const kept = headOf(await readSetting(db, AUDIT_HEAD));
  let last: Head = { position: 0, hash: FIRST_HASH };
  let isPinned = pinned === undefined || pinned === FIRST_HASH;
  let isKept = kept.position === 0;
  const verdict = (position: number, fault: string): Verdict => ({
    rows: last.position,
    head: last.hash,
    broken: { position, fault },
  });
  for await (const row of eachAuditRow(db)) {
    const fault = faultOf(last, row);
    if (fault !== undefined) return verdict(last.position + 1, fault);
    last = row;
    isPinned ||= row.hash === pinned;
    isKept ||= row.position === kept.position && row.hash === kept.hash;
  }
  if (!isKept) return verdict(Math.min(last.position + 1, kept.position), CUT);
  if (!isPinned) return verdict(last.position + 1, PINNED);
  return { rows: last.position, head: last.hash };
};
