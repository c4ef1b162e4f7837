/**
 * After a campaign: what the store has is held against what the third parties were told. Nothing acknowledged is lost, nothing
 * happened twice, money neither came nor went, and every status change has its event.
 */
import type { Db } from '../../../../src/store/db.js';
import { type KnownConsent, statusOf } from './known.js';
import type { ThirdParty } from './third-party.js';

const SUMS = `
  select currency, cast(sum(booked_minor) as bigint) as sum from demo_accounts group by currency order by currency`;
const ORDERS = `
  select o.consent_id as "consentId", o.id as "paymentId", o.status from payment_orders o`;
/** In the books of the bank: in the same store, or in that of a remote core. */
const ENTRIES = `
  select payment_id as "paymentId", cast(sum(case code when 'PMNT-ICDT-CHRG' then 0 else 1 end) as bigint) as bookings,
    cast(sum(case code when 'PMNT-ICDT-CHRG' then 1 else 0 end) as bigint) as charges
  from (select payment_id, code from demo_transfers union all select payment_id, code from demo_holds) entries
  where payment_id is not null group by payment_id`;
/** Positions are 1, 2, 3 … up to the one that the counter has given last. */
const GAPS = `
  select p.client_id from event_positions p
  where p.last <> (select count(*) from events e where e.client_id = p.client_id)
     or p.last <> (select coalesce(max(position), 0) from events e where e.client_id = p.client_id)`;
const EVENTS = `
  select consent_id as "consentId", status from events where kind = 'consent' order by client_id, position`;

interface Order {
  readonly consentId: string;
  readonly paymentId: string;
  readonly status: string;
}

interface Entries {
  readonly paymentId: string;
  readonly bookings: number;
  readonly charges: number;
}

/** What third parties were told before they were asked. */
interface Acknowledged {
  readonly consents: readonly string[];
  readonly payments: readonly string[];
  readonly fundsAnswers: readonly string[];
}

export const acknowledgedBy = (parties: readonly ThirdParty[]): Acknowledged => ({
  consents: parties.flatMap(({ consents }) => consents.map(({ id }) => id)),
  payments: parties.flatMap(({ payments }) => payments.map(({ paymentId }) => paymentId)),
  fundsAnswers: parties.flatMap(({ fundsAnswers }) => fundsAnswers.map(({ requestId }) => requestId)),
});

const missingIn = async (db: Db, what: string, sql: string, ids: readonly string[]): Promise<string[]> => {
  const there = new Set((await db.all<{ id: string }>(sql)).map(({ id }) => id));
  return ids.filter((id) => !there.has(id)).map((id) => `the acknowledged ${what} ${id} is not in the store`);
};

/** Under load: what was acknowledged by then is there. */
export const lostIn = async (db: Db, told: Acknowledged): Promise<string[]> => [
  ...(await missingIn(db, 'consent', 'select id from consents', told.consents)),
  ...(await missingIn(db, 'payment', 'select id from payment_orders', told.payments)),
  ...(await missingIn(
    db,
    'funds answer',
    'select request_id as id from funds_confirmations',
    told.fundsAnswers,
  )),
];

export const doubledIn = async (books: Db): Promise<string[]> =>
  (await books.all<Entries>(ENTRIES))
    .filter(({ bookings, charges }) => bookings > 1 || charges > 1)
    .map(({ paymentId }) => `payment ${paymentId} is twice in the books`);

export const sumsIn = async (db: Db): Promise<string> => JSON.stringify(await db.all(SUMS));

const groupBy = <T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
};

const paymentFaults = async (db: Db, books: Db, parties: readonly ThirdParty[]): Promise<string[]> => {
  const entries = new Map((await books.all<Entries>(ENTRIES)).map((each) => [each.paymentId, each]));
  const orders = new Map((await db.all<Order>(ORDERS)).map((order) => [order.consentId, order]));
  const known = parties.flatMap(({ payments }) => payments);
  const faults = known.flatMap(({ consentId, paymentId }) => {
    const order = orders.get(consentId);
    if (order?.paymentId !== paymentId) return [`the acknowledged payment ${paymentId} is lost`];
    const { bookings = 0, charges = 0 } = entries.get(paymentId) ?? {};
    if (bookings !== 1 || charges !== 1)
      return [`payment ${paymentId}: ${bookings} bookings, ${charges} charges`];
    return [];
  });
  const own = new Set(parties.flatMap(({ consents }) => consents.map(({ id }) => id)));
  const acknowledged = new Set(known.map(({ consentId }) => consentId));
  const stray = [...orders.values()].filter(
    ({ consentId }) => own.has(consentId) && !acknowledged.has(consentId),
  );
  return [...faults, ...stray.map(({ paymentId }) => `payment ${paymentId} was never acknowledged`)];
};

const consentFaults = async (db: Db, consents: readonly KnownConsent[]): Promise<string[]> => {
  const rows = await db.all<{ id: string; status: string }>('select id, status from consents');
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  const events = groupBy(
    await db.all<{ consentId: string; status: string }>(EVENTS),
    ({ consentId }) => consentId,
  );
  return consents.flatMap((consent) => {
    const { id, kind, statuses: told } = consent;
    const status = statuses.get(id);
    // The bank ends the consent of a settled payment whenever it comes to it.
    const isRight = status === statusOf(consent) || (kind === 'payment' && status === 'Expired');
    if (!isRight) return [`consent ${id}: ${statusOf(consent)} was acknowledged, ${status} is stored`];
    const announced = (events.get(id) ?? []).map((event) => event.status);
    const expected = told.slice(1);
    if (status === 'Expired' && expected.at(-1) !== 'Expired') expected.push('Expired');
    return announced.join() === expected.join()
      ? []
      : [`consent ${id}: events ${announced.join()} instead of ${expected.join()}`];
  });
};

const fundsFaults = async (db: Db, parties: readonly ThirdParty[]): Promise<string[]> => {
  const rows = await db.all<{ requestId: string; available: number }>(
    'select request_id as "requestId", available from funds_confirmations',
  );
  const records = new Map(rows.map(({ requestId, available }) => [requestId, available === 1]));
  return parties
    .flatMap(({ fundsAnswers }) => fundsAnswers)
    .filter(({ requestId, available }) => records.get(requestId) !== available)
    .map(({ requestId }) => `the record of the funds answer ${requestId} is lost or different`);
};

const integrityFaults = async (db: Db): Promise<string[]> => {
  if (db.engine !== 'sqlite') return [];
  const rows = await db.all<{ integrity_check: string }>('pragma integrity_check');
  return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
};

export const reconcile = async (
  db: Db,
  books: Db,
  parties: readonly ThirdParty[],
  sumsBefore: string,
): Promise<string[]> => {
  const gaps = await db.all<{ client_id: string }>(GAPS);
  const sums = await sumsIn(books);
  return [
    ...(await paymentFaults(db, books, parties)),
    ...(await consentFaults(
      db,
      parties.flatMap(({ consents }) => consents),
    )),
    ...(await fundsFaults(db, parties)),
    ...(await integrityFaults(db)),
    ...gaps.map(({ client_id }) => `the events of ${client_id} have gaps`),
    ...(sums === sumsBefore ? [] : [`the sums were ${sumsBefore} and are ${sums}`]),
  ];
};
