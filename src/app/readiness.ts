/**
 * Whether this process can serve: it has started, it is not stopping, it can sign, and a read and a write like those of calls have
 * succeeded lately. The calls themselves are the evidence. Without calls a probe makes one of each; readiness requests do not wait for it.
 */
import { Gauge, type Registry } from 'prom-client';
import type { Bank } from '../bank/bank.js';
import type { Readiness } from '../http/listeners/management.js';
import { type Clock, monotonicMs, SECOND } from '../lib/clock.js';
import type { SigningKeys } from '../oauth/signing-keys.js';
import { Problem } from '../problem/problem.js';
import type { Db } from '../store/db.js';
import { putSetting, readSetting } from '../store/settings.js';

/** Written with one statement, so that a node which stops in the middle of it keeps no lock on the row. */
const PULSE = 'pulse';
/** The state of the core is only reported, so it is queried less often. */
const CORE_EVERY_MS = 10 * SECOND;

export interface ReadinessParts {
  readonly db: Db;
  readonly bank: Pick<Bank, 'ping'>;
  readonly clock: Clock;
  readonly signing: readonly Pick<SigningKeys, 'canSign'>[];
  readonly config: { readonly readyWithinMs: number };
  readonly metrics: { readonly registry: Registry };
}

/** The words of our own for a core that says it is under maintenance. */
const coreTrouble = (error: unknown): Readiness['checks'][string] => {
  const cause = error instanceof Problem ? error.details.cause : undefined;
  const [, reason] = /^the core: (maintenance.*)$/.exec(cause instanceof Error ? cause.message : '') ?? [];
  return reason === undefined ? 'failed' : (reason as `maintenance${string}`);
};

const verdict = (isFine: boolean): 'ok' | 'failed' => (isFine ? 'ok' : 'failed');

export class ReadinessProbe {
  readonly #parts: ReadinessParts;
  readonly #withinMs: number;
  readonly #underWay = new Map<string, Promise<unknown>>();
  #isAccepting = false;
  #core: Readiness['checks'][string] = 'failed';
  #coreAskedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: ReadinessParts) {
    this.#parts = parts;
    this.#withinMs = parts.config.readyWithinMs;
    const isReady = (): boolean => this.state().ready;
    new Gauge({
      name: 'trapeza_ready',
      help: '1 if the process is ready; of several workers, how many are',
      registers: [parts.metrics.registry],
      collect() {
        this.set(isReady() ? 1 : 0);
      },
    });
  }

  /** The start has ended. */
  async begin(): Promise<void> {
    await Promise.all(this.#probe());
    // Four times within the limit, so that one slow probe does not make a healthy node unready.
    this.#timer = setInterval(() => this.#probe(), this.#withinMs / 4).unref();
    this.#isAccepting = true;
  }

  /** Not ready from now on, whatever else is fine. */
  stop(): void {
    this.#isAccepting = false;
  }

  close(): void {
    this.stop();
    clearInterval(this.#timer);
  }

  /** Synchronous; makes no query. */
  state(): Readiness {
    const { readAt, writeAt } = this.#parts.db.lastSuccess;
    const isStoreFine = Math.min(readAt, writeAt) > monotonicMs() - this.#withinMs;
    // A key that was rolled by a node with another secret is of no use here.
    const canSign = this.#parts.signing.every((keys) => keys.canSign());
    return {
      ready: this.#isAccepting && isStoreFine && canSign,
      // A core that is down makes calls fail one by one; the ATMs and statuses of this node are still worth having.
      checks: {
        store: verdict(isStoreFine),
        core: this.#core,
        keys: verdict(canSign),
        accepting: verdict(this.#isAccepting),
      },
    };
  }

  /** What nothing has shown for half of the time is tried. */
  #probe(): readonly Promise<unknown>[] {
    const { db, bank, clock } = this.#parts;
    const now = monotonicMs();
    const { readAt, writeAt } = db.lastSuccess;
    if (readAt < now - this.#withinMs / 2) this.#try('read', () => readSetting(db.batchedReads, PULSE));
    if (writeAt < now - this.#withinMs / 2)
      this.#try('write', () => putSetting(db, PULSE, String(clock.now())));
    if (this.#coreAskedAt <= now - CORE_EVERY_MS)
      this.#try('core', async () => {
        this.#coreAskedAt = now;
        this.#core = await bank.ping().then(() => 'ok', coreTrouble);
      });
    return [...this.#underWay.values()];
  }

  #try(name: string, work: () => Promise<unknown>): void {
    if (this.#underWay.has(name)) return;
    const turn = work()
      .catch(() => undefined)
      .finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, turn);
  }
}
