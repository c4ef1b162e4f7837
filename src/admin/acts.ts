/** An act of an operator: one transaction with its row in the audit log. */
import { type Actor, type AuditEntry, type AuditLog, storedText } from '../audit/audit-log.js';
import type { Clock, RealTime } from '../lib/clock.js';
import type { Queries } from '../store/db.js';
import { extensionOf } from '../store/migrate.js';
import { inputColumn, insertProposal, type ProposalAct, type ProposalInput, Proposed } from './proposals.js';
import { type RecordParts, Records } from './records.js';

export interface ActParts extends RecordParts {
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly config: { readonly fapi2Only: 'on' | 'off'; readonly twoPeople?: 'on' | 'off' | undefined };
  /** In whose name; the service itself if it is absent. */
  readonly by?: Actor | undefined;
  /** Another person has proposed it. */
  readonly isConfirmed?: boolean;
}

export const SYSTEM: Actor = { actor: 'system' };

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

  /** For an act that cannot be taken back: throws `Proposed` unless another person has proposed it. Programs decide for themselves. */
  protected async demandSecond(act: ProposalAct, subject: string, input: ProposalInput): Promise<void> {
    const { db, by, isConfirmed, config } = this.#parts;
    if (isConfirmed || by === undefined) return;
    const needed = config.twoPeople ?? ((await extensionOf(db)) === undefined ? 'on' : 'off');
    if (needed === 'off') return;
    await this.change(['proposal.make', { act, ...input }], subject, (tx, now) =>
      insertProposal(tx, {
        ...{ act, subject, input: inputColumn.write(input), reason: this.reason ?? null },
        ...{ proposedBy: by.actor, proposedAt: now },
      }),
    );
    throw new Proposed(act);
  }

  /** For an act with a transaction of its own. Call it last in there. */
  protected async record(tx: Queries, act: Act, subject: string, now: RealTime): Promise<void> {
    const [name, details] = typeof act === 'string' ? [act, undefined] : act;
    await this.#parts.audit.append(tx, { ...(this.#parts.by ?? SYSTEM), act: name, subject, details }, now);
  }
}
