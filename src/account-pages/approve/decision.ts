/**
 * The form of a decision, submitted. Whatever is sent twice, late, from an old page or about a request that has changed meanwhile ends
 * in a page that explains it; the lifecycle moves at most once.
 */

import { type AskedConsent, findAsked, shownHash } from '../../consent/asked.js';
import { approveConsent, type Pending, pendingDecision } from '../../consent/decide.js';
import type { PageAnswer } from '../../http/pages.js';
import { isLanguageChange } from '../../web/language.js';
import {
  afterApproval,
  type Begin,
  changed,
  changeWay,
  codeVisitOf,
  confirmationOf,
  type Decision,
  isShown,
  missingOf,
  sendAgain,
  sendCode,
  toBank,
  toStatePage,
  tryAnswer,
} from './attempt.js';
import {
  type Choice,
  calendarAt,
  choose,
  type Entered,
  type FieldFault,
  fields,
  readEntries,
} from './choice.js';
import {
  type AfterReturn,
  blocked,
  carriedOut,
  refuse,
  renewal,
  type Submit,
  type Submits,
  submitsOf,
} from './code-matters.js';
import type { CodeState } from './codes/code-states.js';
import { canApprove, consentAccountsOf } from './offer.js';
import type { ApprovalParts, HolderVisit } from './parts.js';
import { accountFaults, type Prospect, prospectOf } from './prospect.js';
import { withBalances } from './shown-balances.js';
import { approvalPage } from './view/approval-page.js';
import { notFoundPage, strandedPage, suspendedPage } from './view/outcome-pages.js';
import { withinOf } from './way-back.js';

/** An approval, at the terms of this person. */
interface ApprovalDecision extends Decision {
  readonly prospect: Prospect;
}

/** The page once more, with what was entered. */
const askAgain = async (
  decision: ApprovalDecision,
  entered: Entered,
  faults: readonly FieldFault[],
  code?: CodeState,
): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = decision;
  const { offer } = decision.prospect;
  return approvalPage({
    visit,
    asked,
    offer: await withBalances(parts, visit, offer),
    entered,
    faults,
    code: canApprove(offer) ? (code ?? (await parts.codes.open(codeVisitOf(decision)))) : undefined,
    calendar: calendarAt(bankNow, parts),
    bankNow,
  });
};

const complete = async (
  { prospect, ...decision }: ApprovalDecision,
  { cards, term }: Choice,
): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow } = decision;
  const outcome = await approveConsent(parts.db, {
    id: asked.id,
    psuId: visit.holder.id,
    shownHash: shownHash(asked),
    accounts: consentAccountsOf(cards),
    terms: prospect.terms,
    term,
    at: bankNow,
    regime: parts.regime,
    vault: parts.vault,
  });
  return afterApproval(decision, outcome);
};

const approve = async (decision: ApprovalDecision): Promise<PageAnswer> => {
  const { parts, visit, asked, bankNow, prospect } = decision;
  const entered = readEntries(visit.request);
  const confirmation = await confirmationOf(decision, entered);
  const calendar = calendarAt(bankNow, parts);
  const { choice, faults } = choose(asked, prospect.offer, entered, calendar, missingOf(confirmation));
  const refused = accountFaults(prospect);
  if (!choice || refused.length > 0) return askAgain(decision, entered, [...refused, ...faults]);
  const again = (wrong: readonly FieldFault[], code?: CodeState) =>
    askAgain(decision, { ...entered, code: '' }, wrong, code);
  const unfinished =
    (await toBank(decision, confirmation, entered, again)) ??
    (await tryAnswer(decision, confirmation, again));
  return unfinished ?? complete(decision, choice);
};

const beginWith =
  (begin: Begin, faultsOf: (decision: ApprovalDecision, entered: Entered) => readonly FieldFault[]) =>
  async (decision: ApprovalDecision): Promise<PageAnswer> => {
    if (!canApprove(decision.prospect.offer)) return toStatePage(decision.visit);
    const entered = { ...readEntries(decision.visit.request), code: '' };
    const faults = faultsOf(decision, entered);
    if (faults.length > 0) return askAgain(decision, entered, faults);
    return begin(decision, (wrong, code) => askAgain(decision, entered, wrong, code));
  };

/** No code is sent for a choice that cannot be approved. */
const choiceFaults = (
  { asked, prospect, bankNow, parts }: ApprovalDecision,
  entered: Entered,
): readonly FieldFault[] => [
  ...accountFaults(prospect),
  ...choose(asked, prospect.offer, entered, calendarAt(bankNow, parts), undefined).faults,
];

/** The page in another language. */
const translate = (decision: ApprovalDecision): Promise<PageAnswer> =>
  askAgain(decision, readEntries(decision.visit.request), []);

/** The account whose terms are wanted. */
const pickedIn = ({ kind }: AskedConsent, { accounts }: Entered): readonly string[] =>
  kind === 'PaymentInitiation' ? accounts : [];

/** What was shown is what is approved: at other terms than these the account holder looks again first. */
const atTerms =
  (submit: (decision: ApprovalDecision) => Promise<PageAnswer>): Submit =>
  async (decision) => {
    const { parts, visit, asked: staged } = decision;
    const [picked] = pickedIn(staged, readEntries(visit.request));
    const prospect = await prospectOf(parts, visit, staged, picked);
    const { asked } = prospect;
    return isShown(visit, asked)
      ? submit({ ...decision, asked, prospect })
      : changed({ ...decision, asked }, picked);
  };

const approveChosen: AfterReturn = async (decision, { entered, context }, refused, close) => {
  const { parts, visit, asked: staged, bankNow } = decision;
  const [picked] = pickedIn(staged, entered);
  const prospect = await prospectOf(parts, visit, staged, picked);
  const approval = { ...decision, asked: prospect.asked, prospect };
  // Meanwhile at other terms than those that were confirmed.
  const isChanged = shownHash(prospect.asked) !== context.shownHash;
  const { choice, faults } = choose(staged, prospect.offer, entered, calendarAt(bankNow, parts), undefined);
  const wrong = [...refused, ...accountFaults(prospect), ...faults];
  const answer = choice && wrong.length === 0 && !isChanged ? await complete(approval, choice) : undefined;
  await close();
  if (answer) return answer;
  return isChanged ? changed(approval, picked) : askAgain(approval, entered, wrong);
};

export const afterReturn: Readonly<Record<Decision['pending'], AfterReturn>> = {
  request: approveChosen,
  renewal: carriedOut(renewal),
  blocked: carriedOut(blocked),
};

/** By what the button says. */
const submits: Readonly<Record<Pending, Submits>> = {
  request: {
    approve: atTerms(approve),
    refuse,
    begin: atTerms(beginWith(sendCode, choiceFaults)),
    send: atTerms(beginWith(sendAgain, choiceFaults)),
    change: atTerms(beginWith(changeWay, () => [])),
    translate: atTerms(translate),
  },
  renewal: submitsOf(renewal),
  blocked: submitsOf(blocked),
};

/** The open matter of a request, or the page that says why there is none. */
export const openDecision = async (
  parts: ApprovalParts,
  visitor: HolderVisit,
): Promise<Decision | PageAnswer> => {
  const asked = await findAsked(parts.db, visitor.consentId, visitor.holder.id);
  if (!asked) return notFoundPage(visitor);
  if (asked.isActive === 0) return suspendedPage(visitor, asked);
  const bankNow = await parts.bankTime();
  const pending = pendingDecision(asked, bankNow);
  if (pending === undefined) return toStatePage(visitor);
  // A renewal has its own way back, wherever the request itself began.
  const within = pending !== 'renewal' ? await withinOf(parts, visitor, asked) : undefined;
  if (typeof within === 'string') return strandedPage(visitor, within);
  return { parts, visit: { ...visitor, ...(within ? { within } : {}) }, asked, pending, bankNow };
};

const wantedIn = (request: HolderVisit['request']): string | undefined => {
  if (isLanguageChange(request)) return 'translate';
  return request.form[fields.change] === undefined ? request.form[fields.decision] : fields.change;
};

export const submitDecision = async (parts: ApprovalParts, visitor: HolderVisit): Promise<PageAnswer> => {
  const decision = await openDecision(parts, visitor);
  if (!('asked' in decision)) return decision;
  const { visit, pending } = decision;
  const wanted = wantedIn(visit.request);
  const [, submit] = Object.entries(submits[pending]).find(([name]) => name === wanted) ?? [];
  return submit ? submit(decision) : toStatePage(visit);
};
