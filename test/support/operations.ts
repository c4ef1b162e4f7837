/** The four operations and the feed of events as good requests, and the demo bank as tests name it. */
import { randomUUID } from 'node:crypto';
import { composeIBAN } from 'ibantools';
import { type DemoAccount, demoPsus } from '../../packages/sandbox/src/bank/people.js';
import { derivedId } from '../../src/lib/id.js';
import type { CallArea } from '../../src/model/caller.js';
import { type Answer, done, sandboxToken, send, type Wanted } from './client.js';
import type { Service } from './service.js';

export const operationIds = [
  'confirmFunds',
  'getAtms',
  'getConsentStatus',
  'getPaymentConsent',
  'getEvents',
] as const;
export type OperationId = (typeof operationIds)[number];

export const FUNDS = '/piis/psd2/v1/funds-confirmations';
export const ATMS = '/psd2/v1/opendata/atm';
export const EVENTS = '/events/psd2/v1';
export const statusPath = (id: string): string => `/ais/psd2/v1/consents/${id}/status`;
export const paymentPath = (id: string): string => `/pis/psd2/v1/${id}`;

/** The seeded applications: the first two hold every role, the others one. */
export const FINANCE = 'demo-finance-app';
export const BUDGET = 'demo-budget-app';
export const CARD = 'demo-card-app';
export const ACCOUNTS = 'demo-accounts-app';

/** An account of the demo bank by its holder and number: `account('eleni', 101)`. */
export const account = (username: string, number: number, currency?: string): DemoAccount => {
  const psu = demoPsus.find((each) => each.username === username);
  const digits = String(number).padStart(16, '0');
  const found = psu?.accounts.find(
    (each) =>
      (each.iban ?? each.bban ?? '').endsWith(digits) &&
      (currency === undefined || each.currency === currency),
  );
  if (!found) throw new Error(`${username} has no account ${number}`);
  return found;
};

export const ibanOf = (username: string, number: number): string => account(username, number).iban ?? '';

/** Right in every digit, but nobody's. */
export const unknownIban =
  composeIBAN({ countryCode: 'GR', bban: `9990001${'9999'.padStart(16, '0')}` }) ?? '';

export const psuId = (username: string): string => derivedId(`psu:${username}`);

export interface FundsBody {
  readonly account: Readonly<Record<string, string | null>>;
  readonly instructedAmount: { readonly currency: string | null; readonly amount: number };
  readonly cardNumber?: string | null;
  readonly payee?: string | null;
}

/** A question about the first account of the first account holder, who has 2,330.25 EUR available. */
export const fundsBody = (changes: Partial<FundsBody> = {}): FundsBody => ({
  account: { iban: ibanOf('eleni', 101) },
  instructedAmount: { currency: 'EUR', amount: 25.5 },
  ...changes,
});

export const areaOf = {
  confirmFunds: 'piis',
  getAtms: 'opendata',
  getConsentStatus: 'ais',
  getPaymentConsent: 'pis',
  getEvents: 'events',
} as const satisfies Record<OperationId, CallArea>;

/** A request that the operation answers with 200, for the first application and account holder. */
export const goodRequest = (service: Service, id: OperationId): Wanted & { readonly method: string } => {
  switch (id) {
    case 'confirmFunds':
      return { method: 'POST', path: FUNDS, body: fundsBody() };
    case 'getAtms':
      return { method: 'GET', path: ATMS };
    case 'getConsentStatus':
      return { method: 'GET', path: statusPath(service.consent('AccountAccess').id) };
    case 'getPaymentConsent':
      return { method: 'GET', path: paymentPath(service.consent('PaymentInitiation').id) };
    case 'getEvents':
      return { method: 'GET', path: EVENTS };
  }
};

/** A token that is not remembered: for tests that move the clock past the life of the others. */
export const freshToken = (
  service: Service,
  as: { psu?: string; application?: string; scope?: string } = {},
): Promise<string> => sandboxToken(service.url, as);

export const moveBankClock = async (service: Service, advance: string): Promise<Answer> =>
  done(await send(service.url, { method: 'PUT', path: '/sandbox/clock', body: { advance } }));

/** Approves a consent in the account holder's place. */
export const approve = async (service: Service, consentId: string): Promise<Answer> =>
  done(
    await send(service.url, {
      method: 'POST',
      path: `/sandbox/consents/${consentId}/decision`,
      body: { decision: 'approve' },
    }),
  );

export const askForReset = (service: Service): Promise<Answer> =>
  send(service.url, { method: 'POST', path: '/sandbox/reset', headers: { 'X-Request-ID': randomUUID() } });

export const resetSandbox = async (service: Service): Promise<Answer> => {
  const answer = done(await askForReset(service));
  await service.standStill();
  return answer;
};

/** An answer without what differs between any two answers: its date, and the connection it came on. */
export const shownHeaders = (answer: Answer): Record<string, unknown> => {
  const { date, connection, 'keep-alive': keepAlive, ...rest } = answer.headers;
  return rest;
};
