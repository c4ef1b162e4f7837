/** Cases about what a transfer costs, which is asked before anybody approves it. */
import { isDeepStrictEqual } from 'node:util';
import { minorOf } from 'trapeza/base';
import { check, demandRefusals, minor } from '../case.js';
import type { Answer } from '../client.js';
import type { Subject } from '../subject.js';
import { demand, Skip } from '../verdict.js';

export const wishOf = ({ product, creditAccount, amount }: NonNullable<Subject['payment']>) => ({
  product,
  bearer: 'sha',
  creditAccount,
  amount,
});

/** What is wrong with the transfer, by its members. */
export const membersOf = (faults: Answer<'quoteTransfer'>['faults']): string =>
  faults.map(({ member }) => String(member)).join(', ');

export const termCases = [
  check({
    id: 'terms-good',
    title: 'would carry out a good transfer, at a price',
    operation: 'quoteTransfer',
    hint: 'faults is empty where you would carry it out; charge is what the payer pays, "0.00" where nothing.',
    needs: ['payment'],
    run: async ({ core, subject: { payment } }) => {
      const { faults, charge } = await core.answer('quoteTransfer', { body: wishOf(payment) });
      demand(faults.length === 0, 'no faults', membersOf(faults));
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
      const { quote, faults } = await core.answer('quoteTransfer', { body: wishOf(foreignTransfer) });
      if (faults.length > 0) throw new Skip(`it would not be carried out: ${membersOf(faults)}`);
      if (!quote) return demand(false, 'a quote', 'null');
      const { amount } = foreignTransfer;
      const scale = minorOf('1', quote.pay.currency) ?? 1n;
      const exact = Number(amount.amount) * Number(quote.rate) * Number(scale);
      const pay = Number(minor(quote.pay.amount, quote.pay.currency, 'quoteTransfer'));
      // The rate that is shown may be rounded.
      const decimals = quote.rate.split('.')[1]?.length ?? 0;
      const unsure = (Number(amount.amount) * Number(scale)) / 2 / 10 ** decimals;
      demand(Math.abs(pay - exact) <= 1 + unsure, 'pay = amount × rate', 'another amount');
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
      const ask = (body: unknown) => () => core.ask('quoteTransfer', { body });
      await demandRefusals({
        'a transfer without amount': ask(incomplete),
        'an unknown product': ask({ ...wishOf(payment), product: 'instant' }),
        'a body that is no JSON': ask('['),
      });
    },
  }),
];
