/**
 * Node accepts one connection in each turn of the event loop. If a turn also does the work of all requests that are there, the last of many
 * new connections waits for as many batches. So while connections come, turns accept them and do nothing else, but only so many in a row.
 */
import { eachTurn } from '../../lib/turn.js';

const MOST_TURNS = 64;

export interface Arrivals<T> {
  /** Is handled together with the others of its turn. */
  add(item: T): void;
  /** This turn has accepted a connection. */
  accepted(): void;
}

export const createArrivals = <T>(handle: (all: readonly T[]) => void): Arrivals<T> => {
  let hasAccepted = false;
  let turns = 0;
  const isEarly = (): boolean => {
    const goesOn = hasAccepted && turns < MOST_TURNS;
    hasAccepted = false;
    turns = goesOn ? turns + 1 : 0;
    return goesOn;
  };
  return {
    add: eachTurn(handle, isEarly),
    accepted: () => {
      hasAccepted = true;
    },
  };
};
