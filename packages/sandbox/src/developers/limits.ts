/** How often an address may sign up and try passphrases, on all nodes. A reset of the sandbox leaves these counts. */
import {
  type Clock,
  type Db,
  HOUR,
  isPassphrase,
  MINUTE,
  networkOf,
  Problem,
  RecentTimes,
  retryAfter,
} from 'trapeza/base';
import type { Developer } from './developers.js';

const rules = {
  signUps: { kind: 'developer sign-up', most: 20, windowMs: HOUR, pauses: false },
  tries: { kind: 'developer try', most: 60, windowMs: MINUTE, pauses: false },
  failures: { kind: 'developer failure', most: 10, windowMs: 15 * MINUTE, pauses: true },
} as const;

export const limitKinds: readonly string[] = Object.values(rules).map(({ kind }) => kind);

export class DeveloperLimits {
  readonly #clock: Clock;
  readonly #signUps: RecentTimes;
  readonly #tries: RecentTimes;
  readonly #failures: RecentTimes;

  constructor(db: Db, clock: Clock) {
    this.#clock = clock;
    this.#signUps = new RecentTimes(db, clock, rules.signUps);
    this.#tries = new RecentTimes(db, clock, rules.tries);
    this.#failures = new RecentTimes(db, clock, rules.failures);
  }

  async signUpFrom(address: string): Promise<void> {
    await this.#take(this.#signUps, networkOf(address));
  }

  /** Whether the passphrase is right. The attempt counts before it is judged, so that parallel guesses share what is left. */
  async isRight(
    developer: Developer | undefined,
    {
      name,
      passphrase,
      address,
    }: { readonly name: string; readonly passphrase: string; readonly address: string },
  ): Promise<boolean> {
    await this.#take(this.#tries, networkOf(address));
    const at = await this.#take(this.#failures, name);
    const isRight = await isPassphrase(passphrase, developer?.passphraseHash);
    if (isRight) await this.#failures.release(name, at);
    return isRight;
  }

  async sweep(): Promise<number> {
    return (await this.#signUps.sweep()) + (await this.#tries.sweep()) + (await this.#failures.sweep());
  }

  async #take(times: RecentTimes, subject: string): Promise<number> {
    const place = await times.take(subject);
    if (place.isTaken) return place.at;
    throw new Problem('rate-limited', { headers: retryAfter(place.until - this.#clock.now()) });
  }
}
