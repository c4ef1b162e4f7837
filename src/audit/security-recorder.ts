/**
 * Security events in the audit log: counted off the path of the answer, and written once a minute, one row for each kind. So a flood of
 * forged keys or logins cannot fill the log. While the store is away the counts are kept.
 */
import { type Clock, MINUTE } from '../lib/clock.js';
import type { ClientId } from '../model/ids.js';
import { errorFields, type Log } from '../observe/log.js';
import type { SecurityEventKind, SecurityFacts } from '../observe/security-events.js';
import type { Db } from '../store/db.js';
import type { AuditLog } from './audit-log.js';

export interface SecurityRecorderParts {
  readonly db: Db;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

interface Counts {
  count: number;
  readonly since: number;
  /** The first few of each; `others` counts the rest. */
  readonly reasons: Map<string, number>;
  readonly applications: Map<ClientId, number>;
}

const MOST_NAMES = 10;
const OTHERS = 'others';

const countIn = (counts: Map<string, number>, name: string | undefined): void => {
  if (name === undefined) return;
  const known = counts.has(name) || counts.size < MOST_NAMES ? name : OTHERS;
  counts.set(known, (counts.get(known) ?? 0) + 1);
};

export class SecurityRecorder {
  readonly #parts: SecurityRecorderParts;
  #waiting = new Map<SecurityEventKind, Counts>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: SecurityRecorderParts) {
    this.#parts = parts;
  }

  record(kind: SecurityEventKind, { reason, clientId }: SecurityFacts): void {
    const known = this.#waiting.get(kind);
    const counts = known ?? {
      count: 0,
      since: this.#parts.clock.now(),
      reasons: new Map(),
      applications: new Map(),
    };
    if (!known) this.#waiting.set(kind, counts);
    counts.count += 1;
    countIn(counts.reasons, reason);
    countIn(counts.applications, clientId);
    this.#timer ??= setTimeout(() => void this.flush(), MINUTE).unref();
  }

  /** Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { log } = this.#parts;
    for (const [kind, counts] of [...this.#waiting]) {
      this.#waiting.delete(kind);
      await this.#write(kind, counts).catch((error: unknown) => {
        log.warn(errorFields(error), 'audit log');
        this.#keep(kind, counts);
      });
    }
  }

  #write(kind: SecurityEventKind, { count, since, reasons, applications }: Counts): Promise<void> {
    const { db, clock, audit } = this.#parts;
    const details = {
      count,
      since,
      ...(reasons.size === 0 ? {} : { reasons: Object.fromEntries(reasons) }),
      ...(applications.size === 0 ? {} : { applications: Object.fromEntries(applications) }),
    };
    const entry = { actor: 'system', act: `security.${kind}`, subject: `security:${kind}`, details } as const;
    return db.transaction((tx) => audit.append(tx, entry, clock.now()));
  }

  /** Written with what came meanwhile. */
  #keep(kind: SecurityEventKind, counts: Counts): void {
    const later = this.#waiting.get(kind);
    counts.count += later?.count ?? 0;
    this.#waiting.set(kind, counts);
    this.#timer ??= setTimeout(() => void this.flush(), MINUTE).unref();
  }

  close(): Promise<void> {
    return this.flush();
  }
}
