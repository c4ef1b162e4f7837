/** The same acts as in the model, done by the product's own code on a store, and the end of a run in the words of the model. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountConsents } from '../../src/api/ais/create-account-consent.js';
import { answer, type DataParts, open } from '../../src/api/ais/reads/read.js';
import { deleteConsent } from '../../src/api/consents/read-consent.js';
import { paymentConsents } from '../../src/api/pis/create-payment-consent.js';
import { submitPaymentOrder } from '../../src/api/pis/submit-payment.js';
import type { RemoteBooks } from '../../src/bank/payments.js';
import { findAsked, shownHash } from '../../src/consent/asked.js';
import { insertConsent } from '../../src/consent/consents.js';
import { DataAccesses } from '../../src/consent/data-accesses.js';
import { approveConsent, refuseConsent, withdrawConsent } from '../../src/consent/decide.js';
import { type ConsentStatus, consentAccount } from '../../src/consent/record.js';
import { RequestIds } from '../../src/gate/request-ids.js';
import type { Call } from '../../src/http/operation.js';
import { DAY } from '../../src/lib/clock.js';
import { Vault } from '../../src/lib/vault.js';
import { remoteOrderBooks } from '../../src/payment/remote/remote-books.js';
import { Problem } from '../../src/problem/problem.js';
import type { Db } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { createApplication, createTpp } from '../../src/tpp/registry.js';
import { bankWith } from '../bank/banks.js';
import { ManualClock } from '../lib/manual-clock.js';
import { account, psuId } from '../support/operations.js';
import { testSecret } from '../support/service.js';
import type { Act, Answer, World } from './world.js';

const START = new ManualClock().now();
const payer = account('eleni', 101);
const caller = { clientId: 'model-app', psuId: psuId('eleni') };
const bank = bankWith({});

export interface Store {
  readonly db: Db;
  readonly close: () => Promise<void>;
}

export const openStore = async (): Promise<Store> => {
  const folder = mkdtempSync(join(tmpdir(), 'trapeza-interleavings-'));
  const db = await openDb(`sqlite:${join(folder, 'store.db')}`);
  // Nothing here is about power failures.
  await db.script('pragma synchronous = off');
  await migrate(db, START);
  await db.transaction(async (tx) => {
    const tppId = await createTpp(
      tx,
      { name: 'Model', registration: 'PSDGR-BOG-1', roles: ['PSP_AI', 'PSP_PI'] },
      START,
    );
    const redirectUris = ['https://model.example/back'];
    await createApplication(tx, { clientId: caller.clientId, tppId, name: 'Model', redirectUris }, START);
  });
  const close = async (): Promise<void> => {
    await db.close();
    rmSync(folder, { recursive: true });
  };
  return { db, close };
};

/** A consent of the model's initial world. */
export const addConsent = async (
  db: Db,
  kind: 'payment' | 'access',
  status: ConsentStatus,
): Promise<string> => {
  const id = randomUUID();
  const details =
    kind === 'payment'
      ? {
          paymentProduct: 'domestic',
          creditAccount: { iban: 'GR1601101250000000012300695' },
          instructedAmount: { currency: 'EUR', amount: 1 },
        }
      : { permissions: ['Balances'] };
  await db.transaction((tx) =>
    insertConsent(tx, {
      id,
      kind: kind === 'payment' ? 'PaymentInitiation' : 'AccountAccess',
      ...caller,
      status,
      createdAt: START,
      approvedAt: status === 'Valid' ? START : null,
      expiresAt: status === 'Valid' || kind === 'access' ? START + DAY : null,
      details,
      accounts: [consentAccount(payer)],
      history: [],
    }),
  );
  return id;
};

export interface Doing {
  readonly kind: 'payment' | 'access';
  readonly act: Act;
  readonly id: string;
  readonly requestId: string;
  /** Days after the start. */
  readonly day: number;
  /** Of the page that was shown. */
  readonly hash: string;
}

const refusal = (error: unknown): Answer => {
  if (!(error instanceof Problem)) throw error;
  if (error.slug === 'consent-not-valid') return 'not-valid';
  if (error.slug === 'access-exceeded') return 'exhausted';
  if (error.slug === 'payment-already-submitted') return 'submitted';
  if (error.slug !== 'state-conflict') throw error;
  return error.details.detail?.includes('same moment') ? 'busy' : 'submitted';
};

const callOf = ({ id, requestId, act }: Doing): Call => ({
  caller,
  request: {} as never,
  access: undefined,
  registrant: undefined,
  params: { paymentConsentId: id, consentId: id },
  query: {},
  headers: { 'consent-id': id },
  body: {},
  requestId,
  mediaType: undefined,
  takesJson: true,
  traceparent: undefined,
  fingerprint: `${act} ${id}`,
  isLate: () => false,
  breakOff: () => undefined,
  whenLate: 'processing-timeout',
});

const handles: Readonly<Record<string, (db: Db, doing: Doing) => Promise<unknown>>> = {
  submit: async (db, doing) =>
    submitPaymentOrder({
      ...partsOf(db, doing),
      books: remoteOrderBooks({
        ...{ db, books: {} as RemoteBooks, patienceMs: 0 },
        dispatcher: { wake: () => undefined },
      }),
    }).handle(callOf(doing)),
  delete: async (db, doing) =>
    deleteConsent(partsOf(db, doing), doing.kind === 'payment' ? paymentConsents : accountConsents).handle(
      callOf(doing),
    ),
  use: async (db, doing) => {
    const parts = {
      ...partsOf(db, doing),
      accesses: new DataAccesses(db),
      onRead: () => undefined,
    } as unknown as DataParts;
    const call = callOf(doing);
    const opened = await open(parts, call, ['Balances']);
    return answer(parts, call, opened, { kind: 'accounts' }, async () => ({ body: {} }));
  },
};

const partsOf = (db: Db, { day }: Doing) => ({
  db,
  bank,
  requestIds: new RequestIds(db, new ManualClock(START)),
  bankTime: async () => START + day * DAY,
  site: { baseUrl: 'http://model.example' },
  regime: 'psd2' as const,
});

const decisions: Readonly<Record<string, (db: Db, doing: Doing) => Promise<string>>> = {
  approve: (db, { id, hash, day }) =>
    approveConsent(db, {
      id,
      psuId: caller.psuId,
      shownHash: hash,
      accounts: [consentAccount(payer)],
      at: START + day * DAY,
      regime: 'psd2',
      vault: new Vault(testSecret),
    }),
  refuse: async (db, { id, day }) => {
    const asked = await findAsked(db, id, caller.psuId);
    return asked ? refuseConsent(db, asked, START + day * DAY) : 'unknown';
  },
  withdraw: (db, { id, day }) => withdrawConsent(db, id, caller.psuId, START + day * DAY),
};

/** Does it, and says how it was answered. */
export const perform = async (db: Db, doing: Doing): Promise<Answer> => {
  const decide = decisions[doing.act];
  if (decide) return (await decide(db, doing)) as Answer;
  return (handles[doing.act]?.(db, doing) ?? Promise.reject(new Error('no such act'))).then(
    () => 'done',
    refusal,
  );
};

export const hashOf = async (db: Db, id: string): Promise<string> => {
  const asked = await findAsked(db, id, caller.psuId);
  return asked ? shownHash(asked) : '';
};

/** How it has ended: the store, and what each of the two was told. */
export const endOf = async (db: Db, id: string, told: readonly (Answer | null)[]): Promise<string> => {
  const consent = await db.one<{ status: string; submitted: number | null }>(
    'select status, submitted_at as submitted from consents where id = ?',
    [id],
  );
  const orders = await db.all<{ status: string }>('select status from payment_orders where consent_id = ?', [
    id,
  ]);
  const uses = await db.all('select id from data_accesses where consent_id = ?', [id]);
  const parts = [
    consent?.status,
    consent?.submitted !== null,
    orders.map(({ status }) => status),
    uses.length,
  ];
  return JSON.stringify([...parts, ...told]);
};

/** The same of a world of the model. */
export const endIn = ({ consent, order, uses, actors }: World): string =>
  JSON.stringify([
    consent.status,
    consent.isSubmitted,
    order ? [order.status] : [],
    uses,
    ...actors.map(({ heard }) => heard),
  ]);
