/** A person with permissions, payments and uses of every kind, two third parties that read them, and what an operator and a developer see of it. */
import { randomUUID } from 'node:crypto';
import { insertConsent } from '../../src/consent/consents.js';
import {
  type ConsentKind,
  type ConsentStatus,
  consentAccount,
  consentStatuses,
} from '../../src/consent/record.js';
import { accessKinds } from '../../src/consent/uses.js';
import { DAY, HOUR } from '../../src/lib/clock.js';
import type { Caller } from '../../src/model/caller.js';
import { writeBatches } from '../../src/observe/request-log/records.js';
import { insertOrder } from '../../src/payment/orders.js';
import { type OrderStatus, orderStatuses } from '../../src/payment/record.js';
import type { Db, Queries } from '../../src/store/db.js';
import { createApplication, createTpp } from '../../src/tpp/registry.js';
import { accessDetails, paymentDetails } from '../account-pages/approve-support.js';
import { testAudit } from '../support/audit.js';
import { account, psuId } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { withStore } from '../support/use-service.js';

export const PERSON = 'anna';
const accounts = [901, 902].map((number) => account(PERSON, number));

const parties = [
  { name: 'Ελληνική Πληρωμών ΑΕ', application: 'Άρης Λογαριασμοί', registration: 'PSDGR-BOG-L1' },
  { name: 'Naïve Finance Ltd', application: 'Café Ledger', registration: 'PSDGR-BOG-L2' },
] as const;
const purposes = ['Φορολογική δήλωση', 'Your résumé of expenses', null] as const;
const payees = ['Γεώργιος Αθανασίου', 'Zoë’s Bakery'] as const;
const details = { AccountAccess: accessDetails, ConfirmationOfFunds: {}, PaymentInitiation: paymentDetails };

export interface Party {
  readonly tppId: string;
  readonly clientId: string;
}

const pick = <T>(all: readonly T[], index: number): T => {
  const found = all[index % all.length];
  if (found === undefined) throw new Error('nothing to pick');
  return found;
};

interface Wanted {
  readonly kind: ConsentKind;
  readonly status: ConsentStatus;
  readonly index: number;
  readonly clientId: string;
  readonly now: number;
}

/** A request is undecided for a day at most. */
const createdAt = ({ status, index, now }: Wanted): number =>
  status === 'Received' ? now - HOUR - index * 1000 : now - DAY - index * 4 * HOUR;

const addConsent = async (tx: Queries, wanted: Wanted): Promise<string> => {
  const { kind, status, index, clientId, now } = wanted;
  const id = randomUUID();
  const at = createdAt(wanted);
  const isPayment = kind === 'PaymentInitiation';
  const amount = 1000.5 + (index % 4);
  await insertConsent(tx, {
    id,
    kind,
    clientId,
    psuId: psuId(PERSON),
    status,
    createdAt: at,
    approvedAt: status === 'Received' ? null : at,
    expiresAt: now + 300 * DAY,
    details: isPayment
      ? {
          ...paymentDetails,
          creditorName: pick(payees, index),
          instructedAmount: { currency: 'EUR', amount },
        }
      : details[kind],
    purpose: isPayment ? null : pick(purposes, index),
    accounts: [consentAccount(pick(accounts, index >> 1))],
    history: [{ from: null, to: 'Received', by: 'tpp', at }],
  });
  return id;
};

const addPermissions = async (tx: Queries, clientIds: readonly string[], now: number): Promise<void> => {
  let index = 0;
  for (const kind of ['AccountAccess', 'ConfirmationOfFunds'] as const)
    for (const status of consentStatuses)
      for (const clientId of clientIds) await addConsent(tx, { kind, status, clientId, now, index: index++ });
};

/** Nobody asks for news of it. */
const SET_ORDER = `
  update payment_orders set status = ?, look_again_at = case when ? in ('ACSC', 'RJCT', 'CANC') then null else 9999999999999 end
  where id = ?`;
const SUBMITTED = `
  update consents set submitted_at = created_at, expires_at = null where id in (select consent_id from payment_orders)`;

/** What has become of a payment: the state of its order, or of its consent if it has none. */
const ends: readonly (OrderStatus | ConsentStatus)[] = [...orderStatuses, 'Received', 'Valid', 'Rejected'];
const isOrder = (end: OrderStatus | ConsentStatus): end is OrderStatus =>
  (orderStatuses as readonly string[]).includes(end);

/** More than a search looks through for one page. */
const PAYMENTS = 52;

const addPayments = async (tx: Queries, clientIds: readonly string[], now: number): Promise<void> => {
  for (let index = 0; index < PAYMENTS; index += 1) {
    const end = pick(ends, index);
    const clientId = pick(clientIds, Math.floor(index / 3));
    const status = isOrder(end) ? 'Valid' : end;
    const consentId = await addConsent(tx, { kind: 'PaymentInitiation', status, index, clientId, now });
    if (!isOrder(end)) continue;
    const id = randomUUID();
    const caller = { clientId, psuId: psuId(PERSON) } as Caller;
    await insertOrder(tx, { id, consentId, caller, at: now - index * HOUR });
    await tx.run(SET_ORDER, [end, end, id]);
  }
  await tx.run(SUBMITTED);
};

const ADD_FUNDS = `
  insert into funds_confirmations (id, consent_id, client_id, psu_id, account_id, payee, amount, currency, available, request_id, asked_at)
  values (?, ?, ?, ?, ?, 'Shop', '12.5', 'EUR', 1, 'r', ?)`;
const ADD_ACCESS = `
  insert into data_accesses (id, consent_id, client_id, psu_id, account_id, kind, attended, request_id, accessed_at)
  values (?, ?, ?, ?, ?, ?, 1, 'r', ?)`;
const USED = `
  select id, kind, client_id as "clientId" from consents where psu_id = ? and status = 'Valid' and kind <> 'PaymentInitiation'`;

interface Used {
  readonly id: string;
  readonly kind: ConsentKind;
  readonly clientId: string;
}

/** More than a page. */
const USES = 30;

const addUses = async (tx: Queries, now: number): Promise<void> => {
  const person = psuId(PERSON);
  const used = await tx.all<Used>(USED, [person]);
  const accountId = accounts[0]?.id ?? '';
  const [funds, others] = [true, false].map((isFunds) =>
    used.filter(({ kind }) => (kind === 'ConfirmationOfFunds') === isFunds),
  );
  for (let index = 0; index < USES; index += 1) {
    const at = now - DAY - index * 4 * HOUR;
    const whose = ({ id, clientId }: Used) => [randomUUID(), id, clientId, person, accountId];
    await tx.run(ADD_FUNDS, [...whose(pick(funds ?? [], index)), at]);
    await tx.run(ADD_ACCESS, [...whose(pick(others ?? [], index)), pick(accessKinds, index), at]);
  }
};

const actors = ['cli:maria', 'operator:Γιώργος', 'system'];
const deeds = ['tpp.suspend', 'tpp.resume', 'consent.end'] as const;

/** More than a page. */
const ACTS = 60;

const addAudit = async (tx: Queries, now: number): Promise<void> => {
  for (let index = 0; index < ACTS; index += 1) {
    const subject = `tpp:${index % 7}`;
    const reason = `${index}`;
    await testAudit.append(
      tx,
      { actor: pick(actors, index), act: pick(deeds, index >> 1), subject, reason },
      now,
    );
  }
};

const statuses = [200, 201, 400, 403, 503];
const operations = ['getAtms', 'confirmFunds', 'none'];

/** More than a page. */
const CALLS = 50;

const addCalls = (db: Db, clientId: string, now: number): Promise<void> => {
  const calls = Array.from({ length: CALLS }, (_, index) => ({
    at: now - index,
    call: {
      operation: pick(operations, index),
      method: 'GET',
      status: pick(statuses, index),
      requestId: randomUUID(),
      ms: 1,
      headers: {},
    },
  }));
  const counts = { calls: CALLS, refused: 0, limited: 0, failed: 0 };
  return writeBatches(db, [{ clientId, day: '2026-01-01', counts, calls }]);
};

export const addPast = (service: Service): Promise<readonly Party[]> =>
  withStore(service, async (db) => {
    const now = service.clock.now();
    const made: Party[] = [];
    await db.transaction(async (tx) => {
      for (const { name, application, registration } of parties) {
        const tppId = await createTpp(tx, { name, registration, roles: ['PSP_AI', 'PSP_PI', 'PSP_IC'] }, now);
        const app = await createApplication(tx, { tppId, name: application, redirectUris: [] }, now);
        made.push({ tppId, clientId: app.clientId });
      }
      const clientIds = made.map(({ clientId }) => clientId);
      await addPermissions(tx, clientIds, now);
      await addPayments(tx, clientIds, now);
      await addUses(tx, now);
      await addAudit(tx, now);
    });
    await addCalls(db, made[0]?.clientId ?? '', now);
    return made;
  });
