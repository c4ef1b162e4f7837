/**
 * Whether the store still has all that this node has seen committed. A failover to a standby that was behind, a restored backup or a lost
 * file take back what was answered: withdrawn consents would open accounts again. So nothing is read from such a store and nothing
 * written to it, on any node, until an operator accepts it as it is.
 */
import { statSync } from 'node:fs';
import { type Clock, SECOND } from '../../lib/clock.js';
import { newId } from '../../lib/id.js';
import { instantText } from '../../lib/instant.js';
import { type Db, type Queries, type Reads, StoreUnavailable } from '../db.js';
import { peekInto } from '../sqlite/peek.js';
import { readMarker, writeMarker } from './marker.js';
import {
  beat,
  type Evidence,
  forgetOldPulses,
  isBehind,
  type Loss,
  NO_PULSE,
  type Pulse,
  readPulse,
  readPulseIfAny,
  recordLoss,
  type Seen,
} from './pulse.js';

/** A loss that is shorter may go unnoticed. */
const BEAT_MS = SECOND / 2;

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

/** A service does not start on such a store. The message is for operators. */
export class StoreForgot extends Error {
  constructor({ noticedAt, detail }: Pick<Loss, 'noticedAt' | 'detail'>) {
    super(
      `the store has forgotten what was committed (${detail}; noticed ${noticedAt}). Put the newest store in its place; or compare with the core (trapeza payments reconcile), and then accept it as it is: trapeza store accept (docs/backup.md)`,
    );
    this.name = 'StoreForgot';
  }
}

export interface ContinuityParts {
  readonly clock: Clock;
  /** Where the marker lies, if there is a place for it. */
  readonly marker: string | undefined;
  /** Something was forgotten: this node has noticed it, or read that another one has. */
  readonly onLoss: (loss: Loss) => void;
  readonly onAccepted: () => void;
  readonly onMarkerFault: (error: unknown) => void;
}

export class Continuity {
  readonly #parts: ContinuityParts;
  readonly #node = newId();
  #seen: Seen | undefined;
  #loss: Loss | undefined;
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();
  #isBusy = false;
  #beatNow: () => void = () => undefined;
  /** Of the embedded engine, while it is open. */
  #file: { readonly path: string; readonly inode: number } | undefined;
  #canMark = true;

  constructor(parts: ContinuityParts) {
    this.#parts = parts;
  }

  /** What was issued before then may have been revoked in a time that the store has forgotten; 0 if nothing ever was. */
  get acceptedAt(): number {
    return this.#seen?.accepted ?? 0;
  }

  get hasForgotten(): boolean {
    return this.#loss !== undefined;
  }

  /**
   * Throws if the store was there before and is behind now, or empty. Of the embedded engine before it is opened, because that would change a
   * file whose log an operator may still put back.
   */
  async checkFile(databaseUrl: string): Promise<void> {
    const marked = this.#marked();
    if (marked === undefined || !databaseUrl.startsWith('sqlite:')) return;
    const path = databaseUrl.slice('sqlite:'.length);
    const isThere = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
    const pulse = isThere
      ? await peekInto(path, async (store) =>
          (await store.hasTable('store_pulses')) ? readPulse(store, marked.node) : NO_PULSE,
        )
      : NO_PULSE;
    const loss = this.#lossSince(marked, pulse);
    if (loss) throw new StoreForgot(loss);
  }

  /** The file that is open from now on. What is written after it was moved or replaced is in no store that anybody opens again. */
  watchFile(databaseUrl: string): void {
    const path = databaseUrl.replace(/^sqlite:/, '');
    const inode = inodeOf(path);
    if (inode !== undefined && path !== databaseUrl) this.#file = { path, inode };
  }

  /** The same for a store that is open, which tells the other nodes. */
  async checkMarker(db: Db): Promise<void> {
    const marked = this.#marked();
    const loss = marked && this.#lossSince(marked, await readPulseIfAny(db, marked.node));
    if (!loss) return;
    // An empty one has no table for it.
    await recordLoss(db, loss, marked.accepted).catch(() => undefined);
    throw new StoreForgot(loss);
  }

  /** Throws if something was forgotten before. */
  async begin(db: Db): Promise<void> {
    const { loss } = await readPulse(db, this.#node);
    if (loss !== null) throw new StoreForgot(loss);
    await forgetOldPulses(db);
    this.#see(await beat(db, this.#node, this.#parts.clock.now()));
    this.#beatNow = () => this.#beatOnce(db);
    this.#timer = setInterval(this.#beatNow, BEAT_MS).unref();
  }

  /** For a new connection: throws if what it leads to is behind. Whatever waits for one then is refused. */
  async checkConnection(db: Reads): Promise<void> {
    const seen = this.#seen;
    if (seen === undefined || this.#loss !== undefined) return;
    // A pulse that is committed while this is read may be missing in it.
    const pulse = await readPulse(db, this.#node);
    if (isBehind(pulse, seen)) this.#lose(this.#lossOf('pulse', this.#comparison(pulse)));
    this.#demandAll();
  }

  /** The core proves that the store has forgotten something. */
  accuse(detail: string): void {
    this.#lose(this.#lossOf('core', detail));
  }

  /** The same store; refuses everything while something is forgotten. */
  guard(db: Db): Db {
    const ask = async <T>(work: () => Promise<T>): Promise<T> => {
      this.#demandAll();
      return work();
    };
    const readsOf = (reads: Reads): Reads => ({
      all: (sql, params) => ask(() => reads.all(sql, params)),
      one: (sql, params) => ask(() => reads.one(sql, params)),
    });
    return {
      ...db,
      ...readsOf(db),
      run: (sql, params) => ask(() => db.run(sql, params)),
      batchedReads: readsOf(db.batchedReads),
      transaction: <T>(work: (tx: Queries) => Promise<T>) => ask(() => db.transaction(work)),
      writeBatch: (writes) => ask(() => db.writeBatch(writes)),
      script: (sql) => ask(() => db.script(sql)),
      exclusive: (work) => ask(() => db.exclusive(work)),
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#turn;
  }

  #marked(): Seen | undefined {
    const { marker } = this.#parts;
    return marker === undefined ? undefined : readMarker(marker);
  }

  #lossSince(marked: Seen, pulse: Pulse): Loss | undefined {
    const { number } = pulse;
    if (!isBehind(pulse, marked)) return undefined;
    const found = number === null ? 'the store is empty or another one' : `the store has ${number}`;
    return this.#lossOf('marker', `${this.#parts.marker} has seen pulse ${marked.number}, ${found}`);
  }

  #demandAll(): void {
    if (this.#loss !== undefined)
      throw new StoreUnavailable(new Error('the store has forgotten what was committed'));
  }

  #beatOnce(db: Db): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#turn = this.#beat(db)
      // A store that is away forgets nothing by that.
      .catch(() => undefined)
      .finally(() => {
        this.#isBusy = false;
      });
  }

  async #beat(db: Db): Promise<void> {
    if (this.#loss === undefined) await this.#count(db);
    if (this.#loss !== undefined) await this.#follow(db, this.#loss);
  }

  async #count(db: Db): Promise<void> {
    if (this.#file && inodeOf(this.#file.path) !== this.#file.inode) {
      this.#lose(this.#lossOf('file', `${this.#file.path} was moved or replaced while it was open`));
      return;
    }
    const pulse = await beat(db, this.#node, this.#parts.clock.now());
    const seen = this.#seen;
    if (seen && isBehind(pulse, { ...seen, number: seen.number + 1 })) {
      this.#lose(this.#lossOf('pulse', this.#comparison(pulse)));
      return;
    }
    this.#see(pulse);
    if (pulse.loss !== null) this.#lose(pulse.loss);
  }

  /**
   * Counts no further: the row would reach again what was seen. A store that has all of it is the newest one, put back: it is not accused, so
   * that other nodes go on with it. This one has connections to the older one and must be started anew.
   */
  async #follow(db: Db, loss: Loss): Promise<void> {
    const pulse = await readPulse(db, this.#node);
    if (pulse.accepted > this.acceptedAt) {
      this.#see(pulse);
      this.#loss = undefined;
      this.#parts.onAccepted();
    } else if (pulse.loss === null && (loss.evidence === 'core' || this.#isOlder(pulse)))
      await recordLoss(db, loss, this.acceptedAt);
  }

  #isOlder(pulse: Pulse): boolean {
    return this.#seen !== undefined && isBehind(pulse, this.#seen);
  }

  #see({ number, accepted }: Pulse): void {
    const seen = { node: this.#node, number: number ?? 0, accepted };
    this.#seen = seen;
    const { marker, onMarkerFault } = this.#parts;
    if (marker === undefined || !this.#canMark) return;
    try {
      writeMarker(marker, seen);
    } catch (error) {
      this.#canMark = false;
      onMarkerFault(error);
    }
  }

  #lose(loss: Loss): void {
    if (this.#loss !== undefined) return;
    this.#loss = loss;
    this.#parts.onLoss(loss);
    // The other nodes read of it.
    this.#beatNow();
  }

  #comparison({ number, accepted }: Pulse): string {
    const seen = this.#seen;
    return `this node has seen pulse ${seen?.number} of ${seen?.accepted}, the store has ${number ?? 'none'} of ${accepted}`;
  }

  #lossOf(evidence: Evidence, detail: string): Loss {
    return { evidence, noticedAt: instantText(this.#parts.clock.now()), detail };
  }
}
