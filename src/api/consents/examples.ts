/** Consents as the documentation shows them: as they were answered when they were created, and as they are read. */
import type { Operation } from '../../http/operation.js';
import { CreatedConsent } from './schema.js';

const ID = '88413019-90f6-4216-a615-c3042e30d761';
const BANK = 'https://bank.example';

export const createdAt = (path: string, more: object = {}): Operation['success'] => {
  const self = `${BANK}${path}/${ID}`;
  return {
    status: 201,
    description: 'Created.',
    schema: CreatedConsent,
    example: {
      consentId: ID,
      consentStatus: 'Received',
      ...more,
      _links: {
        self: { href: self },
        status: { href: `${self}/status` },
        scaRedirect: { href: `${BANK}/authorise/${ID}` },
      },
    },
  };
};

export const exampleRecord = (type: string, details: object, more: object = {}): object => ({
  type,
  id: ID,
  tpp: 'demo-finance-app',
  createdDate: '2026-11-15T09:28:00.000Z',
  consentStatus: 'Valid',
  approvedDate: '2026-11-15T09:30:00.000Z',
  ...more,
  details,
});
