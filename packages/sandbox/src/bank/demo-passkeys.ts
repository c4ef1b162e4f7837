/** Passkeys of demo people in the store of the sandbox. A challenge is a row beside those of codes and of the app. */
import { type Passkey, type PasskeyParts, type PasskeyStore, Passkeys } from 'trapeza/bank';
import type { Clock, Db } from 'trapeza/base';
import { demoBankName } from './name.js';

interface Row {
  readonly id: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: string;
  readonly isSyncable: number;
  readonly isBackedUp: number;
}

/** A person needs no more, and a page shows no more. */
const MOST = 10;

const PASSKEYS_OF_PERSON = `
  select id, public_key as "publicKey", counter, transports, is_syncable as "isSyncable", is_backed_up as "isBackedUp"
  from demo_passkeys where psu_id = ? order by created_at, id limit ${MOST}`;
const INSERT_PASSKEY = `
  insert into demo_passkeys (id, psu_id, public_key, counter, transports, is_syncable, is_backed_up, created_at)
  values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing`;
/** Only upwards: of a passkey that exists twice one falls behind. */
const RAISE_COUNTER = `
  update demo_passkeys set counter = ?, is_backed_up = ?
  where id = ? and (counter < ? or (counter = 0 and cast(? as bigint) = 0))`;
const DELETE_PASSKEY = 'delete from demo_passkeys where id = ? and psu_id = ?';
const INSERT_CHALLENGE = `
  insert into demo_challenges (id, psu_id, context_hash, code_hash, attempts, expires_at) values (?, ?, '', '', 0, ?)`;
const FIND_CHALLENGE = `
  select id, psu_id as "psuId", expires_at as "expiresAt", used_at as "usedAt" from demo_challenges where id = ?`;
const USE_CHALLENGE = 'update demo_challenges set used_at = ? where id = ? and used_at is null';

const passkeyOf = ({ transports, isSyncable, isBackedUp, ...row }: Row): Passkey => ({
  ...row,
  transports: transports.split(' ').filter(Boolean),
  isSyncable: isSyncable === 1,
  isBackedUp: isBackedUp === 1,
});

const storeIn = (db: Db, clock: Clock): PasskeyStore => ({
  of: async (psuId) => (await db.all<Row>(PASSKEYS_OF_PERSON, [psuId])).map(passkeyOf),
  add: async (psuId, { id, publicKey, counter, transports, isSyncable, isBackedUp }) => {
    const flags = [Number(isSyncable), Number(isBackedUp)];
    const row = [id, psuId, publicKey, counter, transports.join(' '), ...flags, clock.now()];
    return (await db.run(INSERT_PASSKEY, row)) === 1;
  },
  count: async (id, counter, isBackedUp) =>
    (await db.run(RAISE_COUNTER, [counter, Number(isBackedUp), id, counter, counter])) === 1,
  open: async ({ id, psuId, expiresAt }) => {
    await db.run(INSERT_CHALLENGE, [id, psuId, expiresAt]);
  },
  find: async (id) => {
    const row = await db.one<{ id: string; psuId: string; expiresAt: number; usedAt: number | null }>(
      FIND_CHALLENGE,
      [id],
    );
    return row && { id, psuId: row.psuId, expiresAt: row.expiresAt, isUsed: row.usedAt !== null };
  },
  use: async (id) => (await db.run(USE_CHALLENGE, [clock.now(), id])) === 1,
});

export class DemoPasskeys extends Passkeys {
  readonly #db: Db;
  readonly #store: PasskeyStore;

  constructor(db: Db, clock: Clock, parts: Pick<PasskeyParts, 'address' | 'onRefused'>) {
    const store = storeIn(db, clock);
    super({ ...parts, bankName: demoBankName.en, store, clock });
    this.#db = db;
    this.#store = store;
  }

  of(psuId: string): Promise<readonly Passkey[]> {
    return this.#store.of(psuId);
  }

  async remove(psuId: string, id: string): Promise<void> {
    await this.#db.run(DELETE_PASSKEY, [id, psuId]);
  }
}
