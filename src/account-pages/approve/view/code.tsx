/** The one-time code of an approval; a payment's is sent with amount and payee beside it. */
import type { AskedConsent } from '../../../consent/asked.js';
import { inFours } from '../../../model/account-reference.js';
import type { ErrorLine } from '../../../web/components/error-summary.js';
import { OneTimeCode } from '../../../web/components/one-time-code.js';
import { paymentOf } from '../asked-for.js';
import { type Entered, fields } from '../choice.js';
import { AppRequest } from '../codes/app-request.js';
import {
  CurrentWay,
  InBrowser,
  NoCode,
  OtherWays,
  SendAgain,
  type SendingProps,
  sentText,
} from '../codes/code-parts.js';
import type { CodeState, SentState } from '../codes/code-states.js';
import { amountText, rateText } from '../format.js';
import type { HolderVisit } from '../parts.js';

interface CodeProps {
  readonly visit: HolderVisit;
  readonly asked: AskedConsent;
  readonly state: CodeState;
  readonly entered: Entered;
  readonly errors: readonly ErrorLine[];
}

const sendingOf = ({ messages, timeZone }: HolderVisit): SendingProps => ({
  messages: messages.code.sending,
  app: messages.code.app,
  ways: messages.code.ways,
  locale: messages.locale,
  timeZone,
  name: fields.decision,
  value: 'send',
});

/** Another code, or another way. */
export const AnotherCode = ({ visit, state }: Pick<CodeProps, 'visit' | 'state'>) => (
  <>
    {state.kind === 'sent' && <SendAgain {...sendingOf(visit)} state={state} />}
    <OtherWays state={state} messages={visit.messages.code.ways} name={fields.change} />
  </>
);

const InApp = ({ visit, state }: { readonly visit: HolderVisit; readonly state: SentState }) => {
  const { messages, frame, timeZone } = visit;
  const { app } = messages.code;
  return (
    <section class="stack" aria-labelledby="app-heading" id={fields.code}>
      <h2 id="app-heading">{app.heading}</h2>
      <AppRequest messages={app} frame={frame} state={state} locale={messages.locale} timeZone={timeZone}>
        <p>{app.next}</p>
      </AppRequest>
    </section>
  );
};

export const CodeSection = (props: CodeProps) => (
  <>
    <CurrentWay state={props.state} name={fields.method} />
    <Confirm {...props} />
  </>
);

const Confirm = ({ visit, asked, state, entered, errors }: CodeProps) => {
  const { code, payment: terms, locale } = visit.messages;
  const payment = asked.block === null ? paymentOf(asked) : undefined;
  if (state.kind !== 'sent') return <NoCode {...sendingOf(visit)} state={state} field={fields.code} />;
  if (state.method === 'app') return <InApp visit={visit} state={state} />;
  if (state.method !== 'code')
    return <InBrowser frame={visit.frame} state={state} messages={code.ways} field={fields.code} />;
  return (
    <OneTimeCode
      messages={code}
      sender={visit.frame.brand.sender(visit.lang)}
      sent={sentText(state, code.sending, locale, visit.timeZone)}
      field={fields.code}
      value={entered.code}
      errors={errors}
      demoCode={state.demoCode}
    >
      {payment && (
        <p>
          {code.sentFor} <strong class="block">{amountText(payment.amount, locale)}</strong>
          {payment.conversions.map(({ pay, rate }) => (
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
    </OneTimeCode>
  );
};
