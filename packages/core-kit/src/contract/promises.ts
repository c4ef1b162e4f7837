/** What every implementation of a port promises, for any test runner: `for (const { name, check } of bankPromises(tried)) it(name, check)`. */

export interface KeptPromise {
  readonly name: string;
  /** Rejects with an AssertionError if it is broken. */
  check(): Promise<void>;
}
