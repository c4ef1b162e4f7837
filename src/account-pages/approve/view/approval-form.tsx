/** The frame of every page on which a person decides: what is wrong, who is asked, the form with what was shown, the buttons. */
import type { ComponentChildren } from 'preact';
import { type AskedConsent, shownHash } from '../../../consent/asked.js';
import type { PageAnswer } from '../../../http/pages.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import type { TermsRefusal } from '../../../payment/personal-terms.js';
import { type ErrorLine, ErrorSummary } from '../../../web/components/error-summary.js';
import { flowPage } from '../../../web/components/flow-shell.js';
import { formAction } from '../../../web/form-token.js';
import { type FieldFault, fields } from '../choice.js';
import { canDecide, closedText, sendValue } from '../codes/code-parts.js';
import { asksBrowser, type CodeState } from '../codes/code-states.js';
import { dateText, minorText } from '../format.js';
import type { ApprovalMessages } from '../messages/messages.js';
import { type HolderVisit, pathOf } from '../parts.js';
import { formTargetOf } from '../way-back.js';
import { Who } from './sections.js';
import { LoggedIn } from './visitor.js';

/** The bank's own sentences, and what can be paid now. */
export const refusalTexts = (
  { sentences, limit }: TermsRefusal,
  { payment, locale }: ApprovalMessages,
): readonly string[] => [
  ...sentences.map(undisguised),
  ...(limit ? [payment.terms.limit(minorText(limit.amountMinor, limit.currency, locale))] : []),
];

const faultText = (fault: FieldFault['fault'], visit: HolderVisit): string => {
  const { messages } = visit;
  if (typeof fault === 'string') return messages.faults[fault];
  if ('closed' in fault)
    return closedText({ why: fault.closed, until: fault.until }, messages, visit.timeZone);
  if ('sentences' in fault) return refusalTexts(fault, messages).join(' ');
  if ('latest' in fault) return messages.dateLate(dateText(fault.latest, messages.locale));
  const { attemptsLeft, kind } = fault;
  return kind === 'code' ? messages.codeWrong(attemptsLeft) : messages.code.ways.wrong(attemptsLeft);
};

export const errorLines = (faults: readonly FieldFault[], visit: HolderVisit): readonly ErrorLine[] =>
  faults.map(({ field, fault }) => ({ field, text: faultText(fault, visit) }));

interface FormProps {
  readonly visit: HolderVisit;
  readonly asked: AskedConsent;
}

interface ButtonsProps {
  /** Absent if the request can only be refused. */
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

const FORM = 'decision';

const actionOf = (visit: HolderVisit): string =>
  formAction(visit.frame.href(pathOf(visit, '/decision')), visit.session.formToken);

export const ApprovalForm = ({
  children,
  ...props
}: FormProps & { readonly children: ComponentChildren }) => (
  <form id={FORM} class="sections" method="post" action={actionOf(props.visit)} noValidate autocomplete="off">
    <input type="hidden" name={fields.shown} value={shownHash(props.asked)} />
    {children}
  </form>
);

export interface FormView extends FormProps {
  readonly heading: string;
  readonly lead: string;
  readonly faults: readonly FieldFault[];
  /** How it is confirmed, if it can be. */
  readonly code: CodeState | undefined;
  readonly children: ComponentChildren;
}

/** Too many codes are 429, so that a program notices too. */
const statusOf = (faults: readonly FieldFault[]): number => {
  if (faults.some(({ fault }) => typeof fault === 'object' && 'closed' in fault)) return 429;
  return faults.length > 0 ? 400 : 200;
};

const firstOf = (code: CodeState | undefined) => {
  if (canDecide(code)) return { first: { name: fields.decision, value: 'approve' } };
  return code?.kind === 'ready' ? { first: { name: fields.decision, value: sendValue.first } } : {};
};

export const formPage = ({ visit, asked, heading, lead, faults, code, children }: FormView): PageAnswer => {
  const { messages, frame, lang, cookies } = visit;
  const errors = errorLines(faults, visit);
  const formTarget = formTargetOf(asked, visit.within, code?.kind === 'sent' ? code.location : undefined);
  return flowPage(
    {
      frame,
      lang,
      title: errors.length > 0 ? `${messages.errorPrefix}${heading}` : heading,
      path: pathOf(visit),
      form: {
        id: FORM,
        action: actionOf(visit),
        // Enter presses it: only if there is such a button.
        ...firstOf(code),
      },
      isAsking: true,
      children: (
        <>
          {code?.kind !== 'closed' && <ErrorSummary heading={messages.errorHeading} errors={errors} />}
          <LoggedIn visit={visit} />
          <div class="page-head">
            <h1>{heading}</h1>
            <p class="lead">{lead}</p>
          </div>
          <div class="sections">
            <Who asked={asked} messages={messages} />
            {children}
          </div>
        </>
      ),
    },
    {
      status: statusOf(faults),
      cookies,
      hasScript: asksBrowser(code),
      ...(formTarget ? { formTarget } : {}),
    },
  );
};
