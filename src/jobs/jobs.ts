/**
 * Work that is done now and then, by one of all nodes. A job goes on until nothing is left, in small steps with pauses between them, so that
 * requests go first; whatever ends it half-way, the next turn goes on from there. It never stops the service.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs, SECOND, type SharedClock } from '../lib/clock.js';
import { errorFields, type Log, levelOf } from '../observe/log.js';
import type { Queries } from '../store/db.js';
import { LEASE_MS, Leases } from './leases.js';
import type { JobMetrics } from './metrics.js';

export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** Does a little of what is due; how many things. Zero says that nothing is left. Safe on several nodes at once. */
  step(): Promise<number>;
  /** For how long the oldest thing has been due; zero if nothing is. */
  overdueMs?(): Promise<number>;
  /** Every process does it for itself, such as reading its own files. */
  readonly isLocal?: boolean;
  /** Any other job may end or delete what nothing brings back, and waits while the time is in doubt. */
  readonly endsNothing?: boolean;
}

export interface Jobs {
  /** Runs what is due and that no other node is doing. */
  runDue(): Promise<void>;
  /** Runs every job once, regardless of leases and due times, for tests. */
  runAll(): Promise<void>;
  close(): Promise<void>;
}

export interface JobParts {
  readonly db: Queries;
  /** What it does not trust is not done. */
  readonly clock: SharedClock;
  readonly log: Log;
  readonly metrics: JobMetrics;
}

/** How soon a node notices that a job is due. */
const POLL_MS = 2 * SECOND;
const PAUSE_MS = 10;
/** More than a turn of any job has to do on a quiet day. */
const MANY = 10_000;
const RENEW_MS = LEASE_MS / 3;

/** Until nothing is left, or `mayGoOn` says no. How many things were done, and whether that was all. */
export const runToEnd = async (
  job: Job,
  mayGoOn: () => Promise<boolean> = async () => true,
): Promise<{ readonly done: number; readonly isEnd: boolean }> => {
  for (let done = 0; ; ) {
    const count = await job.step();
    done += count;
    if (count === 0) return { done, isEnd: true };
    await pause(PAUSE_MS);
    if (!(await mayGoOn())) return { done, isEnd: false };
  }
};

class Runner {
  readonly #parts: JobParts;
  readonly #leases: Leases;
  readonly #running = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(parts: JobParts, leases: Leases) {
    this.#parts = parts;
    this.#leases = leases;
  }

  /** Never rejects. */
  run(job: Job, isForced: boolean): Promise<void> {
    const known = this.#running.get(job.name);
    if (known) return known;
    if (!this.#mayRun(job)) return Promise.resolve();
    const { log, metrics } = this.#parts;
    const turn = (job.isLocal || isForced ? this.#runHere(job) : this.#runLeased(job))
      .catch((error: unknown) => {
        metrics.ended(job.name, 'failed');
        log[levelOf(error)]({ job: job.name, ...errorFields(error) }, 'job failed');
      })
      .finally(() => this.#running.delete(job.name));
    this.#running.set(job.name, turn);
    return turn;
  }

  #mayRun({ endsNothing = false }: Job): boolean {
    const { clock } = this.#parts;
    return endsNothing ? clock.isRight() : clock.mayEnd();
  }

  async #runHere(job: Job): Promise<void> {
    const { done, isEnd } = await runToEnd(job, async () => !this.#isClosed && this.#mayRun(job));
    if (isEnd && !job.isLocal) await this.#leases.succeed(job);
    this.#logProgress(job, done, isEnd);
  }

  async #runLeased(job: Job): Promise<void> {
    if (!(await this.#leases.take(job))) return;
    let renewAt = monotonicMs() + RENEW_MS;
    const mayGoOn = async (): Promise<boolean> => {
      if (this.#isClosed || !this.#mayRun(job)) return false;
      if (monotonicMs() < renewAt) return true;
      renewAt = monotonicMs() + RENEW_MS;
      return this.#leases.renew(job);
    };
    try {
      const { done, isEnd } = await runToEnd(job, mayGoOn);
      await (isEnd ? this.#leases.succeed(job) : this.#leases.giveBack(job, true));
      this.#logProgress(job, done, isEnd);
    } catch (error) {
      // If the store is the reason, this fails too: then the lease runs out.
      await this.#leases.giveBack(job, false).catch(() => undefined);
      throw error;
    }
  }

  #logProgress({ name }: Job, done: number, isEnd: boolean): void {
    const { metrics, log } = this.#parts;
    if (isEnd) metrics.ended(name, 'done');
    metrics.did(name, done);
    if (done >= MANY) log.warn({ job: name, done }, 'job did far more than usual');
    else if (done > 0) log.info({ job: name, done }, 'job');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#running.values());
  }
}

export const startJobs = (jobs: readonly Job[], parts: JobParts): Jobs => {
  const leases = new Leases(parts.db, parts.clock);
  parts.metrics.watch(jobs, leases, parts.clock);
  const runner = new Runner(parts, leases);
  const leased = jobs.filter(({ isLocal }) => !isLocal);
  const runDue = async (): Promise<void> => {
    // The work that needs the store reports its failure; the next poll comes soon.
    const due = await leases.due(leased).catch(() => []);
    await Promise.all(due.map((job) => runner.run(job, false)));
  };
  const timers = [
    setInterval(() => void runDue(), POLL_MS),
    ...jobs
      .filter(({ isLocal }) => isLocal)
      .map((job) => setInterval(() => void runner.run(job, false), job.everyMs)),
  ];
  for (const timer of timers) timer.unref();
  return {
    runDue,
    async runAll() {
      for (const job of jobs) await runner.run(job, true);
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await runner.close();
    },
  };
};
