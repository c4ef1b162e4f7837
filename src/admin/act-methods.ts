/** An act of an operator: one transaction with its row in the audit log. */
import type { Context } from '../acts/act.js';
import { SYSTEM } from '../acts/role.js';
import { type AuditEntry, storedText } from '../audit/audit-log.js';
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

  protected get reason(): string | undefined {
    const { by } = this.#parts;
    return by?.reason === undefined ? undefined : storedText(by.reason);
  }

  protected change<T>(act: Act, subject: string, work: Work<T>): Promise<T> {
    return this.make(act, work, () => subject);
  }

  /** Without a subject nothing was done, and there is no row. */
  protected make<T>(act: Act, work: Work<T>, subjectOf: (made: T) => string | undefined): Promise<T> {
    const { db, clock } = this.#parts;
    return db.transaction(async (tx) => {
      const now = clock.now();
      const made = await work(tx, now);
      const subject = subjectOf(made);
      if (subject !== undefined) await this.record(tx, act, subject, now);
      return made;
    });
  }

  /** For an act with a transaction of its own. Call it last in there. */
  protected async record(tx: Queries, act: Act, subject: string, now: RealTime): Promise<void> {
    const [name, details] = typeof act === 'string' ? [act, undefined] : act;
    await this.#parts.audit.append(tx, { ...(this.#parts.by ?? SYSTEM), act: name, subject, details }, now);
  }
}
