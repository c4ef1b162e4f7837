/** Acts of an operator that are no values yet: one transaction with its row in the audit log. */
import type { Context } from '../acts/act.js';
import { SYSTEM } from '../acts/role.js';
import type { AuditEntry } from '../audit/audit-log.js';
import type { RealTime } from '../lib/clock.js';
import type { Queries } from '../store/db.js';
import { Records } from './records.js';

export interface ActParts extends Context {
  readonly config: Context['config'] & { readonly fapi2Only: 'on' | 'off' };
}

type ActName = AuditEntry['act'];
/** Its name, and what it was about. */
type Act = ActName | readonly [ActName, Readonly<Record<string, unknown>>];
type Work<T> = (tx: Queries, now: RealTime) => Promise<T>;

export class Acts extends Records {
  readonly #parts: ActParts;

  constructor(parts: ActParts) {
    super(parts);
    this.#parts = parts;
  }

  protected change<T>(act: Act, subject: string, work: Work<T>): Promise<T> {
    return this.make(act, work, () => subject);
  }

  /** Without a subject nothing was done, and there is no row. */
  protected make<T>(act: Act, work: Work<T>, subjectOf: (made: T) => string | undefined): Promise<T> {
    const { db, audit, clock, by = SYSTEM } = this.#parts;
    return db.transaction(async (tx) => {
      const now = clock.now();
      const made = await work(tx, now);
      const subject = subjectOf(made);
      const [name, details] = typeof act === 'string' ? [act, undefined] : act;
      if (subject !== undefined) await audit.append(tx, { ...by, act: name, subject, details }, now);
      return made;
    });
  }
}
