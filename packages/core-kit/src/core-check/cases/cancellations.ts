/** Cases about calling payments back. A core that never does so has no such operation: these cases are skipped. */
import { newId } from 'trapeza/base';
import { check, type Trial } from '../case.js';
import type { Answer, Seen } from '../client.js';
import { demand, Skip } from '../verdict.js';
import {
  demandPaid,
  execute,
  finals,
  type Payer,
  type Prepared,
  paidDuring,
  prepare,
  read,
} from './paying.js';

/** Whether the core has the operation: by its health, else by its answer. */
const demandOffered = async ({ core }: Trial, { status }: Seen): Promise<void> => {
  const { operations } = await core.answer('ping', {});
  const isOffered = operations?.includes('cancelPayment');
  if (isOffered === false) throw new Skip('its health does not name cancelPayment');
  if (status !== 405 && status !== 501) return;
  demand(isOffered !== true, 'the operation that its health names', `status ${status}`);
  throw new Skip('the core calls no payment back');
};

const ask = ({ core }: Trial, paymentId: string): Promise<Seen> =>
  core.ask('cancelPayment', { params: { paymentId } });

const cancel = async (trial: Payer, { id }: Prepared): Promise<Answer<'cancelPayment'>> => {
  const seen = await ask(trial, id);
  await demandOffered(trial, seen);
  const state = trial.core.valid('cancelPayment', seen);
  demand(state.paymentId === id, 'the paymentId of the path', 'another paymentId');
  return state;
};

/** The payer of the payment that takes its time. */
const slowly = (trial: Trial<'slowPayment'>): Payer => ({
  ...trial,
  subject: { ...trial.subject, payment: trial.subject.slowPayment },
});

/** Called back while it is open. */
const cancelOpen = async (trial: Payer): Promise<Prepared> => {
  const payment = await prepare(trial);
  const { status } = await execute(trial, payment);
  if (finals.includes(status)) throw new Skip(`the payment is ${String(status)} at once`);
  const cancelled = await cancel(trial, payment);
  if (cancelled.status !== 'CANC')
    throw new Skip(`a payment that is ${String(cancelled.status)} is not called back`);
  return payment;
};

export const cancellationCases = [
  check({
    id: 'cancellation',
    title: 'calls an open payment back, and nothing of it stays debited',
    operation: 'cancelPayment',
    hint: 'Before you answer CANC, take the payment out of everything that would send it, in one transaction with its status, and set free what was set aside.',
    needs: ['slowPayment'],
    movesMoney: true,
    run: async (trial) => {
      const payer = slowly(trial);
      const paid = await paidDuring(payer, async () => {
        const payment = await cancelOpen(payer);
        const states = [await read(payer, payment), await execute(payer, payment)];
        const others = states.filter(({ status }) => status !== 'CANC');
        demand(
          others.length === 0,
          'CANC when it is read and when it is sent again',
          String(others[0]?.status),
        );
      });
      demandPaid(payer, paid, 0n);
    },
  }),
  check({
    id: 'cancellation-twice',
    title: 'answers a second cancellation like the first',
    operation: 'cancelPayment',
    hint: 'Answer with the state of the payment: Trapeza asks again if the first answer was lost.',
    needs: ['slowPayment'],
    movesMoney: true,
    run: async (trial) => {
      const payer = slowly(trial);
      const { status } = await cancel(payer, await cancelOpen(payer));
      demand(status === 'CANC', 'CANC again', String(status));
    },
  }),
  check({
    id: 'cancellation-too-late',
    title: 'answers the cancellation of a payment that is carried out with its state, and gives nothing back',
    operation: 'cancelPayment',
    hint: 'ACSC and ACCC are final: answer 200 with that status. CANC would make a third party pay again.',
    needs: ['payment'],
    movesMoney: true,
    run: async (trial) => {
      const payment = await prepare(trial);
      const paid = await paidDuring(trial, async () => {
        const { status } = await execute(trial, payment);
        if (!/^AC[SC]C$/.test(status))
          throw new Skip(`the payment is ${String(status)}, not carried out yet`);
        const then = await cancel(trial, payment);
        demand(then.status === status, `still ${String(status)}`, String(then.status));
      });
      demandPaid(trial, paid, payment.cost);
    },
  }),
  check({
    id: 'cancellation-unknown',
    title: 'does not call back a payment that it never got',
    operation: 'cancelPayment',
    hint: 'Answer 404: the payment may still be on its way to you, and CANC would be a promise about it.',
    run: async (trial) => {
      const seen = await ask(trial, newId());
      await demandOffered(trial, seen);
      demand(seen.status === 404, '404', `status ${seen.status}`);
    },
  }),
  check({
    id: 'cancellation-overtakes',
    title: 'remembers nothing of a cancellation that comes before its payment',
    operation: 'cancelPayment',
    hint: 'Answer 404 and keep nothing. If you answer CANC instead, the payment that comes afterwards must be CANC, for ever.',
    needs: ['payment'],
    movesMoney: true,
    run: async (trial) => {
      const payment = await prepare(trial);
      const seen = await ask(trial, payment.id);
      await demandOffered(trial, seen);
      demand(seen.status === 404, '404', `status ${seen.status}`);
      const { status } = await execute(trial, payment);
      demand(status !== 'CANC', 'a payment that is carried out', String(status));
    },
  }),
];
