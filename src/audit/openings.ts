/** Who of the bank has looked at a person lately: the audit log itself says so. */
import type { RealTime } from '../lib/clock.js';
import type { Queries } from '../store/db.js';
import type { AuditEntry } from './audit-log.js';

const LATEST = `
  select reason from audit_log where subject = ? and actor = ? and act = ? and at >= ? order by position desc limit 1`;

export type Opening = Pick<AuditEntry, 'actor' | 'act' | 'subject'>;

/** The row of this act since then. */
export const latestOpening = (
  db: Queries,
  { actor, act, subject }: Opening,
  since: RealTime,
): Promise<{ readonly reason: string | null } | undefined> =>
  db.one<{ reason: string | null }>(LATEST, [subject, actor, act, since]);
