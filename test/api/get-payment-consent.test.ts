/** Operation 4: the payment consent record, for its owner and nobody else. */
import { describe, expect, it } from 'vitest';
import { consentStatuses } from '../../src/consent/record.js';
import { engines } from '../support/engines.js';
import { FINANCE, ibanOf, paymentPath } from '../support/operations.js';
import { type Use, useService, withStore } from '../support/use-service.js';
import { commonStatuses } from './common-statuses.js';
import { absent, badHeaders, everyStatus, otherRoles, type Read } from './consent-reads.js';

const read: Read = { kind: 'PaymentInitiation', scope: 'pis', member: 'consentStatus', path: paymentPath };

const record = (service: Use): void => {
  it.each(consentStatuses)('a consent that is %s is shown whole', async (status) => {
    const { id } = service().consent('PaymentInitiation', status);
    const { json } = await service().call({ path: paymentPath(id) });
    expect(json).toMatchObject({
      type: 'PaymentInitiation',
      id,
      tpp: FINANCE,
      consentStatus: status,
      createdDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
    });
    const { details } = json as { details: Record<string, unknown> };
    expect(details).toMatchObject({
      paymentService: 'transfers',
      debitAccount: { iban: ibanOf('eleni', 101), currency: 'EUR' },
      chargeBearer: 'sha',
    });
    expect(['domestic', 'international']).toContain(details.paymentProduct);
  });

  it('amounts are numbers, as the interface writes them', async () => {
    const { id } = service().consent('PaymentInitiation', 'Received');
    const { text } = await service().call({ path: paymentPath(id) });
    expect(text).toContain('"instructedAmount":{"currency":"EUR","amount":120.5}');
    expect(text).toContain('"expenses":{"currency":"EUR","amount":0.3}');
  });

  it('shows no member that the interface does not have, whatever the store holds', async () => {
    const { id } = service().consent('PaymentInitiation', 'TerminatedByTpp');
    await withStore(service(), async (db) => {
      const row = await db.one<{ details: string }>('select details from consents where id = ?', [id]);
      const details = {
        ...(JSON.parse(row?.details ?? '{}') as object),
        secret_x: 'canary',
        bankData: { a: 1 },
      };
      await db.run('update consents set details = ? where id = ?', [JSON.stringify(details), id]);
    });
    const { status, text } = await service().call({ path: paymentPath(id) });
    expect(status).toBe(200);
    expect(text).not.toMatch(/secret_x|canary|bankData/);
  });
};

describe.each(engines)('get payment information on %s', (engine) => {
  const service = useService({ engine });
  describe('200 OK: every status', () => everyStatus(read, service));
  describe('200 OK: the record', () => record(service));
  describe('400 Bad Request', () => badHeaders(read, service));
  describe('403 Forbidden: other roles', () => otherRoles(read, service));
  describe('404 Not Found: the consent', () => absent(read, service));
  commonStatuses('getPaymentConsent', engine, service);
});
