/**
 * Third parties that a person has blocked, one or all. What they had ends, what they ask for from then on waits in vain: they are
 * answered as before, so that none can find out who has blocked it.
 */

import type { BankTime } from '../lib/clock.js';
import { undisguised } from '../lib/format/undisguised.js';
import type { PsuId, TppId } from '../model/ids.js';
import type { Db, Queries } from '../store/db.js';
import { isFinal } from './lifecycle.js';
import { moveConsent, settle } from './move.js';
import type { Ended } from './reason.js';
import type { Consent } from './record.js';

/** One third party, or all there are and will be. */
export type Blocked = { readonly tppId: TppId } | 'all';

export interface Block {
  /** Undefined: all third parties. */
  readonly tpp?: { readonly id: TppId; readonly name: string };
  readonly at: BankTime;
}

const ALL = '*';
const keyOf = (blocked: Blocked): string => (blocked === 'all' ? ALL : blocked.tppId);

const BLOCKS = `
  select b.tpp_id as "tppId", b.blocked_at as "at", coalesce(t.name, b.tpp_id) as name
  from third_party_blocks b left join tpps t on t.id = b.tpp_id
  where b.psu_id = ? order by b.blocked_at desc, b.tpp_id`;

/** The newest first. */
export const blocksOf = async (db: Queries, psuId: PsuId): Promise<readonly Block[]> => {
  const rows = await db.all<{ tppId: TppId; at: BankTime; name: string }>(BLOCKS, [psuId]);
  return rows.map(({ tppId, at, name }) => ({
    ...(tppId === ALL ? {} : { tpp: { id: tppId, name: undisguised(name) } }),
    at,
  }));
};

/** An approval and a block of one person come one after the other, on all nodes; on SQLite a transaction is alone as it is. */
const HOLD_BLOCKS = 'select pg_advisory_xact_lock(hashtextextended(cast(? as text), 0))';

export const lockBlocks = async (engine: Db['engine'], tx: Queries, psuId: PsuId): Promise<void> => {
  if (engine === 'postgres') await tx.one(HOLD_BLOCKS, [`blocks ${psuId}`]);
};

const ADD_BLOCK = `
  insert into third_party_blocks (psu_id, tpp_id, blocked_at) values (?, ?, ?) on conflict (psu_id, tpp_id) do nothing`;

/** In the order of the applications, in which their events are locked. A submitted payment is in the bank's hands. */
const OPEN_OF_BLOCKED = `
  select c.id, c.psu_id as "psuId", c.client_id as "clientId", c.kind, c.status, c.created_at as "createdAt", c.expires_at as "expiresAt",
         c.end_reason as "endReason"
  from consents c join applications a on a.client_id = c.client_id
  where c.psu_id = ? and (a.tpp_id = ? or cast(? as text) = '${ALL}') and c.submitted_at is null
    and (c.status = 'Received' or c.status = 'Valid') and c.client_id >= ?
  order by c.client_id, c.created_at, c.id limit ?`;

/** So many are read at once. */
const BATCH = 100;

type Open = Ended & Pick<Consent, 'id' | 'psuId' | 'clientId'>;

const endBlocked = async (tx: Queries, open: Open, at: BankTime): Promise<void> => {
  const { id, psuId } = open;
  const status = await settle(tx, open, at);
  if (isFinal(status)) return;
  const to = status === 'Valid' ? 'RevokedByPsu' : 'Rejected';
  await moveConsent(tx, { id, psuId, from: status, to, by: 'psu', reason: 'blocked', at });
};

/** Ends all that is open, in one transaction: a node that stops in between has blocked nothing. Blocking again changes nothing. */
export const blockThirdParty = (db: Db, psuId: PsuId, blocked: Blocked, at: BankTime): Promise<void> =>
  db.transaction(async (tx) => {
    const key = keyOf(blocked);
    await lockBlocks(db.engine, tx, psuId);
    await tx.run(ADD_BLOCK, [psuId, key, at]);
    let open: readonly Open[];
    let from = '';
    do {
      open = await tx.all<Open>(OPEN_OF_BLOCKED, [psuId, key, key, from, BATCH]);
      for (const each of open) await endBlocked(tx, each, at);
      from = open.at(-1)?.clientId ?? '';
    } while (open.length === BATCH);
  });

const LIFT_BLOCK = 'delete from third_party_blocks where psu_id = ? and tpp_id = ?';

/** Call after an authentication. What has ended stays so: the third party must ask anew. False if there was no such block. */
export const liftBlock = async (db: Queries, psuId: PsuId, blocked: Blocked): Promise<boolean> =>
  (await db.run(LIFT_BLOCK, [psuId, keyOf(blocked)])) > 0;

const LIFT_BLOCKS_ON = "delete from third_party_blocks where psu_id = ? and tpp_id in (?, '*')";

/** Whatever keeps this third party from asking. Call after an authentication. */
export const liftBlocksOn = (
  db: Queries,
  { psuId, tppId }: { readonly psuId: PsuId; readonly tppId: TppId },
): Promise<number> => db.run(LIFT_BLOCKS_ON, [psuId, tppId]);

export const clearBlocks = (tx: Queries): Promise<number> => tx.run('delete from third_party_blocks');
