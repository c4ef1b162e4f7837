/** What a service is started with, and what is opened must be closed. */
import type { AccountHolders } from '../bank/account-holders.js';
import type { Bank } from '../bank/bank.js';
import type { Config } from '../config/config.js';
import type { Clock } from '../lib/clock.js';
import type { Log } from '../observe/log.js';
import type { Extension } from './extension.js';

export interface AppOptions {
  readonly config: Config;
  readonly extensions?: readonly Extension[];
  /** The core banking system, unless the configuration or an extension names one. */
  readonly bank?: Bank;
  /** How account holders log in. */
  readonly accountHolders?: AccountHolders;
  readonly clock?: Clock;
  readonly log?: Log;
  /** `false`: no port is opened; requests come through `handle`, and the configuration has a `baseUrl`. */
  readonly listens?: boolean;
  /** One of several services of this process, whose memory and event loop another one shows in its figures. */
  readonly isGuest?: boolean;
  /** Of the service around this one; those of the configuration, if absent. */
  readonly ownPorts?: Set<number>;
  /** For work that takes long at the first start. */
  readonly tell?: (line: string) => void;
}

/** Closes what was opened, last first, even if opening stops half-way. */
export class Closers {
  readonly #closers: (() => unknown)[] = [];

  add<T>(thing: T, close: (thing: T) => unknown): T {
    this.#closers.push(() => close(thing));
    return thing;
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }
}
