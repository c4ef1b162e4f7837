/** A good request for each kind of consent. */
import { expect } from 'vitest';
import { demoPsus } from '../../packages/sandbox/src/bank/people.js';
import type { Answer } from '../support/client.js';

const [eleni, nikos] = demoPsus;
export const savings = eleni?.accounts[1]?.iban ?? '';
const multi = nikos?.accounts[0]?.iban ?? '';

export const kinds = [
  {
    name: 'funds confirmation consent',
    create: '/piis/psd2/v1/consents',
    read: '/piis/psd2/v1/consents',
    body: { account: { iban: savings }, cardInformation: 'Κάρτα', expirationDate: '2030-06-30' },
  },
  {
    name: 'account access consent',
    create: '/ais/psd2/v1/consents',
    read: '/ais/psd2/v1/consents',
    body: { permissions: ['AccountsBasic', 'Balances'], recurring: true, expirationDate: '2030-06-30' },
  },
  {
    name: 'domestic transfer',
    create: '/pis/psd2/v1/transfers/domestic',
    read: '/pis/psd2/v1',
    body: {
      creditAccount: { iban: multi },
      creditorName: 'Νίκος Γεωργίου',
      instructedAmount: { currency: 'EUR', amount: 12.5 },
    },
  },
  {
    name: 'international transfer',
    create: '/pis/psd2/v1/transfers/international',
    read: '/pis/psd2/v1',
    body: {
      creditAccount: { iban: 'TR330006100519786457841326' },
      creditorName: 'Buchhandlung',
      instructedAmount: { currency: 'EUR', amount: 99 },
      chargeBearer: 'our',
    },
  },
] as const;

interface Created {
  readonly consentId: string;
  readonly consentStatus: string;
  readonly expirationDate?: string;
  readonly _links: Record<'self' | 'status' | 'scaRedirect', { href: string }>;
}
export const created = (answer: Answer): Created => {
  expect(answer.status, answer.text).toBe(201);
  return answer.json as Created;
};
