/** What the catalogue of scenarios is held against: the documented refusals, a good request for each operation, the whole store. */
import { createHash } from 'node:crypto';
import { ABROAD, approved, decide, insideBody, submit } from '../../payment/support.js';
import type { Wanted } from '../../support/client.js';
import { openApi } from '../../support/openapi.js';
import { ATMS, EVENTS, FUNDS, fundsBody, ibanOf } from '../../support/operations.js';
import { ownNotes } from '../../support/own-notes.js';
import type { Service } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';

interface Entry {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string }[];
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

interface Example {
  readonly $ref: string;
}

const document = openApi as {
  readonly paths: Record<string, Record<string, Entry>>;
  readonly components: {
    readonly responses: Record<string, { content: Record<string, { examples: Record<string, Example> }> }>;
    readonly examples: Record<string, { value: { extensions: { error: { code: string } } } }>;
  };
};
const last = (reference: string): string => reference.split('/').at(-1) ?? '';
const entries = Object.values(document.paths)
  .flatMap((methods) => Object.values(methods))
  .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'Sandbox-Scenario'));
export const rehearsable = entries.map(({ operationId }) => operationId);

export interface Pair {
  readonly operationId: string;
  readonly slug: string;
  readonly outcome: string;
}

/** Every refusal that the document of the interface has for an operation: operation, status and code. */
export const pairs: readonly Pair[] = entries.flatMap(({ operationId, responses }) =>
  Object.entries(responses).flatMap(([status, { $ref }]) => {
    const { content } = document.components.responses[last($ref ?? '')] ?? {};
    return Object.keys(content?.['application/problem+json']?.examples ?? {}).map((slug) => ({
      operationId,
      slug,
      outcome: `${status} ${slug} ${document.components.examples[slug]?.value.extensions.error.code}`,
    }));
  }),
);

export type Requests = Readonly<Record<string, Wanted>>;

const created = async (service: Service, path: string, body: object): Promise<string> => {
  const answer = await service.call({ method: 'POST', path, body });
  if (answer.status !== 201) throw new Error(answer.text);
  const { consentId } = answer.json as { consentId: string };
  const decided = await decide(service, consentId, 'approve', [ibanOf('eleni', 101)]);
  if (decided.status !== 200) throw new Error(decided.text);
  return consentId;
};

/** A request for each operation that would succeed. */
export const goodRequests = async (service: Service): Promise<Requests> => {
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

/** A setting in which every node notes, now and then, how late it is. */
const NEWEST_TIME = 'newest-time';

/** A hash of each table; of those with very many rows their number. */
export const storeOf = (service: Service): Promise<Record<string, string>> =>
  withStore(service, async (db) => {
    const tables = await db.all<{ name: string }>(
      service.databaseUrl.startsWith('sqlite')
        ? `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
        : `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const found: Record<string, string> = {};
    for (const { name } of tables) {
      if (ownNotes.includes(name)) continue;
      const row = await db.one<{ count: number }>(`select count(*) as count from ${name}`);
      const count = Number(row?.count);
      const rows = count > 3000 ? [] : await db.all<{ name?: unknown }>(`select * from ${name}`);
      const lines = rows
        .filter((row) => name !== 'settings' || row.name !== NEWEST_TIME)
        .map((row) => JSON.stringify(row))
        .sort();
      found[name] =
        `${name === 'settings' ? lines.length : count} ${createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12)}`;
    }
    return found;
  });
