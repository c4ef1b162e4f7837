/** The page of a renewal: what the app may see already and goes on seeing, then the code. There is nothing to choose. */

import type { Challenge } from '../../../bank/account-holders.js';
import type { BankAccount } from '../../../bank/bank.js';
import type { AskedConsent } from '../../../consent/decide.js';
import type { PageAnswer } from '../../../http/pages.js';
import { inFours } from '../../../model/account-reference.js';
import type { FieldFault } from '../choice.js';
import { dateText, lastDay } from '../format.js';
import type { HolderVisit } from '../parts.js';
import { CodeSection } from './code.js';
import { Buttons, DecisionForm, decisionPage, errorLines } from './decision-page.js';
import { AccessAsked, NotAllowed } from './sections.js';

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
  const { words } = visit;
  const { renewal } = words;
  const errors = errorLines(faults, words);
  const entered = { accounts: [], term: undefined, date: '', code: '' };
  return decisionPage({
    visit,
    asked,
    heading: renewal.title(asked.applicationName),
    lead: renewal.lead,
    errors,
    children: (
      <>
        <AccessAsked asked={asked} words={words} heading={renewal.what} />
        <CoveredAccounts {...view} />
        <Until {...view} />
        <NotAllowed asked={asked} words={words} />
        <DecisionForm visit={visit} asked={asked} challenge={challenge}>
          <CodeSection {...{ asked, words, entered, errors }} demoCode={challenge.demoCode} />
          <Buttons approve={renewal.approve} refuse={renewal.refuse} hint={renewal.hint} />
        </DecisionForm>
      </>
    ),
  });
};
