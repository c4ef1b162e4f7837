/**
 * The outbox of orders for a remote core, in the store. An order is claimed for the time of one call; a node that dies leaves it
 * to another, which finds in it whether the core may have received it. Claims and doubts are in the time of the store; the time of the
 * next query is in bank time.
 */

import { INSTANT_MS, type PaymentInstruction } from '../../bank/payments.js';
import { type BankTime, type RealTime, SECOND } from '../../lib/clock.js';
import type { Queries } from '../../store/db.js';
import { overAt } from '../../store/deadline.js';
import { LOOK_AGAIN_MOST_MS, ORDER_COLUMNS } from '../orders.js';
import type { PaymentOrder } from '../record.js';
import { instructionColumn } from './instruction.js';

export interface RemoteOrder extends PaymentOrder {
  /** The instruction for the bank, the same text each time. */
  readonly instruction: string | null;
  /** When it may have been sent last; null: it certainly was not. */
  readonly sentAt: number | null;
  /** How often it was asked in vain since it last said something. */
  readonly attempts: number;
  readonly unknownSince: number | null;
  /** Since when people have to find out. */
  readonly unresolvedAt: number | null;
  /** Since when an operator has it tried again; null: it is not, or no longer. */
  readonly retriedAt: number | null;
}

const STORE_INSTRUCTION = 'update payment_orders set instruction = ? where id = ?';
/** A claim is kept during the call, so that it always has room for one more. */
export const KEEP_EVERY_MS = 2 * SECOND;
/** What a call needs of a claim: the core has its time, and then the next node may ask about it. */
export const CALL_NEEDS_MS = KEEP_EVERY_MS + INSTANT_MS;
export const CLAIM_MS = CALL_NEEDS_MS + 3 * SECOND;

const REMOTE_COLUMNS = `${ORDER_COLUMNS},
  instruction, sent_at as "sentAt", attempts, unknown_since as "unknownSince", unresolved_at as "unresolvedAt",
  retried_at as "retriedAt"`;
export const UNCLAIMED = '(claimed_until is null or claimed_until <= ? or claimed_until > ?)';
const DUE = `
  select * from (select ${REMOTE_COLUMNS} from payment_orders where look_again_at <= ? and ${UNCLAIMED}
    order by look_again_at limit ?) past
  union all
  select * from (select ${REMOTE_COLUMNS} from payment_orders where look_again_at > ? and ${UNCLAIMED} limit ?) far`;
/** Only if unchanged since it was read. An order that was never sent counts as sent from here on: it is sent after the commit. */
const CLAIM = `
  update payment_orders set claimed_until = ?, asked_at = ?, sent_at = coalesce(sent_at, ?)
  where id = ? and status = ? and look_again_at = ? and ${UNCLAIMED}
    and (sent_at is null) = (cast(? as bigint) is null)`;
const CLAIM_AGAIN = `
  update payment_orders set claimed_until = ?, asked_at = ?, sent_at = ?,
    resent_at = case when retried_at is null then resent_at else cast(? as bigint) end
  where id = ? and claimed_until = ? and status = 'RCVD' and (unresolved_at is null or retried_at is not null)`;
const KEEP_CLAIM = 'update payment_orders set claimed_until = ? where id = ? and claimed_until = ?';
/** Only the node with the claim may do so: a slow node does not disturb the one that has taken over. */
const POSTPONE = `
  update payment_orders set look_again_at = ?, claimed_until = null, attempts = ?, fault = ?, unknown_since = ?, unresolved_at = ?,
    retried_at = ?
  where id = ? and claimed_until = ? and look_again_at is not null`;

const UNSENT = "select 1 as one from payment_orders where id = ? and status = 'RCVD' and sent_at is null";
/** Locks the row: the claim of a dispatcher comes before it or finds another status. */
const TAKE_UNSENT =
  "update payment_orders set claimed_until = null where id = ? and status = 'RCVD' and sent_at is null";

/** The core certainly does not know it yet. */
export const isUnsent = async (db: Queries, id: string): Promise<boolean> =>
  (await db.one(UNSENT, [id])) !== undefined;

/** In the transaction that ends it. False if it may have been sent meanwhile. */
export const takeUnsent = async (tx: Queries, id: string): Promise<boolean> =>
  (await tx.run(TAKE_UNSENT, [id])) === 1;

/** A module may answer RCVD: what is open and not in doubt has an answer. */
const UNANSWERED = `
  select 1 as one from payment_orders
  where id = ? and status = 'RCVD' and sent_at is not null
    and (claimed_until is not null or unknown_since is not null or look_again_at <= ? or look_again_at > ?)`;

/** The core may have received it and has not replied yet, to any node. */
export const isUnanswered = async (db: Queries, id: string, bankNow: BankTime): Promise<boolean> =>
  (await db.one(UNANSWERED, [id, ...overAt(bankNow, LOOK_AGAIN_MOST_MS)])) !== undefined;

/** One that waits for nothing is final. */
const ASK_NOW = 'update payment_orders set look_again_at = ? where id = ? and look_again_at > ?';

/** The bank says that it has changed. False if it is unknown, final, or due anyway. */
export const askOrderNow = async (db: Queries, id: string, bankNow: BankTime): Promise<boolean> =>
  (await db.run(ASK_NOW, [bankNow, id, bankNow])) === 1;

const NOTE_SENT = 'update payment_orders set sent_at = ? where id = ?';

/** The bank has it, though this store never sent it. */
export const noteSent = async (tx: Queries, id: string, at: BankTime): Promise<void> => {
  await tx.run(NOTE_SENT, [at, id]);
};

/** In the transaction of the submission. */
export const storeInstruction = async (tx: Queries, instruction: PaymentInstruction): Promise<void> => {
  await tx.run(STORE_INSTRUCTION, [instructionColumn.write(instruction), instruction.id]);
};

export interface Moment {
  readonly bankNow: BankTime;
  readonly now: RealTime;
}

export const dueRemoteOrders = async (
  db: Queries,
  { bankNow, now }: Moment,
  limit: number,
): Promise<RemoteOrder[]> => {
  const [past, far] = overAt(bankNow, LOOK_AGAIN_MOST_MS);
  const free = overAt(now, CLAIM_MS);
  const due = await db.all<RemoteOrder>(DUE, [past, ...free, limit, far, ...free, limit]);
  return due.slice(0, limit);
};

/** False if another node has the claim. */
export const claimOrder = async (
  db: Queries,
  { id, status, lookAgainAt, sentAt }: RemoteOrder,
  { bankNow, now }: Moment,
  until: number,
): Promise<boolean> =>
  (await db.run(CLAIM, [
    until,
    bankNow,
    bankNow,
    id,
    status,
    lookAgainAt,
    ...overAt(now, CLAIM_MS),
    sentAt,
  ])) === 1;

export interface Claim {
  readonly from: number;
  readonly to: number;
}

/** While the core takes its time. */
export const keepClaim = async (db: Queries, { id }: RemoteOrder, { from, to }: Claim): Promise<boolean> =>
  (await db.run(KEEP_CLAIM, [to, id, from])) === 1;

/** Before the order is sent again. False if the claim was lost. */
export const renewClaim = async (
  db: Queries,
  { id }: RemoteOrder,
  bankNow: BankTime,
  claim: Claim,
): Promise<boolean> =>
  (await db.run(CLAIM_AGAIN, [claim.to, bankNow, bankNow, bankNow, id, claim.from])) === 1;

export interface Doubt {
  readonly attempts: number;
  /** Its kind, never the bank's words. */
  readonly fault: string;
  readonly unknownSince: number;
  readonly unresolvedAt: number | null;
  readonly retriedAt: number | null;
  readonly lookAgainAt: BankTime;
}

export const postponeOrder = async (
  db: Queries,
  { id }: RemoteOrder,
  { attempts, fault, unknownSince, unresolvedAt, retriedAt, lookAgainAt }: Doubt,
  claimedUntil: number,
): Promise<void> => {
  await db.run(POSTPONE, [
    ...[lookAgainAt, attempts, fault, unknownSince, unresolvedAt, retriedAt],
    ...[id, claimedUntil],
  ]);
};
