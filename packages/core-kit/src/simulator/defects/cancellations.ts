/** Defects in calling payments back. */
import { type Answer, Refusal } from '../contract.js';
import { answering, type Defect, where } from './defect.js';

const cancelled = (paymentId: string): Answer<'cancelPayment'> => ({
  paymentId,
  status: 'CANC',
  reason: null,
  lookAgainAt: null,
});

export const cancellationDefects = {
  'cancelled-but-sent': {
    title: 'an open payment is told to be cancelled, and goes on',
    spoil: (core) => ({
      cancelPayment: async (asked) => {
        const state = await core.readPayment(asked);
        return state.lookAgainAt === null ? core.cancelPayment(asked) : cancelled(state.paymentId);
      },
    }),
  },
  'second-cancellation-refused': {
    title: 'a payment that is cancelled already is an error',
    spoil: (core) => ({
      cancelPayment: async (asked) => {
        if ((await core.readPayment(asked)).status === 'CANC') throw new Refusal(409, 'cancelled before');
        return core.cancelPayment(asked);
      },
    }),
  },
  'booked-payment-cancelled': {
    title: 'a payment that was carried out is told to be cancelled',
    spoil: answering('cancelPayment', ({ paymentId }) => cancelled(paymentId)),
  },
  'unknown-payment-cancelled': {
    title: 'a payment that never arrived is told to be cancelled',
    spoil: (core) => ({
      cancelPayment: (asked) =>
        where(
          404,
          () => core.cancelPayment(asked),
          async () => cancelled(asked.params.paymentId),
        ),
    }),
  },
  'early-cancellation-kept': {
    title:
      'a cancellation that comes before its payment is answered with 404, and cancels the payment when it comes',
    spoil: (core) => {
      const early = new Set<string>();
      return {
        cancelPayment: (asked) =>
          where(
            404,
            () => core.cancelPayment(asked),
            async () => {
              early.add(asked.params.paymentId);
              throw new Refusal(404, 'this payment never arrived');
            },
          ),
        executePayment: async (asked) =>
          early.has(asked.params.paymentId) ? cancelled(asked.params.paymentId) : core.executePayment(asked),
      };
    },
  },
} as const satisfies Record<string, Defect>;
