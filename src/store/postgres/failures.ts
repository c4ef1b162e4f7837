/** What a failure of PostgreSQL means: the store is in trouble, or the caller made a mistake. */
import pg from 'pg';
import { StoreBusy, StoreUnavailable } from '../db.js';
import type { Diagnosis, StoreFault } from '../health.js';
import { NoAnswer } from './connection.js';

export const codeOf = (error: unknown): string =>
  error instanceof pg.DatabaseError ? (error.code ?? '') : '';

/** A lock that did not come in time, or that two transactions would have waited for for ever: 40P01 a deadlock, 40001 a serialization failure. */
const busy = /^(55P03|40P01|40001)$/;
/** A table has changed its shape since the statement was parsed. */
const isOutdatedPlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && /cached plan/.test(String((error as Error).message));

/** The session can no longer be used, though it is still there. A session may stay read-only when the server no longer is. */
export const spoilsSession = (error: unknown): boolean =>
  /^(26000|25006)$/.test(codeOf(error)) || isOutdatedPlan(error);

/**
 * Trouble of the server itself. What other calls share comes first: 53 resources, 57P0x a shutdown, 58 the disk or a tablespace that is gone.
 * 08 is a connection, 28 and 3D a login, 57014 the statement timeout.
 */
const faults: readonly (readonly [RegExp, StoreFault, isShared: boolean])[] = [
  [/^53100/, 'full', true],
  [/^25006/, 'read-only', true],
  [/^53/, 'exhausted', true],
  [/^57P0/, 'unreachable', true],
  [/^58/, 'broken', true],
  [/^(08|28|3D)/, 'unreachable', false],
  [/^(57014|55P03)/, 'no-answer', false],
];

/** As serious for one call, and no sign of others: 25P03 idle too long, 26000 its memory of our statements is gone, XX001 and XX002 a damaged page. */
const ofOneCall = /^(25P03|26000|57|XX00[12])/;

const isUnavailable = (error: unknown): boolean =>
  ofOneCall.test(codeOf(error)) || faults.some(([codes]) => codes.test(codeOf(error)));

const causeOf = (error: unknown): unknown => (error instanceof StoreUnavailable ? error.cause : error);

export const diagnose = (error: unknown): Diagnosis | undefined => {
  const cause = causeOf(error);
  // The commit of another call will not return either.
  if (cause instanceof NoAnswer)
    return { fault: 'no-answer', isShared: error instanceof StoreUnavailable && error.outcomeUnknown };
  const [, fault, isShared = false] = faults.find(([codes]) => codes.test(codeOf(cause))) ?? [];
  if (fault) return { fault, isShared };
  return cause instanceof pg.DatabaseError ? undefined : { fault: 'unreachable', isShared: false };
};

/** `isLost`: the connection is gone. `wasWrite`: the statement may have been committed before that. */
export const failureOf = (error: unknown, isLost: boolean, wasWrite: boolean): unknown => {
  if (error instanceof StoreUnavailable) return error;
  if (busy.test(codeOf(error))) return new StoreBusy(error);
  if (isLost) return new StoreUnavailable(error, wasWrite);
  return isUnavailable(error) || isOutdatedPlan(error) ? new StoreUnavailable(error) : error;
};
