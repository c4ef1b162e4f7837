/**
 * Node accepts one connection in each turn of the event loop. If a turn also does the work of all requests that are there, the last of many
 * new connections waits for as many batches. So while connections come, turns accept them and do nothing else, but only so many in a row.
 */
import { eachTurn, Gathering } from '../../lib/turn.js';

const MOST_TURNS = 64;
/** How long a call may wait for the company of others, while some are under way. */
const GATHERING_MS = 4;

export interface Arrivals<T> {
  /** Is handled together with the others of its turn. */
  add(item: T): void;
  /** For calls that cost much less in company (`Gathering`). The returned function says that it is over. */
  gather(item: T): () => void;
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
  const gathering = new Gathering(handle, GATHERING_MS);
  return {
    add: eachTurn(handle, isEarly),
    gather: (item) => gathering.add(item),
    accepted: () => {
      hasAccepted = true;
    },
  };
};
