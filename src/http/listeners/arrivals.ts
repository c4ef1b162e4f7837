/**
 * Node accepts one connection in each turn of the event loop. If a turn also does the work of all requests that are there, the last of many
 * new connections waits for as many batches. So while connections come, turns accept them and do nothing else, but only so many in a row.
 */
import { eachTurn, Gathering } from '../../lib/turn.js';

const MOST_TURNS = 64;
/** How long a call may wait for the company of others, while some are under way. */
const GATHERING_MS = 4;

export interface Arrivals<T> {
  /**
   * Is handled together with the others of its turn, or by `Gathering` if it costs much less in company. Returns what is called when it is
   * over: `leave`, which the others hear of if they are gathered.
   */
  add(item: T, leave?: () => void, isGathered?: boolean): () => void;
  /** This turn has accepted a connection. */
  accepted(): void;
}

const nothing = (): void => undefined;

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
  const addToTurn = eachTurn(handle, isEarly);
  return {
    add: (item, leave = nothing, isGathered = false) => {
      if (!isGathered) {
        addToTurn(item);
        return leave;
      }
      const over = gathering.add(item);
      return () => {
        leave();
        over();
      };
    },
    accepted: () => {
      hasAccepted = true;
    },
  };
};
