/** How a case ends other than well: it failed, or it could not be tried. */

export class Failure extends Error {
  readonly expected: string;
  readonly seen: string;

  constructor(expected: string, seen: string) {
    super(`expected ${expected}, seen ${seen}`);
    this.name = 'Failure';
    this.expected = expected;
    this.seen = seen;
  }
}

/** Something that the case needs is not given, or does not work; that is never a pass. */
export class NotRun extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NotRun';
  }
}

/** What the kit was given cannot be used, or there is nothing to use it on: nothing is tried. */
export class Unusable extends Error {}

/** What is seen is named by status, member or count, never by what is in it: reports are handed over. */
export const demand = (isTrue: boolean, expected: string, seen: string): void => {
  if (!isTrue) throw new Failure(expected, seen);
};

/** For what another case is about: without it there is nothing to judge here. */
export const need = (isTrue: boolean, reason: string): void => {
  if (!isTrue) throw new NotRun(reason);
};
