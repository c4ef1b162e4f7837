/**
 * The audit log: who did what to what, why and when. The hash of each row is an HMAC over the hash before it and the row, under a key
 * derived from TRAPEZA_SECRET: a row that is changed, removed or moved is found, and the database alone is not enough to write the chain
 * anew (`verify.ts`). A row is written in the transaction of the act that it records, as its last statement: writers wait for each other at
 * the head of the chain, and who waits there holds nothing that another one at the head could need.
 */
import type { RealTime } from '../lib/clock.js';
import { keyedHash, sha256 } from '../lib/hash.js';
import type { NamedKey, Vault } from '../lib/vault.js';
import type { Queries } from '../store/db.js';
import { jsonColumn, members } from '../store/json-column.js';
import { keepAuditKeys } from '../store/kept-keys.js';
import { lockSetting, putSetting, readSetting } from '../store/settings.js';

/** Who acts, and why. */
export interface Actor {
  /** `cli:NAME`, `operator:NAME`, `developer:ID`, `third-party:ID`, `core` or `system`. */
  readonly actor: string;
  readonly reason?: string | undefined;
}

export interface AuditEntry extends Actor {
  /** Thing and verb: `tpp.suspend`. */
  readonly act: `${string}.${string}`;
  /** Kind and id of the thing: `tpp:0b1c…`. */
  readonly subject: string;
  /** Never a secret, and of persons ids alone. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export interface AuditRow {
  readonly position: number;
  readonly at: RealTime;
  readonly actor: string;
  readonly act: string;
  readonly subject: string;
  readonly reason: string | null;
  /** JSON. */
  readonly details: string;
  readonly hash: string;
}

export const detailsColumn = jsonColumn<Readonly<Record<string, unknown>>>('audit_log.details', members({}));

const HEAD = 'audit-head';
/** Of the row with which a person answers for the rows before it that have no key. */
export const SEAL = 'audit.seal';
export const FIRST_HASH = '0'.repeat(64);
const LONGEST = 500;

const INSERT_AUDIT_ROW = `insert into audit_log (position, at, actor, act, subject, reason, details, hash) values (?, ?, ?, ?, ?, ?, ?, ?)`;

/** What the hash of a row is made of, beside the hash before it. */
export const hashedText = ({ position, at, actor, act, subject, reason, details }: AuditRow): string =>
  JSON.stringify([position, at, actor, act, subject, reason, details]);

const chained = (previous: string, row: AuditRow): string => `${previous}\n${hashedText(row)}`;

/** As earlier versions wrote it; anybody can compute it. */
export const unkeyedHashAfter = (previous: string, row: AuditRow): string =>
  sha256(chained(previous, row), 'hex');

const SEPARATOR = '.';

/** It begins with the fingerprint of the secret, so that the chain outlives a change of the secret. */
export const hashAfter = (previous: string, row: AuditRow, { name, key }: NamedKey): string =>
  `${name}${SEPARATOR}${keyedHash(key, chained(previous, row))}`;

/** The fingerprint of the secret that a hash is made with; undefined for one without a key. */
export const keyNameOf = (hash: string): string | undefined =>
  hash.includes(SEPARATOR) ? hash.split(SEPARATOR, 1)[0] : undefined;

export interface Head {
  readonly position: number;
  readonly hash: string;
}

const headText = ({ position, hash }: Head): string => `${position} ${hash}`;

export const headOf = (text: string = headText({ position: 0, hash: FIRST_HASH })): Head => {
  const [position = '', hash = ''] = text.split(' ');
  return { position: Number(position), hash };
};

/** Both engines must give back what was hashed: no lone surrogate, no control character. */
export const storedText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
    .toWellFormed();

export const readHead = async (db: Queries): Promise<Head> => headOf(await readSetting(db, HEAD));

export class AuditLog {
  readonly #vault: () => Vault;

  /** A command that writes no row needs no secret. */
  constructor(vault: () => Vault) {
    this.#vault = vault;
  }

  get vault(): Vault {
    return this.#vault();
  }

  /** Call within the transaction of the act, last. */
  async append(tx: Queries, entry: AuditEntry, at: RealTime): Promise<void> {
    const [key] = this.vault.keys('audit-log');
    const head = headOf(await lockSetting(tx, HEAD, headText(headOf())));
    const reason = entry.reason === undefined ? '' : storedText(entry.reason);
    const row = {
      position: head.position + 1,
      at,
      actor: storedText(entry.actor),
      act: entry.act,
      subject: storedText(entry.subject),
      reason: reason === '' ? null : reason,
      details: detailsColumn.write(entry.details ?? {}),
      hash: '',
    };
    const hash = hashAfter(head.hash, row, key);
    await tx.run(INSERT_AUDIT_ROW, [
      row.position,
      at,
      row.actor,
      row.act,
      row.subject,
      row.reason,
      row.details,
      hash,
    ]);
    await putSetting(tx, HEAD, headText({ position: row.position, hash }));
    if (keyNameOf(head.hash) !== key.name) await keepAuditKeys(tx, this.vault);
  }
}
