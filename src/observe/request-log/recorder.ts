/**
 * Notes the calls of applications, off the path of their answers: a call costs an entry in a list, and once a second the lists are
 * written. Of a flood only the first calls of each second are kept, and while the store is slow or away entries are lost rather
 * than kept.
 */
import { type Clock, DAY, SECOND } from '../../lib/clock.js';
import { dateAt } from '../../lib/day.js';
import type { ClientId } from '../../model/ids.js';
import type { Db } from '../../store/db.js';
import { errorFields, type Log } from '../log.js';
import type { RequestFacts } from '../observer.js';
import { type LoggedCall, loggedCall } from './call.js';
import { type Batch, RING, removeUsageBefore, USAGE_DAYS, writeBatches } from './records.js';

/** Of all applications together, between two writes. */
const MOST_WAITING = 2_000;
/** Of one application between two writes. Refusals may take the whole ring: they are what its developers look for. */
const MOST_ANSWERED = 50;
/** While many are busy: more of each would be pushed out of its ring before anybody has read them. */
const FEW_ANSWERED = 5;
const BUSY = 250;

interface Waiting {
  readonly counts: { calls: number; refused: number; limited: number; failed: number };
  readonly calls: { readonly at: number; readonly call: LoggedCall }[];
}

export interface RecorderParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeZone: string;
  /** The application of a known key, for calls that were refused before the key was checked. */
  readonly ownerOf: (request: NonNullable<RequestFacts['request']>) => ClientId | undefined;
}

export class RequestRecorder {
  readonly #parts: RecorderParts;
  readonly #timer: NodeJS.Timeout;
  #waiting = new Map<ClientId, Waiting>();
  #size = 0;
  #writing: Promise<void> | undefined;
  #sweptOn = '';

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.flush(), SECOND);
    this.#timer.unref();
  }

  record(facts: RequestFacts): void {
    const { request, operation, status } = facts;
    if (!request) return;
    const clientId = facts.clientId ?? (operation === 'none' ? this.#parts.ownerOf(request) : undefined);
    if (clientId === undefined) return;
    const waiting = this.#waiting.get(clientId) ?? this.#begin(clientId);
    const { counts, calls } = waiting;
    counts.calls += 1;
    if (status === 429) counts.limited += 1;
    else if (status >= 500 || status === 0) counts.failed += 1;
    else if (status >= 400) counts.refused += 1;
    const isAnswered = status > 0 && status < 400;
    const answered = this.#size < BUSY ? MOST_ANSWERED : FEW_ANSWERED;
    if (calls.length >= (isAnswered ? answered : RING) || this.#size >= MOST_WAITING) return;
    this.#size += 1;
    calls.push({ at: this.#parts.clock.now(), call: loggedCall(facts) });
  }

  #begin(clientId: ClientId): Waiting {
    const waiting: Waiting = {
      counts: { calls: 0, refused: 0, limited: 0, failed: 0 },
      calls: [],
    };
    this.#waiting.set(clientId, waiting);
    return waiting;
  }

  /** Writes what waits, unless the last write is still under way. */
  flush(): Promise<void> {
    if (this.#writing || this.#waiting.size === 0) return this.#writing ?? Promise.resolve();
    this.#writing = this.#write(this.#take())
      .catch((error: unknown) => this.#parts.log.warn(errorFields(error), 'request log'))
      .finally(() => {
        this.#writing = undefined;
      });
    return this.#writing;
  }

  #take(): Batch[] {
    const { clock, timeZone } = this.#parts;
    const day = dateAt(clock.now(), timeZone);
    const taken = this.#waiting;
    this.#waiting = new Map();
    this.#size = 0;
    return [...taken].map(([clientId, waiting]) => ({ clientId, day, ...waiting }));
  }

  async #write(batches: readonly Batch[]): Promise<void> {
    const { db, clock, timeZone } = this.#parts;
    await writeBatches(db, batches);
    const [{ day } = { day: '' }] = batches;
    if (day === this.#sweptOn) return;
    await removeUsageBefore(db, dateAt(clock.now() - (USAGE_DAYS - 1) * DAY, timeZone));
    this.#sweptOn = day;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.flush();
  }
}
