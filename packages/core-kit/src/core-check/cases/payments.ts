/** Cases about payments. They move money, so they run only if that is allowed; each payment has the smallest amount. */
import { NOT_AFTER } from 'trapeza/bank';
import { type AccountId, decimalText, instantText, newId } from 'trapeza/base';
import { check, daysOf, isRefused, minor } from '../case.js';
import { demand, Skip } from '../verdict.js';
import {
  demandDebited,
  demandPaid,
  execute,
  finals,
  isWaiting,
  type Payer,
  paidDuring,
  payerIdOf,
  prepare,
  read,
  tooMuch,
  wantedOf,
} from './paying.js';
import { walk } from './transactions.js';

/** Two pages, and a payment between them. */
const pagesWithPayment = async (trial: Payer, accountId: AccountId): Promise<readonly string[]> => {
  const query = { ...daysOf(trial), status: 'booked', limit: 4 };
  const ask = (after?: string) =>
    trial.core.answer('listTransactions', { params: { accountId }, query: { ...query, after } });
  const first = await ask();
  await execute(trial, await prepare(trial));
  const second = await ask(first.next ?? undefined);
  return [...first.transactions, ...second.transactions].map(({ id }) => id);
};

export const paymentCases = [
  check({
    id: 'payment-executed',
    title: 'carries out a payment, and the payer pays amount and charge',
    operation: 'executePayment',
    hint: 'Debit exactly the amount and the charge of the request; what is accepted is no longer available.',
    needs: ['payment'],
    movesMoney: true,
    run: async (trial) => {
      const payment = await prepare(trial);
      const paid = await paidDuring(trial, async () => {
        const { status, reason, lookAgainAt, paymentId } = await execute(trial, payment);
        demand(paymentId === payment.id, 'the paymentId of the request', 'another paymentId');
        demand(
          status !== 'RJCT' && status !== 'CANC',
          'a payment that is carried out',
          `${String(status)} ${reason?.code ?? ''}`,
        );
        demand(
          reason === null || !finals.includes(status),
          'no reason for a settled payment',
          reason?.code ?? '',
        );
        demand(
          lookAgainAt === null || !finals.includes(status),
          'lookAgainAt only while it is not final',
          String(status),
        );
      });
      await demandDebited(trial, payment, paid);
    },
  }),
  check({
    id: 'payment-once',
    title: 'carries out a payment once, however often it is sent',
    operation: 'executePayment',
    hint: 'Keep the id for ever, in the same transaction as the booking, with a unique index; answer a repetition with the state.',
    needs: ['payment'],
    movesMoney: true,
    run: async (trial) => {
      const payment = await prepare(trial);
      const paid = await paidDuring(trial, async () => {
        for (let times = 0; times < 3; times += 1) await execute(trial, payment);
      });
      await demandDebited(trial, payment, paid);
    },
  }),
  check({
    id: 'payment-once-at-once',
    title: 'carries out a payment once when it arrives several times at the same moment',
    operation: 'executePayment',
    hint: 'To look first and book then is a race: insert the id first, and let the unique index decide who books.',
    needs: ['payment'],
    movesMoney: true,
    run: async (trial) => {
      const payment = await prepare(trial);
      const paid = await paidDuring(trial, async () => {
        const ask = () => trial.core.ask('executePayment', wantedOf(payment));
        const seen = await Promise.all(Array.from({ length: 5 }, ask));
        // While the first is under way, the core may ask the others to come again.
        const statuses = seen.map(({ status }) => status);
        demand(statuses.includes(200), '200 for one of them', `statuses ${statuses.join(', ')}`);
      });
      await demandDebited(trial, payment, paid);
    },
  }),
  check({
    id: 'payment-too-late',
    title: 'does not carry out a payment that it refuses for its Not-After',
    operation: 'executePayment',
    hint: 'Compare Not-After before the payment is begun: what is answered 412 is not booked, and GET says 404.',
    needs: ['payment'],
    movesMoney: true,
    run: async (trial) => {
      const payment = await prepare(trial);
      const headers = { [NOT_AFTER]: instantText(0) };
      const { status } = await trial.core.ask('executePayment', { ...wantedOf(payment), headers });
      if (status !== 412) throw new Skip('the core does not look at Not-After');
      const { status: found } = await trial.core.ask('readPayment', { params: { paymentId: payment.id } });
      demand(found === 404, '404 for a payment that was refused', `status ${found}`);
    },
  }),
  check({
    id: 'payment-other-content',
    title: 'refuses another payment with an id that is taken',
    operation: 'executePayment',
    hint: 'Compare a repetition with what came first, and answer 409 where it differs.',
    needs: ['payment'],
    movesMoney: true,
    run: async (trial) => {
      const payment = await prepare(trial);
      const { currency, amount } = trial.subject.payment.amount;
      const more = {
        currency,
        amount: decimalText(minor(amount, currency, 'executePayment') + 1n, currency),
      };
      const paid = await paidDuring(trial, async () => {
        await execute(trial, payment);
        const other = { ...wantedOf(payment), body: { ...payment.body, amount: more } };
        const seen = await trial.core.ask('executePayment', other);
        demand(isRefused(seen), '409 for another amount under the same id', `status ${seen.status}`);
      });
      await demandDebited(trial, payment, paid);
    },
  }),
  check({
    id: 'payment-no-funds',
    title: 'rejects a payment without funds, and books nothing',
    operation: 'executePayment',
    hint: 'Answer 200 with RJCT and reason AM04, not with an error; not even the charge is booked.',
    needs: ['payment'],
    movesMoney: true,
    run: async (trial) => {
      const payment = await tooMuch(trial);
      const paid = await paidDuring(trial, async () => {
        const { status, reason } = await execute(trial, payment);
        if (isWaiting(status)) throw new Skip(`the payment is ${String(status)}, not yet rejected`);
        demand(status === 'RJCT' && reason !== null, 'RJCT with a reason, such as AM04', String(status));
      });
      demandPaid(trial, paid, 0n);
    },
  }),
  check({
    id: 'payment-malformed',
    title: 'refuses a payment whose body has another id than its path',
    operation: 'executePayment',
    hint: 'Compare the two ids first: a proxy or a bug that mixes up two payments is noticed by it.',
    needs: ['payment'],
    movesMoney: true,
    run: async (trial) => {
      const payment = await prepare(trial);
      const paid = await paidDuring(trial, async () => {
        const wanted = { ...wantedOf(payment), params: { paymentId: newId() } };
        const seen = await trial.core.ask('executePayment', wanted);
        demand(isRefused(seen), 'a status from 400 to 499', `status ${seen.status}`);
      });
      demandPaid(trial, paid, 0n);
    },
  }),
  check({
    id: 'payment-found',
    title: 'knows a payment that it has carried out',
    operation: 'readPayment',
    hint: '404 says for certain that it was never carried out, and Trapeza sends it again: read it from where it was committed.',
    needs: ['payment'],
    movesMoney: true,
    run: async (trial) => {
      const payment = await prepare(trial);
      await execute(trial, payment);
      const { paymentId, status } = await read(trial, payment);
      demand(paymentId === payment.id, 'the paymentId of the path', 'another paymentId');
      demand(status !== 'RJCT', 'a payment that was carried out', String(status));
    },
  }),
  check({
    id: 'payment-final',
    title: 'never changes a final status',
    operation: 'readPayment',
    hint: 'ACSC, RJCT and CANC are final: a correction is another payment.',
    needs: ['payment'],
    movesMoney: true,
    run: async (trial) => {
      const payment = await prepare(trial);
      const first = await execute(trial, payment);
      if (!finals.includes(first.status))
        throw new Skip(`the payment is ${String(first.status)}, which is not final`);
      const then = await read(trial, payment);
      demand(then.status === first.status, `still ${String(first.status)}`, String(then.status));
      demand(then.lookAgainAt === null, 'no lookAgainAt', 'one');
    },
  }),
  check({
    id: 'payment-refusal-remembered',
    title: 'remembers that it has rejected a payment',
    operation: 'readPayment',
    hint: 'Keep rejected payments by their id too: sent again, when there are funds, they must not be carried out.',
    needs: ['payment'],
    movesMoney: true,
    run: async (trial) => {
      const payment = await tooMuch(trial);
      const first = await execute(trial, payment);
      if (first.status !== 'RJCT') throw new Skip('a payment without funds was not rejected');
      const found = await read(trial, payment);
      demand(
        found.status === 'RJCT' && found.reason?.code === first.reason?.code,
        'RJCT with the same reason',
        String(found.status),
      );
      const again = await execute(trial, payment);
      demand(again.status === 'RJCT', 'RJCT when it is sent again', String(again.status));
    },
  }),
  check({
    id: 'payment-unknown',
    title: 'says for certain that it never got a payment',
    operation: 'readPayment',
    hint: 'Answer 404, and only where the payment was not carried out and is not under way.',
    run: async ({ core }) => {
      const { status } = await core.ask('readPayment', { params: { paymentId: newId() } });
      demand(status === 404, '404', `status ${status}`);
    },
  }),
  check({
    id: 'transactions-between-pages',
    title: 'neither repeats nor hides a transaction when another arrives between two pages',
    operation: 'listTransactions',
    hint: 'A cursor that is an offset moves with each new booking; let it name the last transaction of the page.',
    needs: ['payment'],
    movesMoney: true,
    run: async (trial) => {
      const accountId = payerIdOf(trial);
      const before = (await walk(trial, { accountId, limit: 12 }, 12)).list.map(({ id }) => id);
      if (before.length < 8) throw new Skip('the account has fewer than 8 transactions in these days');
      const seen = await pagesWithPayment(trial, accountId);
      const wrong = seen.findIndex((id, index) => before[index] !== undefined && before[index] !== id);
      demand(
        wrong === -1,
        'the same transactions as before the payment',
        `another one in place ${wrong + 1}`,
      );
    },
  }),
];
