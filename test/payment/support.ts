/** Payments as tests make them: staged, approved in the account holder's place, submitted, read. */
import { randomUUID } from 'node:crypto';
import { type Answer, done } from '../support/client.js';
import { ibanOf } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { withStore } from '../support/use-service.js';

export interface WantedPayment {
  readonly product?: 'domestic' | 'international';
  readonly psu?: string;
  readonly application?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Which accounts the account holder picks. */
  readonly accounts?: readonly (string | { iban: string; currency: string })[];
}

/** From Eleni's current account to Vasilis, inside the bank. */
export const insideBody = {
  debitAccount: { iban: ibanOf('eleni', 101) },
  creditAccount: { iban: ibanOf('vasilis', 1101) },
  creditorName: 'Βασίλης Αλεξίου',
  instructedAmount: { currency: 'EUR', amount: 10 },
  endToEndId: 'E2E-1',
  remittanceInformation: 'Τιμολόγιο 7',
} as const;

export const OTHER_BANK = 'GR1601101250000000012300695';
/** Outside the SEPA area. */
export const ABROAD = 'TR330006100519786457841326';

const asOf = ({ psu, application }: WantedPayment): { psu?: string; application?: string } => ({
  ...(psu === undefined ? {} : { psu }),
  ...(application === undefined ? {} : { application }),
});

export const stage = (service: Service, wanted: WantedPayment = {}): Promise<Answer> =>
  service.call({
    method: 'POST',
    path: `/pis/psd2/v1/transfers/${wanted.product ?? 'domestic'}`,
    body: { ...insideBody, ...wanted.body },
    as: asOf(wanted),
  });

export const decide = (
  service: Service,
  id: string,
  decision: string,
  accounts?: WantedPayment['accounts'],
): Promise<Answer> =>
  service.call({
    method: 'POST',
    path: `/sandbox/consents/${id}/decision`,
    body: { decision, ...(accounts ? { accounts } : {}) },
  });

/** The id of a Valid payment consent. */
export const approved = async (service: Service, wanted: WantedPayment = {}): Promise<string> => {
  const staged = await stage(service, wanted);
  const { consentId } = done(staged).json as { consentId: string };
  done(await decide(service, consentId, 'approve', wanted.accounts));
  return consentId;
};

export const orderPath = (id: string): string => `/pis/psd2/v1/${id}/payment`;

export const submit = (
  service: Service,
  id: string,
  { psu, requestId = randomUUID() }: { psu?: string; requestId?: string } = {},
): Promise<Answer> =>
  service.call({
    method: 'POST',
    path: orderPath(id),
    headers: { 'X-Request-ID': requestId },
    as: psu === undefined ? {} : { psu },
  });

export const cancel = (
  service: Service,
  id: string,
  { psu, requestId = randomUUID() }: { psu?: string; requestId?: string } = {},
): Promise<Answer> =>
  service.call({
    method: 'DELETE',
    path: orderPath(id),
    headers: { 'X-Request-ID': requestId },
    as: psu === undefined ? {} : { psu },
  });

export interface Order {
  readonly paymentId: string;
  readonly transactionStatus: string;
  readonly statusReason?: { readonly code: string; readonly text: string };
  readonly createdDateTime: string;
  readonly statusDateTime: string;
  readonly exchangeRate?: number;
  readonly debitedAmount?: { readonly currency: string; readonly amount: number };
  readonly _links: { readonly self: { href: string }; readonly consent: { href: string } };
}

export const orderIn = ({ json }: Answer): Order => json as Order;

export const readOrder = async (service: Service, id: string, psu?: string): Promise<Order> =>
  orderIn(await service.call({ path: orderPath(id), as: psu === undefined ? {} : { psu } }));

/** Submits, and lets the bank have its turn: one that is elsewhere is told after the answer. */
export const carryOut = async (service: Service, id: string): Promise<Order> => {
  const answer = await submit(service, id);
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  await service.app.runJobs();
  return readOrder(service, id);
};

export const consentStatus = async (service: Service, id: string, psu?: string): Promise<unknown> => {
  const answer = await service.call({
    path: `/pis/psd2/v1/${id}/status`,
    as: psu === undefined ? {} : { psu },
  });
  return (answer.json as { status: unknown }).status;
};

/** What all accounts have together, by currency: it never changes. */
export const sums = (service: Service): Promise<Record<string, number>> =>
  withStore(service, async (db) => {
    const rows = await db.all<{ currency: string; total: number }>(
      'select currency, cast(sum(booked_minor) as bigint) as total from demo_accounts group by currency order by currency',
    );
    return Object.fromEntries(rows.map(({ currency, total }) => [currency, total]));
  });

const figureOf = (service: Service, accountId: string, sql: string): Promise<number> =>
  withStore(service, async (db) => (await db.one<{ n: number }>(sql, [accountId]))?.n ?? Number.NaN);

export const bookedOn = (service: Service, accountId: string): Promise<number> =>
  figureOf(service, accountId, 'select booked_minor as n from demo_accounts where id = ?');

/** Booked, without what is set aside. */
export const leftOn = (service: Service, accountId: string): Promise<number> =>
  figureOf(service, accountId, 'select booked_minor - pending_minor as n from demo_accounts where id = ?');
