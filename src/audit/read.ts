/** Reads the audit log: page by page for people, row by row for an auditor. */
import type { Queries } from '../store/db.js';
import type { AuditRow } from './audit-log.js';

const COLUMNS = 'position, at, actor, act, subject, reason, details, hash';
const AFTER = `select ${COLUMNS} from audit_log where position > ? order by position limit 1000`;
const LATEST = `select ${COLUMNS} from audit_log
  where position < ? and (cast(? as text) = '' or actor = ?) and (cast(? as text) = '' or act like ?)
    and (cast(? as text) = '' or subject = ?)
  order by position desc limit ?`;

/** From the first row to the last, in bounded memory. */
export async function* eachAuditRow(db: Queries): AsyncGenerator<AuditRow, void, undefined> {
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await db.all<AuditRow>(AFTER, [last]);
    yield* rows;
    const end = rows.at(-1);
    if (!end) return;
    last = end.position;
  }
}

/** What is absent is not asked for. An act may be the thing alone: `tpp`. */
export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly act?: string | undefined;
  readonly subject?: string | undefined;
  /** Older than this row. */
  readonly before?: number | undefined;
}

const actPattern = (act: string): string =>
  `${act.replaceAll(/[^a-z.-]/g, '')}${act.includes('.') ? '' : '.%'}`;

/** Newest first. */
export const latestAudit = (
  db: Queries,
  { actor = '', act = '', subject = '', before = Number.MAX_SAFE_INTEGER }: AuditFilter,
  limit: number,
): Promise<AuditRow[]> =>
  db.all<AuditRow>(LATEST, [before, actor, actor, act, actPattern(act), subject, subject, limit]);
