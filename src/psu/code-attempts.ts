/**
 * How many one-time codes a person has tried of late to open the dashboard, over all sessions and challenges: who logs in
 * anew gets a new code, but not five new attempts. An attempt is counted before it is judged, so that attempts at the same
 * time share the five.
 */
import { type Clock, MINUTE } from '../lib/clock.js';
import type { Queries } from '../store/db.js';

export const MAX_CODE_ATTEMPTS = 5;
const WINDOW_MS = 15 * MINUTE;

const COUNT = `
  insert into code_attempts (psu_id, attempts, since) values (?, 1, ?)
  on conflict (psu_id) do update set
    attempts = case when code_attempts.since <= ? then 1 else code_attempts.attempts + 1 end,
    since = case when code_attempts.since <= ? then excluded.since else code_attempts.since end
  returning attempts`;

export class CodeAttempts {
  readonly #db: Queries;
  readonly #clock: Clock;

  constructor(db: Queries, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Which attempt this one is, beginning with 1. */
  async count(psuId: string): Promise<number> {
    const now = this.#clock.now();
    const over = now - WINDOW_MS;
    const row = await this.#db.one<{ attempts: number }>(COUNT, [psuId, now, over, over]);
    return row?.attempts ?? 1;
  }

  /** A code that was too old was no guess. */
  async uncount(psuId: string): Promise<void> {
    await this.#db.run('update code_attempts set attempts = attempts - 1 where psu_id = ? and attempts > 0', [
      psuId,
    ]);
  }

  /** After a right one. */
  async forget(psuId: string): Promise<void> {
    await this.#db.run('delete from code_attempts where psu_id = ?', [psuId]);
  }

  /** Five wrong ones within a quarter of an hour: until that is over no code is sent. */
  async isLocked(psuId: string): Promise<boolean> {
    const row = await this.#db.one<{ attempts: number }>(
      'select attempts from code_attempts where psu_id = ? and since > ?',
      [psuId, this.#clock.now() - WINDOW_MS],
    );
    return (row?.attempts ?? 0) >= MAX_CODE_ATTEMPTS;
  }

  /** Removes what is over; called by a job. */
  sweep(): Promise<number> {
    return this.#db.run('delete from code_attempts where since <= ?', [this.#clock.now() - WINDOW_MS]);
  }
}
