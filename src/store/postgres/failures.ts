/** What a failure of PostgreSQL means: the store is in trouble, or the caller made a mistake. */
import pg from 'pg';
import { StoreBusy, StoreUnavailable } from '../db.js';

const codeOf = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? '') : '');

/**
 * The server's own limits: 08 connection, 25006 read-only standby, 25P03 idle too long, 26000 its memory of our statements is gone, 28 and
 * 3D login, 53 resources, 57 statement timeout and shutdown.
 */
const unavailable = /^(08|25006|25P03|26000|28|3D|53|57)/;
/** A lock that did not come in time, or that two transactions would have waited for for ever: 40P01 a deadlock, 40001 a serialization failure. */
const busy = /^(55P03|40P01|40001)$/;
/** A table has changed its shape since the statement was parsed. */
const isOutdatedPlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && /cached plan/.test(String((error as Error).message));

/** The session can no longer be used, though it is still there. */
export const spoilsSession = (error: unknown): boolean => codeOf(error) === '26000' || isOutdatedPlan(error);

/** `isLost`: the connection is gone. `wasWrite`: the statement may have been committed before that. */
export const failureOf = (error: unknown, isLost: boolean, wasWrite: boolean): unknown => {
  if (error instanceof StoreUnavailable) return error;
  if (busy.test(codeOf(error))) return new StoreBusy(error);
  if (isLost) return new StoreUnavailable(error, wasWrite);
  return unavailable.test(codeOf(error)) || isOutdatedPlan(error) ? new StoreUnavailable(error) : error;
};
