/** The head of the audit log leaves the store every hour: who keeps the log files can show later that the chain was not written anew. */
import { type AuditLog, readHead } from '../audit/audit-log.js';
import { HOUR } from '../lib/clock.js';
import type { Log } from '../observe/log.js';
import type { Db } from '../store/db.js';
import { keepAuditKeys } from '../store/kept-keys.js';
import type { Job } from './jobs.js';

export interface AuditHeadParts {
  readonly db: Db;
  readonly audit: AuditLog;
  readonly log: Pick<Log, 'info'>;
}

export const tellAuditHead = ({ db, audit, log }: AuditHeadParts): Job => ({
  name: 'audit head',
  everyMs: HOUR,
  endsNothing: true,
  async step() {
    // Also after a change of the secret during which nothing was written.
    await db.transaction((tx) => keepAuditKeys(tx, audit.vault));
    const { position, hash } = await readHead(db);
    log.info({ position, head: hash }, 'audit head');
    return 0;
  },
});
