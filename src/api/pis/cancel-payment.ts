/** Cancels a submitted payment that has not left. Cancelling it again changes nothing and is answered alike. */
import { once, replayOf } from '../../gate/request-ids.js';
import { operation } from '../../http/operation.js';
import { cancelPayment, NotCancelled } from '../../payment/cancel.js';
import type { OrderStatus } from '../../payment/record.js';
import { Problem } from '../../problem/problem.js';
import { ownOrder } from './get-payment-order.js';
import { ofOrder, orderAddress } from './order-schema.js';
import type { OrderParts } from './submit-payment.js';

const whyNot: Readonly<Partial<Record<OrderStatus, string>>> = {
  ACSC: 'The payment was carried out.',
  RJCT: 'The payment was rejected: nothing is left to cancel.',
};

const executed = ({ status, order }: NotCancelled, baseUrl: string): Problem =>
  new Problem('payment-executed', {
    detail: whyNot[status] ?? 'The payment is at the bank, which cannot call it back.',
    extensions: { payment: { paymentId: order.id, href: orderAddress(baseUrl, order) } },
  });

export const cancelPaymentOrder = (parts: OrderParts) =>
  operation({
    ...ofOrder,
    id: 'cancelPayment',
    method: 'DELETE',
    path: '/pis/psd2/v1/:paymentConsentId/payment',
    summary: 'Cancel a payment order',
    description:
      'Calls a submitted payment back. Its order becomes CANC and its consent Expired if the payment has not left the bank; a payment that was carried out or rejected, or that the bank cannot call back any more, is 409 `payment-executed`. While the bank has not answered to the payment itself, the cancellation waits, then it is 503 `outcome-unknown`. After 408 or 503 it is not known whether it was cancelled: repeat the call, or read the order a moment later.',
    success: { status: 204, description: 'It is cancelled, and nothing is paid.' },
    problems: ['processing-timeout', 'payment-executed'],
    repeat: 'replayed',
    async handle(call) {
      const earlier = await replayOf(parts, call);
      if (earlier) return earlier;
      const { books, bankTime, beforeEffect, ...store } = parts;
      // A remote core cancels before anything is committed here.
      await beforeEffect?.();
      return cancelPayment({
        books,
        bankTime,
        by: 'tpp',
        find: () => ownOrder(parts, call),
        commit: (cancel) =>
          once(store, call, async (tx) => {
            await cancel(tx);
            return { status: 204 };
          }),
      }).catch((error: unknown) => {
        throw error instanceof NotCancelled ? executed(error, parts.site.baseUrl) : error;
      });
    },
  });
