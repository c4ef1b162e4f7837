/** Looks into the store for what is due: one look at a time, and what comes up during it is looked at afterwards. */
export class Looks {
  readonly #take: () => Promise<void>;
  readonly #fail: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;
  #isWanted = false;
  #isClosed = false;

  constructor(take: () => Promise<void>, everyMs: number, fail: (error: unknown) => void) {
    this.#take = take;
    this.#fail = fail;
    this.#timer = setInterval(() => void this.look(), everyMs).unref();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Ends when everything was looked at that came up before or meanwhile. A look that fails is told, and made again later. */
  look(): Promise<void> {
    this.#isWanted = true;
    this.#looking ??= this.#repeat()
      .catch(this.#fail)
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #repeat(): Promise<void> {
    while (this.#isWanted && !this.#isClosed) {
      this.#isWanted = false;
      await this.#take();
    }
  }

  /** Ends with the look that is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#looking;
  }
}
