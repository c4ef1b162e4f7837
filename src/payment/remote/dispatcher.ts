/**
 * Sends submitted orders to a remote core and queries their progress. Every node has a dispatcher; it claims an order before each
 * call, so that one node at a time works on it, and another node takes over if that one dies.
 */
import { PAYMENTS_AT_ONCE, type RemoteBooks } from '../../bank/payments.js';
import { type BankTime, SECOND, type SharedClock } from '../../lib/clock.js';
import { errorFields, type Log } from '../../observe/log.js';
import type { Db } from '../../store/db.js';
import { OutboxRunner } from '../../store/outbox-runner.js';
import { moveOrder } from '../orders.js';
import { type CoreReply, dispatch } from './call.js';
import {
  CALL_NEEDS_MS,
  CLAIM_MS,
  type Claim,
  claimOrder,
  type Doubt,
  dueRemoteOrders,
  KEEP_EVERY_MS,
  keepClaim,
  postponeOrder,
  type RemoteOrder,
  renewClaim,
} from './outbox.js';
import { nextDelay, wishedLook } from './schedule.js';

export interface DispatcherParts {
  readonly db: Db;
  readonly books: RemoteBooks;
  readonly clock: SharedClock;
  readonly bankTime: () => Promise<BankTime>;
  readonly log: Log;
  /** Time limit of one call; an adapter gives up earlier. */
  readonly patienceMs: number;
  /** How long an outcome may be unknown before an operator has to find out. */
  readonly unresolvedAfterMs: number;
}

/** So long before its claim ends a payment arrives at the latest: the clock of the core may be behind. */
const ARRIVES_BEFORE_MS = 3 * SECOND;
/** An instant payment must not wait for the claims of all others; requests need the store too. */
const CLAIMS_AT_ONCE = 4;
/** On shutdown: another node queries what has not ended by then. */
const GRACE_MS = 5 * SECOND;

export class Dispatcher extends OutboxRunner {
  readonly #parts: DispatcherParts;

  constructor(parts: DispatcherParts) {
    super({
      onPollError: (error) => parts.log.warn(errorFields(error), 'payment orders cannot be read'),
      graceMs: GRACE_MS,
      mayClaim: () => parts.clock.isRight(),
    });
    this.#parts = parts;
  }

  protected async claimDue(): Promise<void> {
    const { db, clock, bankTime, log } = this.#parts;
    const free = PAYMENTS_AT_ONCE - this.runningCount;
    if (free <= 0) return;
    const bankNow = await bankTime();
    const claim = async (order: RemoteOrder): Promise<void> => {
      // Each claim begins when it is made: those before it may have taken long.
      const now = clock.now();
      const until = now + CLAIM_MS;
      if (!this.mayStart(order.id) || !(await claimOrder(db, order, { bankNow, now }, until))) return;
      // After an error the claim expires, and the core is queried.
      this.start(order.id, this.#dispatch(order, until), (error) =>
        log.warn({ payment: order.id, ...errorFields(error) }, 'payment order'),
      );
    };
    const due = await dueRemoteOrders(db, { bankNow, now: clock.now() }, free);
    while (due.length > 0) await Promise.all(due.splice(0, CLAIMS_AT_ONCE).map(claim));
  }

  async #dispatch(order: RemoteOrder, claimedUntil: number): Promise<void> {
    const { db, books, clock, bankTime, patienceMs } = this.#parts;
    let until = claimedUntil;
    let turn: Promise<unknown> = Promise.resolve();
    /** One after the other: each goes on from the claim before. */
    const extend = (write: (claim: Claim) => Promise<boolean>): Promise<boolean> => {
      const extended = turn.then(async () => {
        const claim = { from: until, to: Math.max(clock.now() + CLAIM_MS, until + 1) };
        const isOurs = await write(claim);
        if (isOurs) until = claim.to;
        return isOurs;
      });
      turn = extended.catch(() => undefined);
      return extended;
    };
    // If the store is away, the claim runs out.
    const keep = () => extend((claim) => keepClaim(db, order, claim)).catch(() => undefined);
    const keeper = setInterval(() => void keep(), KEEP_EVERY_MS);
    const reply = await dispatch(
      {
        books,
        patienceMs,
        sendBy: () => ({
          notAfter: until - ARRIVES_BEFORE_MS,
          // A machine that slept disagrees with its own monotonic time.
          mayStart: () => clock.isRight() && clock.now() + CALL_NEEDS_MS <= until,
        }),
        mark: () => extend(async (claim) => renewClaim(db, order, await bankTime(), claim)),
      },
      order,
    ).finally(() => clearInterval(keeper));
    await turn;
    await this.#record(order, reply, until);
  }

  async #record(order: RemoteOrder, reply: CoreReply, until: number): Promise<void> {
    const { db, bankTime } = this.#parts;
    if (reply.kind === 'lost') return;
    const bankNow = await bankTime();
    if (reply.kind !== 'progress') {
      await postponeOrder(db, order, this.#doubt(order, reply, bankNow), until);
      return;
    }
    const { progress } = reply;
    const within =
      'lookAgainAt' in progress
        ? { ...progress, lookAgainAt: wishedLook(progress.lookAgainAt, bankNow, order.createdAt) }
        : progress;
    await db.transaction((tx) => moveOrder(tx, order, within, bankNow));
  }

  #doubt(
    order: RemoteOrder,
    reply: Exclude<CoreReply, { kind: 'progress' | 'lost' }>,
    bankNow: BankTime,
  ): Doubt {
    const { clock, log, unresolvedAfterMs } = this.#parts;
    const { fault } = reply;
    const now = clock.now();
    const attempts = order.attempts + 1;
    const unknownSince = order.unknownSince ?? now;
    const isUnresolved =
      order.unresolvedAt !== null || reply.kind === 'absent' || now - unknownSince >= unresolvedAfterMs;
    const { retriedAt } = order;
    const isRetried = retriedAt !== null && reply.kind !== 'absent' && now - retriedAt < unresolvedAfterMs;
    const facts = { payment: order.id, fault, attempts };
    if (!isUnresolved || isRetried) log.info(facts, 'payment with an unknown outcome');
    else if (order.unresolvedAt === null || retriedAt !== null)
      log.warn(facts, 'payment unresolved: find out at the core, then use "trapeza payments settle"');
    return {
      attempts,
      fault,
      unknownSince,
      unresolvedAt: isUnresolved ? (order.unresolvedAt ?? bankNow) : null,
      retriedAt: isRetried ? retriedAt : null,
      lookAgainAt:
        bankNow + nextDelay(now - (isRetried ? retriedAt : unknownSince), isUnresolved && !isRetried),
    };
  }
}
