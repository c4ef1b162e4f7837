/**
 * Sends submitted orders to a remote core and queries their progress. Every node has a dispatcher; it claims an order before each
 * call, so that one node at a time works on it, and another node takes over if that one dies.
 */
import type { RemoteBooks } from '../../bank/payments.js';
import { type BankTime, type Clock, SECOND } from '../../lib/clock.js';
import { errorFields, type Log } from '../../observe/log.js';
import type { Db } from '../../store/db.js';
import { OutboxRunner } from '../../store/outbox-runner.js';
import { moveOrder } from '../orders.js';
import { type CoreReply, dispatch } from './call.js';
import {
  claimOrder,
  type Doubt,
  dueRemoteOrders,
  postponeOrder,
  type RemoteOrder,
  renewClaim,
} from './outbox.js';
import { nextDelay, wishedLook } from './schedule.js';

export interface DispatcherParts {
  readonly db: Db;
  readonly books: RemoteBooks;
  readonly clock: Clock;
  readonly bankTime: () => Promise<BankTime>;
  readonly log: Log;
  /** Time limit of one call; an adapter gives up earlier. */
  readonly patienceMs: number;
  /** How long an outcome may be unknown before an operator has to find out. */
  readonly unresolvedAfterMs: number;
}

/** A claim outlasts the longest call by more than the clocks of nodes differ. */
const MARGIN_MS = 5 * SECOND;
/** On shutdown: another node queries what has not ended by then. */
const GRACE_MS = 5 * SECOND;
/** Leaves capacity of the core for other requests. */
const MAX_CONCURRENT = 16;

export class Dispatcher extends OutboxRunner {
  readonly #parts: DispatcherParts;
  readonly #claimMs: number;

  constructor(parts: DispatcherParts) {
    super({
      onPollError: (error) => parts.log.warn(errorFields(error), 'payment orders cannot be read'),
      graceMs: GRACE_MS,
    });
    this.#parts = parts;
    this.#claimMs = parts.patienceMs + MARGIN_MS;
  }

  protected async claimDue(): Promise<void> {
    const { db, clock, bankTime, log } = this.#parts;
    const free = MAX_CONCURRENT - this.runningCount;
    if (free <= 0) return;
    const moment = { bankNow: await bankTime(), now: clock.now() };
    for (const order of await dueRemoteOrders(db, moment, free)) {
      const until = moment.now + this.#claimMs;
      if (!this.mayStart(order.id) || !(await claimOrder(db, order, moment, until))) continue;
      // After an error the claim expires, and the core is queried.
      this.start(order.id, this.#dispatch(order, until), (error) =>
        log.warn({ payment: order.id, ...errorFields(error) }, 'payment order'),
      );
    }
  }

  async #dispatch(order: RemoteOrder, claimedUntil: number): Promise<void> {
    const { db, books, clock, bankTime, patienceMs } = this.#parts;
    let until = claimedUntil;
    const reply = await dispatch(
      {
        books,
        patienceMs,
        isHeld: () => clock.now() < until,
        mark: async () => {
          const claim = { from: until, to: Math.max(clock.now() + this.#claimMs, until + 1) };
          until = claim.to;
          return renewClaim(db, order, await bankTime(), claim);
        },
      },
      order,
    );
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
        ? { ...progress, lookAgainAt: wishedLook(progress.lookAgainAt, bankNow) }
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
    const facts = { payment: order.id, fault, attempts };
    if (!isUnresolved) log.info(facts, 'payment with an unknown outcome');
    else if (order.unresolvedAt === null)
      log.warn(facts, 'payment unresolved: find out at the core, then use "trapeza payments settle"');
    return {
      attempts,
      fault,
      unknownSince,
      unresolvedAt: isUnresolved ? (order.unresolvedAt ?? bankNow) : null,
      lookAgainAt: bankNow + nextDelay(attempts, isUnresolved),
    };
  }
}
