/** Payments that are not final; those whose outcome is not known need a decision. */

import { actText } from '../acts/texts.js';
import type { OpenOrder } from '../admin/payments.js';
import { DerivedForm } from '../console/derived-form.js';
import { ActForm, consolePage, hrefOf } from '../console/frame.js';
import { timeText, type Visit } from '../console/visit.js';
import type { PageAnswer } from '../http/pages.js';
import { fromMinor } from '../model/amount.js';
import { retryPayment, settlePayment } from '../payment/acts.js';
import { Badge } from '../web/components/badge.js';
import { Summary } from '../web/components/blocks.js';
import { TextField } from '../web/components/form.js';
import { noteReads } from './openings.js';
import type { ConsoleParts } from './parts.js';
import { mayDo } from './roles.js';

const MOST = 50;

const Outcome = ({ visit, id }: { readonly visit: Visit; readonly id: string }) => {
  const texts = visit.messages.payments;
  return (
    <>
      <div class="field">
        <label for={`outcome-${id}`}>{texts.outcome}</label>
        <select id={`outcome-${id}`} name="outcome">
          <option value="settled">{texts.settled}</option>
          <option value="rejected">{texts.rejected}</option>
        </select>
      </div>
      <TextField
        field="code"
        id={`code-${id}`}
        label={texts.code}
        hint={texts.codeHint}
        value=""
        refusal={visit.refusal}
      />
    </>
  );
};

const Order = ({ visit, order }: { readonly visit: Visit; readonly order: OpenOrder }) => {
  const texts = visit.messages.payments;
  const { id, consentId, status, submittedAt, currency, amountMinor, unresolvedAt, retriedAt } = order;
  const { role } = visit.operator;
  const isUnresolved = unresolvedAt !== null;
  const decide = actText(settlePayment.texts, visit.lang, settlePayment.name);
  return (
    <section class="stack" aria-labelledby={`order-${id}`}>
      <h2 id={`order-${id}`}>
        {isUnresolved ? (
          <Badge meaning="bad">{retriedAt === null ? texts.unresolved : texts.retried}</Badge>
        ) : (
          <Badge meaning="notice">{texts.asked}</Badge>
        )}
      </h2>
      <Summary
        facts={[
          { name: texts.id, value: <a href={hrefOf(visit, `/consents/${consentId}`)}>{id}</a> },
          { name: texts.status, value: status },
          { name: texts.submitted, value: timeText(visit, submittedAt) },
          {
            name: texts.amount,
            value: `${fromMinor(amountMinor, currency)} ${currency}`,
          },
        ]}
      />
      {isUnresolved && <DerivedForm visit={visit} act={retryPayment} id={id} />}
      {isUnresolved && mayDo(role, 'payments/settle') && (
        <ActForm
          visit={visit}
          path={`/payments/${id}/settle`}
          id={`settle-${id}`}
          heading={decide}
          text={texts.decideText}
          submit={decide}
        >
          <Outcome visit={visit} id={id} />
        </ActForm>
      )}
    </section>
  );
};

export const showPayments = async (parts: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  await noteReads(parts, visit, 'payment.list', ['payments']);
  const texts = visit.messages.payments;
  const open = await parts.admin.openPayments();
  const orders = open
    .toSorted((a, b) => Number(b.unresolvedAt !== null) - Number(a.unresolvedAt !== null))
    .slice(0, MOST);
  return consolePage(visit, {
    title: texts.heading,
    path: '/payments',
    children:
      orders.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        orders.map((order) => <Order key={order.id} visit={visit} order={order} />)
      ),
  });
};
