/**
 * Doing one thing for many requests, and then the next thing for all of them, costs about half of doing everything for one after the
 * other: a processor is fast at what it has just done. So what comes together is collected and handled together.
 */
const collected = <T>(
  schedule: (flush: () => void) => void,
  handle: (all: readonly T[]) => void,
): ((item: T) => void) => {
  let waiting: T[] = [];
  const flush = (): void => {
    const all = waiting;
    waiting = [];
    handle(all);
  };
  return (item) => {
    if (waiting.push(item) === 1) schedule(flush);
  };
};

/** All that comes within one turn of the event loop, at its end. */
export const eachTurn = <T>(handle: (all: readonly T[]) => void): ((item: T) => void) =>
  collected(setImmediate, handle);

/** All that comes of one callback and the promises it settles, right after it. */
export const eachTick = <T>(handle: (all: readonly T[]) => void): ((item: T) => void) =>
  collected(process.nextTick, handle);

let end: Promise<void> | undefined;

/** Who has waited for something of its own goes on together with the others of this turn. */
export const endOfTurn = (): Promise<void> => {
  end ??= new Promise((resolve) => {
    setImmediate(() => {
      end = undefined;
      resolve();
    });
  });
  return end;
};
