/** Reads the payment order of a consent: how far the bank has come with it. */
import { operation } from '../../http/operation.js';
import { isUuid } from '../../lib/id.js';
import { findOrder } from '../../payment/orders.js';
import { Problem } from '../../problem/problem.js';
import { OrderRecord, ofOrder, orderExample, orderTimes, shownOrder } from './order-schema.js';
import type { OrderParts } from './submit-payment.js';

export const getPaymentOrder = (parts: OrderParts) =>
  operation({
    ...ofOrder,
    id: 'getPayment',
    method: 'GET',
    path: '/pis/psd2/v1/:paymentConsentId/payment',
    summary: 'Read a payment order',
    description:
      'Reads the order of a payment and its status. Before the payment was submitted there is none: 404. Once the order is settled, rejected or cancelled, its consent is Expired.',
    success: { status: 200, description: 'The order.', schema: OrderRecord, example: orderExample },
    repeat: 'ignored',
    async handle(call) {
      const consentId = call.params.paymentConsentId ?? '';
      const found = isUuid(consentId) ? await findOrder(parts.db, consentId, call.caller) : undefined;
      if (!found) throw new Problem('resource-not-found');
      const order = await parts.books.read(found, await parts.bankTime());
      return { status: 200, body: { ...shownOrder(order, parts.site.baseUrl), ...orderTimes(order) } };
    },
  });
