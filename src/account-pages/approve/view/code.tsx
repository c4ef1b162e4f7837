/** The one-time code of an approval; a payment's is sent with amount and payee beside it. */
import type { AskedConsent } from '../../../consent/asked.js';
import { inFours } from '../../../model/account-reference.js';
import type { ErrorLine } from '../../../web/components/error-summary.js';
import { paymentOf } from '../asked-for.js';
import { type Entered, fields } from '../choice.js';
import { OtherWays, SendAgain } from '../codes/code-parts.js';
import type { CodeState } from '../codes/code-states.js';
import { ConfirmWith, sendingOf } from '../codes/confirm-with.js';
import { amountText, rateText } from '../format.js';
import type { HolderVisit } from '../parts.js';

interface CodeProps {
  readonly visit: HolderVisit;
  readonly asked: AskedConsent;
  readonly state: CodeState;
  readonly entered: Entered;
  /** Of the account that pays, if it is known. */
  readonly payCurrency?: string | undefined;
  readonly errors: readonly ErrorLine[];
}

const sendingFor = ({ messages, timeZone }: HolderVisit) => sendingOf(messages, timeZone, fields.decision);

/** Another code, or another way. */
export const AnotherCode = ({ visit, state }: Pick<CodeProps, 'visit' | 'state'>) => (
  <>
    {state.kind === 'sent' && <SendAgain {...sendingFor(visit)} state={state} />}
    <OtherWays state={state} messages={visit.messages.code.ways} name={fields.change} />
  </>
);

export const CodeSection = ({ visit, asked, state, entered, payCurrency, errors }: CodeProps) => {
  const { messages } = visit;
  const { code, payment: terms, locale } = messages;
  const payment = asked.block === null ? paymentOf(asked) : undefined;
  return (
    <ConfirmWith
      {...{ visit, messages, state, errors }}
      sending={sendingFor(visit)}
      typed={entered.code}
      next={code.app.next}
    >
      {payment && (
        <p>
          {code.sentFor} <strong class="block">{amountText(payment.amount, locale)}</strong>
          {payment.conversions
            .filter(({ pay }) => payCurrency === undefined || pay.currency === payCurrency)
            .map(({ pay, rate }) => (
              <span key={pay.currency} class="block">
                {rateText(payment.amount.currency, pay.currency, rate, locale)}
              </span>
            ))}
          <span class="block">
            {terms.payee} <strong>{payment.payee}</strong>
          </span>
          <span class="number">{inFours(payment.payeeAccount)}</span>
        </p>
      )}
    </ConfirmWith>
  );
};
