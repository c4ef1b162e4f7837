/** `trapeza secret`, and what the doctor, a start and the console say of a store whose secret was taken away too early. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, systemClock } from '../../src/lib/clock.js';
import { totpCode } from '../../src/lib/totp.js';
import { Vault } from '../../src/lib/vault.js';
import { SigningKeys } from '../../src/oauth/signing-keys.js';
import { openDb } from '../../src/store/open.js';
import { Visitor } from '../operator/visitor.js';
import { addFundsConsent } from '../support/consents.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { account, FUNDS } from '../support/operations.js';
import { type Service, startService, testSecret } from '../support/service.js';
import { cleanUp, runCommand, tempFolder } from './program.js';

const next = 'Zr8mWq1LxUo6TbPy3KdHv9Jc5NfGs0Ea7Ri2QtYw4Xk=';
const both = `${next},${testSecret}`;
const PASSPHRASE = 'a long passphrase';
const CARD = '5413330089010434';

interface Status {
  readonly sealed: readonly { kind: string; state: string; count: number; unopened: number }[];
  readonly unopened: number;
  readonly cards: { readonly count: number; readonly older: number };
  readonly othersUntil?: number;
  readonly verdict: string;
}

let database: TestDatabase;
let totp = '';
let passedMs = 0;
const run = (args: readonly string[], secrets: string) =>
  runCommand(args, { env: { DATABASE_URL: database.url, TRAPEZA_SECRET: secrets }, cwd: tempFolder() });
const status = async (secrets: string): Promise<Status & { readonly code: number | null }> => {
  const { code, stdout } = await run(['secret', 'status', '--json'], secrets);
  return { ...(JSON.parse(stdout) as Status), code };
};
const kindsOf = ({ sealed }: Status, state: string): string[] =>
  sealed.flatMap((each) => (each.state === state ? [`${each.kind}: ${each.count}`] : [])).sort();
const sealedOf = async (secrets: string) => {
  const { stdout, code } = await run(['doctor', '--sandbox', '--json'], secrets);
  const findings = JSON.parse(stdout) as { check: string; verdict: string; detail: string }[];
  return { code, ...findings.find(({ check }) => check === 'sealed values') };
};

/** While a service runs on the store; the embedded one belongs to one process. */
const serving = async <T>(secrets: string, work: (service: Service) => Promise<T>): Promise<T> => {
  // A code is good for one login.
  passedMs += MINUTE;
  const env = { TRAPEZA_SECRET: secrets };
  const service = await startService({ databaseUrl: database.url, env, passedMs });
  try {
    return await work(service);
  } finally {
    await service.close();
  }
};

const enrol = async ({ app, clock }: Service): Promise<void> => {
  const link = await app.admin.addOperator('maria', { role: 'admin' });
  const visitor = new Visitor(app.consoleUrl);
  const { body } = await visitor.get(`/operator/enrol/${link}`);
  totp = /<code>([A-Z2-7 ]{39})<\/code>/.exec(body)?.[1]?.replaceAll(' ', '') ?? '';
  const form = { passphrase: PASSPHRASE, code: totpCode(totp, clock.now()) };
  expect((await visitor.post(`/operator/enrol/${link}`, form)).status).toBe(303);
};

const logIn = ({ app, clock }: Service) => {
  const form = { name: 'maria', passphrase: PASSPHRASE, code: totpCode(totp, clock.now()) };
  return new Visitor(app.consoleUrl).logIn(form);
};

const askByCard = async (service: Service): Promise<number> => {
  const instructedAmount = { currency: 'EUR', amount: 1 };
  const body = { account: {}, cardNumber: CARD, instructedAmount };
  return (await service.call({ method: 'POST', path: FUNDS, body, as: { psu: 'anna' } })).status;
};

beforeAll(async () => {
  database = await createDatabase('sqlite');
  await serving(testSecret, async (service) => {
    await enrol(service);
    const accounts = [account('anna', 902)];
    await addFundsConsent(service, { psu: 'anna', status: 'Valid', accounts, cardNumber: CARD });
  });
});
afterAll(async () => {
  await cleanUp();
  await database.drop();
});

describe('a secret that was taken away too early', () => {
  it('is named by the doctor, with the kinds and how many they are', async () => {
    const found = await sealedOf(next);
    expect(found).toMatchObject({ code: 1, verdict: 'failed' });
    for (const words of [
      'signing keys: 2',
      "operators' authenticators: 2",
      'key of account ids: 1',
      'NEW,OLD',
    ])
      expect(found.detail).toContain(words);
    const { code, unopened, verdict } = await status(next);
    expect({ code, unopened }).toEqual({ code: 1, unopened: 5 });
    expect(verdict).toContain('NEW,OLD');
  });

  it('keeps a node from starting, in words, also if the key it sealed is not in use yet', async () => {
    const start = serving(next, async () => undefined);
    await expect(start).rejects.toThrow(
      /does not open 1 of 1 signing key\(s\) for access tokens: [\w-]{36} \(in use from .*trapeza secret reseal/,
    );
    const db = await openDb(database.url, 1);
    const foreign = new SigningKeys(db, new Vault(next), systemClock, 'webhook');
    const { kid } = await foreign.roll();
    await db.close();
    const early = serving(testSecret, async () => undefined);
    await expect(early).rejects.toThrow(`does not open 1 of 2 signing key(s) for notifications: ${kid}`);
    const again = await openDb(database.url, 1);
    await again.run('delete from signing_keys where kid = ?', [kid]);
    await again.run(`update signing_keys set retired_at = null where purpose = 'webhook'`);
    await again.close();
  });

  it('is told on a page to an operator whose authenticator it sealed, and nothing else is lost', async () => {
    const db = await openDb(database.url, 1);
    const { totp_sealed: sealed = '' } =
      (await db.one<{ totp_sealed: string }>(`select totp_sealed from operators where name = 'maria'`)) ?? {};
    const foreign = new Vault(next).seal(totp, 'operator:maria');
    await db.run(`update operators set totp_sealed = ? where name = 'maria'`, [foreign]);
    await db.close();
    await serving(testSecret, async (service) => {
      const { status: code, body } = await logIn(service);
      expect(code).toBe(503);
      expect(body).toContain('<h1>The console cannot check your code</h1>');
      expect(body).toContain('trapeza secret status');
      expect(service.logs.join('')).toContain('operator login');
      expect(service.logs.join('')).not.toContain(totp);
    });
    const again = await openDb(database.url, 1);
    await again.run(`update operators set totp_sealed = ? where name = 'maria'`, [sealed]);
    await again.close();
    await serving(testSecret, async (service) => expect((await logIn(service)).status).toBe(303));
  });
});

describe('a change', () => {
  it('is followed by status, and after reseal nothing needs the old secret', async () => {
    const before = await status(both);
    expect(before).toMatchObject({ code: 0, unopened: 0 });
    expect(kindsOf(before, 'listed')).toEqual([
      'key of account ids: 1',
      "operators' authenticators: 2",
      'signing keys: 2',
    ]);
    expect(before.verdict).toContain('trapeza secret reseal');
    expect((await sealedOf(both)).detail).toContain('5 need an older secret');

    const done = await run(['secret', 'reseal', '--reason', 'yearly change'], both);
    expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: '' });
    expect(done.stdout).toContain('signing keys: 2');
    const after = await status(both);
    expect(kindsOf(after, 'listed')).toEqual([]);
    expect(kindsOf(after, 'first')).toEqual([
      'key of account ids: 1',
      'keys of card numbers: 2',
      'keys of the audit log: 2',
      "operators' authenticators: 2",
      'signing keys: 2',
    ]);
    expect(after.cards.older).toBe(after.cards.count);
    expect(after.othersUntil).toBeGreaterThan(systemClock.now());
    expect(after.verdict).toContain('can be left out from');

    const again = await run(['secret', 'reseal'], both);
    expect(again.stdout).toContain('Everything was under the first secret already.');
    const log = await run(['audit', 'list', '--act', 'secret.reseal', '--json'], both);
    expect(log.stdout).toContain('yearly change');
    expect(log.stdout + done.stdout).not.toContain(next);
  });

  it('leaves a store that needs the new secret alone: logins, cards, ids, the audit log', async () => {
    expect(await sealedOf(next)).toMatchObject({ code: 0, verdict: 'ok' });
    expect((await status(next)).verdict).toBe('Everything is under the one secret that is listed.');
    expect((await run(['audit', 'verify'], next)).code).toBe(0);
    await serving(next, async (service) => {
      expect(await askByCard(service)).toBe(200);
      expect((await logIn(service)).status).toBe(303);
    });
    expect((await status(testSecret)).unopened).toBeGreaterThan(0);
  });
});
