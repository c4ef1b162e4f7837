/**
 * Which node does a job: the one that has its lease, a row in the store. A node that dies leaves its lease to run out. Jobs are safe on
 * several nodes at once, so a lease that is lost meanwhile costs work, never correctness.
 */
import { type Clock, MINUTE } from '../lib/clock.js';
import { newId } from '../lib/id.js';
import type { Queries } from '../store/db.js';
import { isOver, overAt } from '../store/deadline.js';

export interface Leased {
  readonly name: string;
  readonly everyMs: number;
}

export const LEASE_MS = MINUTE;
/** A job that failed is tried again after this, or at its next turn if that is sooner. */
const RETRY_MS = MINUTE;

const ALL =
  'select name, due_at as "dueAt", leased_until as "leasedUntil", succeeded_at as "succeededAt" from jobs';
const ADD = 'insert into jobs (name, due_at, leased_until) values (?, ?, 0) on conflict (name) do nothing';
const LEASE_JOB = `
  update jobs set holder = ?, leased_until = ?
  where name = ? and (leased_until <= ? or leased_until > ?) and (due_at <= ? or due_at > ?)`;
const RENEW = 'update jobs set leased_until = ? where name = ? and holder = ?';
const GIVE_BACK = 'update jobs set leased_until = 0, due_at = ? where name = ? and holder = ?';
const SUCCEED = `
  insert into jobs (name, due_at, leased_until, succeeded_at) values (?, ?, 0, ?)
  on conflict (name) do update set due_at = excluded.due_at, succeeded_at = excluded.succeeded_at,
    leased_until = case when jobs.holder = ? then 0 else jobs.leased_until end`;

export interface JobRow {
  readonly name: string;
  readonly dueAt: number;
  readonly leasedUntil: number;
  readonly succeededAt: number | null;
}

export class Leases {
  readonly #db: Queries;
  readonly #clock: Clock;
  readonly #holder = newId();

  constructor(db: Queries, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  all(): Promise<JobRow[]> {
    return this.#db.all<JobRow>(ALL);
  }

  /** Jobs that are due and not leased. A job that is new has its first turn after its interval. */
  async due<T extends Leased>(jobs: readonly T[]): Promise<T[]> {
    const now = this.#clock.now();
    const rows = new Map((await this.all()).map((row) => [row.name, row]));
    const due: T[] = [];
    for (const job of jobs) {
      const row = rows.get(job.name);
      if (!row) await this.#db.run(ADD, [job.name, now + job.everyMs]);
      else if (isOver(row.leasedUntil, now, LEASE_MS) && isOver(row.dueAt, now, job.everyMs)) due.push(job);
    }
    return due;
  }

  /** False if another node was faster. */
  async take({ name, everyMs }: Leased): Promise<boolean> {
    const now = this.#clock.now();
    const params = [this.#holder, now + LEASE_MS, name, ...overAt(now, LEASE_MS), ...overAt(now, everyMs)];
    return (await this.#db.run(LEASE_JOB, params)) === 1;
  }

  /** False if another node has it. */
  async renew({ name }: Leased): Promise<boolean> {
    return (await this.#db.run(RENEW, [this.#clock.now() + LEASE_MS, name, this.#holder])) === 1;
  }

  async succeed({ name, everyMs }: Leased): Promise<void> {
    const now = this.#clock.now();
    await this.#db.run(SUCCEED, [name, now + everyMs, now, this.#holder]);
  }

  /** Without success: to be tried again soon, or at once if it was only interrupted. */
  async giveBack({ name, everyMs }: Leased, isInterrupted: boolean): Promise<void> {
    const dueAt = this.#clock.now() + (isInterrupted ? 0 : Math.min(everyMs, RETRY_MS));
    await this.#db.run(GIVE_BACK, [dueAt, name, this.#holder]);
  }
}
