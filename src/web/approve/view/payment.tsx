/** What a payment approval is about: the amount and the payee first, then everything else that is part of the order. */
import { type Fact, Summary } from '../../components/blocks.js';
import { type Money, type PaymentAsked, paymentOf } from '../asked-for.js';
import { amountText, inFours } from '../format.js';
import type { ApprovalWords } from '../words/words.js';
import type { SectionProps } from './sections.js';

/** The charges that leave the payer's account together with the amount. */
const totalOf = ({ amount, charges }: PaymentAsked): Money | undefined =>
  charges && charges.amount > 0 && charges.currency === amount.currency
    ? { amount: amount.amount + charges.amount, currency: amount.currency }
    : undefined;

const chargesText = ({ charges, bearer }: PaymentAsked, { payment, locale }: ApprovalWords) => {
  const isFree = charges === undefined || charges.amount === 0;
  return (
    <>
      <span>{isFree ? payment.noCharges : amountText(charges, locale)}</span>
      {bearer && <span class="quiet small block">{payment.bearers[bearer]}</span>}
    </>
  );
};

const factsOf = (asked: PaymentAsked, words: ApprovalWords): readonly Fact[] => {
  const { payment, locale } = words;
  const total = totalOf(asked);
  return [
    ...(asked.product ? [{ name: payment.product, value: payment.products[asked.product] }] : []),
    ...(asked.message === undefined ? [] : [{ name: payment.message, value: asked.message }]),
    ...(asked.reference === undefined ? [] : [{ name: payment.reference, value: asked.reference }]),
    { name: payment.charges, value: chargesText(asked, words) },
    ...(total ? [{ name: payment.total, value: <strong>{amountText(total, locale)}</strong> }] : []),
  ];
};

export const PaymentSection = ({ asked, words }: SectionProps) => {
  const payment = paymentOf(asked);
  if (!payment) return null;
  return (
    <section class="card payment" aria-labelledby="what">
      <h2 id="what">{words.what.heading}</h2>
      <p class="amount">{amountText(payment.amount, words.locale)}</p>
      <p>
        <span class="quiet">{words.payment.payee}</span> <strong>{payment.payee}</strong>
        <span class="number block">
          <span class="unseen">{words.payment.payeeAccount} </span>
          {inFours(payment.payeeAccount)}
        </span>
      </p>
      <Summary facts={factsOf(payment, words)} />
    </section>
  );
};
