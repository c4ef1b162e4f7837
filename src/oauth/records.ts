/**
 * Where oidc-provider keeps its codes, grants, refresh tokens and pushed requests: one table for both engines. The ids of
 * these records are the secrets themselves, so the store has only their hash, and the payload with the id cut out.
 */
import type { Adapter, AdapterPayload, errors as OidcErrors } from 'oidc-provider';
import { type BankTime, type Clock, DAY, type RealTime, SECOND } from '../lib/clock.js';
import { sha256 } from '../lib/hash.js';
import type { Db, Queries } from '../store/db.js';
import { paramsOf } from './authorization-details.js';
import { KINDS_BY_BANK, keepForFunds, lastsByBank, type OverdueGrant } from './grant-life.js';
import type { Revocations } from './revocations.js';

/** Stands for the record's own id in its stored payload: JSON text never has this character. */
const OWN_ID = '\u0001';

const FIND = `select payload, consumed_at, expires_at from oidc_records
  where kind = ? and id_hash = ? and expires_at > ?`;
const FIND_GRANT =
  'select payload, consumed_at, expires_at, grant_id from oidc_records where kind = ? and id_hash = ?';
const UPSERT = `insert into oidc_records (kind, id_hash, payload, grant_id, expires_at) values (?, ?, ?, ?, ?)
  on conflict (kind, id_hash) do update set
    payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at`;
const INSERT_ONCE = `insert into oidc_records (kind, id_hash, payload, grant_id, expires_at) values (?, ?, ?, ?, ?)
  on conflict (kind, id_hash) do update set expires_at = excluded.expires_at where oidc_records.expires_at <= ?
  returning kind`;
const CONSUME = `update oidc_records set consumed_at = ? where kind = ? and id_hash = ? and consumed_at is null
  returning kind`;
const SET_RESULT = `update oidc_records set payload = ?, expires_at = ? where kind = 'Interaction' and id_hash = ?`;
const DELETE = 'delete from oidc_records where kind = ? and id_hash = ?';
const RENEW = `update oidc_records set expires_at = ?
  where grant_id = ? and kind in (${KINDS_BY_BANK}) and expires_at > ? and expires_at < ?`;

interface RecordRow {
  readonly payload: string;
  readonly consumed_at: number | null;
  readonly expires_at: number;
}

interface GrantRecordRow extends RecordRow {
  readonly grant_id: string | null;
}

const overdueGrant = ({ payload, grant_id: grantId }: Pick<GrantRecordRow, 'payload' | 'grant_id'>) => {
  const { accountId, clientId } = JSON.parse(payload.replaceAll(OWN_ID, '')) as AdapterPayload;
  if (!grantId || !accountId || !clientId) return undefined;
  return { grantId, caller: { clientId, psuId: accountId } } satisfies OverdueGrant;
};

export interface RecordParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly bankTime: () => Promise<BankTime>;
  /** How long a grant lives without being used. */
  readonly grantMs: number;
  readonly revocations: Revocations;
  readonly errors: typeof OidcErrors;
}

export class Records implements Adapter {
  readonly #kind: string;
  readonly #parts: RecordParts;

  constructor(kind: string, parts: RecordParts) {
    this.#kind = kind;
    this.#parts = parts;
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const row = await (lastsByBank(this.#kind) ? this.#findGrant(id) : this.#findRecord(id));
    if (!row) return undefined;
    const payload = JSON.parse(row.payload.replaceAll(OWN_ID, id)) as AdapterPayload;
    if (row.consumed_at !== null) payload.consumed = Math.floor(row.consumed_at / SECOND);
    if (lastsByBank(this.#kind)) payload.exp = Math.floor(row.expires_at / SECOND);
    return payload;
  }

  #findRecord(id: string): Promise<RecordRow | undefined> {
    const { db, clock } = this.#parts;
    return db.one<RecordRow>(FIND, [this.#kind, sha256(id), clock.now()]);
  }

  async #findGrant(id: string): Promise<RecordRow | undefined> {
    const { db, bankTime, grantMs } = this.#parts;
    const row = await db.one<GrantRecordRow>(FIND_GRANT, [this.#kind, sha256(id)]);
    const now = await bankTime();
    if (!row || row.expires_at > now) return row;
    const overdue = overdueGrant(row);
    const until = overdue && (await keepForFunds(db, overdue, now, grantMs));
    return until === undefined ? undefined : { ...row, expires_at: until };
  }

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds: number): Promise<void> {
    const { db, clock, bankTime, errors } = this.#parts;
    const now = lastsByBank(this.#kind) ? await bankTime() : clock.now();
    const expiresAt = now + expiresInSeconds * SECOND;
    const text = JSON.stringify(payload).replaceAll(id, OWN_ID);
    const grantId = this.#kind === 'Grant' ? id : (payload.grantId ?? null);
    const row = [this.#kind, sha256(id), text, grantId, expiresAt];
    if (this.#kind === 'ReplayDetection') {
      // The library looks before it writes; of two that come at once, only the first may pass.
      if (!(await db.one(INSERT_ONCE, [...row, now]))) throw new errors.InvalidClientAuth('used before');
      return;
    }
    if (this.#kind === 'Interaction' && payload.result !== undefined) {
      // Its outcome must not bring back an interaction that was resumed meanwhile: that would be a second code.
      const params = [text, expiresAt, sha256(id)];
      if ((await db.run(SET_RESULT, params)) === 0) throw new errors.SessionNotFound('used before');
      return;
    }
    await db.run(UPSERT, row);
  }

  /** The only gate against double use: of all who come at once, one changes the row. The others end the grant. */
  async consume(id: string): Promise<void> {
    const { db, clock, revocations, errors } = this.#parts;
    const hash = sha256(id);
    if (await db.one(CONSUME, [clock.now(), this.#kind, hash])) return;
    const row = await db.one<{ grant_id: string | null }>(
      'select grant_id from oidc_records where kind = ? and id_hash = ?',
      [this.#kind, hash],
    );
    if (row?.grant_id) await revocations.revokeGrant(row.grant_id);
    if (this.#kind === 'PushedAuthorizationRequest') throw new errors.InvalidRequestUri('used before');
    throw new errors.InvalidGrant('used before');
  }

  async destroy(id: string): Promise<void> {
    const { db, revocations, errors } = this.#parts;
    if (this.#kind === 'Grant') return revocations.revokeGrant(id);
    const gone = await db.run(DELETE, [this.#kind, sha256(id)]);
    // An interaction ends with a code: of two that resume it at once, only one may.
    if (this.#kind === 'Interaction' && gone === 0) throw new errors.SessionNotFound('used before');
  }

  /** Nothing to do: the library calls this beside destroying the grant, and that takes all its records along. */
  async revokeByGrantId(): Promise<void> {}

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}
}

/** Each use of a refresh token lets it and its grant live on from now; what is over stays over. */
export const renewGrant = async (
  db: Queries,
  grantId: string,
  nowMs: BankTime,
  lifeMs: number,
): Promise<void> => {
  await db.run(RENEW, [nowMs + lifeMs, grantId, nowMs, nowMs + lifeMs]);
};

/** What others keep of an interaction: its id is a secret of the browser that has it. */
export const interactionHash = (uid: string): string => sha256(uid);

const LOCK_INTERACTION = `update oidc_records set expires_at = expires_at
  where kind = 'Interaction' and id_hash = ? and expires_at > ? returning kind`;

/** Locks an interaction until the transaction ends; false if it is over. */
export const lockInteraction = async (tx: Queries, hash: string, now: RealTime): Promise<boolean> =>
  (await tx.one(LOCK_INTERACTION, [hash, now])) !== undefined;

/** The parameters of an interaction that waits. */
export const waitingParams = async (
  db: Queries,
  hash: string,
  now: RealTime,
): Promise<Readonly<Record<string, string | undefined>> | undefined> => {
  const row = await db.one<RecordRow>(FIND, ['Interaction', hash, now]);
  if (!row) return undefined;
  return paramsOf(JSON.parse(row.payload.replaceAll(OWN_ID, '')) as AdapterPayload);
};

const FORGET_RECORDS = `
  delete from oidc_records where (kind, id_hash) in
    (select kind, id_hash from oidc_records
     where expires_at <= ? and kind not in (${KINDS_BY_BANK}) limit 500)`;
const OVERDUE_GRANTS = `
  select kind, id_hash as "hash", payload, grant_id from oidc_records
  where expires_at <= ? and kind in (${KINDS_BY_BANK}) order by expires_at limit 500`;
const FORGET_GRANT = 'delete from oidc_records where kind = ? and id_hash = ? and expires_at <= ?';
const FORGET_REVOCATIONS = `
  delete from oauth_revocations where (kind, id) in
    (select kind, id from oauth_revocations where expires_at <= ? limit 500)`;
const OLDEST_RECORD = 'select min(expires_at) as "at" from oidc_records';

type OverdueRow = Pick<GrantRecordRow, 'payload' | 'grant_id'> & Record<'kind' | 'hash', string>;

/** Grants that a funds consent needs live on. */
const sweepGrants = async (db: Queries, now: BankTime, lifeMs: number): Promise<number> => {
  const rows = await db.all<OverdueRow>(OVERDUE_GRANTS, [now]);
  for (const row of rows) {
    const overdue = overdueGrant(row);
    if (!overdue || (await keepForFunds(db, overdue, now, lifeMs)) === undefined)
      await db.run(FORGET_GRANT, [row.kind, row.hash, now]);
  }
  return rows.length;
};

/** Removes some of what is over; called by a job until nothing is left. */
export const sweepOauth = async (
  db: Queries,
  clock: Clock,
  { bankNow, grantDays }: { readonly bankNow: BankTime; readonly grantDays: number },
): Promise<number> => {
  const now = clock.now();
  const grants = await sweepGrants(db, bankNow, grantDays * DAY);
  // A clock that is ahead for a while must not make another node forget what is revoked.
  const records = await db.run(FORGET_RECORDS, [now]);
  return grants + records + (await db.run(FORGET_REVOCATIONS, [now - DAY]));
};

/** For how long the oldest record has been over. */
export const oauthOverdueMs = async (db: Queries, clock: Clock): Promise<number> => {
  const row = await db.one<{ at: number | null }>(OLDEST_RECORD);
  return Math.max(0, clock.now() - (row?.at ?? Number.POSITIVE_INFINITY));
};

/** What was revoked stays revoked: access tokens live on. */
export const clearOauthRecords = async (tx: Queries): Promise<void> => {
  await tx.run('delete from oidc_records');
};
