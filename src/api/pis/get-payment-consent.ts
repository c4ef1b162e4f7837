/** Operation 4, "Get payment information": the payment consent record, in every state, for its owner. */
import { findConsent } from '../../consent/consents.js';
import { statusAt } from '../../consent/lifecycle.js';
import { operation } from '../../http/operation.js';
import { instantText } from '../../lib/instant.js';
import { Problem } from '../../problem.js';
import { credentialHeaders, psuHeaders, requestId, signatureHeaders } from '../headers.js';
import type { ConsentReadParts } from '../parts.js';
import { PaymentConsentSchema } from './schema.js';

export const getPaymentConsent = ({ db, bankTime }: ConsentReadParts) =>
  operation({
    id: 'getPaymentConsent',
    method: 'GET',
    path: '/pis/psd2/v1/:paymentConsentId',
    area: 'pis',
    summary: 'Get payment information',
    description:
      'Reads a payment consent of the calling application and account holder, with its status and details.',
    headers: [requestId, ...signatureHeaders, ...psuHeaders, ...credentialHeaders],
    query: [],
    params: [
      {
        name: 'paymentConsentId',
        schema: { type: 'string' },
        description: 'Id of the payment initiation resource.',
      },
    ],
    success: {
      status: 200,
      description: 'The payment consent record.',
      schema: PaymentConsentSchema,
      example: {
        type: 'PaymentInitiation',
        id: '0c2f0f0e-6b7e-4f0a-9d3e-2b1f6f0a7c11',
        tpp: 'demo-finance-app',
        createdDate: '2026-11-15T09:30:00.000Z',
        consentStatus: 'Valid',
        details: {
          endToEndId: 'INV-2041',
          paymentService: 'transfers',
          paymentProduct: 'domestic',
          instructedAmount: { currency: 'EUR', amount: 120.5 },
          creditorName: 'Βιβλιοπωλείο Αθηνά',
        },
      },
    },
    repeat: 'ignored',
    async handle({ params, caller }) {
      const [bankNow, consent] = await Promise.all([
        bankTime(),
        findConsent(db, params.paymentConsentId ?? '', caller, 'PaymentInitiation'),
      ]);
      if (!consent) throw new Problem('resource-not-found');
      const { kind, id, clientId, createdAt, details } = consent;
      const createdDate = instantText(createdAt);
      return {
        status: 200,
        body: {
          type: kind,
          id,
          tpp: clientId,
          createdDate,
          consentStatus: statusAt(consent, bankNow),
          details,
        },
      };
    },
  });
