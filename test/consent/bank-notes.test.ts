/** What the core wants to be reminded of: in groups, with the records of funds answers, the last of each consent, never one lost unnoticed. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FundsRecords } from '../../src/api/piis/funds-records.js';
import { type BankNote, BankNotes } from '../../src/consent/bank-data.js';
import { RequestIds } from '../../src/gate/request-ids.js';
import type { Call } from '../../src/http/operation.js';
import type { Db } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { bothEngines } from '../support/engines.js';
import { type Use, useService } from '../support/use-service.js';

const CONSENTS = `
  select id, client_id as "clientId" from consents where kind = 'ConfirmationOfFunds' and status = 'Valid' order by id limit 3`;
type Consent = Pick<BankNote, 'id' | 'clientId'>;

/** A store that says how many statements that write were sent to it. */
const useStore = (service: Use) => {
  const opened: { db?: Db; consents: Consent[]; writes: number } = { consents: [], writes: 0 };
  beforeAll(async () => {
    const db = await openDb(service().databaseUrl, 4);
    opened.consents = await db.all<Consent>(CONSENTS);
    const counted =
      <A extends readonly unknown[], T>(send: (...args: A) => T) =>
      (...args: A): T => {
        opened.writes += 1;
        return send(...args);
      };
    opened.db = {
      ...db,
      all: counted(db.all),
      run: counted(db.run),
      writeBatch: counted(db.writeBatch),
    } as Db;
  });
  afterAll(() => opened.db?.close());
  return opened;
};

describe.each(bothEngines('PostgreSQL writes the notes of a batch as one statement'))(
  'notes on %s',
  (engine) => {
    const service = useService({ engine });
    const store = useStore(service);
    const db = (): Db => store.db ?? expect.unreachable();
    const consent = (at: number): Consent => store.consents[at] ?? expect.unreachable();
    const note = (at: number, bankData: string): BankNote => ({ ...consent(at), bankData });
    const storedOf = async (at: number): Promise<unknown> =>
      (
        await db().one<{ text: string }>('select bank_data as text from consents where id = ?', [
          consent(at).id,
        ])
      )?.text;

    /** A funds question of the consent, as far as its record needs it. */
    const add = (records: FundsRecords, bankNote: BankNote, payee: string | null = null): Promise<void> => {
      const call = {
        caller: { clientId: bankNote.clientId, psuId: 'person' },
        requestId: randomUUID(),
        fingerprint: 'content',
        headers: {},
      };
      const answer = {
        consentId: bankNote.id,
        accountId: 'a',
        payee,
        amount: '1',
        currency: 'EUR',
        available: true,
      };
      return records.add(
        call as unknown as Call,
        { ...answer, askedAt: service().clock.now() } as never,
        bankNote,
      );
    };
    const recordsWith = (notes: BankNotes): FundsRecords =>
      new FundsRecords(db(), new RequestIds(db(), service().clock), notes);

    it('of one turn are one write, in which the last of each consent counts', async () => {
      const notes = new BankNotes(db());
      store.writes = 0;
      await Promise.all(
        [1, 2, 3, 4].flatMap((n) => [notes.keep(note(0, `n=${n}`)), notes.keep(note(1, `m=${n}`))]),
      );
      expect(store.writes).toBe(1);
      expect([await storedOf(0), await storedOf(1)]).toEqual(['n=4', 'm=4']);
    });

    it('of funds questions are written with their records', async () => {
      const records = recordsWith(new BankNotes(db()));
      store.writes = 0;
      await Promise.all([1, 2, 3].map((n) => add(records, note(n % 2, `r=${n}`))));
      expect(store.writes).toBe(1);
      expect([await storedOf(0), await storedOf(1)]).toEqual(['r=2', 'r=3']);
    });

    it('are not lost unnoticed if the record cannot be written, and take no others with them', async () => {
      const records = recordsWith(new BankNotes(db()));
      const good = add(records, note(0, 'good'));
      const bad = add(records, { ...note(1, 'bad'), id: undefined as never });
      await expect(bad).rejects.toThrow();
      await good;
      expect([await storedOf(0), await storedOf(1)]).toEqual(['good', 'r=3']);
    });

    it('come in their order, though a record and another operation bring them', async () => {
      const notes = new BankNotes(db());
      const records = recordsWith(notes);
      await Promise.all(
        ['a', 'b', 'c', 'd'].map((text, at) =>
          at % 2 === 0 ? add(records, note(0, text)) : notes.keep(note(0, text)),
        ),
      );
      expect(['c', 'd']).toContain(await storedOf(0));
      await notes.keep(note(0, 'last'));
      expect(await storedOf(0)).toBe('last');
    });

    const HOLD = `update consents set status = 'Valid' where id = ?`;
    if (engine === 'postgres')
      it('of a consent that another transaction holds wait alone, and for each other', async () => {
        const notes = new BankNotes(db());
        const records = recordsWith(notes);
        const order: string[] = [];
        const done = (text: string) => () => void order.push(text);
        let held: Promise<unknown>[] = [];
        await db().transaction(async (tx) => {
          await tx.run(HOLD, [consent(0).id]);
          const first = add(records, note(0, 'first')).then(done('first'));
          await add(records, note(1, 'free')).then(done('free'));
          const second = notes.keep(note(0, 'second')).then(done('second'));
          await notes.keep(note(2, 'other')).then(done('other'));
          const third = add(records, note(0, 'third')).then(done('third'));
          await add(records, note(1, 'free again')).then(done('free again'));
          held = [first, second, third];
        });
        await Promise.all(held);
        expect(order).toEqual(['free', 'other', 'free again', 'first', 'second', 'third']);
        expect(await storedOf(0)).toBe('third');
      });
  },
);
