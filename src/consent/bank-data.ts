/**
 * What the core wants to be reminded of with every later question on a consent. Notes are committed in groups, the last of each consent
 * counts, and an earlier one is never written after a later one.
 */
import type { ClientId, ConsentId } from '../model/ids.js';
import type { Db, Write } from '../store/db.js';
import { GroupCommit, inTransaction } from '../store/group-commit.js';

export interface BankNote {
  readonly id: ConsentId;
  readonly clientId: ClientId;
  readonly bankData: string;
}

const STORE_BANK_DATA = 'update consents set bank_data = ? where id = ? and client_id = ?';

export const storeBankData = ({ id, clientId, bankData }: BankNote): Write => ({
  sql: STORE_BANK_DATA,
  params: [bankData, id, clientId],
});

/**
 * PostgreSQL: the notes of a batch, each of another consent, as a part of one statement. A consent that another transaction holds is
 * left out, so that it holds up neither the others nor the records that are written with them.
 */
export const NOTED = `
  note as (select * from json_to_recordset(cast(cast(? as text) as json)) as each (id text, "clientId" text, "bankData" text)),
  unheld as (select c.id from consents c join note on note.id = c.id and note."clientId" = c.client_id
    order by c.id for no key update of c skip locked),
  noted as (update consents set bank_data = note."bankData" from unheld join note on note.id = unheld.id
    where consents.id = unheld.id returning consents.id)`;
const STORE_ALL = `with ${NOTED} select id from noted`;

/** A note of a batch that was written; with a promise, it is safe when that is fulfilled. */
export interface Kept {
  readonly noted?: Promise<void> | undefined;
}

export class BankNotes {
  readonly #db: Db;
  readonly #commits: GroupCommit<BankNote, Kept>;
  /** Of each consent the last note that is on its way. */
  readonly #inFlight = new Map<ConsentId, Promise<void>>();

  constructor(db: Db) {
    this.#db = db;
    this.#commits =
      db.engine === 'postgres'
        ? new GroupCommit((notes) => this.#storeAll(notes))
        : new GroupCommit<BankNote, Kept>(
            inTransaction(
              db,
              (note) => [storeBankData(note)],
              () => ({}),
            ),
          );
  }

  /** Returns when the note is safe. */
  async keep(note: BankNote): Promise<void> {
    const { noted } = await this.#commits.add(note);
    await noted;
  }

  /**
   * On PostgreSQL: `write` sends the text for `NOTED` with a statement and returns the ids that this has written. What it left out, and notes
   * of consents to which another batch writes, follow alone.
   */
  async writeWith<T extends ReadonlySet<string>>(
    notes: readonly BankNote[],
    write: (text: string) => Promise<T>,
  ): Promise<{ readonly written: T; readonly notedOf: (id: ConsentId) => Kept }> {
    const last = new Map(notes.map((note) => [note.id, note]));
    const free = [...last.values()].filter(({ id }) => !this.#inFlight.has(id));
    const writing = write(JSON.stringify(free));
    const kept = new Map<string, Promise<void>>();
    for (const note of last.values()) kept.set(note.id, this.#follow(note, writing));
    return { written: await writing, notedOf: (id) => ({ noted: kept.get(id) }) };
  }

  #follow(note: BankNote, writing: Promise<ReadonlySet<string>>): Promise<void> {
    const { id } = note;
    const before = this.#inFlight.get(id);
    const noted = before ? this.#after(before, note) : this.#unlessIn(writing, note);
    this.#inFlight.set(id, noted);
    const end = (): void => {
      if (this.#inFlight.get(id) === noted) this.#inFlight.delete(id);
    };
    noted.then(end, end);
    return noted;
  }

  async #after(before: Promise<void>, note: BankNote): Promise<void> {
    await before.catch(() => undefined);
    await this.#storeAlone(note);
  }

  async #unlessIn(writing: Promise<ReadonlySet<string>>, note: BankNote): Promise<void> {
    if (!(await writing).has(note.id)) await this.#storeAlone(note);
  }

  async #storeAlone(note: BankNote): Promise<void> {
    await this.#db.run(STORE_BANK_DATA, storeBankData(note).params);
  }

  async #storeAll(notes: readonly BankNote[]): Promise<Kept[]> {
    const { notedOf } = await this.writeWith(notes, async (text) => {
      const rows = await this.#db.all<{ id: string }>(STORE_ALL, [text]);
      return new Set(rows.map(({ id }) => id));
    });
    return notes.map(({ id }) => notedOf(id));
  }
}
