/** One guard for account holders, operators and developers: strangers are held, owners are never locked out by them. */
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/lib/clock.js';
import { totpCode } from '../../../src/lib/totp.js';
import { counted } from '../../attacks/threats/events.js';
import { type Seen, Visitor } from '../../operator/visitor.js';
import { done, send } from '../../support/client.js';
import { formTokenIn } from '../../support/form.js';
import type { Service } from '../../support/service.js';
import { inTier, isRelease } from '../../support/tier.js';
import { useService, withStore } from '../../support/use-service.js';

const PROXY = { TRAPEZA_TRUSTED_PROXIES: '127.0.0.1', TRAPEZA_DEMO_MONTHS: '1' };
const TOTP = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const PASSPHRASE = 'correct horse battery';

interface Door {
  readonly page: string;
  readonly path: string;
  readonly name: string;
  readonly base: (service: Service) => string;
  readonly secret: (service: Service) => object;
  readonly wrong: object;
  readonly field: 'username' | 'name';
}

const doors: Readonly<Record<string, Door>> = {
  'account holder': {
    page: '/dashboard?lang=en',
    path: '/dashboard/login',
    name: 'giorgos',
    base: ({ url }) => url,
    secret: () => ({ password: 'giorgos-demo' }),
    wrong: { password: 'guessed' },
    field: 'username',
  },
  operator: {
    page: '/operator/login',
    path: '/operator/login',
    name: 'demo',
    base: ({ app }) => app.consoleUrl,
    secret: ({ clock }) => ({ passphrase: 'open sesame 1234', code: totpCode(TOTP, clock.now()) }),
    wrong: { passphrase: 'guessed', code: '000000' },
    field: 'name',
  },
  developer: {
    page: '/portal',
    path: '/portal/login',
    name: 'owner',
    base: ({ url }) => url,
    secret: () => ({ passphrase: PASSPHRASE }),
    wrong: { passphrase: 'guessed' },
    field: 'name',
  },
};

/** A browser of its own, or one of many that differ by their address alone. */
class Browser {
  readonly #door: Door;
  readonly #service: Service;
  readonly #page: Visitor;
  readonly #from: { readonly 'x-forwarded-for': string };
  #token: string | undefined;

  constructor(door: Door, service: Service, address: string, like?: Browser) {
    this.#door = door;
    this.#service = service;
    this.#page = like ? like.#page : new Visitor(door.base(service));
    if (like) this.#token = like.#token;
    this.#from = { 'x-forwarded-for': `1.1.1.1, ${address}` };
  }

  async #post(fields: object, name: string): Promise<Seen> {
    const { page, path, field } = this.#door;
    this.#token ??= formTokenIn((await this.#page.get(page)).body);
    return this.#page.post(path, { form_token: this.#token, [field]: name, ...fields }, this.#from);
  }

  guess(name = this.#door.name): Promise<Seen> {
    return this.#post(this.#door.wrong, name);
  }

  /** As the owner does. */
  async logIn(): Promise<number> {
    return (await this.#post(this.#door.secret(this.#service), this.#door.name)).status;
  }
}

const toldMs = ({ body }: Seen): number => {
  const [, count, unit] = /in (?:(\d+)|a) (second|minute)s?/.exec(body) ?? [];
  return Number(count ?? 1) * (unit === 'minute' ? MINUTE : SECOND);
};

const guesses = async (browser: Browser, count: number, name?: string): Promise<readonly number[]> => {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await browser.guess(name)).status);
  return statuses;
};

const use = useService({ env: PROXY }, async ({ url }) => {
  if (!isRelease) return;
  const body = { name: 'owner', passphrase: PASSPHRASE };
  done(await send(url, { method: 'POST', path: '/sandbox/developers', body }));
});

/** A sandbox for a developer takes seconds. */
const inThisTier = Object.entries(doors).filter(([who]) => isRelease || who !== 'developer');

describe.each(inThisTier)('the login of: %s', (_who, door) => {
  const at = (address: string, like?: Browser): Browser => new Browser(door, use(), address, like);
  const crowd = async (count: number, network: string): Promise<readonly Browser[]> => {
    const first = at(`${network}.0:1024`);
    await first.guess('somebody-else');
    return Array.from({ length: count }, (_, index) => at(`${network}.${index}:${1024 + index}`, first));
  };
  /** A code of an operator's app opens one session. */
  const nextCode = (): void => use().clock.advance(30 * SECOND);

  it('T-62: a thousand wrong tries from fifty sources lock the owner out nowhere', async () => {
    const known = at('198.51.100.1:443');
    expect(await known.logIn()).toBe(303);
    nextCode();
    const attackers = await crowd(50, '203.0.113');
    const before = await counted(use(), 'login-refused');
    const tries = door.field === 'username' ? inTier(1, 20) : 1;
    const statuses: number[] = [];
    for (const attacker of attackers) statuses.push(...(await guesses(attacker, tries)));
    // Each is counted, few are judged.
    expect(await counted(use(), 'login-refused')).toBe(before + 50 * tries);
    const judged = statuses.filter((status) => status !== 429).length;
    expect(judged).toBeGreaterThanOrEqual(10);
    // The clock goes on while they try: who has waited is judged.
    expect(judged).toBeLessThan(50);
    expect(await known.logIn()).toBe(303);
    const elsewhere = at('198.51.100.200');
    const told = await elsewhere.guess();
    expect(told.status).toBe(429);
    expect(toldMs(told)).toBeLessThanOrEqual(MINUTE);
    nextCode();
    use().clock.advance(toldMs(told));
    expect(await elsewhere.logIn()).toBe(303);
    use().clock.advance(16 * MINUTE);
  });

  if (isRelease)
    it('T-62: of those who wait and go on, each has five tries, and the owner still waits a minute at most', async () => {
      const attackers = await crowd(6, '192.0.2');
      let judged = 0;
      for (let round = 0; round < 12; round += 1) {
        for (const attacker of attackers) judged += (await attacker.guess()).status === 429 ? 0 : 1;
        use().clock.advance(MINUTE);
      }
      expect(judged).toBe(5 * attackers.length);
      const elsewhere = at('198.51.100.201');
      const wait = toldMs(await elsewhere.guess());
      expect(wait).toBeLessThanOrEqual(MINUTE);
      use().clock.advance(wait);
      expect(await elsewhere.logIn()).toBe(303);
      use().clock.advance(16 * MINUTE);
    });

  if (isRelease)
    it('five failures in a row of one source, or of a known browser, block those for a quarter of an hour', async () => {
      const [known, stranger] = [at('198.51.100.2'), at('203.0.113.77')];
      expect(await known.logIn()).toBe(303);
      nextCode();
      for (const browser of [stranger, known]) {
        const statuses = await guesses(browser, 6);
        expect(statuses.slice(0, 5)).not.toContain(429);
        expect(statuses.at(-1)).toBe(429);
        expect(toldMs(await browser.guess())).toBe(15 * MINUTE);
        expect(await browser.logIn()).toBe(429);
      }
      use().clock.advance(15 * MINUTE + SECOND);
      for (const browser of [stranger, known]) {
        expect(await browser.logIn()).toBe(303);
        nextCode();
      }
    });

  if (isRelease)
    it('failures of a known browser before a right login are forgotten', async () => {
      const known = at('198.51.100.3');
      expect(await known.logIn()).toBe(303);
      for (let round = 0; round < 2; round += 1) {
        nextCode();
        expect(await guesses(known, 3)).not.toContain(429);
        expect(await known.logIn()).toBe(303);
      }
      use().clock.advance(16 * MINUTE);
    });

  if (isRelease)
    it('a name that does not exist is treated alike, and leaves nothing in the store', async () => {
      const statuses = await guesses(at('203.0.113.88'), 6, 'nobody-at-all');
      expect(new Set(statuses.slice(0, 5)).size).toBe(1);
      expect(statuses[5]).toBe(429);
      const rows = await withStore(use(), (db) =>
        db.all('select subject from recent_times where last_at > ?', [use().clock.now() - MINUTE]),
      );
      expect(rows).toEqual([]);
    });
});
