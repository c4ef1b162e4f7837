/**
 * The guard against guessing and flooding: all limits that count a source, and every login by name and secret. One policy for
 * operators, account holders and developers: failures count per source, per name and source, and per known device. A name alone
 * never locks. A refusal comes before the password is checked; it is counted, and reported with its source.
 */
import type { IncomingMessage } from 'node:http';
import type { Config } from '../../config/config.js';
import type { PageCookie, PageRequest } from '../../http/pages.js';
import type { Site } from '../../http/render.js';
import { type Clock, SECOND } from '../../lib/clock.js';
import type { Source } from '../../lib/net/address.js';
import { exhaustedFields } from '../../lib/rate-limit.js';
import type { Vault } from '../../lib/vault.js';
import type { Security } from '../../observe/security-events.js';
import { Problem } from '../../problem/problem.js';
import type { Db } from '../../store/db.js';
import { RecentTimes } from '../../store/recent-times.js';
import { type Audience, type DeviceOwner, KnownDevices } from './known-devices.js';
import { type Inbound, SourceLimit, type SourceRule, type Wait } from './source-limit.js';
import { FAILURE_WINDOW_MS, MOST_FAILURES, Strangers } from './strangers.js';
import { Busy, createTurns } from './turns.js';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;
const SIGN_UPS_PER_HOUR = 20;

/** In the store, because a device has five failures on all nodes together. */
const deviceFailures = {
  kind: 'login device',
  most: MOST_FAILURES,
  windowMs: FAILURE_WINDOW_MS,
  pauses: true,
} as const;

const BUSY_MS = 2 * SECOND;

export interface GuardParts {
  readonly config: Pick<
    Config,
    'failedAuthPerMinute' | 'loginsPerAddress' | 'authorizationsPerAddress' | 'registrationsPerMinute'
  >;
  readonly clock: Clock;
  readonly db: Db;
  readonly vault: Vault;
  readonly security: Security;
  readonly sourceOf: (request: IncomingMessage) => Source;
}

export interface Login {
  readonly audience: Audience;
  /** As it was typed. */
  readonly name: string;
  readonly request: PageRequest;
  /** The site that has set the browser's cookies. */
  readonly site: Site;
}

export type Judged<T> =
  /** The cookies make the browser a known device. */
  | { readonly kind: 'passed'; readonly value: T; readonly cookies: readonly PageCookie[] }
  | { readonly kind: 'refused' }
  | { readonly kind: 'wait'; readonly wait: Wait };

/** An attempt in progress. It counts as a failure until it is taken back or has passed. */
interface Entered {
  takeBack(): Promise<void>;
  passed(): Promise<void>;
}

type Denied = Wait & { readonly reason?: string };

/** One spelling for all: a bank may ignore capitals. */
const normal = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

const inboundOf = ({ raw, requestId }: PageRequest): Inbound => ({ request: raw.request, requestId });

export class Guard {
  readonly sourceOf: GuardParts['sourceOf'];
  readonly #parts: GuardParts;
  readonly #failedKeys: SourceLimit;
  readonly #logins: SourceLimit;
  /** For people who are logged in: strangers of the same network cannot use it up. */
  readonly #confirmations: SourceLimit;
  readonly #authorizations: SourceLimit;
  readonly #registrations: SourceLimit;
  readonly #signUps: SourceLimit;
  readonly #strangers: Strangers;
  readonly #devices: KnownDevices;
  readonly #deviceFailures: RecentTimes;
  readonly #turns = createTurns();

  constructor(parts: GuardParts) {
    const { config, clock, db, vault } = parts;
    this.#parts = parts;
    this.sourceOf = parts.sourceOf;
    const limit = (
      name: string,
      most: number,
      event: SourceRule['event'] = 'source-limited',
      windowSeconds = MINUTE_SECONDS,
    ): SourceLimit => new SourceLimit({ name, most, event, windowSeconds }, parts);
    this.#failedKeys = limit('failed-attempts', config.failedAuthPerMinute, 'key-refused');
    this.#logins = limit('logins', config.loginsPerAddress, 'login-refused');
    this.#confirmations = limit('confirmations', config.loginsPerAddress, 'code-wrong');
    this.#authorizations = limit('authorizations', config.authorizationsPerAddress);
    this.#registrations = limit('registrations', config.registrationsPerMinute);
    this.#signUps = limit('sign-ups', SIGN_UPS_PER_HOUR, 'source-limited', HOUR_SECONDS);
    this.#strangers = new Strangers(clock);
    this.#devices = new KnownDevices(vault);
    this.#deviceFailures = new RecentTimes(db, clock, deviceFailures);
  }

  /** Counts a missing or wrong subscription key; throws if there were too many. */
  failedKey(inbound: Inbound): void {
    this.#failedKeys.demand('rate-limited', inbound);
  }

  /** Counts a call of `/registration`; throws if there were too many. */
  register(inbound: Inbound): void {
    this.#registrations.demand('quota-exceeded', inbound);
  }

  /** Counts a sign-up of a developer; throws if there were too many. */
  signUp(inbound: Inbound): void {
    this.#signUps.demand('rate-limited', inbound);
  }

  /** Counts an authorization request, or a pushed one. */
  authorize(inbound: Inbound): Wait | undefined {
    return this.#authorizations.take(inbound);
  }

  /** Counts a login at the bank's own provider, on its way back. */
  comeBack(request: PageRequest): Wait | undefined {
    return this.#logins.take(inboundOf(request));
  }

  /** Counts a confirmation by a person who is logged in. */
  confirm(request: PageRequest): Wait | undefined {
    return this.#confirmations.take(inboundOf(request));
  }

  /** `check` returns undefined if name and secret do not match. An error is not counted, because it says nothing about them. */
  async logIn<T>(login: Login, check: () => Promise<T | undefined>): Promise<Judged<T>> {
    const owner = { audience: login.audience, names: this.#namesOf(login) };
    const device = this.#devices.find(login.site, login.request, owner);
    const { known, strange } = this.#turns[login.audience];
    const queue = device === undefined ? strange : known;
    const source = this.sourceOf(login.request.raw.request);
    return queue
      .run(source, (inTurn) => this.#judge(login, owner, device, () => inTurn(check)))
      .catch((error: unknown) => {
        if (error instanceof Busy) return this.#deny(login, { ms: BUSY_MS, reason: 'busy' });
        throw error;
      });
  }

  async #judge<T>(
    login: Login,
    owner: DeviceOwner,
    device: string | undefined,
    check: () => Promise<T | undefined>,
  ): Promise<Judged<T>> {
    const entered = device === undefined ? this.#enter(login, owner.names[0]) : await this.#enterAs(device);
    if ('ms' in entered) return this.#deny(login, entered);
    try {
      const value = await check();
      if (value === undefined) {
        this.#report(login, 'refused');
        return { kind: 'refused' };
      }
      await entered.passed();
      return { kind: 'passed', value, cookies: [this.#devices.cookie(login.site, login.request, owner)] };
    } catch (error) {
      await entered.takeBack();
      throw error;
    }
  }

  /** Hashes the passphrase of a new developer, in the queue of strangers. */
  async hash<T>({ request }: Inbound, work: () => Promise<T>): Promise<T> {
    const { strange } = this.#turns.developer;
    return strange
      .run(this.sourceOf(request), (inTurn) => inTurn(work))
      .catch((error: unknown) => {
        if (!(error instanceof Busy)) throw error;
        const most = { name: 'sign-ups-at-once', quota: 1, windowSeconds: BUSY_MS / SECOND };
        throw new Problem('rate-limited', {
          detail: 'Several sign-ups of this address are under way.',
          headers: exhaustedFields({ ...most, resetMs: BUSY_MS }),
        });
      });
  }

  /** Removes failures that are over. */
  sweep(): Promise<number> {
    return this.#deviceFailures.sweep();
  }

  #namesOf({ audience, name }: Login): readonly [string, ...string[]] {
    return this.#parts.vault.marks('security-event', `login:${audience}:${normal(name)}`);
  }

  #enter({ request }: Login, name: string): Entered | Denied {
    // The limit of the source has reported its refusal itself.
    const wait = this.#logins.take(inboundOf(request));
    if (wait) return wait;
    const source = this.sourceOf(request.raw.request);
    const refused = this.#strangers.enter(name, source);
    if (refused) return refused;
    const takeBack = async (): Promise<void> => this.#strangers.takeBack(name, source);
    return { takeBack, passed: takeBack };
  }

  async #enterAs(device: string): Promise<Entered | Denied> {
    const place = await this.#deviceFailures.take(device);
    if (!place.isTaken) return { ms: place.until - this.#parts.clock.now(), reason: 'device' };
    return {
      takeBack: () => this.#deviceFailures.release(device, place.at),
      passed: () => this.#deviceFailures.clear(device),
    };
  }

  #deny(login: Login, { ms, reason }: Denied): { readonly kind: 'wait'; readonly wait: Wait } {
    if (reason !== undefined) this.#report(login, reason);
    return { kind: 'wait', wait: { ms } };
  }

  #report({ audience, name, request: { raw, requestId } }: Login, reason: string): void {
    const address = this.sourceOf(raw.request);
    this.#parts.security.event('login-refused', {
      reason: `${audience}-${reason}`,
      userName: name,
      address,
      requestId,
    });
  }
}
