/** What the requests are made of: credentials, and everything that is there to be read, decided or found over. */
import { randomUUID } from 'node:crypto';
import { demoPsus } from '../../../packages/sandbox/src/bank/people.js';
import { accessDetails, addRequests } from '../../account-pages/approve-support.js';
import { type Access as AddedAccess, addAccesses, read, readUnattended } from '../../api/ais/support.js';
import { ABROAD, approved, cancel, stage, submit } from '../../payment/support.js';
import { done } from '../../support/client.js';
import { addFundsConsent } from '../../support/consents.js';
import {
  ACCOUNTS,
  account,
  BUDGET,
  CARD,
  FINANCE,
  FUNDS,
  freshToken,
  fundsBody,
  goodRequest,
} from '../../support/operations.js';
import { subscribe, suspend } from '../../support/registry.js';
import type { Service } from '../../support/service.js';
import type { Scope, Target } from './target.js';
import { enterPages, type Visitors } from './visitors.js';

/** An account access with its first account. */
export interface Access {
  readonly id: string;
  readonly first: string;
  readonly status: string;
  readonly transaction: string;
  readonly statement: string;
}

/** What stays for a whole run. */
export interface Ground {
  readonly keys: readonly string[];
  readonly spentKey: string;
  readonly blockedKey: string;
  /** Of subscriptions that have every product but this one. */
  readonly keysWithout: Readonly<Record<Scope | 'opendata', string>>;
  /** Keys of applications of which the third party lacks the role of the area. */
  readonly outsiderKeys: Readonly<Record<Scope, string>>;
  readonly fundsIds: readonly string[];
  readonly accessIds: readonly string[];
  readonly paymentIds: readonly string[];
  /** Of another application, or of another kind of consent. */
  readonly foreignIds: readonly string[];
  readonly access: Access;
  /** In every status but Valid. */
  readonly over: readonly Access[];
  readonly onlyBasic: Access;
  readonly onlyBalances: Access;
  /** Authenticated more than 180 days ago. */
  readonly stale: Access;
  /** Authenticated more than an hour ago. */
  readonly aged: Access;
  /** Its reads of today are used up. */
  readonly spent: Access;
  /** For some days only. */
  readonly narrow: Access;
  readonly ending: Readonly<Record<'funds' | 'access' | 'payments', readonly string[]>>;
  readonly payable: string;
  readonly submitted: string;
  readonly cancelled: string;
  readonly unpayable: readonly string[];
  readonly undecided: string;
  /** Of another account holder. */
  readonly foreignPermission: string;
  readonly pools: Readonly<Record<NonNullable<Target['pool']>, string[]>>;
  /** X-Request-IDs that were used. */
  readonly claimed: Readonly<Record<'funds' | 'writes', string>>;
  readonly etag: string;
  readonly lastModified: string;
  readonly serial: string;
}

export interface World extends Ground, Visitors {
  /** By username, for the first application with all its scopes. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Of the first account holder, but without the scope. */
  readonly unscoped: Readonly<Record<Scope, string>>;
  readonly foreignToken: string;
  readonly outsider: Readonly<Record<Scope, { readonly key: string; readonly token: string }>>;
}

/** The demo applications of a single role. */
const outsiders = { piis: ACCOUNTS, ais: CARD, pis: CARD } as const;
const products = ['piis', 'ais', 'pis', 'opendata'] as const;
const OPEN_AT_MOST = 20;

const readKeys = async (service: Service) => {
  const spent = await subscribe(service, { quotaPerDay: 1 });
  await service.call({
    ...goodRequest(service, 'getAtms'),
    headers: { 'Ocp-Apim-Subscription-Key': spent.key },
  });
  const blocked = await subscribe(service);
  await suspend(service, 'key', blocked.keyId);
  const without = async (product: (typeof products)[number]): Promise<string> =>
    (await subscribe(service, { products: products.filter((each) => each !== product) })).key;
  const outside = async (application: string): Promise<string> =>
    (await subscribe(service, { application, products })).key;
  return {
    keys: [service.keyOf()],
    spentKey: spent.key,
    blockedKey: blocked.key,
    keysWithout: {
      piis: await without('piis'),
      ais: await without('ais'),
      pis: await without('pis'),
      opendata: await without('opendata'),
    },
    outsiderKeys: {
      piis: await outside(outsiders.piis),
      ais: await outside(outsiders.ais),
      pis: await outside(outsiders.pis),
    },
  };
};

const DAY = 86_400_000;
const overStatuses = ['Received', 'Rejected', 'RevokedByPsu', 'Expired', 'TerminatedByTpp'] as const;
const dayAt = (now: number, days: number): string => new Date(now + days * DAY).toISOString().slice(0, 10);

const readAccesses = async (service: Service) => {
  const now = service.clock.now();
  const added = await addAccesses(service, [
    {},
    ...overStatuses.map((status) => ({ status })),
    { permissions: ['AccountsBasic'] },
    { permissions: ['Balances'] },
    { scaAgeMs: 181 * DAY },
    { scaAgeMs: DAY / 4 },
    { frequencyPerDay: 1 },
    { transactionFrom: dayAt(now, -30), transactionTo: dayAt(now, -10) },
    ...Array.from({ length: 3 }, () => ({})),
  ]);
  const [first] = added as [AddedAccess];
  const list = async (what: string): Promise<unknown> =>
    done(await read(service, first, `/ais/psd2/v1/accounts/${first.first}/${what}`)).json;
  const { transactions } = (await list('transactions')) as {
    transactions: { booked: { transactionId: string }[] };
  };
  const { statements } = (await list('statements')) as { statements: { statementId: string }[] };
  const transaction = transactions.booked[0]?.transactionId ?? '';
  const statement = statements[0]?.statementId ?? '';
  if (!transaction || !statement) throw new Error('the demo bank has no history');
  const accesses = added.map(
    ({ id, first }, at): Access => ({
      id,
      first,
      status: overStatuses[at - 1] ?? 'Valid',
      transaction,
      statement,
    }),
  );
  const at = (index: number): Access => accesses[index] as Access;
  const spent = at(10);
  const base = `/ais/psd2/v1/accounts`;
  const one = `${base}/${spent.first}`;
  for (const path of [
    base,
    one,
    `${one}/balances`,
    `${one}/transactions`,
    `${one}/transactions/${transaction}`,
    `${one}/statements`,
    `${one}/statements/${statement}`,
  ])
    done(await readUnattended(service, added[10] as AddedAccess, path));
  return {
    access: at(0),
    over: accesses.slice(1, 6),
    onlyBasic: at(6),
    onlyBalances: at(7),
    stale: at(8),
    aged: at(9),
    spent,
    narrow: at(11),
    endingAccess: accesses.slice(12).map(({ id }) => id),
  };
};

const times = async <T>(count: number, make: () => Promise<T>): Promise<T[]> => {
  const made: T[] = [];
  for (let left = count; left > 0; left -= 1) made.push(await make());
  return made;
};

const stagedId = async (service: Service): Promise<string> =>
  (done(await stage(service)).json as { consentId: string }).consentId;

const readPayments = async (service: Service, once: number) => {
  const payable = await approved(service);
  const submitted = await approved(service);
  const abroad = { product: 'international', body: { creditAccount: { iban: ABROAD } } } as const;
  const cancelled = await approved(service, abroad);
  for (const id of [submitted, cancelled]) done(await submit(service, id));
  done(await cancel(service, cancelled));
  const statuses = ['Received', 'Rejected', 'RevokedByPsu', 'Expired', 'TerminatedByTpp'];
  return {
    payable,
    submitted,
    cancelled,
    unpayable: statuses.map((status) => service.consent('PaymentInitiation', status).id),
    submissions: await times(once, () => approved(service)),
    endingPayments: await times(2, () => stagedId(service)),
  };
};

/** X-Request-IDs of a funds check and of a write. */
const claimIds = async (service: Service) => {
  const [funds, writes] = [randomUUID(), randomUUID()];
  const headers = { 'X-Request-ID': funds };
  done(await service.call({ method: 'POST', path: FUNDS, body: fundsBody(), headers }));
  const id = await stagedId(service);
  done(
    await service.call({
      method: 'DELETE',
      path: `/pis/psd2/v1/${id}`,
      headers: { 'X-Request-ID': writes },
    }),
  );
  return { funds, writes };
};

/** As many requests as one person may have open. */
const crowd = async (service: Service, psu: string): Promise<string> => {
  const kinds = ['ConfirmationOfFunds', 'AccountAccess', 'PaymentInitiation'] as const;
  const wanted = kinds.flatMap((kind) => Array.from({ length: OPEN_AT_MOST }, () => ({ psu, kind })));
  return (await addRequests(service, wanted))[0] ?? '';
};

/** `once`: how many good requests there shall be for what can happen once only. */
export const prepare = async (service: Service, once: number): Promise<Ground> => {
  const ids = (type: string, of: string = FINANCE): string[] =>
    service.credentials.consents
      .filter(({ type: kind, application, psu }) => kind === type && application === of && psu === 'eleni')
      .map(({ id }) => id);
  const keys = await readKeys(service);
  const { endingAccess, ...accesses } = await readAccesses(service);
  const { submissions, endingPayments, ...payments } = await readPayments(service, once);
  const foreignPermission = await crowd(service, 'petros');
  const wanted = { psu: 'eleni', accounts: [account('eleni', 101)], status: 'Received' } as const;
  const asked = { kind: 'AccountAccess', details: accessDetails } as const;
  const [undecided = '', ...decisions] = await addRequests(service, [
    asked,
    ...Array.from({ length: once }, () => ({ ...asked, psu: 'maria' })),
  ]);
  const atms = await service.call(goodRequest(service, 'getAtms'));
  const certificate = await service.call({
    method: 'POST',
    path: '/sandbox/pki/certificates',
    body: { key: 'ec' },
  });
  return {
    ...keys,
    ...accesses,
    ...payments,
    fundsIds: ids('ConfirmationOfFunds'),
    accessIds: ids('AccountAccess'),
    paymentIds: ids('PaymentInitiation'),
    foreignIds: [...ids('AccountAccess', BUDGET), ...ids('PaymentInitiation', BUDGET)],
    ending: {
      funds: await times(2, () => addFundsConsent(service, wanted)),
      access: endingAccess,
      payments: endingPayments,
    },
    undecided,
    foreignPermission,
    pools: { submissions, decisions },
    claimed: await claimIds(service),
    etag: atms.headers.etag ?? '',
    lastModified: atms.headers['last-modified'] ?? '',
    serial: (done(certificate).json as { serial: string }).serial,
  };
};

/** What runs out: tokens after ten minutes, logins that wait after fifteen. */
export const refresh = async (service: Service, ground: Ground): Promise<World> => {
  const tokens: Record<string, string> = {};
  for (const { username } of demoPsus) tokens[username] = await freshToken(service, { psu: username });
  const outside = async (scope: Scope) => ({
    key: ground.outsiderKeys[scope],
    token: await freshToken(service, { application: outsiders[scope], scope }),
  });
  return {
    ...ground,
    ...(await enterPages(service)),
    tokens,
    unscoped: {
      piis: await freshToken(service, { scope: 'ais pis' }),
      ais: await freshToken(service, { scope: 'piis pis' }),
      pis: await freshToken(service, { scope: 'piis ais' }),
    },
    foreignToken: await freshToken(service, { application: BUDGET }),
    outsider: { piis: await outside('piis'), ais: await outside('ais'), pis: await outside('pis') },
  };
};
