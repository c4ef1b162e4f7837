/** The page of a renewal: what the app may see already and goes on seeing, then the code. There is nothing to choose. */
import type { BankAccount } from '../../../bank/bank.js';
import type { AskedConsent } from '../../../consent/asked.js';
import type { PageAnswer } from '../../../http/pages.js';
import { inFours } from '../../../model/account-reference.js';
import type { Regime } from '../../../model/regime.js';
import type { FieldFault } from '../choice.js';
import { canDecide } from '../codes/code-parts.js';
import type { CodeState } from '../codes/code-states.js';
import { dateText, lastDay } from '../format.js';
import type { HolderVisit } from '../parts.js';
import { ApprovalForm, Buttons, errorLines, formPage } from './approval-form.js';
import { AnotherCode, CodeSection } from './code.js';
import { AccessAsked, NotAllowed } from './sections.js';

export interface RenewalView {
  readonly visit: HolderVisit;
  readonly asked: AskedConsent;
  readonly accounts: readonly BankAccount[];
  readonly code: CodeState;
  readonly faults: readonly FieldFault[];
  readonly regime: Regime;
  /** The code that was typed, if only the language changes. */
  readonly typed?: string | undefined;
}

const CoveredAccounts = ({ visit, accounts }: Pick<RenewalView, 'visit' | 'accounts'>) => (
  <section class="stack" aria-labelledby="accounts">
    <h2 id="accounts">{visit.messages.renewal.accounts}</h2>
    <ul class="sentences">
      {accounts.map(({ id, name, iban, bban, currency }) => (
        <li key={id}>
          {name} ({currency}) <span class="block number">{inFours(iban ?? bban ?? '')}</span>
        </li>
      ))}
    </ul>
  </section>
);

const Until = ({ visit, asked }: Pick<RenewalView, 'visit' | 'asked'>) => {
  const { term, locale } = visit.messages;
  const until =
    asked.expiresAt === null
      ? term.open
      : term.until(dateText(lastDay(asked.expiresAt, visit.timeZone), locale));
  return (
    <section class="stack" aria-labelledby="term-heading">
      <h2 id="term-heading">{term.heading}</h2>
      <p>
        {until} {term.withdraw}
      </p>
    </section>
  );
};

export const renewalPage = (view: RenewalView): PageAnswer => {
  const { visit, asked, code, faults, regime, typed = '' } = view;
  const { messages } = visit;
  const { renewal } = messages;
  const errors = errorLines(faults, visit);
  const entered = { accounts: [], term: undefined, date: '', code: typed };
  return formPage({
    visit,
    asked,
    heading: renewal.title(asked.applicationName),
    lead: renewal.lead[regime],
    faults,
    code,
    children: (
      <>
        <AccessAsked asked={asked} messages={messages} heading={renewal.what} />
        <CoveredAccounts {...view} />
        <Until {...view} />
        <NotAllowed asked={asked} messages={messages} />
        <ApprovalForm visit={visit} asked={asked}>
          <CodeSection {...{ visit, asked, entered, errors }} state={code} />
          <Buttons
            approve={canDecide(code) ? renewal.approve : undefined}
            refuse={renewal.refuse}
            hint={renewal.hint[regime]}
          />
          <AnotherCode visit={visit} state={code} />
        </ApprovalForm>
      </>
    ),
  });
};
