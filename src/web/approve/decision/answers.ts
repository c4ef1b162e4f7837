/** The page after a decision about a request or a renewal: back to the third party, or an explanation. */

import { type AskedConsent, findAsked } from '../../../consent/asked.js';
import { type DecisionOutcome, pendingDecision } from '../../../consent/decide.js';
import { type PageAnswer, seeOther } from '../../../http/pages.js';
import type { BankTime } from '../../../lib/clock.js';
import { type ApprovalParts, type HolderVisit, pathOf } from '../parts.js';
import { changedPage, notFoundPage } from '../view/outcome-pages.js';
import { wayBack } from '../way-back.js';

/** One decision about one open matter. */
export interface Decision {
  readonly parts: ApprovalParts;
  readonly visit: HolderVisit;
  readonly asked: AskedConsent;
  readonly bankNow: BankTime;
}

export const toStatePage = (visit: HolderVisit): PageAnswer => seeOther(visit.frame.href(pathOf(visit)));

export const leave = ({ visit, asked }: Decision, result: 'approved' | 'refused'): PageAnswer => {
  const address = wayBack(asked, result, visit.within);
  return address === undefined ? toStatePage(visit) : seeOther(address);
};

export const isDecided = async ({ parts, visit, asked, bankNow }: Decision): Promise<boolean> => {
  const current = await findAsked(parts.db, asked.id, visit.holder.id);
  return !current || pendingDecision(current, bankNow) !== pendingDecision(asked, bankNow);
};

/** If a concurrent approval changed the consent, its outcome is shown rather than "changed". */
export const changed = async (decision: Decision): Promise<PageAnswer> =>
  (await isDecided(decision)) ? toStatePage(decision.visit) : changedPage(decision.visit);

/** The answer once an approval was tried. */
export const afterApproval = async (decision: Decision, outcome: DecisionOutcome): Promise<PageAnswer> => {
  switch (outcome) {
    case 'done':
      return leave(decision, 'approved');
    case 'changed':
      return changed(decision);
    case 'decided':
    case 'submitted':
      return toStatePage(decision.visit);
    case 'unknown':
      return notFoundPage(decision.visit);
  }
};
