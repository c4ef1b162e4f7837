/** The pages that say what has become of a request: each says what happened and what to do next. */

import type { ComponentChildren } from 'preact';
import type { AskedConsent } from '../../../consent/asked.js';
import { statusAt } from '../../../consent/lifecycle.js';
import type { ConsentStatus } from '../../../consent/record.js';
import type { PageAnswer } from '../../../http/pages.js';
import type { BankTime } from '../../../lib/clock.js';
import type { Meaning } from '../../../web/components/badge.js';
import { type Fact, Summary } from '../../../web/components/blocks.js';
import { flowPage } from '../../../web/components/flow-shell.js';
import { maintenanceText } from '../../login/maintenance.js';
import { paymentOf } from '../asked-for.js';
import { amountText } from '../format.js';
import type { Outcome, PageMessages } from '../messages/messages.js';
import { type HolderVisit, pathOf, type Visit } from '../parts.js';
import { type Result, wayBack } from '../way-back.js';
import type { OrderText } from './order-text.js';
import { OtherLogin } from './visitor.js';

interface Message {
  readonly visit: Visit;
  readonly messages: PageMessages;
  readonly meaning: Meaning;
  readonly status?: number;
  readonly children?: ComponentChildren;
}

const signs: Readonly<Partial<Record<Meaning, string>>> = { good: '✓', bad: '✕', notice: '!' };

const messagePage = ({ visit, messages, meaning, status = 200, children }: Message): PageAnswer =>
  flowPage(
    {
      frame: visit.frame,
      lang: visit.lang,
      title: messages.title,
      path: pathOf(visit),
      children: (
        <div class={`outcome card ${meaning}`}>
          <span class="outcome-sign" aria-hidden="true">
            {signs[meaning] ?? 'i'}
          </span>
          <h1>{messages.title}</h1>
          <p class="lead">{messages.text}</p>
          {children}
        </div>
      ),
    },
    { status, cookies: visit.cookies },
  );

const Back = ({ visit, asked, result }: { visit: Visit; asked: AskedConsent; result: Result }) => {
  const address = wayBack(asked, result);
  return address === undefined ? (
    <p class="quiet">{visit.messages.close}</p>
  ) : (
    <p class="actions">
      <a class="button" href={address}>
        {visit.messages.back(asked.applicationName)}
      </a>
    </p>
  );
};

/** Unknown and foreign requests look alike. */
export const notFoundPage = (visit: HolderVisit): PageAnswer =>
  messagePage({
    visit,
    messages: visit.messages.notFound,
    meaning: 'quiet',
    status: 404,
    children: <OtherLogin visit={visit} />,
  });

interface AgainProps {
  readonly visit: Visit;
  readonly text: string;
  /** The account whose terms are to be shown. */
  readonly account?: string | undefined;
}

const AgainLink = ({ visit, text, account }: AgainProps) => (
  <p class="actions">
    <a
      class="button"
      href={visit.frame.href(pathOf(visit, account ? `?account=${encodeURIComponent(account)}` : ''))}
    >
      {text}
    </a>
  </p>
);

/** The bank has suspended the third party or its application: nothing is decided for it, and there is no redirect to it. */
export const suspendedPage = (visit: HolderVisit, asked: AskedConsent): PageAnswer =>
  messagePage({
    visit,
    messages: visit.messages.suspended(asked.applicationName),
    meaning: 'notice',
    status: 403,
    children: (
      <p>
        <a href={visit.frame.href('/dashboard')}>{visit.messages.allPermissions}</a>
      </p>
    ),
  });

/** The authorization that the request belongs to waits in another browser, or waits no longer. */
export const strandedPage = (visit: Visit, why: 'other-browser' | 'over'): PageAnswer =>
  messagePage({ visit, messages: visit.messages.stranded[why], meaning: 'notice', status: 409 });

export const changedPage = (visit: Visit, account?: string): PageAnswer => {
  const { changed } = visit.messages;
  const children = <AgainLink visit={visit} text={changed.again} account={account} />;
  return messagePage({ visit, messages: changed, meaning: 'notice', status: 409, children });
};

/** A form whose token is not this session's: of an older login, or of another site. */
export const staleFormPage = (visit: Visit): PageAnswer => {
  const { staleForm } = visit.messages;
  const children = <AgainLink visit={visit} text={staleForm.again} />;
  return messagePage({ visit, messages: staleForm, meaning: 'notice', status: 403, children });
};

/** The store or the bank does not answer. A decision may have been written down all the same, so none is denied. */
export const unavailablePage = (visit: Visit, error: unknown): PageAnswer => {
  const { title, text, again } = visit.messages.unavailable;
  const messages = { title, text: `${maintenanceText(error, visit.frame, visit.lang)}${text}` };
  const children = <AgainLink visit={visit} text={again} />;
  return messagePage({ visit, messages, meaning: 'notice', status: 503, children });
};

interface Moment {
  readonly bankNow: BankTime;
  /** The last step in its history is time's. */
  readonly isByTime: boolean;
  /** Of a payment that was submitted. */
  readonly order: OrderText | undefined;
}

/** The outcome of a request, by its status now. `isLate`: it expired undecided. */
export const requestOutcome = (status: ConsentStatus, isLate: boolean): Outcome => {
  switch (status) {
    case 'Valid':
      return 'approved';
    case 'RevokedByPsu':
      return 'withdrawn';
    case 'Expired':
      return 'expired';
    case 'TerminatedByTpp':
      return 'ended';
    default:
      return isLate ? 'late' : 'refused';
  }
};

const meanings: Readonly<Record<Outcome, Meaning>> = {
  approved: 'good',
  refused: 'quiet',
  late: 'notice',
  withdrawn: 'quiet',
  expired: 'quiet',
  ended: 'quiet',
};

const results: Readonly<Record<Outcome, Result>> = {
  approved: 'approved',
  refused: 'refused',
  late: 'expired',
  withdrawn: 'refused',
  expired: 'expired',
  ended: 'failed',
};

/** Which request this is about. */
const factsOf = ({ messages: { who, payment, locale } }: Visit, asked: AskedConsent): readonly Fact[] => {
  const order = paymentOf(asked);
  return [
    { name: who.app, value: asked.applicationName },
    ...(order
      ? [
          { name: payment.amount, value: amountText(order.amount, locale) },
          { name: payment.payee, value: order.payee },
        ]
      : []),
  ];
};

/** The page of a request that can no longer be decided. */
export const outcomePage = (visit: HolderVisit, asked: AskedConsent, moment: Moment): PageAnswer => {
  const isLate = asked.status === 'Received' || moment.isByTime;
  const outcome = requestOutcome(statusAt(asked, moment.bankNow), isLate);
  const messages = moment.order ?? visit.messages.outcomes[asked.kind][outcome];
  return messagePage({
    visit,
    messages,
    meaning: moment.order?.meaning ?? meanings[outcome],
    children: (
      <>
        <Summary facts={factsOf(visit, asked)} />
        <Back
          visit={visit}
          asked={asked}
          result={asked.submittedAt === null ? results[outcome] : 'approved'}
        />
        <p>
          <a href={visit.frame.href('/dashboard')}>{visit.messages.allPermissions}</a>
        </p>
      </>
    ),
  });
};
