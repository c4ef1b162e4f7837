/** Cases about the terms for the person who approves a payment. A core that answers them as it answers third parties passes. */
import { check, type Trial } from '../case.js';
import type { Answer } from '../client.js';
import { demand } from '../verdict.js';
import { payerIdOf } from './paying.js';
import { demandSteady, membersOf, wishOf } from './terms.js';

type Terms = Answer<'quoteTransfer'>;

const ask = (trial: Trial<'payment' | 'psuId'>): Promise<Terms> => {
  const { payment, psuId } = trial.subject;
  const { creditorName = 'Trapeza' } = payment;
  const body = { ...wishOf(payment), creditorName, psuId, payerAccountId: payerIdOf(trial) };
  return trial.core.answer('quoteTransfer', { body, psuId });
};

/** What the person sees beside the price, which has a case of its own. */
const shown = ({ quotes, payeeCheck, executionDate, cutOff, instant }: Terms) => ({
  quotes,
  payeeCheck,
  executionDate,
  cutOff,
  instant,
});

export const personalTermCases = [
  check({
    id: 'terms-person',
    title: 'answers the person who pays, with an account and a payee by name',
    operation: 'quoteTransfer',
    hint: 'limit is in the currency of the amount; each of quotes has a payCharge in the currency of its pay; the name of a payee belongs to close alone.',
    needs: ['payment', 'psuId'],
    run: async (trial) => {
      const { faults, limit, quotes = [], payeeCheck } = await ask(trial);
      const { currency } = trial.subject.payment.amount;
      demand(faults.length === 0, 'no faults', membersOf(faults));
      demand(
        limit === undefined || limit.currency === currency,
        `a limit in ${currency}`,
        'another currency',
      );
      for (const { pay, payCharge } of quotes)
        demand(
          payCharge?.currency === pay.currency,
          'a payCharge in the currency of pay',
          'none, or another',
        );
      demand(
        payeeCheck === undefined || (payeeCheck.result === 'close') === (payeeCheck.name !== undefined),
        'the name of the account with close, and only then',
        `${payeeCheck?.result} ${payeeCheck?.name === undefined ? 'without' : 'with'} a name`,
      );
    },
  }),
  check({
    id: 'terms-person-held',
    title: 'says the same to the person a moment later',
    operation: 'quoteTransfer',
    hint: 'The person approves what was shown: if payeeCheck, quotes or days differ when the approval arrives, they are asked once more. Keep the result of a payee check for some minutes.',
    needs: ['payment', 'psuId'],
    run: (trial) => demandSteady(async () => shown(await ask(trial))),
  }),
];
