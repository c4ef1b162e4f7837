/** The page that waits for the app of the bank. It says what the app must show, and that nothing is approved yet. */
import type { ScaContext } from '../../../bank/account-holders.js';
import type { AskedConsent } from '../../../consent/asked.js';
import type { PageAnswer } from '../../../http/pages.js';
import { inFours } from '../../../model/account-reference.js';
import { Callout } from '../../../web/components/blocks.js';
import { flowPage } from '../../../web/components/flow-shell.js';
import { paymentOf } from '../asked-for.js';
import { AppRequest, lookAgain } from '../codes/app-request.js';
import type { SentState } from '../codes/code-states.js';
import { amountText } from '../format.js';
import { type HolderVisit, outsidePath, pathOf } from '../parts.js';
import { LoggedIn } from './visitor.js';

interface WaitingView {
  readonly visit: HolderVisit;
  readonly asked: AskedConsent;
  /** What the request in the app stands for. */
  readonly context: ScaContext;
  readonly state: SentState;
  /** Whether the bank has answered. */
  readonly isReachable: boolean;
}

/** In the very words that the app was given. */
const Shown = ({ visit: { messages }, asked, context: { payment } }: Omit<WaitingView, 'state'>) =>
  payment ? (
    <>
      <strong class="block">{payment.amount}</strong>
      <span class="block">
        {messages.payment.payee} <strong>{payment.payee}</strong>
      </span>
      <span class="number">{inFours(payment.account)}</span>
    </>
  ) : (
    <p>{messages.title(asked.kind, { app: asked.applicationName, amount: '' })}</p>
  );

export const waitingPage = (view: WaitingView): PageAnswer => {
  const { visit, asked, context, state, isReachable } = view;
  const { messages, frame, lang, cookies, timeZone } = visit;
  const { app } = messages.code;
  const path = outsidePath(visit, 'waiting', context.shownHash, state.methodId);
  const here = frame.href(path);
  const payment = paymentOf(asked);
  const children = (
    <>
      <LoggedIn visit={visit} />
      <div class="page-head">
        <h1>{app.heading}</h1>
        {payment && (
          <p class="lead">
            {messages.title(asked.kind, { app: '', amount: amountText(payment.amount, messages.locale) })}
          </p>
        )}
      </div>
      <div class="sections">
        {!isReachable && (
          <Callout meaning="notice" heading={app.unreachable.title}>
            <p>{app.unreachable.text}</p>
          </Callout>
        )}
        <section class="stack">
          <AppRequest messages={app} frame={frame} state={state} locale={messages.locale} timeZone={timeZone}>
            <p>{app.compare}</p>
            <div class="card">
              <Shown {...view} />
            </div>
            <p>{app.waiting}</p>
          </AppRequest>
          <p class="actions">
            <a class="button" href={here}>
              {app.done}
            </a>
            <a class="button second" href={frame.href(pathOf(visit))}>
              {app.back}
            </a>
          </p>
        </section>
      </div>
    </>
  );
  return flowPage(
    { frame, lang, title: app.heading, path, isAsking: true, children },
    { cookies, headers: lookAgain(here) },
  );
};
