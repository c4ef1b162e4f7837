/** The page of a renewal: what the app may see already and goes on seeing, then the code. There is nothing to choose. */

import type { Challenge } from '../../../bank/account-holders.js';
import type { BankAccount } from '../../../bank/bank.js';
import type { AskedConsent } from '../../../consent/decide.js';
import type { PageAnswer } from '../../../http/pages.js';
import { inFours } from '../../../model/account-reference.js';
import { ErrorSummary } from '../../components/error-summary.js';
import { flowPage } from '../../components/flow-shell.js';
import type { FieldFault } from '../choice.js';
import { dateText, lastDay } from '../format.js';
import { type HolderVisit, pathOf } from '../parts.js';
import { formTargetOf } from '../way-back.js';
import { Buttons, errorLines, Hidden } from './approval-page.js';
import { CodeSection } from './code.js';
import { AccessAsked, NotAllowed, Who } from './sections.js';
import { LoggedIn } from './visitor.js';

export interface RenewalView {
  readonly visit: HolderVisit;
  readonly asked: AskedConsent;
  readonly accounts: readonly BankAccount[];
  readonly challenge: Challenge;
  readonly faults: readonly FieldFault[];
  readonly timeZone: string;
}

const CoveredAccounts = ({ visit, accounts }: Pick<RenewalView, 'visit' | 'accounts'>) => (
  <section class="stack" aria-labelledby="accounts">
    <h2 id="accounts">{visit.words.renewal.accounts}</h2>
    <ul class="sentences">
      {accounts.map(({ id, name, iban, bban, currency }) => (
        <li key={id}>
          {name} ({currency}) <span class="block number">{inFours(iban ?? bban ?? '')}</span>
        </li>
      ))}
    </ul>
  </section>
);

const Until = ({ visit, asked, timeZone }: Pick<RenewalView, 'visit' | 'asked' | 'timeZone'>) => {
  const { term, locale } = visit.words;
  const until =
    asked.expiresAt === null ? term.open : term.until(dateText(lastDay(asked.expiresAt, timeZone), locale));
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
  const { visit, asked, challenge, faults } = view;
  const { words, frame, lang, cookies } = visit;
  const { renewal } = words;
  const errors = errorLines(faults, words);
  const heading = renewal.title(asked.applicationName);
  const formTarget = formTargetOf(asked);
  const entered = { accounts: [], term: undefined, date: '', code: '' };
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
            <p class="lead">{renewal.lead}</p>
          </div>
          <div class="sections">
            <Who asked={asked} words={words} />
            <AccessAsked asked={asked} words={words} heading={renewal.what} />
            <CoveredAccounts {...view} />
            <Until {...view} />
            <NotAllowed asked={asked} words={words} />
            <form
              class="sections"
              method="post"
              action={frame.href(pathOf(visit, '/decision'))}
              noValidate
              autocomplete="off"
            >
              <Hidden visit={visit} asked={asked} challenge={challenge} />
              <CodeSection {...{ asked, words, entered, errors }} demoCode={challenge.demoCode} />
              <Buttons approve={renewal.approve} refuse={renewal.refuse} hint={renewal.hint} />
            </form>
          </div>
        </>
      ),
    },
    { status: errors.length > 0 ? 400 : 200, cookies, ...(formTarget ? { formTarget } : {}) },
  );
};
