/**
 * Records every funds answer. PSD2 Art. 65(5) lets the account holder ask for it, so the record is committed before the answer
 * leaves.
 */
import {
  type FundsRecord,
  INSERT_CLAIMED,
  insertIfClaimed,
  WITH_ENTRIES,
} from '../../consent/funds/records.js';
import { CLAIM_ENTRIES, type RequestIds, type RequestUse, useOf } from '../../gate/request-ids.js';
import type { Call } from '../../http/operation.js';
import { newOrderedId } from '../../lib/id.js';
import { Problem } from '../../problem/problem.js';
import type { Db, Write } from '../../store/db.js';
import { GroupCommit, inTransaction } from '../../store/group-commit.js';

export type FundsAnswer = Omit<FundsRecord, 'id' | 'clientId' | 'psuId' | 'requestId' | 'sessionConsentId'>;

interface Entry {
  readonly record: FundsRecord;
  readonly use: RequestUse;
}

const INSERT_ALL = `${WITH_ENTRIES}, claimed as (${CLAIM_ENTRIES}) ${INSERT_CLAIMED}`;

const keyOf = ({ use }: Entry): string => `${use.clientId} ${use.requestId}`;

const insertAll = async (db: Db, requestIds: RequestIds, entries: readonly Entry[]): Promise<boolean[]> => {
  // The spread last: what stands behind one is dear on Node 20 (docs/performance.md, Memory).
  const rows = entries.map(({ record, use }) => ({ fingerprint: use.fingerprint, ...record }));
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
    const writesOf = ({ record, use }: Entry): Write[] => [requestIds.claim(use), insertIfClaimed(record)];
    this.#commits =
      db.engine === 'postgres'
        ? new GroupCommit((entries) => insertAll(db, requestIds, entries), { keyOf, watch })
        : new GroupCommit(
            inTransaction(db, writesOf, ([, written]) => written === 1),
            { watch },
          );
  }

  /** Throws if the request id was used for another content. */
  checkId(call: Call): Promise<void> {
    return this.#requestIds.check(useOf(call));
  }

  /** Returns when the record is safe; throws if another content has taken the request id in the meantime. */
  async add(call: Call, answer: FundsAnswer): Promise<void> {
    const use = useOf(call);
    const record: FundsRecord = {
      id: newOrderedId(answer.askedAt),
      ...answer,
      clientId: use.clientId,
      psuId: call.caller.psuId,
      requestId: use.requestId,
      sessionConsentId: call.headers['consent-id'] || null,
    };
    if (!(await this.#commits.add({ record, use }))) throw new Problem('request-id-conflict');
  }
}
