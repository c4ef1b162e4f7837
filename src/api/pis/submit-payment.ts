/** Submits the order of an approved payment: at most one for each consent, however often and wherever it is asked. */

import { Type } from 'typebox';
import type { Bank } from '../../bank/bank.js';
import { accountsFor } from '../../bank/guard/held-accounts.js';
import { once, type ReplayParts, replayOf } from '../../gate/request-ids.js';
import { operation } from '../../http/operation.js';
import type { BankTime } from '../../lib/clock.js';
import type { OrderBooks } from '../../payment/order-books.js';
import { findStaged } from '../../payment/staged.js';
import { checkOpen, submitPayment } from '../../payment/submit.js';
import { Problem } from '../../problem/problem.js';
import { requesterOf } from '../headers.js';
import { ofOrder, orderAddress, SubmittedOrder, shownOrder, submittedExample } from './order-schema.js';

export interface OrderParts extends ReplayParts {
  readonly bank: Pick<Bank, 'accountsOf' | 'hasFunds'>;
  readonly books: OrderBooks;
  readonly bankTime: () => Promise<BankTime>;
  readonly site: { readonly baseUrl: string };
}

const Nothing = Type.Object(
  {},
  {
    additionalProperties: false,
    description: 'Empty. The payment was fixed when it was approved.',
  },
);

export const submitPaymentOrder = (parts: OrderParts) =>
  operation({
    ...ofOrder,
    id: 'submitPayment',
    method: 'POST',
    path: '/pis/psd2/v1/:paymentConsentId/payment',
    summary: 'Submit a payment order',
    description:
      'Has a payment carried out that the account holder has approved within the last 24 hours, at the charges and rate that were shown. There is one order for each consent: repeat the call with the same X-Request-ID to learn its outcome; any other submission is 409 `payment-already-submitted`, which names the order.',
    body: Nothing,
    isBodyOptional: true,
    success: {
      status: 201,
      description: 'Submitted. The order may already be settled or rejected.',
      schema: SubmittedOrder,
      example: submittedExample,
    },
    problems: ['consent-not-valid', 'processing-timeout', 'payment-already-submitted', 'state-conflict'],
    repeat: 'replayed',
    async handle(call) {
      const consentId = call.params.paymentConsentId ?? '';
      const [at, staged] = await Promise.all([
        parts.bankTime(),
        findStaged(parts.db, consentId, call.caller),
      ]);
      // Read after the consent: if this very request submitted it, its answer is stored by now.
      const earlier = await replayOf(parts, call);
      if (earlier) return earlier;
      if (!staged) throw new Problem('resource-not-found');
      const { baseUrl } = parts.site;
      const orderHref = orderAddress(baseUrl, { consentId });
      const asking = { consentId, caller: call.caller, at, orderHref };
      await checkOpen(parts.db, staged, asking);
      const held = await accountsFor(parts.bank, call.caller.psuId, staged.consent.accounts);
      const reply = await once(parts, call, async (tx) => {
        const order = await submitPayment(tx, parts.books, { ...asking, held, requester: requesterOf(call) });
        return { status: 201, headers: { Location: orderHref }, body: shownOrder(order, baseUrl) };
      });
      parts.books.entered();
      return reply;
    },
  });
