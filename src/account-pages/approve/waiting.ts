/**
 * The wait for the app of the bank. The decision was sent with a form and is kept with the request to the app; this page asks the bank
 * whether the person has confirmed, and carries the decision out once it says `right`. So a GET approves nothing that no form has sent.
 */
import type { PageAnswer } from '../../http/pages.js';
import { type Decision, toStatePage } from './attempt.js';
import type { Chosen } from './code-matters.js';
import { afterApp, openDecision } from './decision.js';
import type { ApprovalParts, HolderVisit } from './parts.js';
import { waitingPage } from './view/waiting-page.js';

const pollApp = async (decision: Decision): Promise<PageAnswer> => {
  const { parts, visit, asked, pending } = decision;
  const { session, holder, lang } = visit;
  const visitFor = (context: Chosen['context']) => ({ secret: session.secret, psuId: holder.id, context });
  const shownHash = visit.request.query.shown ?? '';
  const chosen = await parts.codes.chosen<Chosen>(visitFor({ shownHash }));
  if (!chosen) return toStatePage(visit);
  const codeVisit = visitFor({ ...chosen.context, language: lang });
  const verdict = await parts.codes.askApp(codeVisit);
  switch (verdict) {
    case 'right':
      return afterApp[pending](decision, chosen, []);
    case 'refused':
      return afterApp[pending](decision, chosen, [{ field: 'code', fault: 'appRefused' }]);
    // Too late, or another window was faster: the page says which.
    case 'spent':
      return toStatePage(visit);
    default: {
      const state = await parts.codes.open(codeVisit);
      if (state.kind !== 'sent') return toStatePage(visit);
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

export const waitForApp = async (parts: ApprovalParts, visitor: HolderVisit): Promise<PageAnswer> => {
  const opened = await openDecision(parts, visitor);
  return 'asked' in opened ? pollApp(opened) : opened;
};
