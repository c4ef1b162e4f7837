/** What every reader produces: a record under the contract's names whose values are still whatever the feed wrote. */
import type { Atm, AtmAddress } from '../../atm.js';
import type { Finding } from '../../check-atm.js';
import { showName } from '../show.js';

export type LooseAddress = Readonly<Partial<Record<keyof AtmAddress, unknown>>>;

/** A member that is absent (or undefined) was not in the feed; null was written there. */
export type LooseValues = Readonly<Partial<Record<Exclude<keyof Atm, 'address'>, unknown>>>;

/** A location in two numbers, as most feeds write it. */
export interface LoosePoint {
  readonly latitude: unknown;
  readonly longitude: unknown;
}

export interface LooseRecord {
  readonly values: LooseValues;
  /** Undefined if a reader has already reported that there is none. */
  readonly address: LooseAddress | undefined;
  /** Instead of `values.geographicLocation`. */
  readonly point: LoosePoint | undefined;
  /** Whose numbering `atmid` belongs to: two banks may use the same one. Empty if the feed does not say. */
  readonly brand: string;
  /** Set in the contract's own shape: an id that is written there is meant, so a broken one is never replaced. */
  readonly idIsMeant: boolean;
  /** What the reader left out or took from another member. */
  readonly changes: readonly Finding[];
  /** What makes the record unreadable. */
  readonly faults: readonly Finding[];
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A record that cannot be read at all; it is still counted. */
export const unreadable = (reason: string): LooseRecord => ({
  values: {},
  address: undefined,
  point: undefined,
  brand: '',
  idIsMeant: false,
  changes: [],
  faults: [{ field: 'record', reason }],
});

export const LEFT_OUT = 'has no place in the contract; left out';

/** Nothing is dropped silently: reports every member that carries a value and was not used. */
export const leftOver = (source: JsonObject, used: ReadonlySet<string>, prefix = ''): Finding[] =>
  Object.keys(source)
    .filter((key) => !used.has(key) && source[key] !== null && source[key] !== '')
    .map((key) => ({ field: `${prefix}${showName(key)}`, reason: LEFT_OUT }));
