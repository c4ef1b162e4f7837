/**
 * Notes what the figures are made of, off the path of answers: a call costs an addition, and every five seconds a node writes what it has
 * counted, together with its sign of life. What could not be written is written with the next; a node that is killed loses the calls since
 * its last write.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.js';
import { errorFields, type Log } from '../observe/log.js';
import type { RequestFacts } from '../observe/observer.js';
import type { Db } from '../store/db.js';
import { BEAT_MS, SILENT_MS, WITHIN_MS } from './availability.js';
import { type CountedArea, Counts } from './counts.js';
import { Failures } from './failures.js';
import { type NodeNotes, type NodeSpan, writeNotes } from './notes.js';

export interface RecorderParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly timeZone: string;
  /** The area of an operation that counts. */
  readonly areaOf: (operation: string) => CountedArea | undefined;
}

/** Ours to answer for: an error of the service or the core, or an answer that came too late. */
const isFault = ({ status, slug }: RequestFacts): boolean =>
  status >= 500 || (status === 408 && slug === 'processing-timeout');

export class StatisticsRecorder {
  readonly #parts: RecorderParts;
  readonly #node = randomUUID();
  readonly #counts: Counts;
  readonly #failures = new Failures();
  #timer: NodeJS.Timeout | undefined;
  #answers: NodeSpan[] = [];
  #beat: (NodeSpan & { readonly elapsed: number }) | undefined;
  #unwritten: NodeNotes | undefined;
  #number = 0;
  #writing: Promise<void> | undefined;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    this.#counts = new Counts(parts.timeZone);
  }

  /** From now on it is there for calls. */
  begin(): Promise<void> {
    this.#timer = setInterval(() => void this.write(), BEAT_MS).unref();
    return this.write();
  }

  record(facts: RequestFacts): void {
    const area = this.#parts.areaOf(facts.operation);
    if (area === undefined) return;
    const now = this.#parts.clock.now();
    const { status, ms } = facts;
    const receivedAt = Math.floor(now - ms);
    const fault = isFault(facts);
    const isGiven = status > 0 && status < 400;
    this.#counts.add({
      area,
      receivedAt,
      micros: isGiven ? Math.round(ms * 1000) : undefined,
      isFault: fault,
    });
    if (fault) this.#failures.add(receivedAt);
    else if (status > 0) this.#answered(now);
  }

  #answered(now: number): void {
    const last = this.#answers.at(-1);
    if (last && now - last.lastAt < WITHIN_MS) last.lastAt = Math.max(last.lastAt, now);
    else this.#answers.push({ kind: 'answer', firstAt: now, lastAt: now });
  }

  /** The time of day may be set meanwhile; how long a node was silent comes from the clock that is never set. */
  #live(): NodeSpan {
    const { clock } = this.#parts;
    const [now, elapsed] = [clock.now(), clock.elapsed()];
    const last = this.#beat;
    const goesOn = last !== undefined && elapsed - last.elapsed < SILENT_MS;
    this.#beat = goesOn
      ? { ...last, lastAt: Math.max(last.lastAt, now), elapsed }
      : { kind: 'beat', firstAt: now, lastAt: now, elapsed };
    const { kind, firstAt, lastAt } = this.#beat;
    return { kind, firstAt, lastAt };
  }

  #take(): NodeNotes {
    const answers = this.#answers;
    this.#answers = answers.slice(-1);
    this.#number += 1;
    return {
      node: this.#node,
      number: this.#number,
      at: this.#parts.clock.now(),
      counts: this.#counts.take(),
      slots: this.#failures.take(this.#parts.clock.now()),
      spans: [...answers.map((each) => ({ ...each })), this.#live()],
    };
  }

  /** Never rejects. */
  write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    const { db, log } = this.#parts;
    try {
      if (this.#unwritten) await writeNotes(db, this.#unwritten);
      this.#unwritten = undefined;
      const notes = this.#take();
      this.#unwritten = notes;
      await writeNotes(db, notes);
      this.#unwritten = undefined;
    } catch (error) {
      log.warn(errorFields(error), 'statistics');
    }
  }

  async close(): Promise<void> {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    await this.#writing;
    await this.write();
  }
}
