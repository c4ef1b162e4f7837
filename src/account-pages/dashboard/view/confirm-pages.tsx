/** What is asked once more before a permission is withdrawn or a payment cancelled. */
import type { PageAnswer } from '../../../http/pages.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import { flowPage } from '../../../web/components/flow-shell.js';
import { formAction } from '../../../web/form-token.js';
import { paymentOf } from '../../approve/asked-for.js';
import { amountText } from '../../approve/format.js';
import { Sentences } from '../../approve/view/sections.js';
import { type HolderVisit, permissionPath, type ShownPermission } from '../parts.js';
import { summaryOf } from '../permission-summary.js';
import { Visitor } from './board.js';
import { Accounts } from './permission-parts.js';

interface Question {
  readonly step: '/withdraw' | '/cancel';
  readonly title: string;
  readonly text: string;
  readonly note: string;
  readonly yes: string;
  readonly no: string;
}

const confirmPage = (visit: HolderVisit, record: ShownPermission, question: Question): PageAnswer => {
  const { frame, lang, messages, session, cookies } = visit;
  const { asked, status } = record;
  const { step, title, text, note, yes, no } = question;
  const path = permissionPath(asked.id, step);
  const children = (
    <>
      <Visitor visit={visit} />
      <div class="page-head">
        <h1>{title}</h1>
        <p class="lead">{text}</p>
      </div>
      <div class="sections">
        <section class="card">
          <h2>{messages.kinds[asked.kind]}</h2>
          <Sentences sentences={summaryOf(asked, status, visit)} />
          <p>
            <Accounts visit={visit} record={record} />
          </p>
        </section>
        <form class="decision" method="post" action={formAction(frame.href(path), session.formToken)}>
          <div class="actions">
            <button class="button" type="submit">
              {yes}
            </button>
            <a class="button second" href={frame.href(permissionPath(asked.id))}>
              {no}
            </a>
          </div>
          <p class="quiet small">{note}</p>
        </form>
      </div>
    </>
  );
  return flowPage({ frame, lang, title, path, children }, { cookies });
};

export const withdrawPage = (visit: HolderVisit, record: ShownPermission): PageAnswer => {
  const { asked } = record;
  const { title, text, ...rest } = visit.messages.confirm;
  const name = undisguised(asked.applicationName);
  return confirmPage(visit, record, {
    ...rest,
    step: '/withdraw',
    title: title(name),
    text: text[asked.kind],
  });
};

export const cancelPage = (visit: HolderVisit, record: ShownPermission): PageAnswer => {
  const { title, text, note, no, go: yes } = visit.messages.cancel;
  const payment = paymentOf(record.asked);
  const amount = payment ? amountText(payment.amount, visit.asking.locale) : '';
  const heading = title(amount, payment?.payee ?? '');
  return confirmPage(visit, record, { step: '/cancel', title: heading, text, note, yes, no });
};
