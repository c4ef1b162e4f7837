/** The page of a request whose third party the person has blocked: nothing of what it wants, only the choice to lift the block. */
import type { AskedConsent } from '../../../consent/asked.js';
import type { PageAnswer } from '../../../http/pages.js';
import type { FieldFault } from '../choice.js';
import { canDecide } from '../codes/code-parts.js';
import type { CodeState } from '../codes/code-states.js';
import type { HolderVisit } from '../parts.js';
import { ApprovalForm, Buttons, errorLines, formPage } from './approval-form.js';
import { AnotherCode, CodeSection } from './code.js';

interface BlockedView {
  readonly visit: HolderVisit;
  readonly asked: AskedConsent;
  readonly code: CodeState;
  readonly faults: readonly FieldFault[];
  /** The code that was typed, if only the language changes. */
  readonly typed?: string | undefined;
}

export const blockedPage = ({ visit, asked, code, faults, typed = '' }: BlockedView): PageAnswer => {
  const { blocked } = visit.messages;
  const { title, lead, hint } = blocked[asked.block ?? 'one'];
  const errors = errorLines(faults, visit);
  const entered = { accounts: [], term: undefined, date: '', code: typed };
  return formPage({
    visit,
    asked,
    heading: title(asked.tppName),
    lead: lead(asked.applicationName),
    faults,
    code,
    children: (
      <ApprovalForm visit={visit} asked={asked}>
        <CodeSection {...{ visit, asked, entered, errors }} state={code} />
        <Buttons approve={canDecide(code) ? blocked.lift : undefined} refuse={blocked.refuse} hint={hint} />
        <AnotherCode visit={visit} state={code} />
      </ApprovalForm>
    ),
  });
};
