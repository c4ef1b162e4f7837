/** The demo bank's login: a password, and a one-time code that is bound to what it approves. Five wrong codes block for a while. */

import { createHmac, randomBytes } from 'node:crypto';
import {
  type AccountHolders,
  type Challenge,
  type CodeOutcome,
  contextHash,
  type LoginOutcome,
  loginsInTurn,
  type Method,
  type MethodKind,
  type Passkeys,
  type ScaContext,
} from 'trapeza/bank';
import {
  type Clock,
  type Db,
  derivedKey,
  isEqual,
  MINUTE,
  newId,
  type PsuId,
  RecentTimes,
  sha256,
  type TimeSource,
} from 'trapeza/base';
import { casePsus, refusesEverything } from './case-people.js';
import type { DemoOpenId } from './demo-openid.js';
import type { PhoneAnswer } from './demo-phone.js';
import { type DemoPsu, demoPsus } from './people.js';

const MAX_FAILURES = 5;
const BLOCKED_MS = 15 * MINUTE;
const CODE_LIVES_MS = 5 * MINUTE;
/** Counted as the contract of a core demands, even if the service in front counts too. */
const wrongCodes = { kind: 'demo code', most: MAX_FAILURES, windowMs: BLOCKED_MS, pauses: true } as const;

/** Less than for passphrases of real people: these passwords are published, or stand in a seed file. */
const DEMO_COST = { N: 16_384, r: 8, p: 1 } as const;

/** The salt is the name: demo data must be the same on every machine. */
export const hashPassword = (username: string, password: string): Promise<string> =>
  derivedKey(password, `trapeza-demo:${username}`, DEMO_COST);

const APP = 'app';
const SMS = 'sms';
const PASSKEY = 'passkey';
const BANK = 'bank-login';
const DEVICE = 'Android *** 42';

/** As a bank shows where it sends codes. */
const numberOf = ({ accounts }: DemoPsu): string | undefined => {
  const number = accounts.find(({ msisdn }) => msisdn !== null)?.msisdn;
  return number ? `*** *** ${number.slice(-4)}` : undefined;
};

/** Six digits that depend on the challenge and on everything that was shown. */
const codeOf = (key: Buffer, challengeId: string, context: ScaContext): string => {
  const mac = createHmac('sha256', key)
    .update(JSON.stringify([challengeId, contextHash(context)]))
    .digest();
  return String(mac.readUInt32BE(0) % 1_000_000).padStart(6, '0');
};

interface PsuRow {
  readonly id: string;
  readonly name: string;
  readonly password_hash: string;
}

const PERSON = `
  select id, name, password_hash from demo_psus
  where username = ? and (blocked_until is null or blocked_until <= cast(? as bigint))`;

/** Half of the threads that Node has for such work. */
const LOGINS_AT_ONCE = 2;

/** Beside codes and the app; the core simulator has neither. */
interface MoreWays {
  readonly passkeys?: Passkeys;
  readonly openId?: DemoOpenId | undefined;
  /** By which pauses end, if not by the clock of the machine. */
  readonly pauseClock?: TimeSource;
}

export const demoAccountHolders = (db: Db, clock: Clock, more: MoreWays = {}): AccountHolders =>
  loginsInTurn(new DemoIdentity(db, clock, more), LOGINS_AT_ONCE);

class DemoIdentity implements AccountHolders {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #codeKey = randomBytes(32);
  readonly #passkeys: Passkeys | undefined;
  readonly #openId: DemoOpenId | undefined;
  readonly #pauseClock: TimeSource;
  readonly #wrongCodes: RecentTimes;

  constructor(db: Db, clock: Clock, { passkeys, openId, pauseClock = clock }: MoreWays) {
    this.#db = db;
    this.#clock = clock;
    this.#passkeys = passkeys;
    this.#openId = openId;
    this.#pauseClock = pauseClock;
    this.#wrongCodes = new RecentTimes(db, pauseClock, wrongCodes);
  }

  /** Wrong passwords are counted by the service in front, which knows from where they come: a block by name would lock its owner out. */
  async login(username: string, password: string): Promise<LoginOutcome> {
    const hash = await hashPassword(username, password);
    const row = await this.#db.one<PsuRow>(PERSON, [username, await this.#pauseClock.now()]);
    // Hashed and looked up for unknown users too: neither words nor time may tell who exists.
    if (!row || !isEqual(hash, row.password_hash)) return { kind: 'refused' };
    return { kind: 'recognised', psuId: row.id, name: row.name };
  }

  /** A person who has another way can also get a code. Most have one way. */
  async methods(psuId: PsuId): Promise<readonly Method[]> {
    const person = demoPsus.find((each) => each.id === psuId);
    const before: readonly Method[] = [
      ...(person?.hasApp ? [{ id: APP, kind: 'app', sentTo: DEVICE } as const] : []),
      ...((await this.#hasPasskey(psuId, person)) ? [{ id: PASSKEY, kind: 'browser' } as const] : []),
    ];
    const after: readonly Method[] = this.#openId?.isOffered(psuId) ? [{ id: BANK, kind: 'redirect' }] : [];
    if (before.length + after.length === 0) return [];
    return [...before, { id: SMS, kind: 'code', sentTo: person && numberOf(person) }, ...after];
  }

  /** Who has all ways is shown why there are no passkeys, if there can be none. */
  async #hasPasskey(psuId: PsuId, person: DemoPsu | undefined): Promise<boolean> {
    if (!this.#passkeys) return false;
    return (person?.hasApp && this.#passkeys.obstacle !== undefined) || this.#passkeys.isOffered(psuId);
  }

  async challenge(psuId: PsuId, context: ScaContext, methodId?: string): Promise<Challenge> {
    if (methodId === PASSKEY && this.#passkeys) {
      const { request, ...asked } = await this.#passkeys.request(psuId, context);
      return { ...asked, method: 'browser', request: JSON.stringify(request) };
    }
    if (methodId === BANK && this.#openId) return this.#openId.challenge(psuId, context);
    const id = newId();
    const code = codeOf(this.#codeKey, id, context);
    const expiresAt = this.#clock.now() + CODE_LIVES_MS;
    const person = [...demoPsus, ...casePsus].find((each) => each.id === psuId);
    const appShown = person?.hasApp && methodId !== SMS ? JSON.stringify(context.payment ?? null) : null;
    const appAnswer: PhoneAnswer | null = refusesEverything(psuId) ? 'refused' : null;
    await this.#db.run(
      `insert into demo_challenges (id, psu_id, context_hash, code_hash, app_shown, app_answer, attempts, expires_at)
       values (?, ?, ?, ?, ?, ?, 0, ?)`,
      [id, psuId, contextHash(context), sha256(`${id}:${code}`), appShown, appAnswer, expiresAt],
    );
    if (appShown !== null) return { id, method: 'app', sentTo: DEVICE, expiresAt };
    return { id, method: 'code', sentTo: person && numberOf(person), demoCode: code, expiresAt };
  }

  /** The attempt is counted before it is judged, for the person and for the challenge: parallel guesses share the five. */
  async verify(
    psuId: PsuId,
    challengeId: string,
    context: ScaContext,
    code?: string,
    kind?: MethodKind,
  ): Promise<CodeOutcome> {
    if (code === undefined) return this.#askApp(psuId, challengeId, context);
    const place = await this.#wrongCodes.take(psuId);
    if (!place.isTaken) return 'spent';
    const outcome = await this.#judgedAs(kind, psuId, challengeId, context, code);
    if (outcome !== 'wrong') await this.#wrongCodes.release(psuId, place.at);
    return outcome;
  }

  async #judgedAs(
    kind: MethodKind | undefined,
    ...[psuId, challengeId, context, answer]: readonly [PsuId, string, ScaContext, string]
  ): Promise<CodeOutcome> {
    if (kind === 'browser' && this.#passkeys)
      return (await this.#passkeys.judge(psuId, challengeId, context, answer)).kind;
    if (kind === 'redirect' && this.#openId) return this.#openId.verify(psuId, challengeId, context, answer);
    return this.#judge(psuId, challengeId, context, answer);
  }

  async #judge(psuId: PsuId, challengeId: string, context: ScaContext, code: string): Promise<CodeOutcome> {
    const now = this.#clock.now();
    const row = await this.#db.one<{ context_hash: string; code_hash: string }>(
      `update demo_challenges set attempts = attempts + 1
       where id = ? and psu_id = ? and app_shown is null and used_at is null and attempts < ? and expires_at > ?
       returning context_hash, code_hash`,
      [challengeId, psuId, MAX_FAILURES, now],
    );
    if (!row) return 'spent';
    const isRight =
      isEqual(sha256(`${challengeId}:${code}`), row.code_hash) &&
      isEqual(contextHash(context), row.context_hash);
    if (!isRight) return 'wrong';
    return (await this.#use(challengeId)) ? 'right' : 'spent';
  }

  /** The same again until it expires: the caller may not have been able to carry it out. */
  async #askApp(psuId: PsuId, challengeId: string, context: ScaContext): Promise<CodeOutcome> {
    const row = await this.#db.one<{ context_hash: string; app_answer: PhoneAnswer | null }>(
      `select context_hash, app_answer from demo_challenges
       where id = ? and psu_id = ? and app_shown is not null and expires_at > ?`,
      [challengeId, psuId, this.#clock.now()],
    );
    if (!row || !isEqual(contextHash(context), row.context_hash)) return 'spent';
    return row.app_answer ?? 'pending';
  }

  async #use(challengeId: string): Promise<boolean> {
    const params = [this.#clock.now(), challengeId];
    return (
      (await this.#db.run(
        'update demo_challenges set used_at = ? where id = ? and used_at is null',
        params,
      )) === 1
    );
  }
}
