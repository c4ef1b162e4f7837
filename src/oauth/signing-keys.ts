/**
 * The keys that sign access tokens and those that sign notifications: stored with sealed private halves, never one for the other.
 * Rotation publishes the next key before it is used and keeps the old one as long as its signatures are verified, so that no
 * verifier meets an unknown key.
 */
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { type Clock, DAY, MINUTE, type RealTime, SECOND } from '../lib/clock.js';
import { newId } from '../lib/id.js';
import type { Vault } from '../lib/vault.js';
import type { Db, Queries } from '../store/db.js';
import { jsonColumn, members, text } from '../store/json-column.js';
import { allProven } from '../store/proven.js';
import { SEALED_BATCH, type SealedKind } from '../store/sealed-rows.js';

export const signingAlgorithms = ['ES256', 'PS256'] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

export const keyPurposes = ['token', 'webhook'] as const;
export type KeyPurpose = (typeof keyPurposes)[number];

const times: Readonly<Record<KeyPurpose, { publishedBeforeUse: number; keptAfterUse: number }>> = {
  /** Longer than any node takes to notice a new key; the life of an access token and some skew. */
  token: { publishedBeforeUse: MINUTE, keptAfterUse: 12 * MINUTE },
  /** Longer than anybody keeps a copy of the published keys; long enough for a receiver that verifies later. */
  webhook: { publishedBeforeUse: 10 * MINUTE, keptAfterUse: DAY },
};
const MAX_AGE_MS = 5 * SECOND;

interface KeyRow {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  readonly public_jwk: string;
  readonly private_jwk: string;
  readonly created_at: number;
  readonly active_from: number;
  readonly retired_at: number | null;
}

export interface SigningKey {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
  readonly sealed: string;
  readonly activeFrom: number;
  readonly retiredAt: number | undefined;
}

/** All keys with their private halves, the one to sign with first. */
export interface SigningSet {
  readonly current: SigningKey;
  readonly jwks: readonly JWK[];
}

const ALL = `select kid, algorithm, public_jwk, private_jwk, created_at, active_from, retired_at
  from signing_keys where purpose = ?`;
const INSERT_SIGNING_KEY = `insert into signing_keys (purpose, kid, algorithm, public_jwk, private_jwk, created_at, active_from)
  values (?, ?, ?, ?, ?, ?, ?)`;
const IN_USE = 'select kid from signing_keys where purpose = ? and retired_at is null';
const RETIRE = 'update signing_keys set retired_at = ? where purpose = ? and retired_at is null';

const SEALED = `select kid as id, private_jwk as sealed from signing_keys
  where kid > ? and (retired_at is null or retired_at > ?) order by kid limit ?`;
const RESEAL = 'update signing_keys set private_jwk = ? where kid = ? and private_jwk = ?';

const jwkColumn = jsonColumn<JWK>('a signing key', members({ kty: text }));

const placeOf = (kid: string): string => `signing-key:${kid}`;

/** Those in use: a key that is over stays as it is. */
export const signingKeyRows: SealedKind = {
  name: 'signing keys',
  read: async (db, { after, now }) =>
    (await db.all<{ id: string; sealed: string }>(SEALED, [after, now, SEALED_BATCH])).map((row) => ({
      ...row,
      place: placeOf(row.id),
    })),
  write: async (tx, { id, sealed: before }, sealed) => (await tx.run(RESEAL, [sealed, id, before])) === 1,
};

export const generateKey = async (vault: Vault, algorithm: SigningAlgorithm) => {
  const pair = await generateKeyPair(algorithm, { extractable: true });
  const kid = newId();
  const publicJwk = { ...(await exportJWK(pair.publicKey)), kid, alg: algorithm, use: 'sig' };
  return {
    kid,
    publicJwk: jwkColumn.write(publicJwk),
    sealed: vault.seal(jwkColumn.write(await exportJWK(pair.privateKey)), placeOf(kid)),
  };
};

export interface NextKey {
  readonly kid: string;
  readonly activeFrom: RealTime;
}

interface Generated {
  readonly purpose: KeyPurpose;
  readonly algorithm: SigningAlgorithm;
  readonly made: Awaited<ReturnType<typeof generateKey>>;
}

/** Behind the present one, in an exclusive transaction of the caller. */
export const insertNext = async (
  tx: Queries,
  { purpose, algorithm, made }: Generated,
  now: RealTime,
): Promise<NextKey> => {
  const { kid, publicJwk, sealed } = made;
  const { publishedBeforeUse, keptAfterUse } = times[purpose];
  const activeFrom = now + publishedBeforeUse;
  await tx.run(RETIRE, [activeFrom + keptAfterUse, purpose]);
  await tx.run(INSERT_SIGNING_KEY, [purpose, kid, algorithm, publicJwk, sealed, now, activeFrom]);
  return { kid, activeFrom };
};

export class SigningKeys {
  readonly #db: Db;
  readonly #vault: Vault;
  readonly #clock: Clock;
  readonly #purpose: KeyPurpose;
  #keys: readonly SigningKey[] = [];
  #loadedAt = Number.NEGATIVE_INFINITY;
  readonly #private = new Map<string, CryptoKey>();
  readonly #opened = new Map<string, string>();

  constructor(db: Db, vault: Vault, clock: Clock, purpose: KeyPurpose = 'token') {
    this.#db = db;
    this.#vault = vault;
    this.#clock = clock;
    this.#purpose = purpose;
  }

  /** Makes the first key of an empty store. Two nodes that start at once agree through the lock. */
  async ensure(algorithm: SigningAlgorithm = 'ES256'): Promise<void> {
    const made = await generateKey(this.#vault, algorithm);
    const now = this.#clock.now();
    await this.#db.exclusive(async (tx) => {
      if ((await allProven(tx, IN_USE, [this.#purpose])).length > 0) return;
      await tx.run(INSERT_SIGNING_KEY, [
        this.#purpose,
        made.kid,
        algorithm,
        made.publicJwk,
        made.sealed,
        now,
        now,
      ]);
    });
    await this.#load();
  }

  /** The next key, published at once and used a little later; the present one is kept for a while. */
  async roll(algorithm: SigningAlgorithm = 'ES256'): Promise<NextKey> {
    const made = await generateKey(this.#vault, algorithm);
    const purpose = this.#purpose;
    const next = await this.#db.exclusive((tx) =>
      insertNext(tx, { purpose, algorithm, made }, this.#clock.now()),
    );
    await this.#load();
    return next;
  }

  async #load(): Promise<void> {
    const startedAt = this.#clock.elapsed();
    const rows = await allProven<KeyRow>(this.#db, ALL, [this.#purpose]);
    // The proof keeps no order.
    rows.sort((a, b) => a.active_from - b.active_from || (a.kid < b.kid ? -1 : 1));
    const known = new Map(this.#keys.map((key) => [key.kid, key]));
    this.#keys = await Promise.all(
      rows.map(async (row): Promise<SigningKey> => {
        const retiredAt = row.retired_at ?? undefined;
        const before = known.get(row.kid);
        if (before) return { ...before, sealed: row.private_jwk, retiredAt };
        const publicJwk = jwkColumn.read(row.public_jwk);
        const publicKey = (await importJWK(publicJwk, row.algorithm)) as CryptoKey;
        return {
          kid: row.kid,
          algorithm: row.algorithm,
          publicKey,
          publicJwk,
          sealed: row.private_jwk,
          activeFrom: row.active_from,
          retiredAt,
        };
      }),
    );
    this.#loadedAt = startedAt;
  }

  async all(): Promise<readonly SigningKey[]> {
    if (this.#clock.elapsed() - this.#loadedAt >= MAX_AGE_MS) await this.#load();
    return this.#inForce();
  }

  #inForce(): readonly SigningKey[] {
    const now = this.#clock.now();
    return this.#keys.filter((key) => key.retiredAt === undefined || key.retiredAt > now);
  }

  /** While the store is away, a key that was seen before still verifies; how long its tokens are let in, the revocations say. */
  async find(kid: string): Promise<SigningKey | undefined> {
    const isIt = (key: SigningKey): boolean => key.kid === kid;
    try {
      return (await this.all()).find(isIt);
    } catch (error) {
      const old = this.#inForce().find(isIt);
      if (old) return old;
      throw error;
    }
  }

  /** For the authorization server, which signs by itself and publishes them all. */
  async signingSet(): Promise<SigningSet> {
    const current = await this.#active();
    const others = (await this.all()).filter((each) => each.kid !== current.kid);
    const jwks = [current, ...others].map((key) => ({
      ...jwkColumn.read(this.#vault.open(key.sealed, placeOf(key.kid))),
      ...key.publicJwk,
    }));
    return { current, jwks };
  }

  async #active(): Promise<SigningKey> {
    await this.all();
    return this.#newest();
  }

  #newest(): SigningKey {
    const now = this.#clock.now();
    const keys = this.#inForce();
    // A clock that was set back makes even the first key one of the future: there is no reason to sign with none.
    const key = keys.findLast((each) => each.activeFrom <= now) ?? keys[0];
    if (!key) throw new Error('there is no signing key');
    return key;
  }

  #canOpen({ kid, sealed }: SigningKey): boolean {
    if (this.#opened.get(kid) === sealed) return true;
    const isOpened = this.#vault.canOpen(sealed, placeOf(kid));
    if (isOpened) this.#opened.set(kid, sealed);
    return isOpened;
  }

  /** The keys in use, those of the future too, whose secret this node does not have, as they were last seen. Makes no query. */
  unopened(): readonly SigningKey[] {
    return this.#inForce().filter((key) => !this.#canOpen(key));
  }

  /** Whether this node has the secret of the keys to sign with, as they were last seen. Makes no query. */
  canSign(): boolean {
    if (this.#inForce().length === 0) return false;
    // The authorization server takes the private halves of all.
    return this.#purpose === 'token' ? this.unopened().length === 0 : this.#canOpen(this.#newest());
  }

  /** The key to sign with now, and its private half. */
  async current(): Promise<{ key: SigningKey; privateKey: CryptoKey }> {
    const key = await this.#active();
    const known = this.#private.get(key.kid);
    if (known) return { key, privateKey: known };
    const privateKey = (await importJWK(
      jwkColumn.read(this.#vault.open(key.sealed, placeOf(key.kid))),
      key.algorithm,
    )) as CryptoKey;
    this.#private.set(key.kid, privateKey);
    return { key, privateKey };
  }
}
