/** Account accesses as the approval page would leave them, and reads with them. */
import { randomUUID } from 'node:crypto';
import type { DemoAccount } from '../../../packages/sandbox/src/bank/people.js';
import { insertConsent, type NewConsent } from '../../../src/consent/consents.js';
import {
  type ConsentStatus,
  consentAccount,
  type Permission,
  permissions,
} from '../../../src/consent/record.js';
import { DAY, HOUR } from '../../../src/lib/clock.js';
import type { Answer, Wanted } from '../../support/client.js';
import { account, FINANCE, psuId } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';

export const readIds = [
  'getAccounts',
  'getAccount',
  'getBalances',
  'getTransactions',
  'getTransaction',
  'getStatements',
  'getStatement',
] as const;
export type ReadId = (typeof readIds)[number];

const BASE = '/ais/psd2/v1/accounts';

/** What the bank of these tests has for the first account. */
export const pathOf = (id: ReadId, resourceId: string): string => {
  const one = `${BASE}/${resourceId}`;
  const paths: Readonly<Record<ReadId, string>> = {
    getAccounts: BASE,
    getAccount: one,
    getBalances: `${one}/balances`,
    getTransactions: `${one}/transactions`,
    getTransaction: `${one}/transactions/t1-5`,
    getStatements: `${one}/statements`,
    getStatement: `${one}/statements/s1-1`,
  };
  return paths[id];
};

export interface WantedAccess {
  readonly permissions?: readonly Permission[];
  readonly status?: ConsentStatus;
  readonly psu?: string;
  readonly application?: string;
  readonly accounts?: readonly DemoAccount[];
  readonly transactionFrom?: string;
  readonly transactionTo?: string;
  readonly recurring?: boolean;
  readonly frequencyPerDay?: number;
  /** How long ago the account holder has authenticated. */
  readonly scaAgeMs?: number;
  readonly expiresInMs?: number;
}

export interface Access {
  readonly id: string;
  /** Of its accounts, in their order. */
  readonly resourceIds: readonly string[];
  readonly first: string;
  /** The tokens of its account holder and application. */
  readonly as: { readonly psu: string; readonly application: string };
}

interface Prepared {
  readonly access: Access;
  readonly consent: NewConsent;
}

const prepare = (service: Service, wanted: WantedAccess): Prepared => {
  const { psu = 'eleni', application = FINANCE, accounts = [account('eleni', 101)] } = wanted;
  const { transactionFrom, transactionTo, recurring = true, frequencyPerDay = 4 } = wanted;
  const now = service.clock.now();
  const approvedAt = now - (wanted.scaAgeMs ?? HOUR / 2);
  const id = randomUUID();
  const resourceIds = accounts.map(() => randomUUID());
  return {
    access: { id, resourceIds, first: resourceIds[0] ?? '', as: { psu, application } },
    consent: {
      id,
      kind: 'AccountAccess',
      clientId: application,
      psuId: psuId(psu),
      status: wanted.status ?? 'Valid',
      createdAt: approvedAt,
      approvedAt,
      expiresAt: now + (wanted.expiresInMs ?? 300 * DAY),
      details: {
        permissions: wanted.permissions ?? permissions,
        recurring,
        frequencyPerDay,
        ...(transactionFrom ? { transactionFrom } : {}),
        ...(transactionTo ? { transactionTo } : {}),
      },
      isRecurring: recurring,
      redirectUri: 'https://demo-finance-app.example/callback',
      accounts: accounts.map((each, index) => ({
        ...consentAccount(each),
        resourceId: resourceIds[index] ?? '',
      })),
      history: [],
    },
  };
};

export const addAccesses = async (
  service: Service,
  wanted: readonly WantedAccess[],
): Promise<readonly Access[]> => {
  const prepared = wanted.map((each) => prepare(service, each));
  await withStore(service, (db) =>
    db.transaction(async (tx) => {
      for (const { consent } of prepared) await insertConsent(tx, consent);
    }),
  );
  return prepared.map(({ access }) => access);
};

export const addAccess = async (service: Service, wanted: WantedAccess = {}): Promise<Access> => {
  const [access] = await addAccesses(service, [wanted]);
  if (!access) throw new Error('no access was added');
  return access;
};

export const attended = { 'PSU-IP-Address': '192.0.2.7' } as const;

/** A read while the account holder is there, unless the headers say otherwise. */
export const read = (
  service: Service,
  access: Pick<Access, 'id' | 'as'>,
  path: string,
  more: Partial<Wanted> = {},
): Promise<Answer> =>
  service.call({
    ...more,
    path,
    headers: { 'Consent-ID': access.id, ...attended, ...more.headers },
    as: access.as,
  });

export const readUnattended = (service: Service, access: Access, path: string): Promise<Answer> =>
  read(service, access, path, { headers: { 'PSU-IP-Address': undefined } });

export interface AccessRow {
  readonly kind: string;
  readonly account_id: string | null;
  readonly attended: number;
  readonly page: number;
  readonly psu_id: string;
  readonly client_id: string;
  readonly request_id: string;
}

/** The records of the reads with a consent, oldest first. */
export const recordsOf = (service: Service, consentId: string): Promise<AccessRow[]> =>
  withStore(service, (db) =>
    db.all<AccessRow>('select * from data_accesses where consent_id = ? order by accessed_at', [consentId]),
  );

export const codeOf = (answer: Answer): unknown =>
  (answer.json as { extensions?: { error?: { code?: unknown } } }).extensions?.error?.code;
