/** Cases about what a transfer costs, which is asked before anybody approves it. */
import { isDeepStrictEqual } from 'node:util';
import { minorOf } from 'trapeza/base';
import { check, demandRefusals, minor } from '../case.js';
import type { Subject } from '../subject.js';
import { demand } from '../verdict.js';

export const wishOf = ({ product, creditAccount, amount }: NonNullable<Subject['payment']>) => ({
  product,
  bearer: 'sha',
  creditAccount,
  amount,
});

export const termCases = [
  check({
    id: 'terms-good',
    title: 'would carry out a good transfer, at a price',
    operation: 'quoteTransfer',
    hint: 'faults is empty where you would carry it out; charge is what the payer pays, "0.00" where nothing.',
    needs: ['payment'],
    run: async ({ core, subject: { payment } }) => {
      const { faults, charge } = await core.answer('quoteTransfer', { body: wishOf(payment) });
      demand(faults.length === 0, 'no faults', faults.map(({ member }) => String(member)).join(', '));
      demand(minor(charge.amount, charge.currency, 'quoteTransfer') >= 0n, 'a charge of at least 0', 'less');
    },
  }),
  check({
    id: 'terms-held',
    title: 'holds its price',
    operation: 'quoteTransfer',
    hint: 'What was shown is approved and comes back with the payment: hold charge and quote for 24 hours.',
    needs: ['payment'],
    run: async ({ core, subject: { payment } }) => {
      const first = await core.answer('quoteTransfer', { body: wishOf(payment) });
      const second = await core.answer('quoteTransfer', { body: wishOf(payment) });
      demand(isDeepStrictEqual(second.charge, first.charge), 'the same charge a moment later', 'another one');
    },
  }),
  check({
    id: 'terms-quote',
    title: 'quotes a transfer in another currency at one rate',
    operation: 'quoteTransfer',
    hint: 'pay = amount × rate, rounded to the minor unit; the charge in the quote is the same charge at the same rate.',
    needs: ['foreignTransfer'],
    run: async ({ core, subject: { foreignTransfer } }) => {
      const { quote } = await core.answer('quoteTransfer', { body: wishOf(foreignTransfer) });
      if (!quote) return demand(false, 'a quote', 'null');
      const { amount } = foreignTransfer;
      const scale = minorOf('1', quote.pay.currency) ?? 1n;
      const exact = Number(amount.amount) * Number(quote.rate) * Number(scale);
      const pay = Number(minor(quote.pay.amount, quote.pay.currency, 'quoteTransfer'));
      demand(Math.abs(pay - exact) <= 1, 'pay = amount × rate', 'another amount');
      demand(
        quote.charge.currency === amount.currency,
        `the charge in ${amount.currency}`,
        quote.charge.currency,
      );
    },
  }),
  check({
    id: 'terms-malformed',
    title: 'refuses a question that does not fit the contract',
    operation: 'quoteTransfer',
    hint: 'Check the body against the contract first and answer 400; a 500 counts as an outage of your core.',
    needs: ['payment'],
    run: async ({ core, subject: { payment } }) => {
      const { amount: _amount, ...incomplete } = wishOf(payment);
      const wrong: readonly (readonly [string, unknown])[] = [
        ['a transfer without amount', incomplete],
        ['an unknown product', { ...wishOf(payment), product: 'instant' }],
        ['a body that is no JSON', '['],
      ];
      await demandRefusals(
        wrong.map(([name]) => name),
        (index) => core.ask('quoteTransfer', { body: wrong[index]?.[1] }),
      );
    },
  }),
];
