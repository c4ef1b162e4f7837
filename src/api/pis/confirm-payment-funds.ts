/** Tells whether the account of an approved payment has its amount and the payer's charges now. Changes nothing. */

import { Type } from 'typebox';
import { NoSuchAccount } from '../../bank/bank.js';
import { contextOf } from '../../bank/consent-note.js';
import { accountsFor } from '../../bank/guard/held-accounts.js';
import { operation } from '../../http/operation.js';
import { payableIn } from '../../payment/payable.js';
import { findStaged, isHeld, payerOf } from '../../payment/staged.js';
import { checkOpen } from '../../payment/submit.js';
import { Problem } from '../../problem/problem.js';
import { requesterOf } from '../headers.js';
import { ofOrder, orderAddress } from './order-schema.js';
import type { OrderParts } from './submit-payment.js';

const Answer = Type.Object(
  { fundsAvailable: Type.Boolean({ description: 'Whether the amount and the charges are available now.' }) },
  { additionalProperties: false },
);

export const confirmPaymentFunds = (parts: OrderParts) =>
  operation({
    ...ofOrder,
    id: 'confirmPaymentFunds',
    method: 'GET',
    path: '/pis/psd2/v1/:paymentConsentId/funds-confirmation',
    summary: 'Confirm the funds of a payment',
    description:
      'Tells whether the account of an approved payment has the amount and the charges of the payer at this moment. Possible while the consent is Valid and the payment not yet submitted. No funds are held.',
    success: {
      status: 200,
      description: 'The answer.',
      schema: Answer,
      example: { fundsAvailable: true },
    },
    problems: ['consent-required', 'consent-not-valid', 'processing-timeout', 'payment-already-submitted'],
    repeat: 'ignored',
    async handle(call) {
      const consentId = call.params.paymentConsentId ?? '';
      const [bankNow, staged] = await Promise.all([
        parts.bankTime(),
        findStaged(parts.db, consentId, call.caller),
      ]);
      if (!staged) throw new Problem('resource-not-found');
      const orderHref = orderAddress(parts.site.baseUrl, { consentId });
      await checkOpen(parts.db, staged, { consentId, caller: call.caller, at: bankNow, orderHref });
      const held = await accountsFor(parts.bank, call.caller.psuId, staged.consent.accounts);
      if (!isHeld(staged, held)) throw new Problem('consent-required');
      const payer = payerOf(staged, held);
      const payable = payer && payableIn(staged.terms, payer.currency);
      if (!payer || !payable) return { status: 200, body: { fundsAvailable: false } };
      const amountMinor = BigInt(payable.amountMinor + payable.chargeMinor);
      const { id: accountId, currency } = payer;
      const context = contextOf({ ...staged.consent, requester: requesterOf(call) });
      const fundsAvailable = await parts.bank
        .hasFunds({ accountId, currency, amountMinor, context })
        .catch((error: unknown) => {
          throw error instanceof NoSuchAccount ? new Problem('consent-required') : error;
        });
      return { status: 200, body: { fundsAvailable } };
    },
  });
