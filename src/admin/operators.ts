/**
 * People of the bank with an account for the console: a role, a passphrase and an authenticator app. An account begins with a one-time
 * link, on which its owner sets both; no other person ever knows them.
 */
import { type Operator, operatorRoles, type PresentOperator } from '../acts/role.js';
import { type Clock, DAY, HOUR, MINUTE, type RealTime } from '../lib/clock.js';
import { sha256 } from '../lib/hash.js';
import { newSecret } from '../lib/id.js';
import { hashPassphrase, isOutdated, isPassphrase } from '../lib/passphrase.js';
import { newTotpSecret, totpCounter } from '../lib/totp.js';
import { UnlistedSecret, type Vault } from '../lib/vault.js';
import type { Db, Queries } from '../store/db.js';
import { SEALED_BATCH, type SealedKind } from '../store/sealed-rows.js';
import { RegistryError } from '../tpp/registry.js';

/** Accounts of versions with other roles; `read` saw persons, which `service` does not. */
const ROLE = `case o.role when 'read' then 'service' when 'care' then 'customers' else o.role end as role`;

export interface NewOperator {
  readonly name: string;
  readonly role: string;
}

const LINK_MS = DAY;
const IDLE_MS = 15 * MINUTE;
const LONGEST_MS = 8 * HOUR;
const NAME = /^[a-z][a-z0-9.-]{1,39}$/;
export const SHORTEST_PASSPHRASE = 12;

const INSERT_OPERATOR = `
  insert into operators (name, role, totp_sealed, totp_counter, enrol_hash, enrol_until, created_at) values (?, ?, ?, 0, ?, ?, ?)
  on conflict (name) do update set role = excluded.role, passphrase_hash = null, totp_sealed = excluded.totp_sealed,
    totp_counter = 0, enrol_hash = excluded.enrol_hash, enrol_until = excluded.enrol_until`;
const END_SESSIONS = 'delete from operator_sessions where name = ?';
const place = (name: string): string => `operator:${name}`;

const SEALED = 'select name as id, totp_sealed as sealed from operators where name > ? order by name limit ?';
const RESEAL = 'update operators set totp_sealed = ? where name = ? and totp_sealed = ?';

export const authenticatorRows: SealedKind = {
  name: "operators' authenticators",
  read: async (db, { after }) =>
    (await db.all<{ id: string; sealed: string }>(SEALED, [after, SEALED_BATCH])).map((row) => ({
      ...row,
      place: place(row.id),
    })),
  write: async (tx, { id, sealed: before }, sealed) => (await tx.run(RESEAL, [sealed, id, before])) === 1,
};

/** A new account, or a new link for one whose phone or passphrase is lost. Returns the secret of the link. */
export const inviteOperator = async (
  tx: Queries,
  vault: Vault,
  { name, role }: NewOperator,
  now: RealTime,
): Promise<string> => {
  if (!NAME.test(name))
    throw new RegistryError(
      'the name of an operator has 2 to 40 small letters, digits, dots and dashes, a letter first',
    );
  if (!operatorRoles.some((each) => each === role))
    throw new RegistryError(`"${role}" is not a role; use ${operatorRoles.join(', ')}`);
  const secret = newSecret();
  const sealed = vault.seal(newTotpSecret(), place(name));
  await tx.run(INSERT_OPERATOR, [name, role, sealed, sha256(secret), now + LINK_MS, now]);
  await tx.run(END_SESSIONS, [name]);
  return secret;
};

const INSERT_DEMO = `
  insert into operators (name, role, passphrase_hash, totp_sealed, totp_counter, created_at) values (?, 'admin', ?, ?, 0, ?)
  on conflict (name) do nothing`;

/** Of a test system, whose store no other service uses: everybody may know how to get in. */
export interface DemoOperator {
  readonly name: string;
  readonly passphrase: string;
  /** Kept ready: hashing takes long on purpose, and every start would do it anew. */
  readonly passphraseHash: string;
  readonly totp: string;
}

export const ensureDemoOperator = async (
  db: Queries,
  vault: Vault,
  { name, passphraseHash, totp }: DemoOperator,
  now: RealTime,
): Promise<void> => {
  if (await db.one('select name from operators where name = ?', [name])) return;
  await db.run(INSERT_DEMO, [name, passphraseHash, vault.seal(totp, place(name)), now]);
};

export const removeOperator = async (tx: Queries, name: string): Promise<void> => {
  await tx.run(END_SESSIONS, [name]);
  if ((await tx.run('delete from operators where name = ?', [name])) === 0)
    throw new RegistryError(`there is no operator ${name}`);
};

export interface OperatorLine extends Operator {
  /** 0 until the link was used. */
  readonly isEnrolled: number;
}

export const listOperators = (db: Queries): Promise<OperatorLine[]> =>
  db.all(
    `select name, ${ROLE}, case when passphrase_hash is null then 0 else 1 end as "isEnrolled"
     from operators o order by name limit 1000`,
  );

interface OperatorRow extends Operator {
  readonly passphraseHash: string | null;
  readonly sealed: string;
  readonly counter: number;
}

const COLUMNS = `
  name, ${ROLE}, passphrase_hash as "passphraseHash", totp_sealed as sealed, totp_counter as counter`;
const BY_NAME = `select ${COLUMNS} from operators o where name = ?`;
const BY_LINK = `select ${COLUMNS} from operators o where enrol_hash = ? and enrol_until > ?`;
const SET_PASSPHRASE = `
  update operators set passphrase_hash = ?, totp_counter = ?, enrol_hash = null where enrol_hash = ? and enrol_until > ?`;
const RENEW_PASSPHRASE = 'update operators set passphrase_hash = ? where name = ? and passphrase_hash = ?';
/** A code opens one session. */
const USE_CODE = 'update operators set totp_counter = ? where name = ? and totp_counter < ?';
const INSERT_SESSION =
  'insert into operator_sessions (id_hash, name, created_at, seen_at) values (?, ?, ?, ?)';
const OF_SESSION = `
  select o.name, ${ROLE}, s.created_at as since from operator_sessions s join operators o on o.name = s.name
  where s.id_hash = ? and s.created_at > ? and s.seen_at > ?`;
const SWEEP_SESSIONS = 'delete from operator_sessions where created_at <= ? or seen_at <= ?';

/** Sealed under a secret that was taken away before it was sealed anew. */
export class LostAuthenticator extends Error {
  constructor(cause: UnlistedSecret) {
    super('an authenticator is sealed under a TRAPEZA_SECRET that is not configured', { cause });
  }
}

const opened = (vault: Vault, { name, sealed }: OperatorRow): string => {
  try {
    return vault.open(sealed, place(name));
  } catch (error) {
    throw error instanceof UnlistedSecret ? new LostAuthenticator(error) : error;
  }
};

export interface OperatorParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly vault: Vault;
}

export class Operators {
  readonly #parts: OperatorParts;

  constructor(parts: OperatorParts) {
    this.#parts = parts;
  }

  /** Whose link it is, and the secret for the app. */
  async invited(secret: string): Promise<{ readonly name: string; readonly totp: string } | undefined> {
    const { db, clock, vault } = this.#parts;
    const row = await db.one<OperatorRow>(BY_LINK, [sha256(secret), clock.now()]);
    return row && { name: row.name, totp: opened(vault, row) };
  }

  /** Uses the link up. Undefined if the code is wrong or the link is over. */
  async enrol(secret: string, passphrase: string, code: string): Promise<Operator | undefined> {
    const { db, clock } = this.#parts;
    const invited = await this.invited(secret);
    const counter = invited && totpCounter(invited.totp, code, clock.now(), 0);
    if (!invited || counter === undefined) return undefined;
    const hash = await hashPassphrase(passphrase);
    const changed = await db.run(SET_PASSPHRASE, [hash, counter, sha256(secret), clock.now()]);
    return changed === 1
      ? db.one<Operator>(`select name, ${ROLE} from operators o where name = ?`, [invited.name])
      : undefined;
  }

  /** Passphrase and code are judged together, so that neither can be guessed alone. */
  async logIn(name: string, passphrase: string, code: string): Promise<Operator | undefined> {
    const { db, clock, vault } = this.#parts;
    const row = await db.one<OperatorRow>(BY_NAME, [NAME.test(name) ? name : '-']);
    const isRight = await isPassphrase(passphrase, row?.passphraseHash ?? undefined);
    if (!row || !isRight || row.passphraseHash === null) return undefined;
    const counter = totpCounter(opened(vault, row), code, clock.now(), row.counter);
    if (counter === undefined || (await db.run(USE_CODE, [counter, row.name, counter])) === 0)
      return undefined;
    if (isOutdated(row.passphraseHash))
      await db.run(RENEW_PASSPHRASE, [await hashPassphrase(passphrase), row.name, row.passphraseHash]);
    return { name: row.name, role: row.role };
  }

  /** The value of the cookie. */
  async open({ name }: Operator): Promise<string> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const secret = newSecret();
    await db.run(SWEEP_SESSIONS, [now - LONGEST_MS, now - IDLE_MS]);
    await db.run(INSERT_SESSION, [sha256(secret), name, now, now]);
    return secret;
  }

  async find(secret: string): Promise<PresentOperator | undefined> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const hash = sha256(secret);
    const found = await db.one<PresentOperator>(OF_SESSION, [hash, now - LONGEST_MS, now - IDLE_MS]);
    if (found) await db.run('update operator_sessions set seen_at = ? where id_hash = ?', [now, hash]);
    return found;
  }

  async close(secret: string): Promise<void> {
    await this.#parts.db.run('delete from operator_sessions where id_hash = ?', [sha256(secret)]);
  }
}
