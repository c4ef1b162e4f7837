/** The frame of every page on which a person decides: what is wrong, who is asked, the form with what was shown, the buttons. */
import type { ComponentChildren } from 'preact';
import type { Challenge } from '../../../bank/account-holders.js';
import { type AskedConsent, shownHash } from '../../../consent/decide.js';
import type { PageAnswer } from '../../../http/pages.js';
import { type ErrorLine, ErrorSummary } from '../../components/error-summary.js';
import { flowPage } from '../../components/flow-shell.js';
import { FORM_TOKEN } from '../../login/login-form.js';
import { type FieldFault, fields } from '../choice.js';
import { dateText } from '../format.js';
import { type HolderVisit, pathOf } from '../parts.js';
import { formTargetOf } from '../way-back.js';
import type { ApprovalWords } from '../words/words.js';
import { Who } from './sections.js';
import { LoggedIn } from './visitor.js';

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

interface DecisionProps {
  readonly visit: HolderVisit;
  readonly asked: AskedConsent;
  /** Absent where the request cannot be approved. */
  readonly challenge: Challenge | undefined;
}

const Hidden = ({ visit, asked, challenge }: DecisionProps) => (
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

export const DecisionForm = ({
  children,
  ...props
}: DecisionProps & { readonly children: ComponentChildren }) => (
  <form
    class="sections"
    method="post"
    action={props.visit.frame.href(pathOf(props.visit, '/decision'))}
    noValidate
    autocomplete="off"
  >
    <Hidden {...props} />
    {children}
  </form>
);

export interface DecisionView extends Pick<DecisionProps, 'visit' | 'asked'> {
  readonly heading: string;
  readonly lead: string;
  readonly errors: readonly ErrorLine[];
  readonly children: ComponentChildren;
}

export const decisionPage = ({ visit, asked, heading, lead, errors, children }: DecisionView): PageAnswer => {
  const { words, frame, lang, cookies } = visit;
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
            <p class="lead">{lead}</p>
          </div>
          <div class="sections">
            <Who asked={asked} words={words} />
            {children}
          </div>
        </>
      ),
    },
    { status: errors.length > 0 ? 400 : 200, cookies, ...(formTarget ? { formTarget } : {}) },
  );
};
