/** What a payment approval is about: the amount and the payee first, then everything else that is part of the order. */
import { inFours } from '../../../model/account-reference.js';
import { type Payable, payableIn } from '../../../payment/payable.js';
import { type Fact, Summary } from '../../../web/components/blocks.js';
import { type PaymentAsked, paymentOf } from '../asked-for.js';
import { amountText, bankText, minorText, rateText } from '../format.js';
import type { ApprovalMessages } from '../messages/messages.js';
import type { Offer } from '../offer.js';
import type { SectionProps } from './sections.js';

interface PaymentProps extends SectionProps {
  readonly offer: Offer;
}

/** What leaves an account, charges included, for each currency that can pay it. */
const totalsOf = ({ terms, amount, conversion }: PaymentAsked, offer: Offer): readonly Payable[] => {
  const offered = offer.cards
    .filter(({ fault }) => fault === undefined)
    .flatMap(({ parts }) => parts.map(({ currency }) => currency));
  const first = conversion?.pay.currency ?? amount.currency;
  const currencies = [...new Set(offered.length > 0 ? offered : [first])];
  return currencies.flatMap((currency) => payableIn(terms, currency) ?? []);
};

const totalFacts = (
  asked: PaymentAsked,
  offer: Offer,
  { payment, locale }: ApprovalMessages,
): readonly Fact[] => {
  const totals = totalsOf(asked, offer).filter(
    ({ chargeMinor }) => chargeMinor > 0 || asked.conversion !== undefined,
  );
  return totals.map(({ currency, amountMinor, chargeMinor }) => ({
    name: totals.length > 1 ? payment.totalIn(currency) : payment.total,
    value: <strong>{minorText(amountMinor + chargeMinor, currency, locale)}</strong>,
  }));
};

/** Only if an account can pay in the other currency. */
const conversionFacts = (asked: PaymentAsked, offer: Offer, messages: ApprovalMessages): readonly Fact[] => {
  const { amount, conversion } = asked;
  if (!conversion || !totalsOf(asked, offer).some(({ currency }) => currency === conversion.pay.currency))
    return [];
  const { payment, locale } = messages;
  const { pay, rate } = conversion;
  const rateShown = rateText(amount.currency, pay.currency, rate, locale);
  return [
    {
      name: payment.conversion,
      value: (
        <>
          <span>{payment.converted(amountText(pay, locale), amountText(amount, locale), rateShown)}</span>
          <span class="quiet small block">{payment.rateHeld}</span>
        </>
      ),
    },
  ];
};

const chargesText = ({ charges, bearer }: PaymentAsked, { payment, locale }: ApprovalMessages) => {
  const isFree = charges === undefined || charges.amount === 0;
  return (
    <>
      <span>{isFree ? payment.noCharges : amountText(charges, locale)}</span>
      {bearer && <span class="quiet small block">{payment.bearers[bearer]}</span>}
    </>
  );
};

const factsOf = (asked: PaymentAsked, offer: Offer, messages: ApprovalMessages): readonly Fact[] => {
  const { payment, locale } = messages;
  return [
    ...(asked.payeeBank ? [{ name: payment.payeeBank, value: bankText(asked.payeeBank, locale) }] : []),
    ...(asked.product ? [{ name: payment.product, value: payment.products[asked.product] }] : []),
    ...(asked.message === undefined ? [] : [{ name: payment.message, value: asked.message }]),
    ...(asked.reference === undefined ? [] : [{ name: payment.reference, value: asked.reference }]),
    ...conversionFacts(asked, offer, messages),
    { name: payment.charges, value: chargesText(asked, messages) },
    ...totalFacts(asked, offer, messages),
  ];
};

export const PaymentSection = ({ asked, messages, offer }: PaymentProps) => {
  const payment = paymentOf(asked);
  if (!payment) return null;
  return (
    <section class="card payment" aria-labelledby="what">
      <h2 id="what">{messages.what.heading}</h2>
      <p class="amount">{amountText(payment.amount, messages.locale)}</p>
      <p>
        <span class="quiet">{messages.payment.payee}</span> <strong>{payment.payee}</strong>
        <span class="number block">
          <span class="unseen">{messages.payment.payeeAccount} </span>
          {inFours(payment.payeeAccount)}
        </span>
      </p>
      <Summary facts={factsOf(payment, offer, messages)} />
    </section>
  );
};
