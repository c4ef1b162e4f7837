/**
 * Confirmations outside of these pages: the wait for the app of the bank, and the return of a browser that was sent to the bank. The decision was
 * sent with a form and is kept with the confirmation; it is carried out once the bank says `right`. So a GET approves nothing that no
 * form has sent.
 */
import type { PageAnswer } from '../../http/pages.js';
import { type Chosen, codeVisitFor, type Decision, toStatePage, tryAnswer } from './attempt.js';
import { fields } from './choice.js';
import { type CodeVisit, returnedWith } from './codes/code-states.js';
import { afterReturn, openDecision } from './decision.js';
import type { ApprovalParts, HolderVisit } from './parts.js';
import { waitingPage } from './view/waiting-page.js';

interface Outside {
  readonly decision: Decision;
  readonly chosen: Chosen;
  readonly codeVisit: CodeVisit;
}

const pollApp = async ({ decision, chosen, codeVisit }: Outside): Promise<PageAnswer> => {
  const { parts, visit, asked, pending } = decision;
  const verdict = await parts.codes.askApp(codeVisit);
  const close = () => parts.codes.close(codeVisit);
  switch (verdict) {
    case 'right':
      return afterReturn[pending](decision, chosen, [], close);
    case 'refused':
      return afterReturn[pending](decision, chosen, [{ field: 'code', fault: 'appRefused' }], close);
    // Too late, or another window was faster: the page says which.
    case 'spent':
      return toStatePage(visit);
    default: {
      const state = await parts.codes.begun(codeVisit);
      if (state?.kind !== 'sent') return toStatePage(visit);
      return waitingPage({
        visit,
        asked,
        context: chosen.context,
        state,
        isReachable: verdict === 'pending',
      });
    }
  }
};

const judgeReturn = async ({ decision, chosen, codeVisit }: Outside): Promise<PageAnswer> => {
  const { parts, visit, pending } = decision;
  const { kind } = await parts.codes.kindOf(codeVisit);
  if (kind !== 'redirect') return toStatePage(visit);
  const carryOut = afterReturn[pending];
  const close = () => parts.codes.close(codeVisit);
  const refused = await tryAnswer(
    decision,
    { codeVisit, kind, answer: returnedWith(visit.request) },
    (faults) => carryOut(decision, chosen, faults, async () => undefined),
  );
  return refused ?? carryOut(decision, chosen, [], close);
};

const outside =
  (go: (found: Outside) => Promise<PageAnswer>) =>
  async (parts: ApprovalParts, visitor: HolderVisit): Promise<PageAnswer> => {
    const decision = await openDecision(parts, visitor);
    if (!('asked' in decision)) return decision;
    const { visit } = decision;
    const shownHash = visit.request.query[fields.shown] ?? '';
    const chosen = await parts.codes.chosen<Chosen>(codeVisitFor(visit, { shownHash }));
    if (chosen?.pending !== decision.pending) return toStatePage(visit);
    return go({ decision, chosen, codeVisit: codeVisitFor(visit, chosen.context) });
  };

export const waitForApp = outside(pollApp);
export const comeBack = outside(judgeReturn);
