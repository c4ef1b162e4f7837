/** The approval page: from top to bottom everything a person must know before deciding, then the decision. */
import type { Challenge } from '../../../bank/account-holders.js';
import { type AskedConsent, shownHash } from '../../../consent/decide.js';
import type { PageAnswer } from '../../../http/pages.js';
import { type ErrorLine, ErrorSummary } from '../../components/error-summary.js';
import { flowPage } from '../../components/flow-shell.js';
import { FORM_TOKEN } from '../../login/login-form.js';
import { paymentOf } from '../asked-for.js';
import { type Calendar, type Entered, type FieldFault, fields } from '../choice.js';
import { amountText, dateText } from '../format.js';
import { canApprove, type Offer } from '../offer.js';
import { type HolderVisit, pathOf } from '../parts.js';
import { formTargetOf } from '../way-back.js';
import type { ApprovalWords } from '../words/words.js';
import { AccountPicker } from './account-picker.js';
import { CodeSection } from './code.js';
import { PaymentSection } from './payment.js';
import { AccessAsked, FundsAsked, NotAllowed, Who } from './sections.js';
import { Term } from './term.js';
import { LoggedIn } from './visitor.js';

export interface ApprovalView {
  readonly visit: HolderVisit;
  readonly asked: AskedConsent;
  readonly offer: Offer;
  readonly entered: Entered;
  readonly faults: readonly FieldFault[];
  /** Absent where the request cannot be approved. */
  readonly challenge: Challenge | undefined;
  readonly calendar: Calendar;
}

const faultText = (fault: FieldFault['fault'], words: ApprovalWords): string => {
  if (typeof fault === 'string') return words.faults[fault];
  return 'latest' in fault
    ? words.dateLate(dateText(fault.latest, words.locale))
    : words.codeWrong(fault.attemptsLeft);
};

export const errorLines = (faults: readonly FieldFault[], words: ApprovalWords): readonly ErrorLine[] =>
  faults.map(({ field, fault }) => ({
    field,
    text: faultText(fault, words),
  }));

const What = ({ visit: { words }, asked, offer }: ApprovalView) => {
  switch (asked.kind) {
    case 'AccountAccess':
      return <AccessAsked asked={asked} words={words} />;
    case 'ConfirmationOfFunds':
      return <FundsAsked asked={asked} words={words} />;
    case 'PaymentInitiation':
      return <PaymentSection asked={asked} words={words} offer={offer} />;
  }
};

export const Hidden = ({ visit, asked, challenge }: Pick<ApprovalView, 'visit' | 'asked' | 'challenge'>) => (
  <>
    <input type="hidden" name={FORM_TOKEN} value={visit.session.formToken} />
    <input type="hidden" name={fields.shown} value={shownHash(asked)} />
    {challenge && <input type="hidden" name={fields.challenge} value={challenge.id} />}
    {challenge?.demoCode !== undefined && (
      <input type="hidden" name={fields.phone} value={challenge.demoCode} />
    )}
  </>
);

interface ButtonsProps {
  /** Absent where the request can only be refused. */
  readonly approve: string | undefined;
  readonly refuse: string;
  readonly hint: string;
}

export const Buttons = ({ approve, refuse, hint }: ButtonsProps) => (
  <div class="decision">
    <div class="actions">
      {approve !== undefined && (
        <button class="button" type="submit" name={fields.decision} value="approve">
          {approve}
        </button>
      )}
      <button class="button second" type="submit" name={fields.decision} value="refuse">
        {refuse}
      </button>
    </div>
    <p class="quiet small">{hint}</p>
  </div>
);

const DecisionForm = ({
  view,
  errors,
}: {
  readonly view: ApprovalView;
  readonly errors: readonly ErrorLine[];
}) => {
  const { visit, asked, offer, entered, challenge } = view;
  const { words, frame } = visit;
  const isOpen = canApprove(offer);
  return (
    <form
      class="sections"
      method="post"
      action={frame.href(pathOf(visit, '/decision'))}
      noValidate
      autocomplete="off"
    >
      <Hidden visit={visit} asked={asked} challenge={challenge} />
      <AccountPicker {...{ asked, words, offer, entered, errors }} />
      {isOpen && <Term {...{ asked, words, entered, errors }} calendar={view.calendar} />}
      <NotAllowed asked={asked} words={words} />
      {isOpen && <CodeSection {...{ asked, words, entered, errors }} demoCode={challenge?.demoCode} />}
      <Buttons
        approve={isOpen ? words.approve : undefined}
        refuse={isOpen ? words.refuse : words.refuseOnly}
        hint={words.decideHint}
      />
    </form>
  );
};

const headingOf = (asked: AskedConsent, words: ApprovalWords): string => {
  const payment = paymentOf(asked);
  const amount = payment ? amountText(payment.amount, words.locale) : '';
  return words.title(asked.kind, { app: asked.applicationName, amount });
};

export const approvalPage = (view: ApprovalView): PageAnswer => {
  const { visit, asked, faults } = view;
  const { words, frame, lang, cookies } = visit;
  const errors = errorLines(faults, words);
  const heading = headingOf(asked, words);
  const formTarget = formTargetOf(asked, visit.within);
  return flowPage(
    {
      frame,
      lang,
      title: errors.length > 0 ? `${words.errorPrefix}${heading}` : heading,
      path: pathOf(visit),
      children: (
        <>
          <ErrorSummary heading={words.errorHeading} errors={errors} />
          <LoggedIn visit={visit} />
          <div class="page-head">
            <h1>{heading}</h1>
            <p class="lead">{words.lead[asked.kind]}</p>
          </div>
          <div class="sections">
            <Who asked={asked} words={words} />
            <What {...view} />
            <DecisionForm view={view} errors={errors} />
          </div>
        </>
      ),
    },
    { status: errors.length > 0 ? 400 : 200, cookies, ...(formTarget ? { formTarget } : {}) },
  );
};
