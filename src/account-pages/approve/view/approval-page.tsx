/** The approval page: from top to bottom everything a person must know before deciding, then the decision. */
import type { AskedConsent } from '../../../consent/asked.js';
import type { PageAnswer } from '../../../http/pages.js';
import type { BankTime } from '../../../lib/clock.js';
import type { ErrorLine } from '../../../web/components/error-summary.js';
import { paymentOf } from '../asked-for.js';
import type { Calendar, Entered, FieldFault } from '../choice.js';
import { canDecide } from '../codes/code-parts.js';
import type { CodeState } from '../codes/code-states.js';
import { amountText } from '../format.js';
import { canApprove, type Offer, pickedCards } from '../offer.js';
import type { HolderVisit } from '../parts.js';
import { AccountPicker } from './account-picker.js';
import { ApprovalForm, Buttons, errorLines, formPage } from './approval-form.js';
import { AnotherCode, CodeSection } from './code.js';
import { PaymentSection } from './payment.js';
import { Replaced } from './replaced.js';
import { AccessAsked, FundsAsked, NotAllowed } from './sections.js';
import { Term } from './term.js';

export interface ApprovalView {
  readonly visit: HolderVisit;
  readonly asked: AskedConsent;
  readonly offer: Offer;
  readonly entered: Entered;
  readonly faults: readonly FieldFault[];
  /** Absent if the request cannot be approved. */
  readonly code: CodeState | undefined;
  readonly calendar: Calendar;
  readonly bankNow: BankTime;
}

const What = ({ visit: { messages, timeZone }, asked, offer }: ApprovalView) => {
  switch (asked.kind) {
    case 'AccountAccess':
      return <AccessAsked asked={asked} messages={messages} />;
    case 'ConfirmationOfFunds':
      return <FundsAsked asked={asked} messages={messages} />;
    case 'PaymentInitiation':
      return <PaymentSection {...{ asked, messages, offer, timeZone }} />;
  }
};

const Decision = ({
  view,
  errors,
}: {
  readonly view: ApprovalView;
  readonly errors: readonly ErrorLine[];
}) => {
  const { visit, asked, offer, entered, code } = view;
  const { messages } = visit;
  const isOpen = canApprove(offer);
  const [picked] = offer.isSingle ? (pickedCards(offer, entered.accounts) ?? []) : [];
  const payCurrency = picked?.parts[0]?.currency;
  return (
    <ApprovalForm visit={visit} asked={asked}>
      <AccountPicker {...{ asked, messages, offer, entered, errors }} />
      {isOpen && <Replaced {...{ visit, asked, offer }} bankNow={view.bankNow} />}
      {isOpen && <Term {...{ asked, messages, entered, errors }} calendar={view.calendar} />}
      {isOpen && <NotAllowed asked={asked} messages={messages} />}
      {code && <CodeSection {...{ visit, asked, entered, errors, payCurrency }} state={code} />}
      <Buttons
        approve={canDecide(code) ? messages.approve : undefined}
        refuse={isOpen ? messages.refuse : messages.refuseOnly}
        hint={messages.decideHint}
      />
      {code && <AnotherCode visit={visit} state={code} />}
    </ApprovalForm>
  );
};

const headingOf = ({ asked, offer, visit: { messages } }: ApprovalView): string => {
  const payment = paymentOf(asked);
  const amount = payment ? amountText(payment.amount, messages.locale) : '';
  if (payment && !canApprove(offer)) return messages.impossible.payment(amount);
  return messages.title(asked.kind, { app: asked.applicationName, amount });
};

export const approvalPage = (view: ApprovalView): PageAnswer => {
  const { visit, asked, offer, faults, code } = view;
  const { messages } = visit;
  const errors = errorLines(faults, visit);
  return formPage({
    visit,
    asked,
    heading: headingOf(view),
    lead: canApprove(offer) ? messages.lead[asked.kind] : messages.impossible.lead,
    faults,
    code,
    children: (
      <>
        <What {...view} />
        <Decision view={view} errors={errors} />
      </>
    ),
  });
};
