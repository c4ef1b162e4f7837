/** Reads the payment order of a consent: how far the bank has come with it. */
import { type Call, operation } from '../../http/operation.js';
import { isUuid } from '../../lib/id.js';
import { findOrder } from '../../payment/orders.js';
import type { PaymentOrder } from '../../payment/record.js';
import { exchangeOf, findStaged } from '../../payment/staged.js';
import { Problem } from '../../problem/problem.js';
import { OrderRecord, ofOrder, orderExample, orderTimes, shownExchange, shownOrder } from './order-schema.js';
import type { OrderParts } from './submit-payment.js';

export const ownOrder = async ({ db }: Pick<OrderParts, 'db'>, call: Call): Promise<PaymentOrder> => {
  const consentId = call.params.paymentConsentId ?? '';
  const found = isUuid(consentId) ? await findOrder(db, consentId, call.caller) : undefined;
  if (!found) throw new Problem('resource-not-found');
  return found;
};

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
      const order = await parts.books.read(await ownOrder(parts, call), await parts.bankTime());
      const staged = await findStaged(parts.db, order.consentId, order);
      return {
        status: 200,
        body: {
          ...shownOrder(order, parts.site.baseUrl),
          ...orderTimes(order),
          ...shownExchange(order, staged && exchangeOf(staged)),
        },
      };
    },
  });
