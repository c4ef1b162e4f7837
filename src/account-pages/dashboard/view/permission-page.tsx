/** One permission or payment with everything about it. */
import { canWithdraw } from '../../../consent/decide.js';
import { isFinal } from '../../../consent/lifecycle.js';
import { COUNTED_AT_MOST } from '../../../consent/page.js';
import type { AccessLine, FundsLine } from '../../../consent/uses.js';
import type { PageAnswer } from '../../../http/pages.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import { inFours } from '../../../model/account-reference.js';
import type { PayeeCheck } from '../../../model/payment-terms.js';
import { Callout, type Fact, Summary } from '../../../web/components/blocks.js';
import { fundsOf, paymentOf } from '../../approve/asked-for.js';
import { amountText, bankText, momentText } from '../../approve/format.js';
import type { TermsMessages } from '../../approve/messages/terms.js';
import { orderText } from '../../approve/view/order-text.js';
import { requestOutcome } from '../../approve/view/outcome-pages.js';
import { Purpose, Sentences } from '../../approve/view/sections.js';
import { addressWith } from '../filters.js';
import { appPath, type HolderVisit, permissionPath, type ShownPermission } from '../parts.js';
import { type HistoryEntry, summaryOf } from '../permission-summary.js';
import { boardPage, sectionPath } from './board.js';
import { numberOf } from './pages.js';
import { Accounts, lastUsedText, StatusBadge, untilText } from './permission-parts.js';
import { AccessTable, FundsTable, When } from './uses.js';

export interface PermissionView {
  readonly visit: HolderVisit;
  readonly record: ShownPermission;
  readonly history: readonly HistoryEntry[];
  readonly funds: readonly FundsLine[];
  readonly accesses: readonly AccessLine[];
  /** The account holder has just tried to withdraw it. */
  readonly isTried: boolean;
  readonly canCancel: boolean;
  /** A cancellation came too late. */
  readonly isLate: boolean;
}

/** What the account holder read about the payee's name. */
const nameCheckText = (
  check: PayeeCheck | null | undefined,
  { payeeCheck: texts }: TermsMessages,
): string | undefined => {
  if (!check) return undefined;
  if (check.result !== 'close') return texts[check.result].title;
  const name = undisguised(check.name ?? '');
  return `${texts.close(name).title}: ${name}`;
};

/** What the third party wrote beside what it asked for. */
const noteFacts = (visit: HolderVisit, { asked }: ShownPermission): readonly Fact[] => {
  const { payment: terms, what, locale } = visit.asking;
  const payment = paymentOf(asked);
  const notes: readonly (readonly [string, string | undefined])[] = payment
    ? [
        [terms.amount, amountText(payment.amount, locale)],
        [terms.payee, payment.payee],
        [terms.payeeAccount, inFours(payment.payeeAccount)],
        [terms.terms.nameCheck, nameCheckText(payment.notes.payeeCheck, terms.terms)],
        [terms.payeeBank, payment.payeeBank && bankText(payment.payeeBank, locale)],
        [terms.message, payment.message],
        [terms.reference, payment.reference],
      ]
    : [
        [what.cardNote, fundsOf(asked).cardNote],
        [what.registrationNote, fundsOf(asked).registrationNote],
      ];
  return notes.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
};

const usesText = (visit: HolderVisit, count: number): string =>
  count > COUNTED_AT_MOST
    ? visit.messages.board.moreThan(visit.messages.times(COUNTED_AT_MOST, numberOf(visit, COUNTED_AT_MOST)))
    : visit.messages.times(count, numberOf(visit, count));

const factsOf = ({ visit, record, history }: PermissionView): readonly Fact[] => {
  const { facts, steps } = visit.messages;
  const last = history.at(-1);
  const { asked, status, use } = record;
  const moment = (at: number) => momentText(at, visit.asking.locale, visit.timeZone);
  return [
    { name: facts.provider, value: undisguised(asked.tppName) },
    { name: facts.registration, value: asked.tppRegistration },
    { name: facts.covers, value: <Sentences sentences={summaryOf(asked, status, visit)} /> },
    ...(asked.purpose ? [{ name: facts.purpose, value: <Purpose purpose={asked.purpose} /> }] : []),
    ...noteFacts(visit, record),
    { name: facts.accounts, value: <Accounts visit={visit} record={record} /> },
    { name: facts.askedAt, value: moment(asked.createdAt) },
    ...(asked.approvedAt === null ? [] : [{ name: facts.approvedAt, value: moment(asked.approvedAt) }]),
    { name: status === 'Received' ? facts.decideBy : facts.until, value: untilText(visit, record) },
    ...(isFinal(status) && last ? [{ name: facts.endedBecause, value: steps[last.step] }] : []),
    { name: facts.lastUsed, value: lastUsedText(visit, record) },
    ...(use ? [{ name: facts.uses, value: usesText(visit, use.count) }] : []),
    { name: facts.reference, value: <span class="number">{asked.id}</span> },
  ];
};

/** What is true now, also after a concurrent change. A submitted payment always shows its status. */
const Outcomes = ({ visit, record, history, isTried, isLate }: PermissionView) => {
  const { asked, status, order } = record;
  const { late } = visit.messages.cancel;
  const isOpen = status === 'Received' || status === 'Valid';
  if (!order && (!isTried || isOpen)) return null;
  const { title, text, meaning } = order
    ? orderText(asked, order, visit.asking, visit.timeZone)
    : {
        ...visit.asking.outcomes[asked.kind][requestOutcome(status, history.at(-1)?.step === 'late')],
        meaning: status === 'RevokedByPsu' ? ('good' as const) : ('notice' as const),
      };
  return (
    <div role="status" class="stack">
      {isLate && (
        <Callout meaning="notice" heading={late.title}>
          <p>{late.text}</p>
        </Callout>
      )}
      <Callout meaning={meaning} heading={title}>
        <p>{text}</p>
      </Callout>
    </div>
  );
};

/** What the account holder can do about it now, if anything. */
const actionOf = ({ visit, record: { asked, status }, canCancel }: PermissionView) => {
  const { messages } = visit;
  if (status === 'Received') return { path: `/authorise/${asked.id}`, text: messages.decide };
  if (canWithdraw(asked, status))
    return { path: permissionPath(asked.id, '/withdraw'), text: messages.withdraw };
  return canCancel ? { path: permissionPath(asked.id, '/cancel'), text: messages.cancel.go } : undefined;
};

const Actions = (view: PermissionView) => {
  const action = actionOf(view);
  if (!action) return null;
  return (
    <p class="actions">
      <a
        class={view.record.status === 'Received' ? 'button' : 'button second'}
        href={view.visit.frame.href(action.path)}
      >
        {action.text}
      </a>
    </p>
  );
};

const History = ({ visit, history }: Pick<PermissionView, 'visit' | 'history'>) => (
  <section class="stack" aria-labelledby="history">
    <h2 id="history">{visit.messages.history}</h2>
    <ol class="history plain">
      {history.map(({ at, step }) => (
        <li key={`${at}-${step}`}>
          <span class="quiet small block">
            <When at={at} visit={visit} />
          </span>
          {visit.messages.steps[step]}
        </li>
      ))}
    </ol>
  </section>
);

const Uses = ({ visit, record, funds, accesses }: PermissionView) => {
  const { messages, frame } = visit;
  const { id, kind } = record.asked;
  const section = funds.length > 0 ? 'funds' : 'accesses';
  const shown = funds.length + accesses.length;
  if (kind === 'PaymentInitiation' && shown === 0) return null;
  return (
    <section class="stack" aria-labelledby="uses">
      <h2 id="uses">{messages.usesHeading}</h2>
      {shown === 0 && <p class="quiet">{messages.noUses}</p>}
      {funds.length > 0 && <FundsTable visit={visit} lines={funds} />}
      {accesses.length > 0 && <AccessTable visit={visit} lines={accesses} />}
      {(record.use?.count ?? 0) > shown && (
        <p>
          <a href={frame.href(addressWith(sectionPath[section], { permission: id }))}>{messages.allUses}</a>
        </p>
      )}
    </section>
  );
};

export const permissionPage = (view: PermissionView): PageAnswer => {
  const { visit, record } = view;
  const { asked } = record;
  const name = undisguised(asked.applicationName);
  const isPayment = asked.kind === 'PaymentInitiation';
  const back = isPayment ? sectionPath.payments : appPath(asked.clientId);
  return boardPage({
    visit,
    section: isPayment ? 'payments' : 'permissions',
    title: name,
    path: permissionPath(asked.id),
    status: view.isLate ? 409 : 200,
    children: (
      <div class="stack-wide">
        <div class="board-head">
          <p class="trail">
            <a href={visit.frame.href(back)}>‹ {isPayment ? visit.messages.payments.title : name}</a>
          </p>
          <div class="permission-head">
            <h1>{name}</h1>
            <StatusBadge visit={visit} record={record} />
          </div>
          <p class="lead">{visit.messages.kinds[asked.kind]}</p>
          <Outcomes {...view} />
          <Actions {...view} />
        </div>
        <div class="card">
          <Summary facts={factsOf(view)} />
        </div>
        <History visit={visit} history={view.history} />
        <Uses {...view} />
      </div>
    ),
  });
};
