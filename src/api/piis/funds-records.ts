/**
 * The durable record of every funds answer: who asked, when, for how much, and what was answered. PSD2 Art. 65(5) lets the
 * account holder ask for it, so it is committed before the answer leaves.
 */
import { type RequestIds, type RequestUse, useOf } from '../../gate/request-ids.js';
import type { Call } from '../../http/operation.js';
import { newOrderedId } from '../../lib/id.js';
import { Problem } from '../../problem.js';
import type { Db, Queries } from '../../store/db.js';
import { GroupCommit } from '../../store/group-commit.js';

export interface FundsAnswer {
  readonly consentId: string;
  readonly accountId: string;
  readonly payee: string | null;
  /** In its shortest decimal form. */
  readonly amount: string;
  readonly currency: string;
  readonly available: boolean;
  readonly askedAt: number;
}

interface Entry extends FundsAnswer {
  readonly use: RequestUse;
  readonly psuId: string;
  readonly sessionConsentId: string | null;
}

/** Written only if the request id was taken by this very content: both statements travel together and decide together. */
const INSERT = `
  insert into funds_confirmations
    (id, consent_id, client_id, psu_id, account_id, payee, amount, currency, available, request_id, session_consent_id, asked_at)
  select cast(? as text), cast(? as text), cast(? as text), cast(? as text), cast(? as text), cast(? as text), cast(? as text),
    cast(? as text), cast(? as bigint), cast(? as text), cast(? as text), cast(? as bigint)
  where exists (select 1 from request_ids where client_id = ? and request_id = ? and fingerprint = ?)`;

export class FundsRecords {
  readonly #commits: GroupCommit<Entry, boolean>;

  constructor(db: Db, requestIds: RequestIds) {
    this.#commits = new GroupCommit(db, async (tx, entry) => {
      const [, written] = await Promise.all([requestIds.claim(tx, entry.use), insert(tx, entry)]);
      return written === 1;
    });
  }

  /** Returns when the record is safe; throws where another content has taken the request id in the meantime. */
  async add(call: Call, answer: FundsAnswer): Promise<void> {
    const sessionConsentId = call.headers['consent-id'] || null;
    const isWritten = await this.#commits.add({
      ...answer,
      use: useOf(call),
      psuId: call.caller.psuId,
      sessionConsentId,
    });
    if (!isWritten) throw new Problem('request-id-conflict');
  }
}

const insert = (tx: Queries, entry: Entry): Promise<number> => {
  const { clientId, requestId, fingerprint } = entry.use;
  return tx.run(INSERT, [
    newOrderedId(entry.askedAt),
    entry.consentId,
    clientId,
    entry.psuId,
    entry.accountId,
    entry.payee,
    entry.amount,
    entry.currency,
    entry.available ? 1 : 0,
    requestId,
    entry.sessionConsentId,
    entry.askedAt,
    clientId,
    requestId,
    fingerprint,
  ]);
};
