/** People of one's own from a file: beside the demo people, with everything that these can do. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOwnPeople } from '../../packages/sandbox/src/own-people.js';
import { seedSandbox } from '../../packages/sandbox/src/seed.js';
import { DAY } from '../../src/lib/clock.js';
import { dateAt } from '../../src/lib/day.js';
import { Vault } from '../../src/lib/vault.js';
import { demoCodeOf } from '../account-pages/approve-support.js';
import { DASHBOARD, DashboardVisitor } from '../account-pages/dashboard/support.js';
import { addAccess, pathOf, read } from '../api/ais/support.js';
import { faultsIn, timeZone } from '../bank/books.js';
import { approved, orderIn, submit } from '../payment/support.js';
import { done, send } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { FUNDS, ibanOf, resetSandbox } from '../support/operations.js';
import { type Service, startService, testSecret } from '../support/service.js';
import { withStore } from '../support/use-service.js';

const EXAMPLE = 'docs/examples/seed.json';
const today = '2026-11-17';
const folder = mkdtempSync(join(tmpdir(), 'trapeza-own-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (content: unknown): string => {
  const file = join(folder, 'seed.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};
const faultsOf = async (content: unknown): Promise<readonly string[]> => {
  const file = fileOf(content);
  const error = await readOwnPeople(file, today).catch((caught: unknown) => caught);
  const { faults = [] } = error as { faults?: readonly string[] };
  return faults.map((fault) => fault.replace(`seed file ${file}: `, ''));
};

const iban = 'GR1601101250000000012300695';
const account = { iban, currency: 'EUR', balance: 10 };
const person = { username: 'iro', password: 'only-for-tests', name: 'Δοκιμή', accounts: [account] };
const having = (...accounts: object[]) => ({ people: [{ ...person, accounts }] });
const entry = { daysAgo: 1, amount: 5 };
const at = 'people.0.accounts.0';

describe('the file', () => {
  it.each<[unknown, string]>([
    ['{\n"people": [\n{,\n', 'line 3: no JSON'],
    [null, 'body must be object'],
    [{ people: [] }, 'people must NOT have fewer than 1 items'],
    [{ people: [{ ...person, password: undefined }] }, 'people.0.password is required'],
    [{ people: [{ ...person, secret: 1 }] }, 'people.0.secret is not a member of this object'],
    [{ people: [{ ...person, username: 'eleni' }] }, 'people.0.username belongs to the demo bank'],
    [{ people: [person, { ...person, accounts: [] }] }, 'people.1.username is the same twice'],
    [{ people: [person, { ...person, username: 'b' }] }, 'people.1.accounts.0.iban is the same twice'],
    [having(account, account), 'people.0.accounts.1.iban is the same twice'],
    [having({ ...account, iban: ibanOf('eleni', 101) }), `${at}.iban belongs to the demo bank`],
    [having({ ...account, iban: 'GR00' }), `${at}.iban must be an IBAN with the right length and checksum`],
    [having({ ...account, currency: 'SEK' }), `${at}.currency must be one of EUR, USD, GBP, JPY, KWD, CHF`],
    [having({ ...account, balance: 1.005 }), `${at}.balance has more decimals than EUR, which has 2`],
    [having({ ...account, creditLine: 0.001 }), `${at}.creditLine has more decimals than EUR, which has 2`],
    [having({ ...account, balance: '10' }), `${at}.balance must be number`],
    [having({ ...account, balance: -1 }), `${at}.balance is further below 0 than the creditLine allows`],
    [having({ ...account, status: 'gone' }), `${at}.status must be one of enabled, blocked, closed`],
    [having({ ...account, cardNumber: 'x' }), `${at}.cardNumber must be a card number of 8 to 19 digits`],
    ...(
      [
        [{ amount: 5 }, ' must have either date or daysAgo'],
        [{ ...entry, date: today }, ' must have either date or daysAgo'],
        [{ amount: 5, date: '2026-11-18' }, '.date must be a day of the last ten years, not after today'],
        [{ amount: 5, date: '2026-02-30' }, '.date must be a date such as 2027-01-31'],
        [{ ...entry, amount: 0 }, '.amount must not be 0'],
        [{ ...entry, amount: 0.123 }, '.amount has more decimals than EUR, which has 2'],
      ] as const
    ).map(([each, told]): [unknown, string] => [
      having({ ...account, transactions: [each] }),
      `${at}.transactions.0${told}`,
    ]),
    [
      having({ ...account, balance: -1e9, creditLine: 1e9, transactions: [entry] }),
      `${at}.transactions add up to more than 1000000000 away from the balance`,
    ],
  ])('%j is refused by its line or member', async (content, told) => {
    expect(await faultsOf(content)).toEqual([told]);
  });

  it('is refused with all its faults at once, and without its values', async () => {
    const wrong = { ...account, iban: 'GR00', balance: 1.005, transactions: [{ daysAgo: -1, amount: 0 }] };
    const faults = await faultsOf({ people: [person, { ...person, accounts: [wrong, 7] }] });
    expect(faults.map((fault) => fault.split(' ')[0]).toSorted()).toEqual([
      'people.1.accounts.0.balance',
      'people.1.accounts.0.iban',
      'people.1.accounts.0.transactions.0.amount',
      'people.1.accounts.0.transactions.0.daysAgo',
      'people.1.accounts.1',
      'people.1.username',
    ]);
    expect(faults.join()).not.toMatch(/only-for-tests|Δοκιμή|GR00/);
  });

  it('that is not there is named', async () => {
    await expect(readOwnPeople(join(folder, 'absent.json'), today)).rejects.toThrow(
      /absent\.json: cannot be read \(ENOENT\)/,
    );
  });
});

it('is for the demo bank alone', async () => {
  const env = { TRAPEZA_CORE_URL: 'http://127.0.0.1:9', TRAPEZA_SEED: EXAMPLE };
  await expect(startService({ env })).rejects.toThrow(/TRAPEZA_SEED is for the demo bank/);
});

describe('the people of the example', () => {
  let database: TestDatabase;
  let service: Service;
  const start = async (env: Record<string, string>): Promise<Service> =>
    startService({
      databaseUrl: database.url,
      core: 'embedded',
      env: { TRAPEZA_DEMO_MONTHS: '0', ...env },
    });
  beforeAll(async () => {
    database = await createDatabase('sqlite');
    // The store was in use before there was a file.
    await (await start({})).close();
    service = await start({ TRAPEZA_SEED: EXAMPLE });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });
  const own = (username: string) => service.credentials.psus.find((psu) => psu.username === username);
  const numberOf = (username: string, index = 0): string => own(username)?.accounts[index]?.iban ?? '';
  const hasFunds = async (psu: string, amount: number, more: object = {}): Promise<unknown> => {
    const body = {
      account: { iban: numberOf(psu) },
      instructedAmount: { currency: 'EUR', amount },
      ...more,
    };
    const { json } = await service.call({ method: 'POST', path: FUNDS, as: { psu }, body });
    return (json as { fundsAvailable: boolean }).fundsAvailable;
  };
  /** The transactions of the first account, as a third party reads them. */
  const readBooked = async (): Promise<readonly object[]> => {
    const { people } = await readOwnPeople(EXAMPLE, today);
    const access = await addAccess(service, { psu: 'iro', accounts: people[0]?.psu.accounts ?? [] });
    const { json } = done(
      await read(service, access, `${pathOf('getTransactions', access.first)}?dateFrom=2026-01-01`),
    );
    return (json as { transactions: { booked: readonly object[] } }).transactions.booked;
  };

  it('are listed after the demo people, as data and on the page', async () => {
    const names = service.credentials.psus.map(({ username }) => username);
    expect([names[0], ...names.slice(-2)]).toEqual(['eleni', 'iro', 'stavros']);
    const wanted = { path: '/sandbox/credentials', headers: { Accept: 'text/html' }, outsideContract: true };
    expect((await send(service.url, wanted)).text).toContain('iro-test');
  });

  it('are asked for funds, by account and by card', async () => {
    // 850.25 and a credit line of 200.
    expect(await hasFunds('iro', 1050.25)).toBe(true);
    expect(await hasFunds('iro', 1050.26)).toBe(false);
    expect(await hasFunds('iro', 1, { account: {}, cardNumber: '9999000050000013' })).toBe(true);
    expect(await hasFunds('stavros', 1)).toBe(false);
  });

  it('have the transactions of the file, which explain the balance', async () => {
    const all = await readBooked();
    expect(all).toMatchObject([
      {
        transactionAmount: { currency: 'EUR', amount: -480 },
        creditorName: 'Στέγη Α.Ε.',
        creditorAccount: { iban },
        remittanceInformationUnstructured: 'Rent',
        balanceAfterTransaction: { balanceAmount: { amount: 850.25 } },
      },
      { transactionAmount: { amount: 1200 }, debtorName: 'Ναυτιλιακή Α.Ε.' },
      { transactionAmount: { amount: -12.5 }, bookingDate: '2026-01-15' },
    ]);
    // Days of the calendar: thirty times 24 hours may be another date, if the clocks changed since.
    const today = Date.parse(dateAt(service.clock.now(), timeZone));
    expect(all[1]).toMatchObject({ bookingDate: new Date(today - 30 * DAY).toISOString().slice(0, 10) });
    await withStore(service, async (db) => expect(await faultsIn(db)).toEqual([]));
  });

  it('log in with their passwords and no other', async () => {
    const refused = await new DashboardVisitor(service).logIn('iro', 'iro-demo');
    expect(demoCodeOf(refused.text)).toBe('');
    const visitor = new DashboardVisitor(service);
    await visitor.tryCode(await visitor.logIn('iro', 'iro-test'));
    expect((await visitor.get(DASHBOARD)).text).toContain('Ηρώ Καλλέργη');
  });

  it('pay, and have their money again after a reset', async () => {
    const debitAccount = { iban: numberOf('iro') };
    const id = await approved(service, { psu: 'iro', body: { debitAccount } });
    expect(orderIn(await submit(service, id, { psu: 'iro' })).transactionStatus).toBe('ACSC');
    expect(await hasFunds('iro', 1050.25)).toBe(false);
    const before = await readBooked();
    expect(before.length).toBeGreaterThan(3);
    expect((await resetSandbox(service)).status).toBe(204);
    expect(await hasFunds('iro', 1050.25)).toBe(true);
    expect(await readBooked()).toEqual(before.slice(-3));
  });

  it('of another file are added to those whom the store has, which stay until a reset', async () => {
    const told: string[] = [];
    const parts = { vault: new Vault(testSecret), timeZone, months: 0, volume: 0 };
    const seed = async (content: string): Promise<void> => {
      const own = await readOwnPeople(fileOf(content), today);
      const nowMs = service.clock.now();
      await withStore(service, (db) =>
        seedSandbox(db, { ...parts, nowMs, own: async () => own, tell: (line) => told.push(line) }),
      );
    };
    const example = readFileSync(EXAMPLE, 'utf8');
    await seed(example);
    expect(told).toEqual([]);
    await seed(example.replaceAll('stavros', 'other'));
    expect(told).toEqual([
      expect.stringMatching(/^the seed file has changed: 1 of its people .* POST \/sandbox\/reset/),
    ]);
    await expect(seed(example.replaceAll('iro', 'else'))).rejects.toThrow(
      /people\.0\.accounts\.0\.iban is an account of somebody else in this store\. .* POST \/sandbox\/reset/,
    );
    await withStore(service, async (db) => {
      const names = await db.all('select username from demo_psus order by username');
      expect(names).toHaveLength(service.credentials.psus.length + 1);
      expect(await faultsIn(db)).toEqual([]);
    });
  });
});
