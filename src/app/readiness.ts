/**
 * Whether this node can serve: it has started, it is not stopping, it can sign, and a read and a write like those of calls have
 * succeeded lately. Readiness requests wait for neither.
 */
import { setTimeout } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Bank } from '../bank/bank.js';
import type { Maintenance } from '../gate/maintenance.js';
import type { Readiness } from '../http/listeners/management.js';
import { monotonicMs, SECOND, type SharedClock } from '../lib/clock.js';
import type { SigningKeys } from '../oauth/signing-keys.js';
import type { Log } from '../observe/log.js';
import { Problem } from '../problem/problem.js';
import type { Continuity } from '../store/continuity/continuity.js';
import type { Db } from '../store/db.js';
import { storeFaults } from '../store/health.js';
import { readSetting } from '../store/settings.js';

/** Read to see whether reads succeed; whether it is there does not matter. */
const PULSE = 'pulse';
/** Why the store can fail: a fault that is seen, or that it has forgotten something. */
const storeReasons = [...storeFaults, 'forgot'] as const;
/** The state of the core is only reported, so it is queried less often. */
const CORE_EVERY_MS = 10 * SECOND;

export interface ReadinessParts {
  readonly db: Db;
  readonly bank: Pick<Bank, 'ping'>;
  readonly storeClock: Pick<SharedClock, 'isRight'>;
  readonly signing: readonly Pick<SigningKeys, 'canSign'>[];
  readonly config: { readonly readyWithinMs: number };
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly metrics: { readonly registry: Registry };
  readonly maintenance: Pick<Maintenance, 'isClosed'>;
  readonly continuity: Pick<Continuity, 'hasForgotten'> | undefined;
}

/** The words of our own for a core that says it is under maintenance. */
const coreTrouble = (error: unknown): Readiness['checks'][string] => {
  const cause = error instanceof Problem ? error.details.cause : undefined;
  const [, reason] = /^the core: (maintenance.*)$/.exec(cause instanceof Error ? cause.message : '') ?? [];
  return reason === undefined ? 'failed' : (reason as `maintenance${string}`);
};

const failedIn = (checks: Readiness['checks']): string[] =>
  Object.keys(checks).filter((name) => checks[name] === 'failed');

const verdict = (isFine: boolean): 'ok' | 'failed' => (isFine ? 'ok' : 'failed');

export class ReadinessProbe {
  readonly #parts: ReadinessParts;
  readonly #withinMs: number;
  readonly #underWay = new Map<string, Promise<unknown>>();
  #isAccepting = false;
  /** As it was logged. */
  #failed = '';
  #core: Readiness['checks'][string] = 'failed';
  #coreAskedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: ReadinessParts) {
    this.#parts = parts;
    this.#withinMs = parts.config.readyWithinMs;
    const state = (): Readiness => this.state();
    const { registry } = parts.metrics;
    new Gauge({
      name: 'trapeza_ready',
      help: '1 if the node is ready',
      registers: [registry],
      collect() {
        this.set(state().ready ? 1 : 0);
      },
    });
    new Gauge({
      name: 'trapeza_check_failed',
      help: '1 for each check of readiness that has failed, with the reason as far as it is known; else 0',
      labelNames: ['check', 'reason'],
      registers: [registry],
      collect() {
        const { checks, reasons } = state();
        for (const check of Object.keys(checks))
          for (const reason of check === 'store' ? storeReasons : [''])
            this.set(
              { check, reason },
              checks[check] === 'failed' && (reasons[check] ?? '') === reason ? 1 : 0,
            );
      },
    });
  }

  /** The start has ended. */
  async begin(): Promise<void> {
    // A write that waits for a standby may take for ever.
    this.#probe();
    await Promise.race([
      Promise.all(this.#underWay.values()),
      setTimeout(this.#withinMs, undefined, { ref: false }),
    ]);
    // Four times within the limit, so that one slow probe does not make a healthy node unready.
    this.#timer = setInterval(() => {
      this.#probe();
      this.#logChange();
    }, this.#withinMs / 4).unref();
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
    const { db, continuity, storeClock, maintenance } = this.#parts;
    const fault = continuity?.hasForgotten ? 'forgot' : db.health.fault(this.#withinMs);
    const isClockRight = storeClock.isRight();
    // A key that was rolled by a node with another secret is of no use here.
    const canSign = this.#parts.signing.every((keys) => keys.canSign());
    return {
      ready: this.#isAccepting && fault === undefined && isClockRight && canSign,
      // A core that is down makes calls fail one by one; the ATMs and statuses of this node are still worth having.
      checks: {
        store: verdict(fault === undefined),
        clock: verdict(isClockRight),
        core: this.#core,
        keys: verdict(canSign),
        accepting: verdict(this.#isAccepting),
        // A proxy passes the answers of a closed node on: they say more than its own.
        ...(maintenance.isClosed ? { interface: 'maintenance' as const } : {}),
      },
      reasons: fault === undefined ? {} : { store: fault },
    };
  }

  /** Once for each change. */
  #logChange(): void {
    const { ready, checks, reasons } = this.state();
    const failed = ready ? '' : failedIn(checks).join(' ');
    if (!this.#isAccepting || failed === this.#failed) return;
    this.#failed = failed;
    if (ready) this.#parts.log.info({}, 'ready again');
    else this.#parts.log.warn({ checks, reasons }, 'not ready');
  }

  #probe(): void {
    const { db, bank } = this.#parts;
    const now = monotonicMs();
    if (db.health.isReadDue(this.#withinMs / 2)) this.#try('read', () => readSetting(db.batchedReads, PULSE));
    if (db.health.isTryDue(this.#withinMs / 2)) this.#try('write', () => db.tryWrite());
    if (this.#coreAskedAt <= now - CORE_EVERY_MS)
      this.#try('core', async () => {
        this.#coreAskedAt = now;
        this.#core = await bank.ping().then(() => 'ok', coreTrouble);
      });
  }

  #try(name: string, work: () => Promise<unknown>): void {
    if (this.#underWay.has(name)) return;
    const turn = work()
      .catch(() => undefined)
      .finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, turn);
  }
}
