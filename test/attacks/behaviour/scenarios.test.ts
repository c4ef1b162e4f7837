/** Every operation that lists Sandbox-Scenario meets every scenario, and a rehearsed refusal changes nothing. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ABROAD, approved, decide, insideBody, stage, submit } from '../../payment/support.js';
import { slugOf, type Wanted } from '../../support/client.js';
import { openApi } from '../../support/openapi.js';
import { ATMS, EVENTS, FUNDS, fundsBody, ibanOf } from '../../support/operations.js';
import { engines, type Service, startService } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';

interface Entry {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly $ref?: string }[];
}

const document = openApi as {
  paths: Record<string, Record<string, Entry>>;
};
const rehearsable = Object.values(document.paths)
  .flatMap((methods) => Object.values(methods))
  .filter(({ parameters = [] }) => JSON.stringify(parameters).includes('Sandbox-Scenario'))
  .map(({ operationId }) => operationId);

const expected = {
  'core-timeout': '408 processing-timeout',
  'core-down': '503 dependency-unavailable',
  'internal-error': '500 internal-error',
  overloaded: '503 overloaded',
} as const;

type Requests = Readonly<Record<string, Wanted>>;

const created = async (service: Service, path: string, body: object): Promise<string> => {
  const answer = await service.call({ method: 'POST', path, body });
  if (answer.status !== 201) throw new Error(answer.text);
  const { consentId } = answer.json as { consentId: string };
  const decided = await decide(service, consentId, 'approve', [ibanOf('eleni', 101)]);
  if (decided.status !== 200) throw new Error(decided.text);
  return consentId;
};

/** A request for each operation that would succeed. */
const goodRequests = async (service: Service): Promise<Requests> => {
  const account = { iban: ibanOf('eleni', 101) };
  const permissions = ['AccountsDetail', 'Balances', 'TransactionsDetail', 'Statements'];
  const accessBody = { permissions, recurring: true };
  const access = await created(service, '/ais/psd2/v1/consents', accessBody);
  const funds = await created(service, '/piis/psd2/v1/consents', { account });
  const abroad = { product: 'international', body: { creditAccount: { iban: ABROAD } } } as const;
  const [open, submitted] = [await approved(service), await approved(service, abroad)];
  await submit(service, submitted);
  const headers = { 'Consent-ID': access };
  const read = async <T>(path: string): Promise<T> => (await service.call({ path, headers })).json as T;
  const { accounts } = await read<{ accounts: { resourceId: string }[] }>('/ais/psd2/v1/accounts');
  const one = `/ais/psd2/v1/accounts/${accounts[0]?.resourceId}`;
  const { transactions } = await read<{ transactions: { booked: { transactionId: string }[] } }>(
    `${one}/transactions`,
  );
  const { statements } = await read<{ statements: { statementId: string }[] }>(`${one}/statements`);
  const transaction = `${one}/transactions/${transactions.booked[0]?.transactionId}`;
  const statement = `${one}/statements/${statements[0]?.statementId}`;
  const [accessPath, fundsPath] = [`/ais/psd2/v1/consents/${access}`, `/piis/psd2/v1/consents/${funds}`];
  return {
    confirmFunds: { method: 'POST', path: FUNDS, body: fundsBody() },
    getAtms: { path: ATMS },
    getEvents: { path: EVENTS },
    createConsent: { method: 'POST', path: '/ais/psd2/v1/consents', body: accessBody },
    getConsent: { path: accessPath },
    getConsentStatus: { path: `${accessPath}/status` },
    startConsentAuthorisation: { method: 'POST', path: `${accessPath}/authorisations` },
    endConsent: { method: 'DELETE', path: accessPath },
    getAccounts: { path: '/ais/psd2/v1/accounts', headers },
    getAccount: { path: one, headers },
    getBalances: { path: `${one}/balances`, headers },
    getTransactions: { path: `${one}/transactions`, headers },
    getTransaction: { path: transaction, headers },
    getStatements: { path: `${one}/statements`, headers },
    getStatement: { path: statement, headers },
    createFundsConsent: { method: 'POST', path: '/piis/psd2/v1/consents', body: { account } },
    getFundsConsent: { path: fundsPath },
    getFundsConsentStatus: { path: `${fundsPath}/status` },
    endFundsConsent: { method: 'DELETE', path: fundsPath },
    createDomesticTransfer: { method: 'POST', path: '/pis/psd2/v1/transfers/domestic', body: insideBody },
    createInternationalTransfer: {
      method: 'POST',
      path: '/pis/psd2/v1/transfers/international',
      body: { ...insideBody, creditAccount: { iban: ABROAD } },
    },
    getPaymentConsent: { path: `/pis/psd2/v1/${open}` },
    getPaymentConsentStatus: { path: `/pis/psd2/v1/${open}/status` },
    endPaymentConsent: { method: 'DELETE', path: `/pis/psd2/v1/${open}` },
    confirmPaymentFunds: { path: `/pis/psd2/v1/${open}/funds-confirmation` },
    submitPayment: { method: 'POST', path: `/pis/psd2/v1/${open}/payment` },
    getPayment: { path: `/pis/psd2/v1/${submitted}/payment` },
    cancelPayment: { method: 'DELETE', path: `/pis/psd2/v1/${submitted}/payment` },
  };
};

/** A hash of each table; of those with very many rows their number. */
const storeOf = (service: Service): Promise<Record<string, string>> =>
  withStore(service, async (db) => {
    const tables = await db.all<{ name: string }>(
      service.databaseUrl.startsWith('sqlite')
        ? `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
        : `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const found: Record<string, string> = {};
    for (const { name } of tables) {
      // When a job is due again, and that the store takes writes, is written at any time.
      if (name === 'jobs') continue;
      const row = await db.one<{ count: number }>(`select count(*) as count from ${name}`);
      const count = Number(row?.count);
      const rows = count > 3000 ? [] : await db.all(`select * from ${name}`);
      const lines = rows
        .map((each) => JSON.stringify(each))
        .filter((line) => !line.includes('"pulse"'))
        .sort();
      found[name] =
        `${name === 'settings' ? lines.length : count} ${createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12)}`;
    }
    return found;
  });

describe.each(engines)('rehearsed faults on %s', (engine) => {
  const service = useService({ engine });
  let impatient: Service;
  let requests: Requests;
  beforeAll(async () => {
    impatient = await startService({
      databaseUrl: service().databaseUrl,
      env: { TRAPEZA_DEADLINE_MS: '300' },
    });
    requests = await goodRequests(service());
  });
  afterAll(() => impatient?.close());

  it('every operation that lists the header is tried', () => {
    expect(Object.keys(requests).sort()).toEqual([...rehearsable].sort());
  });

  it.each(Object.keys(expected) as (keyof typeof expected)[])(
    'mission 4: %s is met by every operation and changes nothing',
    async (scenario) => {
      const node = scenario === 'core-timeout' ? impatient : service();
      const before = await storeOf(service());
      const met = await Promise.all(
        Object.entries(requests).map(async ([id, wanted]) => {
          const answer = await node.call({
            ...wanted,
            headers: { ...wanted.headers, 'Sandbox-Scenario': scenario },
          });
          return [id, answer.status < 400 ? String(answer.status) : `${answer.status} ${slugOf(answer)}`];
        }),
      );
      expect(met).toEqual(Object.keys(requests).map((id) => [id, expected[scenario]]));
      expect(await storeOf(service())).toEqual(before);
    },
  );

  it('mission 4: a refused write leaves its X-Request-ID free, and a repetition can be rehearsed too', async () => {
    const headers = { 'X-Request-ID': randomUUID() };
    const wanted = {
      method: 'POST',
      path: '/ais/psd2/v1/consents',
      body: { permissions: ['AccountsBasic'] },
    };
    const rehearsed = { ...headers, 'Sandbox-Scenario': 'core-down' };
    expect((await service().call({ ...wanted, headers: rehearsed })).status).toBe(503);
    const first = await service().call({ ...wanted, headers });
    expect(first.status).toBe(201);
    expect((await service().call({ ...wanted, headers: rehearsed })).status).toBe(503);
    expect((await service().call({ ...wanted, headers })).text).toBe(first.text);
  });

  it('mission 4: an ended consent was still Valid after the rehearsal', async () => {
    const { consentId } = (await stage(service())).json as { consentId: string };
    const path = `/pis/psd2/v1/${consentId}`;
    const headers = { 'Sandbox-Scenario': 'core-down' };
    expect((await service().call({ method: 'DELETE', path, headers })).status).toBe(503);
    expect((await service().call({ path: `${path}/status` })).json).toEqual({ status: 'Received' });
    expect((await service().call({ method: 'DELETE', path })).status).toBe(204);
  });
});
