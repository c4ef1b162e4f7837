/**
 * The durable record of every funds answer: who asked, when, for how much, and what was answered. PSD2 Art. 65(5) lets the
 * account holder ask for it, so it is committed before the answer leaves.
 */
import { type RequestIds, type RequestUse, useOf } from '../../gate/request-ids.js';
import type { Call } from '../../http/operation.js';
import { newOrderedId } from '../../lib/id.js';
import { Problem } from '../../problem.js';
import { type Db, type Queries, StoreUnavailable } from '../../store/db.js';
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

/** The same for a whole batch in one statement, which is its own transaction: PostgreSQL is asked once. */
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
  const rows = entries.map(({ use, consentId, psuId, accountId, sessionConsentId, askedAt, ...entry }) => ({
    ...entry,
    id: newOrderedId(askedAt),
    consent: consentId,
    client: use.clientId,
    psu: psuId,
    account: accountId,
    available: entry.available ? 1 : 0,
    request: use.requestId,
    session: sessionConsentId,
    asked: askedAt,
    fingerprint: use.fingerprint,
  }));
  const written = await db
    .all<{ id: string }>(INSERT_ALL, [JSON.stringify(rows), ...requestIds.term()])
    .catch((error: unknown) => {
      // Sent and not answered: it may have been committed.
      throw error instanceof StoreUnavailable ? new StoreUnavailable(error.cause, true) : error;
    });
  const ids = new Set(written.map(({ id }) => id));
  return rows.map(({ id }) => ids.has(id));
};

export class FundsRecords {
  readonly #commits: GroupCommit<Entry, boolean>;

  constructor(db: Db, requestIds: RequestIds) {
    const write = async (tx: Queries, entry: Entry): Promise<boolean> => {
      const [, written] = await Promise.all([requestIds.claim(tx, entry.use), insert(tx, entry)]);
      return written === 1;
    };
    // The embedded engine is asked without a way in between.
    const all =
      db.engine === 'postgres' ? (entries: readonly Entry[]) => writeAll(db, requestIds, entries) : undefined;
    this.#commits = new GroupCommit(db, write, all, keyOf);
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
