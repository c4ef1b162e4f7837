/** The four operations of the interface document, each as a good request. */
import { randomUUID } from 'node:crypto';
import type { Area } from '../case.js';
import type { Bank, Called } from './bank.js';
import { anyConsent, validConsent } from './consents.js';
import type { Answer } from './http.js';

export const FUNDS = '/piis/psd2/v1/funds-confirmations';
export const ATMS = '/psd2/v1/opendata/atm';
export const statusPath = (id: string): string => `/ais/psd2/v1/consents/${id}/status`;
export const paymentPath = (id: string): string => `/pis/psd2/v1/${id}`;

export interface OperationUnderTest {
  readonly area: Area;
  /** Of the section of the interface document. */
  readonly section: string;
  readonly method: 'GET' | 'POST';
  readonly needsRequestId: boolean;
  readonly wrongMethod: string;
  readonly request: (bank: Bank) => Promise<Called>;
}

export const fundsBody = (bank: Bank, amount: unknown = 1): Record<string, unknown> => {
  const { iban, currency } = bank.given('account');
  return { account: { iban }, instructedAmount: { currency, amount } };
};

export const operations: readonly OperationUnderTest[] = [
  {
    area: 'funds',
    section: 'Endpoints 1',
    method: 'POST',
    needsRequestId: true,
    wrongMethod: 'PUT',
    request: async (bank) => ({ method: 'POST', path: FUNDS, body: fundsBody(bank) }),
  },
  {
    area: 'atms',
    section: 'Endpoints 2',
    method: 'GET',
    needsRequestId: false,
    wrongMethod: 'POST',
    request: async () => ({ path: ATMS }),
  },
  {
    area: 'status',
    section: 'Endpoints 3',
    method: 'GET',
    needsRequestId: true,
    wrongMethod: 'PUT',
    request: async (bank) => ({ path: statusPath(await anyConsent(bank, 'AccountAccess')) }),
  },
  {
    area: 'payment',
    section: 'Endpoints 4',
    method: 'GET',
    needsRequestId: true,
    wrongMethod: 'PUT',
    request: async (bank) => ({ path: paymentPath(await anyConsent(bank, 'PaymentInitiation')) }),
  },
];

/** A funds check that the account holder has allowed. */
export const confirmFunds = async (
  bank: Bank,
  body: unknown = fundsBody(bank),
  headers: Called['headers'] = {},
): Promise<Answer> => {
  await validConsent(bank, 'ConfirmationOfFunds');
  return bank.call({ method: 'POST', path: FUNDS, body, headers });
};

export const newId = (): string => randomUUID();
