/**
 * The database port. SQL is plain and portable, written in the room that owns the table, with `?` for parameters.
 * Both engines keep prepared statements by their text, so the text must be a constant, never built per call.
 */
import type { OutageError } from '../problem/outage.js';
import type { StoreHealth } from './health.js';

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

export interface Reads {
  /** All rows of a select, or of a write with `returning`. */
  all<T = Row>(sql: string, params?: readonly Value[]): Promise<T[]>;
  /** The first row, if there is one. */
  one<T = Row>(sql: string, params?: readonly Value[]): Promise<T | undefined>;
}

export interface Queries extends Reads {
  /** How many rows a write changed. */
  run(sql: string, params?: readonly Value[]): Promise<number>;
}

export interface Write {
  readonly sql: string;
  readonly params: readonly Value[];
}

/** Observer for metrics of the store. */
export interface StoreWatch {
  statement(ms: number): void;
  /** Reads that travel as one statement. */
  batch(size: number): void;
  /** Records that are committed together. */
  commit(size: number): void;
  connectionError(): void;
}

export interface Db extends Queries {
  readonly engine: 'sqlite' | 'postgres';
  readonly health: StoreHealth;
  readonly watch?: StoreWatch | undefined;
  /** Of PostgreSQL alone. */
  readonly pool?: { readonly inUse: number; readonly waiting: number };
  /**
   * Batches the reads of one event loop turn into one statement. Only for a `select` whose limit is no parameter and whose
   * parameters are each always of one type.
   */
  readonly batchedReads: Reads;
  /** All or nothing. Inside, use only the handed-in queries; nothing else of this process writes in between on SQLite. */
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>;
  /** Writes that are known beforehand and change at most one row each, in their order, all or nothing. How many rows each changed. */
  writeBatch(writes: readonly Write[]): Promise<number[]>;
  /**
   * Commits a write that needs what those of calls need: room for more than a page, and every standby that a commit
   * waits for. Leaves no row behind, and takes no lock that another node could want. `health` notes how it ends.
   */
  tryWrite(): Promise<void>;
  /** Runs a script of several statements (migrations). */
  script(sql: string): Promise<void>;
  /** Runs `work` while no other process does the same: on PostgreSQL an advisory lock, on SQLite an exclusive transaction. */
  exclusive<T>(work: (tx: Queries & { script(sql: string): Promise<void> }) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The store cannot be reached or does not answer in time: an outside condition, never a bug of the caller. */
export class StoreUnavailable extends Error implements OutageError {
  readonly outage = 'store';
  /** The connection broke while a commit was under way: it may or may not have happened. */
  readonly outcomeUnknown: boolean;

  constructor(cause: unknown, outcomeUnknown = false) {
    super('the store is unavailable', { cause });
    this.name = 'StoreUnavailable';
    this.outcomeUnknown = outcomeUnknown;
  }
}

/** Another transaction held what this one needs for longer than it may wait. Nothing was done; it can be tried again. */
export class StoreBusy extends StoreUnavailable {
  constructor(cause: unknown) {
    super(cause);
    this.name = 'StoreBusy';
  }
}
