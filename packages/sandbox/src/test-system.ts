/**
 * Whether the bank behind the sandbox is a test system. Only there may the control decide in place of account holders: in front
 * of a core with real accounts it would move money without a second factor.
 */
import { type Clock, ConfigError, MINUTE, Problem } from 'trapeza/base';
import type { ExtensionBase } from 'trapeza/extend';

const KNOWN_MS = MINUTE;

export class TestSystem {
  readonly #ask: () => Promise<boolean>;
  readonly #clock: Clock;
  #isTest = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<boolean> | undefined;

  constructor(ask: () => Promise<boolean>, clock: Clock) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /** As it was last known, for what cannot wait; it is asked for anew beside it. */
  get isKnown(): boolean {
    if (this.#isDue) void this.isTest();
    return this.#isTest;
  }

  get #isDue(): boolean {
    return this.#clock.elapsed() - this.#askedAt >= KNOWN_MS;
  }

  /** What the core says; a core that does not answer has said nothing, and the next asks again. */
  async #answer(): Promise<boolean> {
    if (this.#isTest && !this.#isDue) return true;
    this.#asking ??= this.#refresh().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #refresh(): Promise<boolean> {
    try {
      this.#isTest = await this.#ask();
    } catch (error) {
      this.#isTest = false;
      throw error;
    } finally {
      this.#askedAt = this.#clock.elapsed();
    }
    return this.#isTest;
  }

  /** A core that does not answer has not said so. */
  isTest(): Promise<boolean> {
    return this.#answer().catch(() => false);
  }

  /** For controls that act for a person: anywhere else they do not exist. While the core is silent they fail as it does. */
  async demand(): Promise<void> {
    if (await this.#answer()) return;
    throw new Problem('route-not-found', {
      detail:
        'The core behind this sandbox does not say that it is a test system (GET /health with "test": true), so nobody acts in the place of account holders here.',
    });
  }
}

/** In front of a core the sandbox acts in the place of account holders, so it starts only if the core says that nothing there is real. */
export const demandTestCore = async ({ core, config }: ExtensionBase): Promise<void> => {
  if (!core) {
    if (config.testPeople !== undefined)
      throw new ConfigError([
        'TRAPEZA_TEST_PEOPLE needs TRAPEZA_CORE_URL: the demo bank has its own people.',
      ]);
    return;
  }
  if (config.seedFile !== undefined)
    throw new ConfigError([
      'TRAPEZA_SEED is for the demo bank. In front of a core (TRAPEZA_CORE_URL) name its people with TRAPEZA_TEST_PEOPLE.',
    ]);
  const isTest = await core.isTest().catch(() => {
    throw new ConfigError([
      'TRAPEZA_CORE_URL: the core does not answer GET /health as the contract says. Start it first; the sandbox must know that it is a test system.',
    ]);
  });
  if (!isTest)
    throw new ConfigError([
      'TRAPEZA_CORE_URL: this core does not say that it is a test system (GET /health with "test": true). Its accounts may be real, so the sandbox does not start. Use `trapeza serve`.',
    ]);
};
