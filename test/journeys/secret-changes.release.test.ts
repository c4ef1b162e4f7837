/**
 * TRAPEZA_SECRET is changed three times, in three steps each, node by node on two nodes behind a balancer that gives each request to the
 * next one. Meanwhile people log in, approve and read without pause: in every half-done state no journey fails.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as client from 'openid-client';
import { expect, it } from 'vitest';
import { freePort } from '../../bench/free-port.js';
import { totpCode } from '../../src/lib/totp.js';
import { Vault } from '../../src/lib/vault.js';
import { runCommand } from '../cli/program.js';
import { applicationOf, authorize, discover, type Place, redeem } from '../oauth/provider-journey.js';
import { Visitor } from '../operator/visitor.js';
import { type Answer, sandboxToken, send } from '../support/client.js';
import { addFundsConsent } from '../support/consents.js';
import { createDatabase } from '../support/database.js';
import { hasPostgres } from '../support/engines.js';
import { account, FUNDS } from '../support/operations.js';
import { type Service, startService, testSecret } from '../support/service.js';
import { until } from '../support/until.js';
import { withStore } from '../support/use-service.js';
import { startFront } from '../upgrade/front.js';
import { approveRequest } from './approve-request.js';

const JOURNEYS = Number(process.env.TEST_SECRET_JOURNEYS ?? 18);
const CHANGES = 3;
const STATES = CHANGES * 6;
const CARD = '5413330089010434';
const PASSPHRASE = 'a long passphrase';

interface Node {
  readonly service: Service;
  readonly url: string;
}

interface Operator {
  readonly name: string;
  readonly totp: string;
}

/** Two nodes under one address, and their consoles under another. */
class Pair {
  readonly nodes: Node[] = [];
  readonly consoles: { readonly url: string }[] = [];
  readonly databaseUrl: string;
  url = '';
  consoleUrl = '';
  #fronts: readonly { close(): Promise<void> }[] = [];

  constructor(databaseUrl: string) {
    this.databaseUrl = databaseUrl;
  }

  async open(): Promise<void> {
    const [front, consoles] = [await startFront(this.nodes), await startFront(this.consoles)];
    this.#fronts = [front, consoles];
    [this.url, this.consoleUrl] = [front.url, consoles.url];
  }

  async join(secrets: string, at = this.nodes.length): Promise<void> {
    const port = String(await freePort());
    const env = {
      BASE_URL: this.url,
      TRAPEZA_OPERATOR_URL: this.consoleUrl,
      TRAPEZA_OPERATOR_PORT: port,
      TRAPEZA_SECRET: secrets,
    };
    const service = await startService({ databaseUrl: this.databaseUrl, env });
    this.nodes.splice(at, 0, { service, url: service.app.listenUrl });
    this.consoles.splice(at, 0, { url: `http://127.0.0.1:${port}` });
  }

  /** The new node serves before the old one ends. */
  async replace(at: number, secrets: string): Promise<void> {
    await this.join(secrets, at);
    const [old] = this.nodes.splice(at + 1, 1);
    this.consoles.splice(at + 1, 1);
    await old?.service.close();
  }

  get first(): Service {
    const [node] = this.nodes;
    if (!node) throw new Error('no node serves');
    return node.service;
  }

  async close(): Promise<void> {
    for (const { service } of this.nodes.splice(0)) await service.close();
    for (const front of this.#fronts) await front.close();
  }
}

const expectStatus = (what: string, wanted: number, { status, text }: Answer): void => {
  if (status !== wanted) throw new Error(`${what}: ${status} ${text.slice(0, 300)}`);
};

const callAs =
  (place: Place, token: string) =>
  (path: string, body?: object): Promise<Answer> =>
    send(place.url, {
      method: body ? 'POST' : 'GET',
      path,
      headers: {
        'Ocp-Apim-Subscription-Key': applicationOf(place).subscriptionKey,
        Authorization: `Bearer ${token}`,
        'X-Request-ID': randomUUID(),
      },
      ...(body ? { body } : {}),
    });

interface Created {
  readonly consentId: string;
  readonly _links: { readonly scaRedirect: { readonly href: string } };
}
interface Accounts {
  readonly accounts: readonly { readonly resourceId: string }[];
}
interface Page {
  readonly _links: { readonly next?: { readonly href: string } };
}

const pathIn = (href: string): string => {
  const { pathname, search } = new URL(href);
  return pathname + search;
};

/** Login, consent and approval by code, accounts, three pages of transactions by cursor. The ids of the accounts. */
const readAccounts = async (place: Place, psu: string): Promise<string> => {
  const configuration = await discover(place);
  const authorized = await authorize(place, configuration, { withPar: true, psu });
  const first = await redeem(configuration, authorized);
  const tokens = await client.refreshTokenGrant(configuration, first.refresh_token ?? '');
  const call = callAs(place, tokens.access_token);
  const permissions = ['AccountsBasic', 'Balances', 'TransactionsDetail'];
  const created = await call('/ais/psd2/v1/consents', { permissions, recurring: true });
  expectStatus('a consent', 201, created);
  const { consentId, _links } = created.json as Created;
  const back = await approveRequest(authorized.browser, _links.scaRedirect.href);
  if (back?.searchParams.get('result') !== 'approved') throw new Error(`the approval led to ${back?.href}`);
  const read = (path: string): Promise<Answer> =>
    send(place.url, {
      path,
      headers: {
        'Ocp-Apim-Subscription-Key': applicationOf(place).subscriptionKey,
        Authorization: `Bearer ${tokens.access_token}`,
        'X-Request-ID': randomUUID(),
        'Consent-ID': consentId,
      },
    });
  const listed = await read('/ais/psd2/v1/accounts');
  expectStatus('the accounts', 200, listed);
  const ids = (listed.json as Accounts).accounts.map(({ resourceId }) => resourceId);
  let next: string | undefined = `/ais/psd2/v1/accounts/${ids[0]}/transactions?limit=2`;
  for (let page = 1; page <= 4 && next !== undefined; page += 1) {
    const answer = await read(next);
    expectStatus(`page ${page}`, 200, answer);
    const { href } = (answer.json as Page)._links.next ?? {};
    if (page === 1 && href === undefined) throw new Error('there is no second page');
    next = href && pathIn(href);
  }
  return ids.join(' ');
};

/** A consent that was made before the first change is found by its card number. */
const askByCard = async (place: Place): Promise<void> => {
  const call = callAs(place, await sandboxToken(place.url, { psu: 'anna' }));
  const instructedAmount = { currency: 'EUR', amount: 1 };
  expectStatus('a card', 200, await call(FUNDS, { account: {}, cardNumber: CARD, instructedAmount }));
};

/** The nonce of one node is taken by the other, also at the endpoints of the library. */
const proveKey = async (place: Place): Promise<void> => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const { clientId, clientSecret, redirectUri } = applicationOf(place);
  const wish = {
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope: 'ais' },
    code_challenge: await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
  };
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const ask = async (nonce?: string): Promise<Answer> => {
    const proof = {
      htm: 'POST',
      htu: `${place.url}/oauth/par`,
      jti: randomUUID(),
      ...(nonce ? { nonce } : {}),
    };
    // Too old without a nonce.
    const dpop = await new SignJWT(proof)
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .setIssuedAt(Math.floor(Date.now() / 1000) - (nonce ? 0 : 3600))
      .sign(privateKey);
    return send(place.url, {
      method: 'POST',
      path: '/oauth/par',
      headers: {
        Authorization: authorization,
        DPoP: dpop,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(wish).toString(),
      outsideContract: true,
    });
  };
  const refused = await ask();
  const nonce = String(refused.headers['dpop-nonce'] ?? '');
  if (nonce === '') throw new Error(`no nonce: ${refused.status} ${refused.text}`);
  for (let node = 0; node < 2; node += 1) {
    expectStatus('a proof with the nonce of another node', 201, await ask(nonce));
  }
};

const enrol = async (pair: Pair, name: string): Promise<Operator> => {
  const link = await pair.first.app.admin.inviteOperator(new Vault(testSecret), { name, role: 'service' });
  const visitor = new Visitor(pair.consoleUrl);
  const { body } = await visitor.get(`/operator/enrol/${link}`);
  const totp = /<code>([A-Z2-7 ]{39})<\/code>/.exec(body)?.[1]?.replaceAll(' ', '') ?? '';
  const form = { passphrase: PASSPHRASE, code: totpCode(totp, Date.now()) };
  expect((await visitor.post(`/operator/enrol/${link}`, form)).status).toBe(303);
  return { name, totp };
};

const logInToConsole = async (pair: Pair, { name, totp }: Operator): Promise<void> => {
  // A code is good for one login, and nobody waits half a minute here.
  await withStore(pair.first, (db) => db.run('update operators set totp_counter = 0 where name = ?', [name]));
  const visitor = new Visitor(pair.consoleUrl);
  const code = totpCode(totp, Date.now());
  const { status, body } = await visitor.logIn({ name, passphrase: PASSPHRASE, code });
  if (status !== 303) throw new Error(`the console: ${status} ${body.slice(0, 200)}`);
  const search = await visitor.get('/operator');
  if (search.status !== 200) throw new Error(`the console after the login: ${search.status}`);
};

/** Journeys without pause, until the work is done; the work waits for some of them in each state. */
class Walkers {
  total = 0;
  readonly failures: string[] = [];
  readonly ids = new Map<string, Set<string>>();
  state = 'before';
  #running = 0;
  #isHeld = false;
  #isOver = false;

  async walk(journey: () => Promise<string>, name: string): Promise<void> {
    const ids = new Set<string>();
    this.ids.set(name, ids);
    while (!this.#isOver) {
      await until(() => !this.#isHeld || this.#isOver);
      if (this.#isOver) return;
      this.#running += 1;
      const { state } = this;
      try {
        ids.add(await journey());
      } catch (error) {
        this.failures.push(`${state}: ${error instanceof Error ? error.message : String(error)}`);
      }
      this.#running -= 1;
      this.total += 1;
    }
  }

  /** While nobody is under way. */
  async hold(work: () => Promise<void>): Promise<void> {
    this.#isHeld = true;
    await until(() => this.#running === 0);
    await work();
    this.#isHeld = false;
  }

  async more(count: number): Promise<void> {
    const wanted = this.total + count;
    await until(() => this.total >= wanted);
  }

  end(): void {
    this.#isOver = true;
  }
}

interface Status {
  readonly sealed: readonly { readonly kind: string; readonly state: string; readonly lastsMs?: number }[];
  readonly unopened: number;
  readonly verdict: string;
}

it.runIf(hasPostgres)('while the secret is changed three times on two nodes, no journey fails', async () => {
  const database = await createDatabase('postgres');
  const pair = new Pair(database.url);
  await pair.open();
  await pair.join(testSecret);
  await pair.join(testSecret);
  const place: Place = { url: pair.url, credentials: pair.first.credentials };
  const operators = [await enrol(pair, 'maria'), await enrol(pair, 'nikos')];
  const card = { psu: 'anna', status: 'Valid', accounts: [account('anna', 902)], cardNumber: CARD } as const;
  await addFundsConsent(pair.first, card);
  const walkers = new Walkers();
  const walks = ['eleni', 'vasilis'].map((psu, index) =>
    walkers.walk(async () => {
      const ids = await readAccounts(place, psu);
      await askByCard(place);
      await proveKey(place);
      const operator = operators[index];
      if (operator) await logInToConsole(pair, operator);
      return ids;
    }, psu),
  );
  const perState = Math.ceil(JOURNEYS / STATES);
  const command = async (args: readonly string[], secrets: string) => {
    const env = { DATABASE_URL: database.url, TRAPEZA_SECRET: secrets };
    return runCommand(args, { env });
  };
  const statusUnder = async (secrets: string): Promise<Status> =>
    JSON.parse((await command(['secret', 'status', '--json'], secrets)).stdout) as Status;
  let old = testSecret;
  try {
    await walkers.more(perState);
    for (let change = 1; change <= CHANGES; change += 1) {
      const next = randomBytes(32).toString('base64');
      const steps = [`${old},${next}`, `${next},${old}`, next];
      for (const [step, secrets] of steps.entries()) {
        for (const node of [0, 1]) {
          walkers.state = `change ${change}, step ${step + 1}, ${node + 1} of 2 nodes`;
          // What journeys hold ends within an hour, which nobody waits for here.
          if (step === 2) await walkers.hold(() => pair.replace(node, secrets));
          else await pair.replace(node, secrets);
          await walkers.more(perState);
        }
        if (step !== 1) continue;
        const before = await statusUnder(secrets);
        expect(before.sealed.some(({ state }) => state === 'listed')).toBe(true);
        expect((await command(['secret', 'reseal', '--reason', 'proof'], secrets)).code).toBe(0);
        const after = await statusUnder(secrets);
        const rest = after.sealed.filter(({ state, lastsMs }) => state !== 'first' && lastsMs === undefined);
        expect({ rest, unopened: after.unopened }).toEqual({ rest: [], unopened: 0 });
      }
      old = next;
    }
  } finally {
    walkers.end();
    await Promise.all(walks);
  }
  console.log(`${walkers.total} journeys, ${walkers.failures.length} failed`);
  expect(walkers.failures).toEqual([]);
  expect(walkers.total).toBeGreaterThanOrEqual(JOURNEYS);
  for (const [name, ids] of walkers.ids) expect([name, ids.size]).toEqual([name, 1]);
  expect((await statusUnder(old)).unopened).toBe(0);
  const doctor = await command(['doctor', '--sandbox'], old);
  expect(doctor.stdout).toMatch(/^ok +sealed values/m);
  expect((await command(['audit', 'verify'], old)).code).toBe(0);
  await pair.close();
  await database.drop();
});
