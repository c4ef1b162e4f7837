/**
 * Records every funds answer. PSD2 Art. 65(5) lets the account holder ask for it, so the record is committed before the answer
 * leaves.
 */
import { type BankNote, type BankNotes, type Kept, NOTED, storeBankData } from '../../consent/bank-data.js';
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
  /** Of the core, about the same question. */
  readonly note: BankNote | undefined;
}

interface Outcome extends Kept {
  readonly isWritten: boolean;
}

const INSERT_ALL = `${WITH_ENTRIES}, claimed as (${CLAIM_ENTRIES}) ${INSERT_CLAIMED}`;
/** The request ids first: what holds one of them may wait for a consent. */
const INSERT_ALL_AND_NOTES = `
  ${WITH_ENTRIES}, claimed as (${CLAIM_ENTRIES}), written as (${INSERT_CLAIMED}), ${NOTED}
  select id from written union all select id from noted`;

const keyOf = ({ use }: Entry): string => `${use.clientId} ${use.requestId}`;

const idsOf = (rows: readonly { readonly id: string }[]): Set<string> => new Set(rows.map(({ id }) => id));

/** PostgreSQL: a whole batch at once. */
const insertAll =
  (db: Db, requestIds: RequestIds, bankNotes: BankNotes) =>
  async (entries: readonly Entry[]): Promise<Outcome[]> => {
    // The spread last: what stands behind one is dear on Node 20: the object gets a hidden class of its own each time.
    const rows = entries.map(({ record, use }) => ({ fingerprint: use.fingerprint, ...record }));
    const params = [JSON.stringify(rows), ...requestIds.term()];
    const notes = entries.flatMap(({ note }) => note ?? []);
    if (notes.length === 0) {
      const ids = idsOf(await db.all<{ id: string }>(INSERT_ALL, params));
      return rows.map(({ id }) => ({ isWritten: ids.has(id) }));
    }
    const { written, notedOf } = await bankNotes.writeWith(notes, async (text) =>
      idsOf(await db.all<{ id: string }>(INSERT_ALL_AND_NOTES, [...params, text])),
    );
    return entries.map(({ record, note }) => ({
      isWritten: written.has(record.id),
      ...(note ? notedOf(note.id) : {}),
    }));
  };

export class FundsRecords {
  readonly #requestIds: RequestIds;
  readonly #bankNotes: BankNotes;
  readonly #commits: GroupCommit<Entry, Outcome>;

  constructor(db: Db, requestIds: RequestIds, bankNotes: BankNotes) {
    this.#requestIds = requestIds;
    this.#bankNotes = bankNotes;
    const { watch } = db;
    const writesOf = ({ record, use, note }: Entry): Write[] => [
      requestIds.claim(use),
      insertIfClaimed(record),
      ...(note ? [storeBankData(note)] : []),
    ];
    this.#commits =
      db.engine === 'postgres'
        ? new GroupCommit(insertAll(db, requestIds, bankNotes), { keyOf, watch })
        : new GroupCommit<Entry, Outcome>(
            inTransaction(db, writesOf, ([, written]) => ({ isWritten: written === 1 })),
            { watch },
          );
  }

  /** Throws if the request id was used for another content. */
  checkId(call: Call): Promise<void> {
    return this.#requestIds.check(useOf(call));
  }

  /** For a question that leaves no record. */
  async keepNote(note: BankNote | undefined): Promise<void> {
    if (note) await this.#bankNotes.keep(note);
  }

  /** Returns when the record and the note are safe; throws if another content has taken the request id in the meantime. */
  async add(call: Call, answer: FundsAnswer, note?: BankNote): Promise<void> {
    const use = useOf(call);
    const record: FundsRecord = {
      id: newOrderedId(answer.askedAt),
      ...answer,
      clientId: use.clientId,
      psuId: call.caller.psuId,
      requestId: use.requestId,
      sessionConsentId: call.headers['consent-id'] || null,
    };
    const { isWritten, noted } = await this.#commits.add({ record, use, note });
    await noted;
    if (!isWritten) throw new Problem('request-id-conflict');
  }
}
