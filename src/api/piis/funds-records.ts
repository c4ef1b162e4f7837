/**
 * The durable record of every funds answer: who asked, when, for how much, and what was answered. PSD2 Art. 65(5) lets the
 * account holder ask for it, so it is committed before the answer leaves.
 */
import { type RequestIds, type RequestUse, useOf } from '../../gate/request-ids.js';
import type { Call } from '../../http/operation.js';
import { newOrderedId } from '../../lib/id.js';
import { Problem } from '../../problem.js';
import type { Db, Write } from '../../store/db.js';
import { GroupCommit, inTransaction } from '../../store/group-commit.js';

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

interface Entry {
  readonly answer: FundsAnswer;
  readonly use: RequestUse;
  readonly psuId: string;
  readonly sessionConsentId: string | null;
}

/** Written only if the request id was taken by the statement before, of the embedded engine. */
const INSERT = `
  insert into funds_confirmations
    (id, consent_id, client_id, psu_id, account_id, payee, amount, currency, available, request_id, session_consent_id, asked_at)
  select ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? where changes() = 1`;

/** Both for a whole batch in one statement, which is its own transaction: PostgreSQL is asked once. */
const INSERT_ALL = `
  with entry as (
    select * from json_to_recordset(cast(cast(? as text) as json)) as each (id text, consent text, client text, psu text, account text,
      payee text, amount text, currency text, available bigint, request text, session text, asked bigint, fingerprint text)),
  claimed as (
    insert into request_ids (client_id, request_id, fingerprint, used_at)
    select client, request, fingerprint, cast(? as bigint) from entry
    on conflict (client_id, request_id) do update set fingerprint = excluded.fingerprint, used_at = excluded.used_at
    where request_ids.fingerprint = excluded.fingerprint or request_ids.used_at <= cast(? as bigint)
    returning client_id, request_id)
  insert into funds_confirmations
    (id, consent_id, client_id, psu_id, account_id, payee, amount, currency, available, request_id, session_consent_id, asked_at)
  select id, consent, client, psu, account, payee, amount, currency, available, request, session, asked
  from entry join claimed on claimed.client_id = entry.client and claimed.request_id = entry.request
  returning id`;

const keyOf = ({ use }: Entry): string => `${use.clientId} ${use.requestId}`;

const writeAll = async (db: Db, requestIds: RequestIds, entries: readonly Entry[]): Promise<boolean[]> => {
  const rows = entries.map(({ answer, use, psuId, sessionConsentId }) => ({
    id: newOrderedId(answer.askedAt),
    consent: answer.consentId,
    client: use.clientId,
    psu: psuId,
    account: answer.accountId,
    payee: answer.payee,
    amount: answer.amount,
    currency: answer.currency,
    available: answer.available ? 1 : 0,
    request: use.requestId,
    session: sessionConsentId,
    asked: answer.askedAt,
    fingerprint: use.fingerprint,
  }));
  const written = await db.all<{ id: string }>(INSERT_ALL, [JSON.stringify(rows), ...requestIds.term()]);
  const ids = new Set(written.map(({ id }) => id));
  return rows.map(({ id }) => ids.has(id));
};

export class FundsRecords {
  readonly #requestIds: RequestIds;
  readonly #commits: GroupCommit<Entry, boolean>;

  constructor(db: Db, requestIds: RequestIds) {
    this.#requestIds = requestIds;
    const { watch } = db;
    const writesOf = (entry: Entry): Write[] => [requestIds.claim(entry.use), insert(entry)];
    this.#commits =
      db.engine === 'postgres'
        ? new GroupCommit((entries) => writeAll(db, requestIds, entries), { keyOf, watch })
        : new GroupCommit(
            inTransaction(db, writesOf, ([, written]) => written === 1),
            { watch },
          );
  }

  /** Throws where the request id was used for another content. */
  checkId(call: Call): Promise<void> {
    return this.#requestIds.check(useOf(call));
  }

  /** Returns when the record is safe; throws where another content has taken the request id in the meantime. */
  async add(call: Call, answer: FundsAnswer): Promise<void> {
    const sessionConsentId = call.headers['consent-id'] || null;
    const { psuId } = call.caller;
    const isWritten = await this.#commits.add({ answer, use: useOf(call), psuId, sessionConsentId });
    if (!isWritten) throw new Problem('request-id-conflict');
  }
}

const insert = ({ answer, use, psuId, sessionConsentId }: Entry): Write => ({
  sql: INSERT,
  params: [
    newOrderedId(answer.askedAt),
    answer.consentId,
    use.clientId,
    psuId,
    answer.accountId,
    answer.payee,
    answer.amount,
    answer.currency,
    answer.available ? 1 : 0,
    use.requestId,
    sessionConsentId,
    answer.askedAt,
  ],
});
