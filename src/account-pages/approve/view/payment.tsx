/** What a payment approval is about: the amount and the payee first, then everything else that is part of the order. */
import { endOfDay } from '../../../lib/day.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import { inFours } from '../../../model/account-reference.js';
import { type Payable, payableIn } from '../../../payment/payable.js';
import { Callout, type Fact, Summary } from '../../../web/components/blocks.js';
import { type PaymentAsked, paymentOf } from '../asked-for.js';
import { amountText, bankText, dateText, lastDay, minorText, momentText, rateText } from '../format.js';
import type { ApprovalMessages } from '../messages/messages.js';
import type { Offer } from '../offer.js';
import type { SectionProps } from './sections.js';

interface PaymentProps extends SectionProps {
  readonly offer: Offer;
  readonly timeZone: string;
}

/** What leaves an account, charges included, for each currency that can pay it. */
const totalsOf = ({ terms, amount, conversions }: PaymentAsked, offer: Offer): readonly Payable[] => {
  const offered = offer.cards
    .filter(({ fault }) => fault === undefined)
    .flatMap(({ parts }) => parts.map(({ currency }) => currency));
  const first = conversions[0]?.pay.currency ?? amount.currency;
  const currencies = [...new Set(offered.length > 0 ? offered : [first])];
  return currencies.flatMap((currency) => payableIn(terms, currency) ?? []);
};

const totalFacts = (
  asked: PaymentAsked,
  offer: Offer,
  { payment, locale }: ApprovalMessages,
): readonly Fact[] => {
  const totals = totalsOf(asked, offer).filter(
    ({ chargeMinor }) => chargeMinor > 0 || asked.conversions.length > 0,
  );
  return totals.map(({ currency, amountMinor, chargeMinor }) => ({
    name: totals.length > 1 ? payment.totalIn(currency) : payment.total,
    value: <strong>{minorText(amountMinor + chargeMinor, currency, locale)}</strong>,
  }));
};

/** Of each other currency in which an account can pay. */
const conversionFacts = (asked: PaymentAsked, offer: Offer, messages: ApprovalMessages): readonly Fact[] => {
  const { payment, locale } = messages;
  const payable = totalsOf(asked, offer).map(({ currency }) => currency);
  return asked.conversions
    .filter(({ pay }) => payable.includes(pay.currency))
    .map(({ pay, rate }) => {
      const rateShown = rateText(asked.amount.currency, pay.currency, rate, locale);
      const amount = amountText(asked.amount, locale);
      return {
        name: payment.conversion,
        value: (
          <>
            <span>{payment.converted(amountText(pay, locale), amount, rateShown)}</span>
            <span class="quiet small block">{payment.rateHeld}</span>
          </>
        ),
      };
    });
};

const cutOffText = (
  cutOff: number,
  { cutOff: until, cutOffDay }: ApprovalMessages['payment']['terms'],
  locale: string,
  timeZone: string,
): string => {
  const day = lastDay(cutOff, timeZone);
  return endOfDay(day, timeZone) === cutOff
    ? cutOffDay(dateText(day, locale))
    : until(momentText(cutOff, locale, timeZone));
};

/** When it is carried out, as far as the bank has said so. */
const executionFacts = ({ notes }: PaymentAsked, { payment, locale }: ApprovalMessages, timeZone: string) => {
  const { terms } = payment;
  const { instant, executionDate, cutOff } = notes;
  if (instant) return [{ name: terms.execution, value: terms.instant }];
  if (executionDate == null) return [];
  return [
    {
      name: terms.execution,
      value: (
        <>
          <span>{terms.executedOn(dateText(executionDate, locale))}</span>
          {cutOff != null && (
            <span class="quiet small block">{cutOffText(cutOff, terms, locale, timeZone)}</span>
          )}
        </>
      ),
    },
  ];
};

const checkMeanings = { match: 'good', close: 'notice', 'no-match': 'bad', unavailable: 'notice' } as const;

/** Whether the account belongs to the payee that is named. The person decides, whatever it says. */
const PayeeCheckResult = ({ asked, messages }: { asked: PaymentAsked; messages: ApprovalMessages }) => {
  const { payeeCheck } = asked.notes;
  if (!payeeCheck) return null;
  const texts = messages.payment.terms.payeeCheck;
  const { title, text } =
    payeeCheck.result === 'close'
      ? texts.close(undisguised(payeeCheck.name ?? ''))
      : texts[payeeCheck.result];
  return (
    <Callout meaning={checkMeanings[payeeCheck.result]} heading={title}>
      <p>{text}</p>
    </Callout>
  );
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

const factsOf = (
  asked: PaymentAsked,
  offer: Offer,
  messages: ApprovalMessages,
  timeZone: string,
): readonly Fact[] => {
  const { payment, locale } = messages;
  return [
    ...(asked.payeeBank ? [{ name: payment.payeeBank, value: bankText(asked.payeeBank, locale) }] : []),
    ...(asked.product ? [{ name: payment.product, value: payment.products[asked.product] }] : []),
    ...(asked.message === undefined ? [] : [{ name: payment.message, value: asked.message }]),
    ...(asked.reference === undefined ? [] : [{ name: payment.reference, value: asked.reference }]),
    ...executionFacts(asked, messages, timeZone),
    ...conversionFacts(asked, offer, messages),
    { name: payment.charges, value: chargesText(asked, messages) },
    ...totalFacts(asked, offer, messages),
  ];
};

export const PaymentSection = ({ asked, messages, offer, timeZone }: PaymentProps) => {
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
      <PayeeCheckResult asked={payment} messages={messages} />
      <Summary facts={factsOf(payment, offer, messages, timeZone)} />
    </section>
  );
};
