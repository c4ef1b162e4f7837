/**
 * Tells a bank elsewhere of the orders that were submitted to us, and asks it what has become of them. Every node has one; it
 * claims an order before each call, so that one node at a time speaks of it, and when that node dies another one goes on.
 */
import type { RemoteBooks } from '../../bank/payments.js';
import { type Clock, SECOND } from '../../lib/clock.js';
import { errorFields, type Log } from '../../observe/log.js';
import type { Db } from '../../store/db.js';
import { OutboxRunner } from '../../store/outbox-runner.js';
import { moveOrder } from '../orders.js';
import { type Heard, hear } from './call.js';
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
  readonly bankTime: () => Promise<number>;
  readonly log: Log;
  /** How long one call is waited for; an adapter gives up earlier. */
  readonly patienceMs: number;
  /** How long an outcome may be unknown before people are asked to find out. */
  readonly unresolvedAfterMs: number;
}

/** A claim is longer than a call can take, by more than clocks of nodes differ. */
const MARGIN_MS = 5 * SECOND;
/** On shutdown: what has not ended by then is asked for by another node. */
const GRACE_MS = 5 * SECOND;
/** The core has other questions to answer as well. */
const AT_ONCE = 16;

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
    const free = AT_ONCE - this.runningCount;
    if (free <= 0) return;
    const moment = { bankNow: await bankTime(), now: clock.now() };
    for (const order of await dueRemoteOrders(db, moment, free)) {
      const until = moment.now + this.#claimMs;
      if (!this.mayStart(order.id) || !(await claimOrder(db, order, moment, until))) continue;
      // After an error the claim runs out, and the bank is asked.
      this.start(order.id, this.#speakOf(order, until), (error) =>
        log.warn({ payment: order.id, ...errorFields(error) }, 'payment order'),
      );
    }
  }

  async #speakOf(order: RemoteOrder, claimedUntil: number): Promise<void> {
    const { db, books, clock, bankTime, patienceMs } = this.#parts;
    let until = claimedUntil;
    const heard = await hear(
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
    await this.#writeDown(order, heard, until);
  }

  async #writeDown(order: RemoteOrder, heard: Heard, until: number): Promise<void> {
    const { db, bankTime } = this.#parts;
    if (heard.kind === 'lost') return;
    const bankNow = await bankTime();
    if (heard.kind !== 'progress') {
      await postponeOrder(db, order, this.#doubt(order, heard, bankNow), until);
      return;
    }
    const { progress } = heard;
    const within =
      'lookAgainAt' in progress
        ? { ...progress, lookAgainAt: wishedLook(progress.lookAgainAt, bankNow) }
        : progress;
    await db.transaction((tx) => moveOrder(tx, order, within, bankNow));
  }

  #doubt(order: RemoteOrder, heard: Exclude<Heard, { kind: 'progress' | 'lost' }>, bankNow: number): Doubt {
    const { clock, log, unresolvedAfterMs } = this.#parts;
    const { fault } = heard;
    const now = clock.now();
    const attempts = order.attempts + 1;
    const unknownSince = order.unknownSince ?? now;
    const isUnresolved =
      order.unresolvedAt !== null || heard.kind === 'absent' || now - unknownSince >= unresolvedAfterMs;
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
