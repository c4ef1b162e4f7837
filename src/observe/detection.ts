/**
 * Attacks that show only over several calls, each of which is fine by itself. They raise security events and refuse nothing:
 * people decide who is an attacker. Each process considers the calls that it answers, and remembers a bounded number of them.
 */

import { DAY, HOUR, monotonicMs } from '../lib/clock.js';
import { sha256 } from '../lib/hash.js';
import { networkOf } from '../lib/net/address.js';
import type { ClientId, ConsentId } from '../model/ids.js';
import { BalanceSearch, type FundsAnswer } from './balance-search.js';
import { DistinctValues } from './distinct-values.js';
import type { Security } from './security-events.js';

/** Different accounts of one application without a consent that are an event. */
const PROBED_ACCOUNTS = 20;
/** Different addresses of the account holder of one consent that are an event: a phone has a few in a day. */
const CLAIMED_ADDRESSES = 20;

interface Asked {
  readonly clientId: ClientId;
  readonly requestId: string;
}

export class Detection {
  readonly #security: Security;
  readonly #now: () => number;
  readonly #balances = new BalanceSearch();
  readonly #accounts = new DistinctValues({ windowMs: HOUR, keys: 1000, values: 1000 });
  readonly #addresses = new DistinctValues({ windowMs: DAY, keys: 5000, values: 100 });

  constructor(security: Security, now: () => number = monotonicMs) {
    this.#security = security;
    this.#now = now;
  }

  /** A funds question was answered. */
  answered(answer: FundsAnswer & Asked): void {
    if (!this.#balances.isFound(answer, this.#now())) return;
    const { clientId, requestId } = answer;
    this.#security.event('funds-bisection', { clientId, requestId });
  }

  /** A funds question was refused, because no consent of the application covers the account. */
  uncovered({ clientId, requestId }: Asked, account: unknown): void {
    const count = this.#accounts.add(clientId, sha256(JSON.stringify(account)), this.#now());
    if (count > 0 && count % PROBED_ACCOUNTS === 0)
      this.#security.event('account-probing', { clientId, requestId });
  }

  /** Account data was read, the account holder being present at this address as the application says. */
  attended({ clientId, requestId }: Asked, consentId: ConsentId, psuAddress: string): void {
    const count = this.#addresses.add(consentId, networkOf(psuAddress), this.#now());
    if (count > 0 && count % CLAIMED_ADDRESSES === 0)
      this.#security.event('presence-doubtful', { clientId, requestId });
  }
}
