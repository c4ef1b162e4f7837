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

/** A price may be new at any question, but a person can only approve one that the next question is answered with too. */
export const demandSteady = async (ask: () => Promise<Readonly<Record<string, unknown>>>): Promise<void> => {
  let known = await ask();
  let differing: readonly string[] = [];
  for (let more = 2; more > 0; more -= 1) {
    const next = await ask();
    differing = Object.keys(next).filter((name) => !isDeepStrictEqual(next[name], known[name]));
    if (differing.length === 0) return;
    known = next;
  }
  demand(false, 'the same terms a moment later', `another ${differing.join(', ')} each time`);
};

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
    title: 'does not change its price with every question',
    operation: 'quoteTransfer',
    hint: 'If charge or quote differ when the approval arrives, the person is asked once more: answer the same for some minutes. What was approved comes back with the payment within 24 hours: carry it out at that price.',
    needs: ['payment'],
    run: ({ core, subject: { payment } }) =>
      demandSteady(async () => {
        const { charge, quote } = await core.answer('quoteTransfer', { body: wishOf(payment) });
        return { charge, quote };
      }),
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
