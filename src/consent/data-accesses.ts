/**
 * The durable record of every read of account data, committed before the answer leaves. Its rows are also the counter of the
 * reads without the account holder (RTS Art. 36(5)(b)): a read is counted and written in one transaction that holds the
 * consent's row, so the count is exact, however many nodes there are. A client whose answer was lost repeats the read with the
 * same X-Request-ID: that is answered anew, recorded as page 0, and not counted.
 */

import { type BankTime, DAY, MINUTE, SECOND } from '../lib/clock.js';
import { newId } from '../lib/id.js';
import { instantText } from '../lib/instant.js';
import { exhaustedFields, rateLimitFields } from '../lib/rate-limit.js';
import type { AccountId, ClientId, ConsentId, PsuId } from '../model/ids.js';
import { Problem } from '../problem/problem.js';
import type { Db, Queries, Write } from '../store/db.js';
import { GroupCommit, inTransaction } from '../store/group-commit.js';
import { ONE_OFF_MS } from './access.js';
import type { AccessKind } from './uses.js';

export interface DataAccess {
  readonly consentId: ConsentId;
  readonly clientId: ClientId;
  readonly psuId: PsuId;
  /** The bank's own id; null for the list of accounts. */
  readonly accountId: AccountId | null;
  readonly kind: AccessKind;
  /** The account holder asked for it. */
  readonly isAttended: boolean;
  /** From 1. The pages after the first belong to its read, and so do its repetitions, which are recorded as page 0. */
  readonly page: number;
  /** How many reads of one kind are free in 24 hours while the account holder is away. */
  readonly limit: number;
  readonly isOneOff: boolean;
  /** In lower case. */
  readonly requestId: string;
  /** Of the whole request: consent, path, query. */
  readonly fingerprint: string;
  readonly at: BankTime;
}

const WINDOW_MS = DAY;

/** So long after a counted read its repetition is free. It does not begin again with every repetition. */
const REPEATABLE_MS = 10 * MINUTE;
/** More are no lost answers: who polls with one id pays a read for every so many. */
const REPETITIONS = 10;
const REPEATED = 0;

/** Changes nothing, but keeps the row until the transaction ends: one reader of a consent after the other. */
const LOCK_CONSENT = `
  update consents set status = status where id = ? and client_id = ? and psu_id = ? and status = 'Valid'`;

/** The latest ones: with `limit` of them, the last in the list is the one that makes room when it leaves the window. */
const COUNTED = `
  select accessed_at as at, request_id as "requestId", fingerprint from data_accesses
  where consent_id = ? and kind = ? and (account_id = ? or (account_id is null and cast(? as text) is null))
    and attended = 0 and page = 1 and accessed_at > ?
  order by accessed_at desc limit ?`;

const REPEATED_SINCE = `
  select count(*) as count from data_accesses
  where consent_id = ? and kind = ? and (account_id = ? or (account_id is null and cast(? as text) is null))
    and page = ${REPEATED} and request_id = ? and accessed_at >= ?`;

/** Nothing is written for a consent that was ended in the meantime. */
const INSERT_DATA_ACCESS = `
  insert into data_accesses (id, consent_id, client_id, psu_id, account_id, kind, attended, request_id, accessed_at, page,
    fingerprint)
  select cast(? as text), id, client_id, psu_id, cast(? as text), cast(? as text), cast(? as bigint), cast(? as text),
    cast(? as bigint), cast(? as bigint), cast(? as text)
  from consents where id = ? and client_id = ? and psu_id = ? and status = 'Valid'`;

const ADD_DATA_ACCESS = `
  insert into data_accesses (id, consent_id, client_id, psu_id, account_id, kind, attended, request_id, accessed_at, page,
    fingerprint) values (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, '')`;

/** One from before this store: it is neither counted nor limited. */
export const addAccess = async (
  tx: Queries,
  access: Pick<
    DataAccess,
    'consentId' | 'clientId' | 'psuId' | 'accountId' | 'kind' | 'isAttended' | 'requestId' | 'at'
  >,
): Promise<void> => {
  const { consentId, clientId, psuId, accountId, kind, isAttended, requestId, at } = access;
  const who = [requestId, consentId, clientId, psuId, accountId, kind];
  await tx.run(ADD_DATA_ACCESS, [...who, isAttended ? 1 : 0, requestId, at]);
};

/** Later reads would end it later, so only the first one counts. */
const END_ONE_OFF = `
  update consents set expires_at = ?, end_reason = 'completed'
  where id = ? and client_id = ? and psu_id = ? and status = 'Valid' and (expires_at is null or expires_at > ?)`;

type Headers = Readonly<Record<string, string>>;

const isLimited = ({ isAttended, page }: DataAccess): boolean => !isAttended && page === 1;

interface Counted {
  readonly at: BankTime;
  readonly requestId: string;
  readonly fingerprint: string | null;
}

interface Standing {
  readonly counted: readonly Counted[];
  /** The read itself was counted before. */
  readonly isRepeated: boolean;
}

const standingOf = async (db: Queries, access: DataAccess): Promise<Standing> => {
  const { consentId, kind, accountId, at, limit, requestId, fingerprint } = access;
  const data = [consentId, kind, accountId, accountId];
  const counted = await db.all<Counted>(COUNTED, [...data, at - WINDOW_MS, limit]);
  const first = counted.find(
    (each) =>
      each.requestId === requestId && each.fingerprint === fingerprint && each.at > at - REPEATABLE_MS,
  );
  if (!first) return { counted, isRepeated: false };
  const row = await db.one<{ count: number }>(REPEATED_SINCE, [...data, requestId, first.at]);
  return { counted, isRepeated: (row?.count ?? 0) < REPETITIONS };
};

const policyOf = ({ limit, at }: DataAccess, oldest: number) => ({
  name: 'unattended',
  quota: limit,
  windowSeconds: WINDOW_MS / SECOND,
  resetMs: oldest + WINDOW_MS - at,
});

const refuseBeyond = (access: DataAccess, { counted, isRepeated }: Standing): void => {
  const { kind, limit, at, isOneOff } = access;
  if (isRepeated || counted.length < limit) return;
  // A one-off access ends an hour after its first read, long before the window makes room again.
  if (isOneOff)
    throw new Problem('access-exceeded', {
      detail:
        'A one-off consent allows no further read of this kind of data without the account holder. Send PSU-IP-Address if the account holder is present, or ask for a new consent.',
      advice: 'new-consent',
      extensions: { access: { kind, limit } },
    });
  const policy = policyOf(access, counted.at(-1)?.at ?? at);
  throw new Problem('access-exceeded', {
    extensions: { access: { kind, limit, retryAt: instantText(at + policy.resetMs) } },
    headers: exhaustedFields(policy),
  });
};

const insertOf = (access: DataAccess, page: number): Write => {
  const { consentId, clientId, psuId, accountId, kind, isAttended, requestId, at, fingerprint } = access;
  const values = [newId(), accountId, kind, isAttended ? 1 : 0, requestId, at, page, fingerprint];
  return { sql: INSERT_DATA_ACCESS, params: [...values, consentId, clientId, psuId] };
};

const insert = async (tx: Queries, access: DataAccess, page: number): Promise<boolean> =>
  (await tx.run(INSERT_DATA_ACCESS, insertOf(access, page).params)) === 1;

export class DataAccesses {
  readonly #db: Db;
  /** Of those that decide nothing. */
  readonly #uncounted: GroupCommit<DataAccess, Headers | undefined>;

  constructor(db: Db) {
    this.#db = db;
    this.#uncounted = new GroupCommit<DataAccess, Headers | undefined>(
      inTransaction(
        db,
        (access) => [insertOf(access, access.page)],
        ([written]) => (written === 1 ? {} : undefined),
      ),
      { watch: db.watch },
    );
  }

  /** Throws if the reads are used up, before the core is queried. The decision is made in `record`. */
  async check(access: DataAccess): Promise<void> {
    if (isLimited(access)) refuseBeyond(access, await standingOf(this.#db, access));
  }

  /**
   * Returns once the record is durable, with the headers about what is left; throws if the reads are used up, and returns
   * undefined if the consent ended in the meantime.
   */
  record(access: DataAccess): Promise<Headers | undefined> {
    return isLimited(access) || access.isOneOff ? this.#decide(access) : this.#uncounted.add(access);
  }

  #decide(access: DataAccess): Promise<Headers | undefined> {
    return this.#db.transaction(async (tx) => {
      const { consentId, clientId, psuId, at, isOneOff } = access;
      const isHeld = !isLimited(access) || (await tx.run(LOCK_CONSENT, [consentId, clientId, psuId])) === 1;
      if (!isHeld) return undefined;
      const standing = isLimited(access) ? await standingOf(tx, access) : undefined;
      if (standing) refuseBeyond(access, standing);
      if (!(await insert(tx, access, standing?.isRepeated ? REPEATED : access.page))) return undefined;
      if (isOneOff) {
        const end = at + ONE_OFF_MS;
        await tx.run(END_ONE_OFF, [end, consentId, clientId, psuId, end]);
      }
      if (!standing) return {};
      const { counted, isRepeated } = standing;
      const remaining = access.limit - counted.length - (isRepeated ? 0 : 1);
      return rateLimitFields({ ...policyOf(access, counted.at(-1)?.at ?? at), remaining });
    });
  }
}
