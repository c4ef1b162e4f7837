/** Who has a sandbox of one's own: a name, a passphrase, the place below which it is found. */
import {
  type Clock,
  DAY,
  type Db,
  HOUR,
  hashPassphrase,
  isOutdated,
  MINUTE,
  newId,
  newSecret,
  Problem,
  type Queries,
  sha256,
} from 'trapeza/base';

export interface Developer {
  readonly id: string;
  readonly name: string;
  /** The last part of its address. It has a part that cannot be guessed, because the controls of a sandbox need no credentials. */
  readonly place: string;
  readonly passphraseHash: string;
  /** The third party of the portal; empty until the sandbox is complete, and again from its end until its store is removed. */
  readonly tppId: string;
  readonly usedAt: number;
}

const UNUSED_MS = 7 * DAY;
/** The developer did not come back after the sign-up. */
const UNTRIED_MS = HOUR;
/** No sign-up and no removal takes so long: what is still incomplete was broken off. */
const BROKEN_OFF_MS = 10 * MINUTE;
/** A use is noted this often. */
const NOTED_MS = 10 * MINUTE;
export const SESSION_MS = 12 * HOUR;

const COLUMNS =
  'id, name, place, passphrase_hash as "passphraseHash", tpp_id as "tppId", used_at as "usedAt"';
const INSERT_DEVELOPER = `
  insert into sandbox_developers (id, name, place, passphrase_hash, created_at, used_at) values (?, ?, ?, ?, ?, ?)
  on conflict (name) do nothing`;
const REPLACEABLE = `
  select ${COLUMNS} from sandbox_developers
  where tpp_id <> '' and (used_at < ? or (used_at < ? and used_at - created_at < ${UNTRIED_MS})) order by used_at, id limit 1`;
const BROKEN_OFF = `select ${COLUMNS} from sandbox_developers where tpp_id = '' and used_at < ? limit 20`;
const END = "update sandbox_developers set tpp_id = '', used_at = ? where id = ?";
const OF_SESSION = `
  select ${COLUMNS} from sandbox_developers where tpp_id <> '' and id =
    (select developer_id from sandbox_developer_sessions where id_hash = ? and created_at > ?)`;

const taken = (): Problem =>
  new Problem('state-conflict', { detail: 'A developer of this name exists: choose another one.' });

const placeOf = (name: string): string => `${name}-${newId().replaceAll('-', '').slice(0, 12)}`;

const RENEW = 'update sandbox_developers set passphrase_hash = ? where id = ? and passphrase_hash = ?';

export class Developers {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #most: number;

  /** At most so many; then the one that was not used for longest makes room. */
  constructor(db: Db, clock: Clock, most: number) {
    this.#db = db;
    this.#clock = clock;
    this.#most = most;
  }

  /** Also one whose sandbox is not complete. */
  named(name: string): Promise<Developer | undefined> {
    return this.#db.one<Developer>(`select ${COLUMNS} from sandbox_developers where name = ?`, [name]);
  }

  async at(place: string): Promise<Developer | undefined> {
    const found = await this.#db.one<Developer>(
      `select ${COLUMNS} from sandbox_developers where place = ? and tpp_id <> ''`,
      [place],
    );
    if (found) await this.#noteUse(found);
    return found;
  }

  /** With whom had to make room for it, whose store is to be removed. The new sandbox is not complete yet. */
  async add(
    name: string,
    hash: () => Promise<string>,
    onFull: () => void,
  ): Promise<{ readonly developer: Developer; readonly replaced: Developer | undefined }> {
    const now = this.#clock.now();
    // Before the slow work; what decides is the insertion.
    if (await this.named(name)) throw taken();
    const [id, place, passphraseHash] = [newId(), placeOf(name), await hash()];
    return this.#db.exclusive(async (tx) => {
      if ((await tx.run(INSERT_DEVELOPER, [id, name, place, passphraseHash, now, now])) === 0) throw taken();
      const replaced = await this.#makeRoom(tx, onFull);
      return { developer: { id, name, place, passphraseHash, tppId: '', usedAt: now }, replaced };
    });
  }

  /** Of a right login: the hash is made with the parameters of today. */
  async renewHash({ id, passphraseHash }: Developer, passphrase: string): Promise<void> {
    if (!isOutdated(passphraseHash)) return;
    await this.#db.run(RENEW, [await hashPassphrase(passphrase), id, passphraseHash]);
  }

  async complete({ id }: Developer, tppId: string): Promise<void> {
    await this.#db.run('update sandbox_developers set tpp_id = ? where id = ?', [tppId, id]);
  }

  /** From now on it is unknown; it is recorded until its store is removed, so that a crash leaves no store behind. */
  async end({ id }: Developer): Promise<void> {
    await this.#db.run(END, [this.#clock.now(), id]);
  }

  /** Sign-ups and removals that a process has not finished. */
  brokenOff(): Promise<readonly Developer[]> {
    return this.#db.all<Developer>(BROKEN_OFF, [this.#clock.now() - BROKEN_OFF_MS]);
  }

  async remove({ id }: Developer): Promise<void> {
    await this.#db.run('delete from sandbox_developers where id = ?', [id]);
  }

  /** Of these ids, those that there are no longer. */
  async goneOf(ids: readonly string[]): Promise<readonly string[]> {
    const gone: string[] = [];
    for (const id of ids)
      if (!(await this.#db.one("select id from sandbox_developers where id = ? and tpp_id <> ''", [id])))
        gone.push(id);
    return gone;
  }

  /** The secret of a new session. */
  async logIn({ id }: Developer): Promise<string> {
    const secret = newSecret();
    await this.#db.run(
      'insert into sandbox_developer_sessions (id_hash, developer_id, created_at) values (?, ?, ?)',
      [sha256(secret), id, this.#clock.now()],
    );
    return secret;
  }

  async ofSession(secret: string | undefined): Promise<Developer | undefined> {
    if (!secret) return undefined;
    return this.#db.one<Developer>(OF_SESSION, [sha256(secret), this.#clock.now() - SESSION_MS]);
  }

  async logOut(secret: string): Promise<void> {
    await this.#db.run('delete from sandbox_developer_sessions where id_hash = ?', [sha256(secret)]);
  }

  sweepSessions(): Promise<number> {
    return this.#db.run('delete from sandbox_developer_sessions where created_at <= ?', [
      this.#clock.now() - SESSION_MS,
    ]);
  }

  async #noteUse({ id, usedAt }: Developer): Promise<void> {
    const now = this.#clock.now();
    if (usedAt < now - NOTED_MS)
      await this.#db.run('update sandbox_developers set used_at = ? where id = ?', [now, id]);
  }

  async #makeRoom(tx: Queries, onFull: () => void): Promise<Developer | undefined> {
    const held = await tx.one<{ count: number }>('select count(*) as count from sandbox_developers');
    if (Number(held?.count) <= this.#most) return undefined;
    const now = this.#clock.now();
    const unused = await tx.one<Developer>(REPLACEABLE, [now - UNUSED_MS, now - UNTRIED_MS]);
    if (!unused) {
      onFull();
      throw new Problem('state-conflict', {
        detail: `There are ${this.#most} sandboxes of developers, and all of them are in use: use the common one, or start one on your machine.`,
      });
    }
    await tx.run(END, [now, unused.id]);
    return unused;
  }
}
