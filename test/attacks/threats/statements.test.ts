/** What reaches the database: texts that are constants of ours, and the same ones for what exists and for what does not. */
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PreparedStatement } from '../../../src/store/sqlite/driver.js';
import { addRequest, hiddenFields } from '../../account-pages/approve-support.js';
import { DashboardVisitor } from '../../account-pages/dashboard/support.js';
import { addAccess, read } from '../../api/ais/support.js';
import { send } from '../../support/client.js';
import { BUDGET, FUNDS, fundsBody, paymentPath, statusPath } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import { attackVolume } from '../volume.js';

/** The text of every statement that was executed, noted in the engine itself: whoever asks, and however. */
const statements: string[] = [];

type Driver = { DatabaseSync: new (path: string) => { prepare(sql: string): PreparedStatement } };

const load = createRequire(import.meta.url);
const isBuiltIn = Number(process.versions.node.split('.')[0]) >= 24;
const name = isBuiltIn ? 'node:sqlite' : '@photostructure/sqlite';
const driver = load(name) as Driver;
const { DatabaseSync } = driver;

class Recording extends DatabaseSync {
  override prepare(sql: string): PreparedStatement {
    const statement = super.prepare(sql);
    const note = (): PreparedStatement => {
      statements.push(sql);
      return statement;
    };
    return {
      all: (...params) => note().all(...params),
      get: (...params) => note().get(...params),
      run: (...params) => note().run(...params),
      columns: () => statement.columns(),
      setReturnArrays: (isOn) => statement.setReturnArrays(isOn),
    };
  }
}

/** The service loads its engine when it opens a store, so from here on it gets this one. */
const install = (engine: Driver['DatabaseSync']): void => {
  const cached = load.cache[isBuiltIn ? '' : load.resolve(name)];
  if (cached) cached.exports = { ...driver, DatabaseSync: engine };
  else driver.DatabaseSync = engine;
};
beforeAll(() => install(Recording));
afterAll(() => install(DatabaseSync));

const during = async (work: () => Promise<unknown>): Promise<string[]> => {
  const before = statements.length;
  await work();
  return statements.slice(before);
};

/** Jobs run beside, now and then: two ways that are the same are soon seen without them. */
const expectSame = async (one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<void> => {
  let [first, second] = [[''], ['']];
  for (let tries = 0; tries < 10; tries += 1) {
    [first, second] = [await during(one), await during(other)];
    if (first.length > 0 && first.join('\n') === second.join('\n')) return;
  }
  expect(first.length).toBeGreaterThan(0);
  expect(first).toEqual(second);
};

const MARK = 'zq7x';
const injections = (count: number): string[] => {
  const heads = [`'`, `"`, `')`, `\\'`, `1`, `%27`, `\``, `$$`, `';`, `1)`];
  const tails = [
    ` or '1'='1`,
    ` or 1=1 --`,
    `; drop table consents --`,
    ` union select null, hash from subscription_keys --`,
    `) or exists(select 1 from psu_sessions) --`,
    ` and (select pg_sleep(5)) is null --`,
    ` and randomblob(1000000000) --`,
    `; attach database 'x' as y; --`,
    ` returning * --`,
    ` /**/or/**/1=1#`,
  ];
  return Array.from({ length: count }, (_, index) => {
    const tail = tails[Math.floor(index / heads.length) % tails.length];
    return `${heads[index % heads.length]}${MARK}${tail}${index}`;
  });
};

const form = (fields: Readonly<Record<string, string>>) => ({
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

/** One text in every place that a caller can write to. */
const everywhere = async (service: Service, text: string): Promise<number[]> => {
  const encoded = encodeURIComponent(text);
  const outside = { outsideContract: true } as const;
  const bodies = [
    fundsBody({ account: { iban: text } }),
    fundsBody({ account: { bban: text } }),
    fundsBody({ account: { msisdn: text } }),
    fundsBody({ payee: text }),
    fundsBody({ cardNumber: text }),
  ];
  const headers = { 'Consent-ID': text, 'PSU-User-Agent': text, 'TPP-State': text };
  const answers = [
    ...(await Promise.all(bodies.map((body) => service.call({ method: 'POST', path: FUNDS, body })))),
    await service.call({ path: statusPath(encoded) }),
    await service.call({ path: paymentPath(encoded) }),
    await service.call({ path: '/ais/psd2/v1/accounts', headers }),
    await service.call({ path: `/psd2/v1/opendata/atm?if_None_Match=${encoded}` }),
    await service.call({ path: statusPath(randomUUID()), headers: { 'Ocp-Apim-Subscription-Key': text } }),
    await service.call({ path: statusPath(randomUUID()), headers: { Authorization: `Bearer ${text}` } }),
    await send(service.url, {
      path: `/oauth/authorize?client_id=${encoded}&request_uri=${encoded}`,
      ...outside,
    }),
    await send(service.url, {
      method: 'POST',
      path: '/oauth/token',
      ...form({ grant_type: 'authorization_code', code: text, client_id: text, client_secret: text }),
      ...outside,
    }),
  ];
  const visitor = new DashboardVisitor(service);
  const login = hiddenFields((await visitor.get('/dashboard')).text);
  answers.push(await visitor.post('/dashboard/login', { ...login, username: text, password: text }));
  return answers.map(({ status }) => status);
};

const rows = (service: Service): Promise<unknown> =>
  withStore(service, (db) =>
    db.one(`select (select count(*) from consents) as consents, (select count(*) from subscription_keys) as keys,
      (select count(*) from applications) as applications`),
  );

describe('the statements that reach the database', () => {
  const use = useService();

  it('T-35: are constants: no text of a caller becomes part of one', async () => {
    const before = await rows(use());
    const texts = injections(attackVolume(20, 500));
    const statuses = new Set<number>();
    const sent = await during(async () => {
      for (const text of texts) for (const status of await everywhere(use(), text)) statuses.add(status);
    });
    expect(sent.length).toBeGreaterThan(texts.length);
    expect(sent.filter((sql) => sql.includes(MARK))).toEqual([]);
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
    expect(await rows(use())).toEqual(before);
  });

  describe('T-17: are the same for what is foreign and for what does not exist', () => {
    let foreign: { readonly funds: string; readonly payment: string; readonly access: string };
    beforeAll(async () => {
      const service = use();
      const more = { application: BUDGET };
      foreign = {
        funds: await addRequest(service, { kind: 'ConfirmationOfFunds', clientId: BUDGET, details: {} }),
        payment: await addRequest(service, { clientId: BUDGET }),
        access: (await addAccess(service, more)).id,
      };
    });

    const reads: readonly [string, (service: Service, id: string) => Promise<{ readonly status: number }>][] =
      [
        ['funds', (service, id) => service.call({ path: `/piis/psd2/v1/consents/${id}` })],
        ['payment', (service, id) => service.call({ path: paymentPath(id) })],
        ['access', (service, id) => service.call({ path: statusPath(id) })],
        [
          'access',
          (service, id) =>
            read(
              service,
              { id, as: { psu: 'eleni', application: 'demo-finance-app' } },
              '/ais/psd2/v1/accounts',
            ),
        ],
      ];
    it.each(reads)('T-17: %s', async (kind, ask) => {
      const service = use();
      const refused = async (id: string): Promise<void> =>
        expect((await ask(service, id)).status).toBeGreaterThanOrEqual(403);
      await expectSame(
        () => refused(foreign[kind as keyof typeof foreign]),
        () => refused(randomUUID()),
      );
    });
  });

  it('T-01: a wrong key is looked up by its hash, whether or not it resembles a right one', async () => {
    const service = use();
    const right = service.keyOf();
    const lookup = async (key: string): Promise<void> => {
      // Old enough for a look at the store, so that both ask the same of it.
      service.clock.advance(100);
      const headers = { 'Ocp-Apim-Subscription-Key': key };
      expect((await service.call({ path: '/psd2/v1/opendata/atm', headers })).status).toBe(401);
    };
    await expectSame(
      () => lookup(`${right.slice(0, -1)}${right.endsWith('x') ? 'y' : 'x'}`),
      () => lookup('x'.repeat(right.length)),
    );
  });
});
