/** The audit row of a backup, a restore or a move, in the store that it concerns. */
import type { AuditEntry, AuditLog } from '../../audit/audit-log.js';
import type { Queries } from '../../store/db.js';
import { auditLog } from '../../store/migrations/053-audit-log.js';
import { actorOf, now, type ReasonFlag } from '../store.js';

type KeepingAct = 'store.backup' | 'store.restore' | 'store.move';

/** Within a transaction, last. */
export const recordKeeping = (
  tx: Queries,
  audit: AuditLog,
  act: KeepingAct,
  flags: ReasonFlag,
  details: NonNullable<AuditEntry['details']>,
): Promise<void> => audit.append(tx, { ...actorOf(flags), act, subject: 'store', details }, now());

/** A store of an older version has no audit log before it is migrated. */
export const hasAuditLog = (newestMigration: number): boolean => newestMigration >= auditLog.id;
